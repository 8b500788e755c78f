import Crypto
import Foundation
import JulietAPI
import StrictEncoding
import TestSupport
import Testing

@Suite("Challenges of /v2", .everyLayout)
struct ChallengeTests {
    /// A service of its own, because unknown codes are counted.
    private func service(_ settings: [String: String] = [:]) async throws -> (TestService, TestDatabase) {
        let database = try await TestDatabase.create()
        return (try await TestService.start(settings, on: database), database)
    }

    private func make(_ client: V2Client, _ body: String = "{}") async throws -> JSON {
        let reply = try await client.post("/v2/challenges", body)
        #expect(reply.status == 201, "\(reply)")
        return reply.json.challenge
    }

    private func path(_ challenge: JSON) -> String { "/v2/challenges/\(challenge.code.text)" }

    private func begin(_ challenge: JSON, by client: V2Client) async throws -> JSON {
        let reply = try await client.post("\(path(challenge))/game")
        #expect(reply.status == 201, "\(reply)")
        return reply.json.game
    }

    /// Lets a challenge's time be over.
    private func end(_ challenge: JSON, in database: TestDatabase) async throws {
        try await database.psql(
            "UPDATE challenges SET ends_at = now() WHERE code = '\(challenge.code.text.replacing("-", with: ""))'")
    }

    private func row(_ rank: Int, _ name: String, _ state: String, _ guesses: Int) -> JSON {
        .array([.integer(rank), .string(name), .string(state), .integer(guesses)])
    }

    private func rows(_ challenge: JSON) -> [JSON] {
        challenge.results.items.map { .array([$0.rank, $0.name, $0.state, $0.guesses]) }
    }

    // MARK: Making one

