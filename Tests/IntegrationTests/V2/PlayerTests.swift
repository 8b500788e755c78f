import Foundation
import JulietGame
import Postgres
import TestSupport
import Testing

@Suite("Players of /v2", .everyLayout)
struct PlayerTests {
    @Test("a new one starts with 30 energy, nothing played, a token and a recovery code")
    func create() async throws {
        let reply = try await V2Client.newcomer().post("/v2/players", "{}")
        #expect(reply.status == 201)
        #expect(reply.json.names == ["player", "token", "recoveryCode"])
        let player = reply.json.player
        #expect(player.names == ["id", "name", "energy", "createdAt", "statistics"])
        #expect(player.id.text.wholeMatch(of: #/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/#) != nil)
        #expect(player.name.text.wholeMatch(of: #/Player [0-9]{4}/#) != nil)
        #expect(player.energy == 30)
        #expect(player.createdAt.text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#) != nil)
        #expect(
            player.statistics
                == .object([
                    "played": 0, "won": 0, "currentStreak": 0, "longestStreak": 0, "distribution": [0, 0, 0, 0, 0, 0],
                    "days": .object(["played": 0, "won": 0, "currentStreak": 0, "longestStreak": 0]),
                ]))
        #expect(reply.json.token.text.wholeMatch(of: #/jt_[A-Za-z0-9_\-]{43}/#) != nil)
        #expect(
            reply.json.recoveryCode.text.wholeMatch(of: #/[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}/#) != nil)
        let me = try await reply.client.get("/v2/players/me")
        #expect(me.status == 200)
        #expect(me.json == player)
    }

