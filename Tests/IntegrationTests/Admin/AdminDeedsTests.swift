import Foundation
import JulietGame
import TestSupport
import Testing

/// What operators do about players on the admin page, over HTTP.
@Suite("Deeds of the admin page", .everyLayout)
struct AdminDeedsTests {
    private let why = #"{"reason": "ticket 17"}"#

    private func start(
        _ settings: [String: String] = [:], lines: LogLines = LogLines()
    ) async throws -> (TestDatabase, TestService, AdminClient) {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database, settings: settings, lines: lines)
        return (database, service, anna)
    }

    /// The actions about a player, the oldest first.
    private func trail(of id: String, _ anna: AdminClient) async throws -> [JSON] {
        try await anna.get("trail?id=\(id)").json.actions.items.reversed()
    }

    private func addWays(of id: String, in database: TestDatabase) async throws {
        try await database.psql(
            """
            INSERT INTO passkeys (user_id, id, credential_id, user_handle, public_key, sign_count, is_backup_eligible, is_backed_up, name,
                created_at)
            SELECT '\(id)', gen_random_uuid(), convert_to('\(id)' || n, 'UTF8'), decode(replace('\(id)', '-', ''), 'hex'),
                'public key', 0, true, true, 'Key ' || n, now() - (3 - n) * interval '1 minute' FROM generate_series(1, 2) AS n;
            INSERT INTO identities (issuer, subject, user_id, provider)
            VALUES ('https://id.example', 'subject of \(id)', '\(id)', 'company')
            """)
    }

    // MARK: Ways in

    @Test("ways in are listed without a secret, and taken away one by one or all, each once under a name")
    func ways() async throws {
        let (database, service, anna) = try await start()
        let created = try await V2Client.newcomer(on: service).post("/v2/players")
        let (player, code) = (created.client, created.json.recoveryCode.text)
        let id = try await player.me().id.text
        let opened = try await V2Client.newcomer(on: service).post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#)
        #expect(opened.status == 201)
        let second = player.with(token: opened.json.token.text)
        try await addWays(of: id, in: database)

        let ways = try await anna.get("ways?id=\(id)")
        #expect(ways.json.sessions.items.map(\.by.text) == ["registration", "recoveryCode"])
        #expect(ways.json.passkeys.items.map(\.name.text) == ["Key 1", "Key 2"])
        #expect(ways.json.identities.items.map(\.subject.text) == ["subject of \(id)"])
        for secret in [player.token, second.token, opened.json.recoveryCode.text, "public key"] {
            #expect(!ways.description.contains(secret ?? "?"))
        }
        let bare = "ways?id=\(id)"
        for (path, body, summary) in [
            (bare, #"{"kind": "session", "one": "x", "reason": "x"}"#, "400 request-invalid"),
            (bare, #"{"kind": "all", "one": "x", "reason": "x"}"#, "400 request-invalid"),
            (bare, #"{"kind": "identity", "one": "a\u0000", "reason": "x"}"#, "400 request-invalid"),
            (bare, #"{"kind": "code", "reason": "x"}"#, "400 request-invalid"),
            (bare, #"{"kind": "session", "reason": " "}"#, "400 request-invalid"),
            (bare, #"{"kind": "session"}"#, "400 request-invalid"),
            (
                bare, #"{"kind": "session", "one": "\#(UUID().uuidString.lowercased())", "reason": "x"}"#,
                "404 not-found"
            ),
            (bare, #"{"kind": "identity", "one": "apple", "reason": "x"}"#, "404 not-found"),
            ("ways?id=nobody", #"{"kind": "session", "reason": "x"}"#, "404 not-found"),
            ("ways", #"{"kind": "session", "reason": "x"}"#, "400 request-invalid"),
        ] { #expect(try await anna.post(path, body).summary == summary, "\(body)") }
        #expect(try await anna.get("ways?id=nobody").summary == "404 not-found")
        #expect(try await database.actions(to: id) == 0)

        let first = ways.json.sessions[0].id.text
        let one = #"{"kind": "session", "one": "\#(first)", "reason": "lost phone"}"#
        let replies = try await anna.posts(12, bare, one, name: "once")
        #expect(replies.allSatisfy { $0.status == 200 }, "\(replies)")
        #expect(replies.count { $0.json.isReplay == false } == 1)
        #expect(try await player.get("/v2/players/me").summary == "401 unauthorized")
        #expect(try await second.get("/v2/players/me").status == 200)
        let other = #"{"kind": "passkey", "reason": "lost phone"}"#
        #expect(try await anna.post(bare, other, name: "once").summary == "422 idempotency-key-reused")
        let key = ways.json.passkeys[0].id.text
        #expect(
            try await anna.post(bare, #"{"kind": "passkey", "one": "\#(key)", "reason": "x"}"#).json.taken == 1)
        #expect(try await anna.get(bare).json.passkeys.items.map(\.name.text) == ["Key 2"])
        #expect(
            try await anna.post(bare, #"{"kind": "identity", "one": "company", "reason": "x"}"#).json.taken == 1)
        #expect(try await anna.post(bare, #"{"kind": "all", "reason": "x"}"#).json.taken == 2)
        #expect(try await second.get("/v2/players/me").summary == "401 unauthorized")
        let left = try await anna.get(bare).json
        #expect(left.sessions.items.isEmpty && left.passkeys.items.isEmpty && left.identities.items.isEmpty)
        let done = try await trail(of: id, anna)
        #expect(
            done.map(\.action.text) == ["player.session", "player.passkey", "player.identity", "player.ways"])
        #expect(done.map(\.subject.text) == [first, key, "company", ""])
        #expect(done[3].details.sessions == 1 && done[3].details.passkeys == 1 && done[3].details.identities == 0)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a new recovery code is told once, the old one stops, and it is in no line and no trail")
    func recovery() async throws {
        let lines = LogLines()
        let (database, service, anna) = try await start(["log.level": "trace"], lines: lines)
        let newcomer = V2Client.newcomer(on: service)
        let created = try await newcomer.post("/v2/players")
        let (old, id) = (created.json.recoveryCode.text, created.json.player.id.text)
        let path = "recovery-code?id=\(id)"
        #expect(try await anna.post(path, "{}").summary == "400 request-invalid")
        #expect(try await anna.post("recovery-code?id=nobody", why).summary == "404 not-found")
        let app = TestService.newUser()
        try await database.psql("SELECT register_user('\(app)', NULL, NULL)")
        #expect(try await anna.post("recovery-code?id=\(app)", why).summary == "404 not-found", "of the app")

        // Of those who ask at once one is told.
        let replies = try await anna.posts(8, path, why, name: "code")
        let made = replies.filter { $0.status == 200 }
        #expect(made.count == 1 && replies.count { $0.summary == "409 recovery-made" } == 7, "\(replies)")
        let code = try #require(made.first).json.recoveryCode.text
        #expect(try await newcomer.post("/v2/sessions", #"{"recoveryCode": "\#(old)"}"#).summary == "401 unauthorized")
        #expect(
            try await anna.post(path, #"{"reason": "x"}"#, name: "code").summary == "422 idempotency-key-reused")
        let next = try await anna.post(path, why, fields: ["Accept-Encoding: gzip, deflate, br"])
        #expect(next.status == 200 && next.http["Content-Encoding"] == nil && next.http["Cache-Control"] == "no-store")
        #expect(
            try await newcomer.post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#).summary == "401 unauthorized")
        let newest = next.json.recoveryCode.text
        let opened = try await newcomer.post("/v2/sessions", #"{"recoveryCode": "\#(newest)"}"#)
        #expect(opened.status == 201 && opened.json.player.id.text == id)
        let kept = try await database.psql("SELECT string_agg(a::text, ' ') FROM admin_actions AS a")
        for secret in [code, newest, code.replacing("-", with: ""), newest.replacing("-", with: "")] {
            #expect(!lines.details.contains { $0.contains(secret) } && !kept.contains(secret))
        }
        #expect(try await trail(of: id, anna).map(\.action.text) == ["player.recoveryCode", "player.recoveryCode"])
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("a key of another role is refused by each, and changes nothing")
    func roles() async throws {
        let (database, service, anna) = try await start()
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        let game = try await player.start().id.text
        let words = try await anna.with(key: database.addAdminKey("words", role: .words))
        let support = try await anna.with(key: database.addAdminKey("support", role: .support))
        let deeds = [
            ("ways?id=\(id)", #"{"kind": "session", "reason": "x"}"#), ("recovery-code?id=\(id)", why),
            ("energy?id=\(id)", #"{"amount": 5, "reason": "x"}"#), ("end-game?id=\(id)&game=\(game)", why),
            ("export?id=\(id)", why), ("delete?id=\(id)", #"{"id": "\#(id)", "reason": "x"}"#),
        ]
        #expect(try await words.get("ways?id=\(id)").summary == "403 forbidden")
        for (path, body) in deeds {
            #expect(try await words.post(path, body).summary == "403 forbidden", "\(path)")
            #expect(try await anna.with(session: .random()).post(path, body).summary == "401 unauthorized", "\(path)")
            #expect(
                try await support.post(path, body, origin: "http://evil.example").summary == "403 origin-refused")
        }
        #expect(try await player.me().energy == 25)
        #expect(try await database.actions(to: id) == 0)
        #expect(try await support.get("ways?id=\(id)").json.sessions.items.count == 1)
        for (path, body) in deeds { #expect(try await support.post(path, body).status == 200, "\(path)") }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    // MARK: Energy

    @Test("energy is given and taken, never below nothing; a reason that is not shown is in the trail alone")
    func energy() async throws {
        let (database, service, anna) = try await start()
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        let path = "energy?id=\(id)"
        let replies = try await anna.posts(
            12, path, #"{"amount": -20, "reason": "abuse", "isShown": false}"#, name: "t")
        #expect(replies.allSatisfy { $0.status == 200 && $0.json.balance == 10 }, "\(replies)")
        #expect(replies.count { $0.json.isReplay == false } == 1)
        #expect(
            try await anna.post(path, #"{"amount": -20, "reason": "abuse"}"#, name: "t").summary
                == "422 idempotency-key-reused", "shown is another deed")
        for _ in 1...2 {
            #expect(
                try await anna.post(path, #"{"amount": -11, "reason": "x"}"#, name: "much").summary
                    == "409 energy-insufficient")
        }
        for body in [#"{"amount": -1000001, "reason": "x"}"#, #"{"amount": -9223372036854775808, "reason": "x"}"#] {
            #expect(try await anna.post(path, body).summary == "400 request-invalid")
        }
        #expect(try await anna.post(path, #"{"amount": 5, "reason": "sorry", "isShown": true}"#).json.balance == 15)
        #expect(try await anna.post(path, #"{"amount": 6, "reason": "inside", "isShown": false}"#).json.balance == 21)
        #expect(try await anna.post(path, #"{"amount": -21, "reason": "a mistake"}"#).json.balance == 0)
        #expect(try await player.me().energy == 0)

        let export = try await player.get("/v2/players/me/export")
        let entries = export.json.energyEntries.items.filter { $0.reason == "support" }
        #expect(entries.map(\.delta.int) == [-20, 5, 6, -21])
        #expect(entries.map(\.note.text) == ["", "sorry", "", "a mistake"])
        #expect(!export.description.contains("abuse") && !export.description.contains("inside"))
        let shown = try await player.get("/v2/players/me/energy").json.entries.items
        #expect(shown.map(\.delta.int) == [-21, 6, 5, -20, 30] && shown.allSatisfy { $0.names.count == 4 })
        let done = try await trail(of: id, anna)
        #expect(done.map(\.action.text) == ["energy.take", "energy.grant", "energy.grant", "energy.take"])
        #expect(done.map(\.reason.text) == ["abuse", "sorry", "inside", "a mistake"])
        #expect(done.map(\.details.amount.int) == [-20, 5, 6, -21])
        #expect(done[0].details.isShown == false && done[1].details.isShown == .missing)
        try await database.expectCleanAudit()
        #expect(try await database.ledgerFaults() == "")

        // A reason that went into the ledger, or was taken out of it, is noticed.
        for damage in ["reference = 'x' WHERE delta = 6", "reference = NULL WHERE delta = 5"] {
            try await database.psql("CREATE TABLE kept AS SELECT * FROM energy_ledger")
            try await database.psql("UPDATE energy_ledger SET \(damage)")
            let found = try await database.withOwner { owner in
                var found: [String] = []
                var audit = Audit(connection: owner, scope: Audit.Scope())
                _ = try await audit.run { found.append("\($0)") }
                return found
            }
            #expect(found.contains { $0.contains("gave or took") }, "\(damage): \(found)")
            try await database.psql(
                """
                UPDATE energy_ledger SET reference = kept.reference FROM kept
                WHERE kept.user_id = energy_ledger.user_id AND kept.operation_id = energy_ledger.operation_id;
                DROP TABLE kept
                """)
        }
        try await database.expectCleanAudit("restored")
        try await service.stop()
    }

    // MARK: Games

    @Test("a game that is ended is lost as a resigned one is: streak, reward, boards, challenges; its player sees it")
    func games() async throws {
        let (database, service, anna) = try await start()
        let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let id = try await ada.me().id.text
        func end(_ game: JSON, _ name: String = UUID().uuidString) async throws -> AdminReply {
            try await anna.post("end-game?id=\(id)&game=\(game.id.text)", why, name: name)
        }
        // The same for both: one gives up, of the other they are ended.
        for player in [ada, ben] { try await player.end(player.start(), in: 2, of: database) }
        let code = try await ada.post("/v2/challenges", "{}").json.challenge.code.text
        let codeOfBen = try await ben.post("/v2/challenges", "{}").json.challenge.code.text
        for path in ["/v2/games", "/v2/daily/game"] {
            let (adas, bens) = (try await ada.post(path).json.game, try await ben.post(path).json.game)
            for (player, game) in [(ada, adas), (ben, bens)] {
                let secret = try await player.secret(of: game, in: database)
                _ = try await player.guess(secret == "crane" ? "slate" : "crane", in: game)
            }
            let resigned = try await ben.post("/v2/games/\(bens.id.text)/resign").json
            let ended = try await end(adas)
            #expect(ended.status == 200 && ended.json.isReplay == false && ended.json.game.state == "lost", "\(ended)")
            let seen = try await ada.get("/v2/games/\(adas.id.text)").json
            #expect(seen.state == "lost" && seen.reward == resigned.reward && !seen.secret.text.isEmpty)
            #expect(try await ada.guess("crane", number: 2, in: adas).summary == "409 game-over")
        }
        let (me, other) = (try await ada.me(), try await ben.me())
        #expect(me.statistics == other.statistics && me.energy == other.energy && me.statistics.currentStreak == 0)
        for (player, game) in [
            (ada, try await ada.post("/v2/challenges/\(codeOfBen)/game").json.game),
            (ben, try await ben.post("/v2/challenges/\(code)/game").json.game),
        ] {
            if player.token == ada.token {
                let replies = try await anna.posts(
                    12, "end-game?id=\(id)&game=\(game.id.text)", why, name: "challenge")
                #expect(replies.allSatisfy { $0.status == 200 } && replies.count { $0.json.isReplay == false } == 1)
                #expect(try await end(game).summary == "409 game-over")
                #expect(
                    try await anna.post(
                        "end-game?id=\(id)&game=\(game.id.text)", #"{"reason": "x"}"#, name: "challenge"
                    ).summary == "422 idempotency-key-reused")
            } else {
                _ = try await ben.post("/v2/games/\(game.id.text)/resign")
                // It is not Ada's.
                #expect(try await end(game).summary == "404 not-found")
            }
        }
        #expect(try await ada.me().statistics == ben.me().statistics)
        let results = try await ben.get("/v2/challenges/\(codeOfBen)").json
        #expect(results.players == 1, "\(results)")
        for (bad, summary) in [
            ("end-game?id=\(id)", "400 request-invalid"), ("end-game?id=\(id)&game=x", "400 request-invalid"),
            ("end-game?id=\(id)&game=\(UUID().uuidString.lowercased())", "404 not-found"),
            ("end-game?id=nobody&game=\(UUID().uuidString.lowercased())", "404 not-found"),
        ] { #expect(try await anna.post(bad, why).summary == summary, "\(bad)") }
        let done = try await trail(of: id, anna)
        #expect(done.map(\.action.text) == ["game.end", "game.end", "game.end"])
        #expect(done.map(\.details.kind.text) == ["game", "daily", "challenge"])
        #expect(done.map(\.details.guesses.int) == [1, 1, 0])
        try await database.gatherBoards()
        try await database.expectCleanAudit()
        try await service.stop()
    }

    // MARK: The end

    @Test("an export is the player's own document, and the trail says that it was made")
    func export() async throws {
        let (database, service, anna) = try await start()
        let player = try await V2Client.player(on: service, named: "Ada")
        let id = try await player.me().id.text
        try await player.end(player.start(), in: 2, of: database)
        let running = try await player.start()
        try await database.setWord("fjord", of: running)
        let own = try await player.get("/v2/players/me/export")
        let export = try await anna.post("export?id=\(id)", why, name: "e")
        #expect(export.json == own.json && !export.description.contains("fjord"))
        #expect(export.http["Cache-Control"] == "no-store" && export.http["ETag"] == nil)
        #expect(try await anna.post("export?id=\(id)", why, name: "e").json == own.json, "a repeat has it too")
        #expect(
            try await anna.post("export?id=\(id)", #"{"reason": "x"}"#, name: "e").summary
                == "422 idempotency-key-reused")
        #expect(try await anna.posts(8, "export?id=\(id)", why, name: "f").allSatisfy { $0.json == own.json })
        #expect(try await trail(of: id, anna).map(\.action.text) == ["player.export", "player.export"])
        #expect(try await anna.post("export?id=nobody", why).summary == "404 not-found")
        let app = TestService.newUser()
        try await database.psql("SELECT register_user('\(app)', NULL, NULL)")
        #expect(try await anna.post("export?id=\(app)", why).json.id.text == app)
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test(
        "a player is deleted once, by the id typed again; the trail says so without a name, and who has the id finds it"
    )
    func delete() async throws {
        let (database, service, anna) = try await start()
        let player = try await V2Client.player(on: service, named: "Rumpelstilz")
        let id = try await player.me().id.text
        try await player.end(player.start(), in: 2, of: database)
        let game = try await player.start()
        _ = try await player.guess("crane", in: game)
        try await addWays(of: id, in: database)
        for body in [#"{"amount": 7, "reason": "gift"}"#, #"{"amount": -3, "reason": "sly", "isShown": false}"#] {
            #expect(try await anna.post("energy?id=\(id)", body).status == 200)
        }
        #expect(try await anna.post("export?id=\(id)", why).status == 200)
        let path = "delete?id=\(id)"
        for body in [why, #"{"id": "\#(id.uppercased())", "reason": "x"}"#, #"{"id": "\#(id)", "reason": ""}"#] {
            #expect(try await anna.post(path, body).summary == "400 request-invalid")
        }
        #expect(try await player.me().id.text == id)
        let body = #"{"id": "\#(id)", "reason": "asked by mail"}"#
        let replies = try await anna.posts(8, path, body, name: "gone")
        #expect(
            replies.allSatisfy { $0.status == 200 } && replies.count { $0.json.isReplay == false } == 1, "\(replies)")
        #expect(
            try await anna.post(path, #"{"id": "\#(id)", "reason": "x"}"#, name: "gone").summary
                == "422 idempotency-key-reused")
        #expect(try await anna.post(path, body).summary == "404 not-found")
        #expect(try await player.get("/v2/players/me").summary == "401 unauthorized")
        #expect(try await anna.get("player?id=\(id)").summary == "404 not-found")
        let tables = try await database.psql(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'juliet'::regnamespace")
        let rows = try await database.psql(
            tables.split(separator: "\n").map { "SELECT t::text FROM \($0) AS t" }.joined(separator: " UNION ALL "))
        for trace in [id, "Rumpelstilz", game.id.text] { #expect(!rows.contains(trace), "\(trace)") }
        let line = try await database.psql(
            """
            SELECT line.user_id, line.subject, line.reason, former.reason, former.actor = line.actor, done_on = today()
            FROM admin_actions AS line JOIN former_actions AS former USING (action)
            WHERE action = 'player.delete' AND former.player = sha256('\(id)')
            """)
        #expect(line == "||asked by mail|asked by mail|t|t")
        #expect(
            try await database.psql(
                "SELECT string_agg(action, ' ' ORDER BY id) FROM admin_actions WHERE user_id LIKE E'deleted\\t%'")
                == "energy.grant energy.take")
        try await database.gatherBoards()
        try await database.expectCleanAudit()
        try await service.stop()
    }

    // MARK: At the same moment

    @Test("fifty rounds of each deed beside what the player does: nothing is lost or doubled", .timeLimit(.minutes(5)))
    func beside() async throws {
        let (database, service, anna) = try await start()
        for round in 0..<50 {
            let player = try await V2Client.player(on: service)
            let id = try await player.me().id.text
            let game = try await player.start()
            try await database.setWord("fjord", of: game)
            try await addWays(of: id, in: database)
            let name = "round \(round)".replacing(" ", with: "-")
            async let taken = anna.post("energy?id=\(id)", #"{"amount": -7, "reason": "x"}"#, name: name)
            async let takenAgain = anna.post("energy?id=\(id)", #"{"amount": -7, "reason": "x"}"#, name: name)
            async let ended = anna.post("end-game?id=\(id)&game=\(game.id.text)", why, name: name + "g")
            async let endedAgain = anna.post("end-game?id=\(id)&game=\(game.id.text)", why, name: name + "g")
            async let signedOut = anna.post("ways?id=\(id)", #"{"kind": "all", "reason": "x"}"#, name: name + "w")
            async let guess = player.guess("crane", number: 1, in: game)
            async let paid = player.post("/v2/games")
            async let daily = player.post("/v2/daily/game")
            async let challenge = player.post("/v2/challenges", "{}")
            let deeds = try await [taken, takenAgain, ended, endedAgain, signedOut]
            #expect(deeds.allSatisfy { $0.status == 200 }, "\(deeds)")
            #expect(deeds[0..<2].count { $0.json.isReplay == false } == 1)
            #expect(deeds[2..<4].count { $0.json.isReplay == false } == 1)
            let own = try await [guess, paid, daily, challenge]
            #expect(own.allSatisfy { [200, 201, 401, 409].contains($0.status) }, "\(own)")
            #expect(
                try await database.psql(
                    "SELECT string_agg(action, ' ' ORDER BY action) FROM admin_actions WHERE user_id = '\(id)'")
                    == "energy.take game.end player.ways")
            #expect(
                try await database.psql(
                    """
                    SELECT count(*) FILTER (WHERE delta = -7), sum(delta) = (SELECT energy FROM users WHERE id = '\(id)')
                    FROM energy_ledger WHERE user_id = '\(id)'
                    """) == "1|t")
            #expect(
                try await database.psql("SELECT is_won FROM judged_games WHERE id = '\(game.id.text)'") == "f")
        }
        try await database.gatherBoards()
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test(
        "fifty rounds of a deletion beside deeds and the player's requests: no line is about an unknown player",
        .timeLimit(.minutes(5)))
    func besideDeletion() async throws {
        let (database, service, anna) = try await start()
        for round in 0..<50 {
            let player = try await V2Client.player(on: service)
            let id = try await player.me().id.text
            let game = try await player.start()
            try await database.setWord("fjord", of: game)
            try await addWays(of: id, in: database)
            let deletion = #"{"id": "\#(id)", "reason": "x"}"#
            async let deleted = anna.post("delete?id=\(id)", deletion, name: "d\(round)")
            async let deletedAgain = anna.post("delete?id=\(id)", deletion, name: "d\(round)")
            async let given = anna.post("energy?id=\(id)", #"{"amount": 3, "reason": "x"}"#)
            async let code = anna.post("recovery-code?id=\(id)", why)
            async let exported = anna.post("export?id=\(id)", why)
            async let signedOut = anna.post("ways?id=\(id)", #"{"kind": "passkey", "reason": "x"}"#)
            async let ended = anna.post("end-game?id=\(id)&game=\(game.id.text)", why)
            async let guess = player.guess("crane", number: 1, in: game)
            async let paid = player.post("/v2/daily/game")
            let deletions = try await [deleted, deletedAgain]
            #expect(deletions.allSatisfy { $0.status == 200 }, "\(deletions)")
            #expect(deletions.count { $0.json.isReplay == false } == 1)
            let deeds = try await [given, code, exported, signedOut, ended]
            #expect(deeds.allSatisfy { [200, 404].contains($0.status) }, "\(deeds)")
            let own = try await [guess, paid]
            #expect(own.allSatisfy { [200, 201, 401, 404, 409].contains($0.status) }, "\(own)")
            #expect(try await database.actions(to: id) == 0)
        }
        #expect(try await database.psql("SELECT count(*) FROM users") == "0")
        try await database.gatherBoards()
        try await database.expectCleanAudit()
        try await service.stop()
    }
}