    @Test("without a word one is dealt, paid as a game, for seven days; the maker plays like everybody")
    func dealt() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service, named: "Ada")
        let reply = try await ada.post("/v2/challenges", "{}")
        #expect(reply.status == 201)
        #expect(reply.json.names == ["challenge", "energy"])
        #expect(reply.json.energy == 25)
        let challenge = reply.json.challenge
        #expect(
            challenge.names == [
                "code", "by", "isMine", "language", "length", "commitment", "createdAt", "endsAt", "players",
            ])
        #expect(challenge.code.text.wholeMatch(of: #/[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}/#) != nil)
        #expect(challenge.by == "Ada")
        #expect(challenge.isMine == true)
        #expect(challenge.players == 0)
        let (from, to) = (V2.Timestamp(challenge.createdAt.text), V2.Timestamp(challenge.endsAt.text))
        #expect((to?.microsecondsSince1970 ?? 0) - (from?.microsecondsSince1970 ?? 0) == 7 * 86_400_000_000)
        let entry = try await ada.get("/v2/players/me/energy").json.entries[0]
        #expect(entry.reason == "challenge")
        #expect(entry.delta == -5)
        #expect(entry.names == ["at", "delta", "balance", "reason"])

        let friend = try await V2Client.player(on: service, named: "Ben")
        var theirs = challenge
        if case .object(var members) = theirs {
            members["isMine"] = nil
            theirs = .object(members)
        }
        #expect(try await friend.get(path(challenge)).json == theirs)
        #expect(try await V2Client.newcomer(on: service).get(path(challenge)).json == theirs, "no token needed")

        let begun = try await ada.post("\(path(challenge))/game")
        #expect(begun.status == 201)
        let game = begun.json.game
        #expect(
            game.names == [
                "id", "kind", "state", "language", "length", "maximumGuesses", "guesses", "commitment", "startedAt",
                "challenge",
            ])
        #expect(game.kind == "challenge")
        #expect(game.challenge == challenge.code)
        #expect(game.commitment == challenge.commitment)
        #expect(begun["Location"] == "/v2/games/\(game.id.text)")
        let again = try await ada.post("\(path(challenge))/game")
        #expect(again.status == 200)
        #expect(again.json.game == game)
        #expect(try await ada.me().energy == 25, "free")
        let seen = try await ada.get(path(challenge)).json
        #expect(seen.game == game)
        #expect(seen.players == 1)
        #expect(seen.results == .missing)
        let won = try await ada.end(game, in: 2, of: database)
        let digest = SHA256.hash(data: Data("\(won.salt.text):\(won.secret.text)".utf8))
        #expect(challenge.commitment.text == Hexadecimal.encode(digest))
        #expect(try await ada.post("\(path(challenge))/game").json.game == won, "over or not")
        #expect(try await ada.get("/v2/games?kind=challenge").json.games.items == [won])
        #expect(try await ada.get("/v2/games").json.games.items == [won])
        try await service.stop()
    }

    @Test("with a word of one's own the friends play, and the maker sees word and results")
    func ownWord() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service, named: "Ada")
        let challenge = try await make(ada, #"{"word": "CRANE", "hard": true, "days": 30}"#)
        #expect(challenge.ownWord == true)
        #expect(challenge.hard == true)
        #expect(challenge.secret == "crane")
        #expect(challenge.results == .array([]))
        #expect(try await ada.post("\(path(challenge))/game").summary == "409 challenge-own-word")
        let ben = try await V2Client.player(on: service, named: "Ben")
        let seen = try await ben.get(path(challenge)).json
        #expect(seen.ownWord == true)
        #expect([seen.secret, seen.salt, seen.results, seen.isMine] == [.missing, .missing, .missing, .missing])
        let game = try await begin(challenge, by: ben)
        #expect(game.hard == true)
        try await ben.end(game, in: 1, of: database)
        #expect(rows(try await ada.get(path(challenge)).json) == [row(1, "Ben", "won", 1)])
        #expect(try await ben.get(path(challenge)).json.secret == "crane")
        try await service.stop()
    }

    @Test(
        "an invalid request is 400, before all else",
        arguments: [
            (#"{"word": 5}"#, "/word"), (#"{"hard": 1}"#, "/hard"), (#"{"days": 0}"#, "/days"),
            (#"{"days": 31}"#, "/days"), (#"{"days": "7"}"#, "/days"), (#"{"days": 1.5}"#, "/days"), ("[]", ""),
        ])
    func invalid(body: String, path: String) async throws {
        let player = try await V2Client.player()
        let reply = try await player.post("/v2/challenges", body)
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path == .string(path))
        #expect(try await player.me().energy == 30)
    }

    @Test("making one is refused in order: word unknown, too many, too little energy; keys remember what was said")
    func order() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service)
        for word in ["zzzzz", "cran", "cranes", "", "c r n", "ĉrane"] {
            let reply = try await ada.post("/v2/challenges", #"{"word": "\#(word)"}"#)
            #expect(reply.summary == "422 word-unknown", "\(word)")
        }
        let key = ["Idempotency-Key: a"]
        let unknown = try await ada.post("/v2/challenges", #"{"word": "zzzzz"}"#, fields: key)
        #expect(unknown.summary == "422 word-unknown")
        let made = try await ada.post("/v2/challenges", #"{"word": "slate"}"#, fields: ["Idempotency-Key: b"])
        #expect(made.status == 201)
        let dealt = try await ada.post("/v2/challenges", "{}", fields: ["Idempotency-Key: c"])
        for _ in 0..<4 { _ = try await make(ada) }
        let poor = try await ada.post("/v2/challenges", #"{"days": 7}"#, fields: ["Idempotency-Key: d"])
        #expect(poor.summary == "409 energy-insufficient")
        #expect(poor.json.energy == 0)
        #expect(poor.json.refill.nextAt != .missing)
        #expect(try await ada.post("/v2/challenges", #"{"word": "zzzzz"}"#).summary == "422 word-unknown")
        try await database.psql(
            """
            INSERT INTO challenges SELECT 'AAAAAA' || to_char(n, 'FM00'), maker, is_own_word, is_hard, language, letters,
                word, salt, commitment, created_at, ends_at FROM challenges, generate_series(1, 44) AS n
            WHERE is_own_word
            """)
        let full = try await ada.post("/v2/challenges", "{}", fields: ["Idempotency-Key: e"])
        #expect(full.summary == "409 too-many")
        #expect(try await ada.post("/v2/challenges", #"{"word": "zzzzz"}"#).summary == "422 word-unknown")
        try await database.psql("UPDATE challenges SET ends_at = now() WHERE code = 'AAAAAA01'")
        #expect(try await ada.post("/v2/challenges").summary == "409 energy-insufficient", "one of them is over")

        // All of it again, by the same names; what happened since changes nothing of it.
        let game = try await begin(dealt.json.challenge, by: ada)
        try await ada.end(game, in: 1, of: database)
        #expect(try await ada.delete(path(made.json.challenge)).status == 204)
        for (key, body, first) in [
            ("a", #"{"word": "zzzzz"}"#, unknown), ("b", #"{"word": "SLATE", "hard": false}"#, made),
            ("c", #"{"days": 7}"#, dealt), ("d", "{}", poor), ("e", "{}", full),
        ] {
            let again = try await ada.post("/v2/challenges", body, fields: ["Idempotency-Key: \(key)"])
            #expect(again.http.text == first.http.text, "\(key)")
            #expect(again.status == first.status)
            #expect(again.isReplay)
        }
        try await database.psql("DELETE FROM challenges WHERE code LIKE 'AAAAAA%'")
        try await database.expectCleanAudit()
        for body in [#"{"word": "slate", "hard": true}"#, #"{"word": "crane"}"#, #"{"days": 8}"#, "{}"] {
            let reply = try await ada.post("/v2/challenges", body, fields: ["Idempotency-Key: b"])
            #expect(reply.summary == "422 idempotency-key-reused", "\(body)")
        }
        try await service.stop()
    }

    @Test("a dealt word is in no game of the maker's, and may be the day's, which nothing tells")
    func freshWord() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service)
        let id = try await ada.me().id.text
        // Of all secrets four are left: those of a running game, of an archive game, of today and of tomorrow.
        let running = try await ada.start()
        try await database.passDays(1)
        let archive = try await ada.post("/v2/daily/\(V2.Day(daysSince1970: day(-1)))/game").json.game
        #expect(archive.kind == "archive")
        let of = try await database.psql(
            "SELECT word FROM daily_words WHERE day BETWEEN today() AND today() + 1 ORDER BY day"
        ).split(separator: "\n").map(String.init)
        let held = [try await ada.secret(of: running, in: database), try await ada.secret(of: archive, in: database)]
        try await database.psql(
            """
            UPDATE players SET judged_secrets = (SELECT bit_or(with_bit(no_bits(8192), place)) FROM words
                WHERE is_secret AND retired_at IS NULL AND word <> ALL ('{\((of + held).joined(separator: ","))}'))
            WHERE user_id = '\(id)'
            """)
        for _ in 0..<3 {
            let challenge = try await make(ada)
            let word = try await database.psql(
                "SELECT word FROM challenges WHERE code = '\(challenge.code.text.replacing("-", with: ""))'")
            #expect(Set(of).subtracting(held).contains(word.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        try await service.stop()
    }

    private func day(_ offset: Int) -> Int { Int(Date().timeIntervalSince1970) / 86400 + offset }

    // MARK: Playing it

    @Test("beginning is refused in order: own word, over, full, too many; what is begun can be played to its end")
    func beginOrder() async throws {
        let (service, database) = try await service()
        let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let (own, dealt) = (try await make(ada, #"{"word": "crane"}"#), try await make(ada))
        let game = try await begin(dealt, by: ben)
        let full = "UPDATE challenges SET players = 1000"
        let id = try await ben.me().id.text
        try await database.psql(
            """
            \(full);
            INSERT INTO judged_games (user_id, id, kind, is_hard, day, language, letters, word, salt, commitment,
                started_at)
            SELECT user_id, ordered_uuid(now()), 'archive', false, '2020-01-01'::date + n, language, letters, word, salt,
                commitment, started_at FROM judged_games, generate_series(1, 99) AS n WHERE user_id = '\(id)'
            """)
        #expect(try await ada.post("\(path(own))/game").summary == "409 challenge-own-word")
        #expect(try await ben.post("\(path(own))/game").summary == "409 challenge-full")
        try await end(own, in: database)
        #expect(try await ada.post("\(path(own))/game").summary == "409 challenge-own-word")
        #expect(try await ben.post("\(path(own))/game").summary == "409 challenge-over")
        let third = try await make(ada)
        #expect(try await ben.post("\(path(third))/game").summary == "409 too-many")
        #expect(try await ben.post("\(path(dealt))/game").json.game == game, "mine already goes before all")
        try await end(dealt, in: database)
        #expect(try await ben.post("\(path(dealt))/game").json.game == game)
        let won = try await ben.end(game, in: 2, of: database)
        let seen = try await ben.get(path(dealt)).json
        #expect(seen.game == won)
        #expect(seen.results == .array([]), "what ends after the end is in no results")
        #expect(try await V2Client.newcomer(on: service).get(path(dealt)).json.secret == won.secret)
        try await service.stop()
    }

    @Test("such a game counts nowhere and hinders no other")
    func countsNowhere() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service)
        let before = try await ada.me()
        let challenge = try await make(ada, #"{"hard": true}"#)
        let game = try await begin(challenge, by: ada)
        _ = try await ada.start()
        #expect(try await ada.post("/v2/daily/game").status == 201)
        try await ada.end(game, in: 3, of: database)
        let after = try await ada.me()
        #expect(after.statistics == before.statistics)
        #expect(after.energy == 20)
        #expect(try await ada.get("/v2/leaderboards/wins").json.players == 0)
        let id = after.id.text
        #expect(try await database.psql("SELECT words_played, wins FROM users WHERE id = '\(id)'") == "0|0")
        try await service.stop()
    }

    // MARK: Results

    @Test("won ones by guesses, seconds and time, equals share a rank; lost ones after them on one rank")
    func results() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service, named: "Ada")
        let challenge = try await make(ada, #"{"word": "crane"}"#)
        // Who ends when, in their order; 0 guesses: resigned at once.
        let ends: [(name: String, guesses: Int?)] = [
            ("lost", nil), ("three", 3), ("two", 2), ("twice", 2), ("late", 2), ("gone", 1), ("left", 0),
        ]
        var clients: [String: V2Client] = [:]
        for (name, guesses) in ends {
            let client = try await V2Client.player(on: service, named: name)
            clients[name] = client
            let game = try await begin(challenge, by: client)
            if guesses == 0 {
                #expect(try await client.post("/v2/games/\(game.id.text)/resign").status == 200)
            } else {
                try await client.end(game, in: guesses, of: database)
            }
        }
        try await database.psql(
            """
            UPDATE judged_games SET started_at = '2026-01-01', ended_at = CASE
                WHEN name = 'late' THEN timestamptz '2026-01-01 00:01:02.9Z'
                WHEN name = 'two' THEN timestamptz '2026-01-01 00:01:01.91Z'
                WHEN name = 'left' THEN timestamptz '2026-01-01 01:01:01.9Z'
                ELSE timestamptz '2026-01-01 00:01:01.9Z' END
            FROM players WHERE players.user_id = judged_games.user_id
            """)
        let expected = [
            row(1, "gone", "won", 1), row(2, "twice", "won", 2), row(2, "two", "won", 2), row(4, "late", "won", 2),
            row(5, "three", "won", 3), row(6, "lost", "lost", 6), row(6, "left", "lost", 0),
        ]
        let seen = try await ada.get(path(challenge)).json
        #expect(rows(seen) == expected)
        #expect(seen.results.items.map(\.seconds) == [61, 61, 61, 62, 61, 61, 3661])
        #expect(seen.players == 7)
        #expect(seen.results[6].marks == .array([]))
        #expect(seen.results[0].marks == .array([marks(of: "crane", against: "crane")]))
        #expect(seen.results[5].marks.items.count == 6)
        #expect(seen.results.items.allSatisfy { $0.isMe == .missing })
        let two = try #require(clients["two"])
        let theirs = try await two.get(path(challenge)).json
        #expect(rows(theirs) == expected)
        #expect(theirs.results.items.map(\.isMe) == [.missing, .missing, true] + Array(repeating: .missing, count: 4))
        #expect(try await V2Client.newcomer(on: service).get(path(challenge)).json.results == .missing)

        // Names are those of now; who is gone vanishes from the results, and counts among the players.
        #expect(try await two.patch("/v2/players/me", #"{"name": "Two"}"#).status == 200)
        let gone = try #require(clients["gone"])
        #expect(try await gone.delete("/v2/players/me").status == 204)
        let after = try await ada.get(path(challenge)).json
        #expect(
            rows(after) == [
                row(1, "twice", "won", 2), row(1, "Two", "won", 2), row(3, "late", "won", 2), row(4, "three", "won", 3),
                row(5, "lost", "lost", 6), row(5, "left", "lost", 0),
            ])
        #expect(after.players == 7)
        try await service.stop()
    }

    @Test("the first hundred are shown, and mine; who looks sees a friend's end within three seconds, by ETag")
    func manyResults() async throws {
        let (service, database) = try await service()
        let (ada, eve) = (
            try await V2Client.player(on: service, named: "Ada"), try await V2Client.player(on: service, named: "Eve")
        )
        let challenge = try await make(ada, #"{"word": "crane"}"#)
        let code = challenge.code.text.replacing("-", with: "")
        try await database.psql(
            """
            INSERT INTO players (user_id, name, recovery_hash)
                SELECT 'p' || n, 'P' || n, sha256(int8send(n)) FROM generate_series(1, 150) AS n;
            INSERT INTO judged_games (user_id, id, kind, is_hard, language, letters, word, salt, commitment, guesses, marks,
                    guess_count, is_won, started_at, ended_at, challenge)
                SELECT 'p' || n, ordered_uuid(created_at), 'challenge', false, language, letters, word, salt, commitment,
                    'slatecrane', mark_guess('slate', word) || 'ccccc', 2, true, created_at, next_moment(created_at), code
                FROM challenges, generate_series(1, 150) AS n;
            UPDATE challenges SET players = 150 WHERE code = '\(code)'
            """)
        let first = try await ada.get(path(challenge))
        #expect(first.json.results.items.count == 100)
        let tag = try #require(first["ETag"])
        #expect(first["Vary"] == "Authorization")
        #expect(try await ada.get(path(challenge), fields: ["If-None-Match: \(tag)"]).status == 304)

        let game = try await begin(challenge, by: eve)
        try await eve.end(game, in: 4, of: database)
        let mine = try await eve.get(path(challenge)).json
        #expect(mine.results.items.count == 101)
        #expect(mine.results[100].isMe == true)
        #expect(mine.results[100].rank == 151)
        let resign = try await V2Client.player(on: service, named: "Bob")
        let another = try await begin(challenge, by: resign)
        #expect(try await resign.post("/v2/games/\(another.id.text)/resign").status == 200)
        let last = try await resign.get(path(challenge)).json
        #expect(rows(last).last == row(152, "Bob", "lost", 0))

        // A friend who is the best of all.
        let friend = try await V2Client.player(on: service, named: "Fay")
        let best = try await begin(challenge, by: friend)
        let known = try #require(try await ada.get(path(challenge))["ETag"])
        try await friend.end(best, in: 1, of: database)
        try await database.psql(
            "UPDATE judged_games SET ended_at = started_at WHERE id = '\(best.id.text)'")
        let since = ContinuousClock.now
        var reply = try await ada.get(path(challenge), fields: ["If-None-Match: \(known)"])
        while reply.status == 304 || !rows(reply.json).contains(row(1, "Fay", "won", 1)) {
            guard ContinuousClock.now - since < .seconds(3) else {
                Issue.record("not seen in time")
                break
            }
            try await Task.sleep(for: .milliseconds(100))
            reply = try await ada.get(path(challenge), fields: ["If-None-Match: \(known)"])
        }
        try await service.stop()
    }

    // MARK: Codes

    @Test("codes are read as recovery codes are; unknown ones are 404, thirty of them 429 for every code")
    func codes() async throws {
        let (service, _) = try await service()
        let ada = try await V2Client.player(on: service)
        let challenge = try await make(ada)
        let code = challenge.code.text
        for spelling in [
            code.lowercased(), code.replacing("-", with: ""), code.map { "\($0)-" }.joined(), "%20\(code)%20",
            code.replacing("0", with: "o").replacing("1", with: "l"),
        ] {
            #expect(try await ada.get("/v2/challenges/\(spelling)").json.code.text == code, "\(spelling)")
        }
        let newcomer = V2Client.newcomer(on: service)
        #expect(try await newcomer.with(token: "jt_x").get("/v2/challenges/x").summary == "401 unauthorized")
        #expect(try await newcomer.post("/v2/challenges/x/game").summary == "401 unauthorized")
        let stranger = newcomer.with(token: "jt_" + String(repeating: "A", count: 43))
        #expect(try await stranger.get("/v2/challenges/x").summary == "401 unauthorized")
        #expect(try await stranger.post("/v2/challenges/x/game").summary == "401 unauthorized")
        #expect(try await ada.post("\(path(challenge))/game", "[]").summary == "400 request-invalid")
        #expect(try await newcomer.get("/v2/challenges").summary == "401 unauthorized")
        for number in 0..<10 {
            #expect(try await ada.get(path(challenge)).status == 200, "one that exists never counts")
            #expect(try await newcomer.get("/v2/challenges/AAAA-AAA\(number)").summary == "404 not-found")
            #expect(try await ada.post("/v2/challenges/x\(number)/game").summary == "404 not-found")
            #expect(try await ada.delete("/v2/challenges/AAAA-AAA\(number)").summary == "404 not-found")
        }
        for reply in [
            try await ada.get(path(challenge)), try await ada.post("\(path(challenge))/game"),
            try await ada.delete(path(challenge)), try await newcomer.get("/v2/challenges/x"),
        ] {
            #expect(reply.summary == "429 too-many-requests")
            #expect((500...600).contains(Int(reply["Retry-After"] ?? "") ?? 0))
        }
        #expect(try await ada.get("/v2/challenges").status == 200, "no code")
        try await service.stop()
    }

    // MARK: Lists and ends

    @Test("what I made or play is listed, newest first, without results; pages follow one another")
    func list() async throws {
        let (service, database) = try await service()
        let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        var all: [JSON] = []
        for index in 0..<5 { all.append(try await make(ada, index.isMultiple(of: 2) ? "{}" : #"{"word": "crane"}"#)) }
        let theirs = try await make(ben)
        all.append(theirs)
        let game = try await begin(theirs, by: ada)
        try await ada.end(game, in: 2, of: database)
        // Two of the same moment.
        try await database.psql(
            """
            UPDATE challenges SET created_at = (SELECT created_at FROM challenges WHERE code = '\(
                all[2].code.text.replacing("-", with: ""))')
            WHERE code = '\(all[3].code.text.replacing("-", with: ""))'
            """)
        let whole = try await ada.get("/v2/challenges").json
        #expect(whole.names == ["challenges"])
        #expect(whole.challenges.items.count == 6)
        #expect(whole.challenges[0].code == theirs.code)
        #expect(whole.challenges[0].game.state == "won")
        #expect(whole.challenges[0].secret == whole.challenges[0].game.secret)
        #expect(whole.challenges[0].isMine == .missing)
        #expect(whole.challenges.items.allSatisfy { $0.results == .missing })
        for limit in [1, 2, 3, 5] {
            var found: [JSON] = []
            var query = "?limit=\(limit)"
            while true {
                let page = try await ada.get("/v2/challenges\(query)").json
                found += page.challenges.items
                guard page.next != .missing else { break }
                query = "?limit=\(limit)&before=\(page.next.text)"
            }
            #expect(found == whole.challenges.items, "\(limit)")
        }
        #expect(try await ben.get("/v2/challenges").json.challenges.items.map(\.code) == [theirs.code])
        for query in ["before=x", "before=", "limit=0", "before=1-x"] {
            #expect(try await ada.get("/v2/challenges?\(query)").summary == "400 request-invalid", "\(query)")
        }
        try await service.stop()
    }

    @Test("its maker deletes it, others' games stay theirs; somebody else's is 404")
    func delete() async throws {
        let (service, database) = try await service()
        let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let challenge = try await make(ada)
        let game = try await begin(challenge, by: ben)
        #expect(try await ben.delete(path(challenge)).summary == "404 not-found")
        #expect(try await ada.delete(path(challenge)).status == 204)
        #expect(try await ada.delete(path(challenge)).summary == "404 not-found")
        #expect(try await ada.get(path(challenge)).summary == "404 not-found")
        #expect(try await ben.get(path(challenge)).summary == "404 not-found")
        #expect(try await ben.post("\(path(challenge))/game").summary == "404 not-found")
        #expect(try await ben.get("/v2/challenges").json.challenges == .array([]))
        let won = try await ben.end(game, in: 2, of: database)
        #expect(won.challenge == challenge.code)
        #expect(try await ben.get("/v2/games").json.games.items == [won])
        #expect(try await ada.get("/v2/players/me/export").json.challenges == .array([]))
        try await service.stop()
    }

    @Test("the export has them, with a word of one's own and never a dealt one; a maker who is gone leaves no name")
    func privacy() async throws {
        let (service, database) = try await service()
        let (ada, ben) = (
            try await V2Client.player(on: service, named: "Ada"), try await V2Client.player(on: service, named: "Ben")
        )
        let (own, dealt) = (try await make(ada, #"{"word": "crane"}"#), try await make(ada, #"{"hard": true}"#))
        let id = try await ada.me().id.text
        let mine = try await begin(dealt, by: ada)
        _ = try await ada.guess("slate", in: mine)
        let export = try await ada.get("/v2/players/me/export").json
        #expect(export.challenges.items.map(\.code) == [own.code, dealt.code])
        #expect(export.challenges[0].secret == "crane")
        #expect(export.challenges[0].salt == own.salt)
        #expect(export.challenges[1].secret == .missing)
        #expect(export.challenges[1].hard == true)
        #expect(export.games[0].challenge == dealt.code)
        #expect(export.games[0].secret == .missing)
        let secret = try await ada.secret(of: mine, in: database)
        #expect(!(try await ada.get("/v2/players/me/export").http.text.contains("\"\(secret)\"")))

        let game = try await begin(own, by: ben)
        #expect(try await ada.delete("/v2/players/me").status == 204)
        let seen = try await ben.get(path(own)).json
        #expect(seen.by == .missing)
        #expect(seen.isMine == .missing)
        let won = try await ben.end(game, in: 1, of: database)
        #expect(rows(try await ben.get(path(own)).json) == [row(1, "Ben", "won", 1)])
        #expect(won.secret == "crane")
        #expect(try await begin(dealt, by: ben).kind == "challenge", "it goes on")
        #expect(try await ben.get(path(dealt)).json.players == 2)
        #expect(
            try await database.psql("SELECT count(*) FROM challenges WHERE maker = '\(id)'") == "0")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    // MARK: Off

    @Test("switched off its URLs are 404 for everybody; begun games are played on, listed and exported")
    func off() async throws {
        let (service, database) = try await service()
        let ada = try await V2Client.player(on: service)
        let challenge = try await make(ada)
        let game = try await begin(challenge, by: ada)
        let without = try await TestService.start(["play.challenges": "off"], on: database)
        let there = ada.at(without)
        #expect(try await there.get("/v2/service").json.challenges == false)
        for reply in [
            try await there.get("/v2/challenges"), try await there.post("/v2/challenges"),
            try await there.get(path(challenge)), try await there.post("\(path(challenge))/game"),
            try await there.delete(path(challenge)), try await V2Client.newcomer(on: without).get(path(challenge)),
        ] {
            #expect(reply.summary == "404 not-found")
        }
        #expect(try await there.get("/v2/games?kind=challenge").json.games.items == [game])
        let won = try await there.end(game, in: 2, of: database)
        #expect(won.challenge == challenge.code)
        #expect(try await there.get("/v2/players/me/export").json.games[0].challenge == challenge.code)
        try await without.stop()
        try await service.stop()
    }

    // MARK: All at once

    @Test("whatever happens at the same time, results and players are what the games make of them", arguments: [3, 14])
    func histories(seed: UInt64) async throws {
        let (service, database) = try await service()
        var random = SeededGenerator(seed: seed)
        let makers = [try await V2Client.player(on: service), try await V2Client.player(on: service)]
        var challenges: [JSON] = []
        for maker in makers {
            challenges.append(try await make(maker, #"{"word": "crane"}"#))
            challenges.append(try await make(maker, #"{"hard": true}"#))
        }
        var players: [V2Client] = []
        for index in 0..<8 { players.append(try await V2Client.player(on: service, named: "P\(index)")) }
        let plans = players.map { player in
            (player, challenges.shuffled(using: &random).prefix(3).map { ($0, Int.random(in: 0...7, using: &random)) })
        }
        // Each plays a few challenges, all of them at once: 7 guesses: lost, 0: resigned or left.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (player, plan) in plans {
                group.addTask {
                    for (challenge, guesses) in plan {
                        let game = try await player.post("\(path(challenge))/game").json.game
                        #expect(game.kind == "challenge")
                        if guesses == 0 {
                            _ = try await player.post("/v2/games/\(game.id.text)/resign")
                        } else if guesses < 7, challenge.hard == .missing || guesses == 1 {
                            try await player.end(game, in: guesses, of: database)
                        } else if guesses == 7, challenge.hard == .missing {
                            try await player.end(game, in: nil, of: database)
                        }
                        _ = try await player.get(path(challenge))
                    }
                }
            }
            try await group.waitForAll()
        }
        var games: [(name: String, game: JSON)] = []
        for player in players {
            let name = try await player.me().name.text
            for game in try await player.get("/v2/games?kind=challenge").json.games.items { games.append((name, game)) }
        }
        for challenge in challenges { try await end(challenge, in: database) }
        for challenge in challenges {
            let own = games.filter { $0.game.challenge == challenge.code }
            let ended = own.filter { $0.game.state != "playing" }.map {
                name, game -> (key: [Int], name: String, game: JSON) in
                let (from, to) = (V2.Timestamp(game.startedAt.text), V2.Timestamp(game.endedAt.text))
                let took = (to?.microsecondsSince1970 ?? 0) - (from?.microsecondsSince1970 ?? 0)
                let won = game.state == "won"
                return (won ? [0, game.guesses.items.count, Int(took / 1_000_000)] : [1], name, game)
            }
            let sorted = ended.sorted { ($0.key, $0.game.endedAt.text) < ($1.key, $1.game.endedAt.text) }
            let expected = sorted.map { line in
                row(
                    (sorted.firstIndex { $0.key == line.key } ?? 0) + 1, line.name, line.game.state.text,
                    line.game.guesses.items.count)
            }
            let seen = try await V2Client.newcomer(on: service).get(path(challenge)).json
            #expect(rows(seen) == expected)
            #expect(seen.results.items.map(\.marks) == sorted.map { .array($0.game.guesses.items.map(\.marks)) })
            #expect(seen.players.int == own.count)
        }
        try await database.psql("UPDATE challenges SET ends_at = created_at + interval '168 hours'")
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("limits hold when everybody asks at the same moment: fifty open ones, a thousand players, a hundred games")
    func limits() async throws {
        let (service, database) = try await service(["energy.start": "1000"])
        let ada = try await V2Client.player(on: service)
        let request = ada.request("POST", "/v2/challenges", "{}")
        let made = try await ada.replies(toAll: Array(repeating: request, count: 60))
        #expect(made.count { $0.status == 201 } == 50)
        #expect(made.count { $0.summary == "409 too-many" } == 10)
        #expect(try await ada.me().energy == 750)
        let codes = made.filter { $0.status == 201 }.map(\.json.challenge)
        let code = codes[0].code.text.replacing("-", with: "")
        try await database.psql("UPDATE challenges SET players = 993 WHERE code = '\(code)'")
        var players: [V2Client] = []
        for _ in 0..<12 { players.append(try await V2Client.player(on: service)) }
        let begins = players.flatMap { player in
            codes[0..<3].map { player.request("POST", "\(path($0))/game") }
        }
        let begun = try await ada.replies(toAll: begins)
        let first = stride(from: 0, to: begun.count, by: 3).map { begun[$0] }
        #expect(first.count { $0.status == 201 } == 7)
        #expect(first.count { $0.summary == "409 challenge-full" } == 5)
        #expect(begun.count { $0.status == 201 } == 31)
        #expect(
            try await database.psql("SELECT players FROM challenges WHERE code = '\(code)'") == "1000")

        // The same player, many times at once: one game of each challenge, a hundred in all.
        let twice = try await ada.replies(
            toAll: codes.flatMap { Array(repeating: ada.request("POST", "\(path($0))/game"), count: 2) })
        #expect(twice.count { $0.status == 201 } == 49, "one is full")
        #expect(twice.count { $0.status == 200 } == 49)
        #expect(twice.count { $0.summary == "409 challenge-full" } == 2)
        try await service.stop()
    }
}

/// The order of lists: by the first element that differs, then by length.
private func < (left: ([Int], String), right: ([Int], String)) -> Bool {
    left.0 == right.0 ? left.1 < right.1 : left.0.lexicographicallyPrecedes(right.0)
}

/// The same choices for the same seed (SplitMix64).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