    @Test(
        "no body, null for what is optional, and unknown members count as {}",
        arguments: ["", "{}", #"{"name": null, "claim": null, "x": [1, {"name": 2}]}"#])
    func nothingSaid(body: String) async throws {
        let reply = try await V2Client.newcomer().post("/v2/players", body)
        #expect(reply.status == 201)
        #expect(reply.json.player.name.text.hasPrefix("Player "))
    }

    @Test("tokens and codes of several players are all different")
    func different() async throws {
        let newcomer = try await V2Client.newcomer()
        var seen: Set<JSON> = []
        for _ in 0..<20 {
            let json = try await newcomer.post("/v2/players").json
            for secret in [json.token, json.recoveryCode, json.player.id] { #expect(seen.insert(secret).inserted) }
        }
    }

    @Test("a token is ignored when a player is made, but an unknown one is 401")
    func tokenIgnored() async throws {
        let player = try await V2Client.player()
        let reply = try await player.post("/v2/players")
        #expect(reply.status == 201)
        #expect(reply.json.player.id != (try await player.me().id))
        #expect(try await player.with(token: "jt_nonsense").post("/v2/players").summary == "401 unauthorized")
    }

    // MARK: Names

    /// What is sent, and what becomes of it; nil: refused.
    private static let names: [(String, String?)] = [
        ("Ann", "Ann"), ("  Ann  ", "Ann"), ("\\t\\u00a0Ann\\u2003", "Ann"), ("A", "A"), ("Ann Lee", "Ann Lee"),
        ("Ann", "Ann"), ("日本語", "日本語"), ("👩🏽‍🚀", "👩🏽‍🚀"), ("\\u3164", nil), ("\\u2800", nil), ("a\\ufe0f", nil), ("👩", "👩"),
        ("\\u0041\\u030a", "Å"), ("\\\"x\\\\", "\"x\\"),
        (String(repeating: "x", count: 24), String(repeating: "x", count: 24)),
        (String(repeating: "x", count: 25), nil),
        (" " + String(repeating: "x", count: 24) + " ", String(repeating: "x", count: 24)),
        (String(repeating: "\\u0041\\u030a", count: 24), String(repeating: "Å", count: 24)),
        (String(repeating: "\\u0041\\u030a", count: 25), nil), (String(repeating: "y", count: 5000), nil),
        ("", nil), (" ", nil), ("\\u2003\\u2003", nil), ("a\\u0000", nil), ("a\\u0007b", nil), ("a\\nb", nil),
        ("a\\u200bb", nil),
        ("a\\u202eb", nil), ("a\\ufeffb", nil), ("a\\ue000b", nil), ("a\\uffffb", nil), ("a\\u0378b", nil),
        ("a\\u2028b", nil),
        ("a\\u2029b", nil), ("a\\u00adb", nil),
    ]

    @Test("a name has 1 to 24 characters after NFC, none of them unprintable, no white space around", arguments: names)
    func named(sent: String, kept: String?) async throws {
        let reply = try await V2Client.newcomer().post("/v2/players", #"{"name": "\#(sent)"}"#)
        let player = try await V2Client.player()
        let renamed = try await player.patch("/v2/players/me", #"{"name": "\#(sent)"}"#)
        if let kept {
            #expect(reply.status == 201, "\(reply)")
            // By scalars: Swift takes different compositions for equal.
            #expect(Array(reply.json.player.name.text.unicodeScalars) == Array(kept.unicodeScalars))
            #expect(renamed.status == 200, "\(renamed)")
            #expect(Array(renamed.json.name.text.unicodeScalars) == Array(kept.unicodeScalars))
            #expect(try await player.me() == renamed.json)
        } else if sent.contains("\\u0000") {
            #expect(reply.summary == "400 request-invalid", "JSON is taken as strictly as the app's, without U+0000")
        } else {
            #expect(reply.summary == "422 name-refused", "\(reply)")
            #expect(renamed.summary == "422 name-refused", "\(renamed)")
            #expect(try await player.me().name.text.hasPrefix("Player "))
        }
    }

    @Test("names are not unique, and the empty change changes nothing")
    func rename() async throws {
        let service = try await TestService.shared(.standard)
        let ann = try await V2Client.player(on: service, named: "Same")
        let bob = try await V2Client.player(on: service, named: "Same")
        let before = try await ann.me()
        for body in ["{}", "", #"{"name": null}"#] {
            let reply = try await ann.patch("/v2/players/me", body)
            #expect(reply.status == 200)
            #expect(reply.json == before)
        }
        #expect(try await bob.me().name == "Same")
    }

    @Test("a name that is not a string is refused with its path", arguments: ["5", "true", "[]", "{}"])
    func wrongType(name: String) async throws {
        let player = try await V2Client.player()
        for reply in [
            try await player.patch("/v2/players/me", #"{"name": \#(name)}"#),
            try await player.post("/v2/players", #"{"name": \#(name)}"#),
        ] {
            #expect(reply.summary == "400 request-invalid")
            #expect(reply.json.path == "/name")
        }
    }

    // MARK: The end

    @Test("a deleted player is gone: the token is refused, and boards and records do not have the player")
    func deleted() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let id = try await player.me().id.text
        try await player.end(try await player.start(), in: 1)
        let reply = try await player.delete("/v2/players/me")
        #expect(reply.status == 204)
        #expect(reply.http.body.isEmpty)
        for path in ["/v2/players/me", "/v2/daily", "/v2/games"] {
            #expect(try await player.get(path).summary == "401 unauthorized")
        }
        #expect(try await player.delete("/v2/players/me").summary == "401 unauthorized")
        for table in [
            "players", "sessions", "judged_games", "board_entries", "board_changes", "played_words", "energy_ledger",
        ] {
            #expect(try await database.psql("SELECT count(*) FROM \(table) WHERE user_id = '\(id)'") == "0", "\(table)")
        }
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("a rename that waits for the player's deletion is 401")
    func renamedTooLate() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        let reply = try await database.withOwner { owner in
            try await owner.executeScript("BEGIN; SELECT juliet.delete_user('\(id)', E'deleted\\t1')")
            async let renamed = player.patch("/v2/players/me", #"{"name": "Ann"}"#)
            try await database.waitForWaitingSessions(1)
            try await owner.executeScript("COMMIT")
            return try await renamed
        }
        #expect(reply.summary == "401 unauthorized")
        try await service.stop()
    }

    @Test("a player's id is what the command line calls PLAYER, and it deletes as the player does")
    func commandLine() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let id = User.ID(try await player.me().id.text)
        _ = try await player.start()
        let (energy, deletion) = try await database.withOwner { connection in
            let records = UserRecords(connection: connection)
            return (try await records.everything(about: id)?.energy, try await records.delete(id))
        }
        #expect(energy == 25)
        #expect(deletion?.ledgerEntries == 2)
        #expect(try await player.get("/v2/players/me").summary == "401 unauthorized")
        #expect(try await database.ledgerFaults() == "")
    }

    @Test("while an export is made, another one of the same player's is 429, from any session")
    func exportsAtOnce() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let newcomer = V2Client.newcomer(on: service)
        let created = try await newcomer.post("/v2/players", "{}")
        let phone = created.client
        let tablet = try await newcomer.post(
            "/v2/sessions", #"{"recoveryCode": "\#(created.json.recoveryCode.text)"}"#
        ).client
        try await database.withOwner { owner in
            try await owner.executeScript("BEGIN; LOCK TABLE juliet.purchases")
            async let first = phone.get("/v2/players/me/export")
            try await database.waitForWaitingSessions(1)
            let second = try await tablet.get("/v2/players/me/export")
            #expect(second.summary == "429 too-many-requests" && second["Retry-After"] == "1", "\(second)")
            try await owner.executeScript("COMMIT")
            #expect(try await first.status == 200)
        }
        #expect(try await tablet.get("/v2/players/me/export").status == 200)
        try await service.stop()
    }

    @Test("the export is one JSON object with everything kept, in the contract's own terms")
    func export() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player(on: .shared(.standard), named: "Ann")
        let me = try await player.me()
        let won = try await player.end(try await player.start(fields: ["Idempotency-Key: once"]), in: 2)
        let daily = try await player.end(try await player.post("/v2/daily/game").json.game, in: 3)
        let running = try await player.start()
        let secret = "fjord"
        try await database.setWord(secret, of: running)
        _ = try await player.guess("crane", in: running)
        try await database.psql(
            """
            SELECT change_energy('\(me.id.text)', -1, 'client_report', NULL, NULL, NULL);
            SELECT grant_energy('os:test', '\(me.id.text)', 5, 'ticket 5', '\(me.id.text)', 3)
            """)
        let reply = try await player.get("/v2/players/me/export")
        #expect(reply.status == 200)
        #expect(!reply.http.text.contains(secret))
        let export = reply.json
        #expect(export.id == me.id && export.name == me.name && export.createdAt == me.createdAt)
        let now = try await player.me()
        #expect(export.energy == now.energy && export.statistics == now.statistics && export.wins == 2)
        // Games, entries and sessions as the contract's other URLs show them, the oldest first.
        #expect(export.games.items == (try await player.get("/v2/games").json.games.items.reversed()))
        #expect(export.games.items.map(\.id) == [won.id, daily.id, running.id])
        let entries = try await player.get("/v2/players/me/energy").json.entries.items
        #expect(
            export.energyEntries.items.map { [$0.at, $0.delta, $0.balance, $0.reason, $0.game] }
                == entries.reversed().map { [$0.at, $0.delta, $0.balance, $0.reason, $0.game] })
        #expect(
            export.energyEntries.items.map(\.reason.text) == [
                "registration", "game", "daily", "game", "clientReport", "support",
            ])
        #expect(export.energyEntries[5].note == "ticket 5")
        let sessions = try await player.get("/v2/sessions").json.sessions
        #expect(export.sessions[0].id == sessions[0].id && export.sessions[0].createdAt == sessions[0].createdAt)
        // Places as the leaderboards show them.
        let day = daily.day.text
        let place = try await player.get("/v2/daily/\(day)/leaderboard").json.me
        #expect(
            export.leaderboards.daily.items.map { [$0.day, $0.guesses, $0.seconds] } == [
                [daily.day, 3, place.seconds]
            ])
        #expect(
            export.leaderboards.wins.items.map { [$0.period, $0.startsOn, $0.wins] }.prefix(1) == [
                ["day", daily.day, 2]
            ])
        #expect(export.leaderboards.wins.items.map(\.period.text) == ["day", "week", "month", "all"])
        #expect(export.leaderboards.wins[3].startsOn == .missing)
        #expect(export.idempotencyKeys.items.map(\.key.text) == ["once", me.id.text])
        #expect(Set(export.playedWords.items.map(\.word.text)) == [won.secret.text, daily.secret.text])
    }

    @Test("what the app was dealt, bought and won stands in the export's entries under names of its own")
    func exportOfTheApp() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        try await database.psql(
            """
            SELECT change_energy('\(id)', -5, 'game', 'music', NULL, NULL),
                change_energy('\(id)', 30, 'purchase', 'Production/T1', NULL, NULL),
                change_energy('\(id)', -30, 'refund', 'Production/T1', NULL, NULL),
                change_energy('\(id)', 7, 'lottery', '12', NULL, NULL)
            """)
        let entries = try await player.get("/v2/players/me/export").json.energyEntries.items.dropFirst()
        #expect(entries.map(\.word) == ["music", .missing, .missing, .missing])
        #expect(entries.map(\.transaction) == [.missing, "T1", "T1", .missing])
        #expect(entries.map(\.draw) == [.missing, .missing, .missing, 12])
        #expect(entries.allSatisfy { $0.game == .missing && $0.note == .missing })
        try await service.stop()
    }
}
