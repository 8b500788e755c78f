import Crypto
import Foundation
import JulietAPI
import StrictEncoding
import TestSupport
import Testing

@Suite("Past days of /v2", .everyLayout)
struct PastDaysTests {
    /// The day it is, or its distance from it.
    private func today(_ offset: Int = 0) -> V2.Day {
        V2.Day(daysSince1970: Int(Date().timeIntervalSince1970) / 86400 + offset)
    }

    /// A service that has been there for some days.
    private func service(after days: Int = 5) async throws -> (TestService, TestDatabase) {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        try await database.passDays(days)
        return (service, database)
    }

    private func path(_ offset: Int) -> String { "/v2/daily/\(today(offset))" }

    // MARK: The list

    @Test("today and every day that had a word are listed, newest first, for everybody; pages follow one another")
    func list() async throws {
        let (service, database) = try await service()
        // Nobody was there on the third day.
        try await database.psql("DELETE FROM daily_words WHERE day = today() - 3")
        let newcomer = V2Client.newcomer(on: service)
        let all = try await newcomer.get("/v2/daily/days")
        #expect(all.status == 200)
        #expect(all.json.names == ["days"])
        let expected = [0, -1, -2, -4, -5].map { offset -> JSON in
            let day = today(offset)
            return .object([
                "day": .string("\(day)"), "number": .integer(day.number), "language": "en", "length": 5,
            ])
        }
        #expect(all.json.days.items == expected)
        for limit in [1, 2, 4] {
            var path = "/v2/daily/days?limit=\(limit)"
            var found: [JSON] = []
            while true {
                let page = try await newcomer.get(path).json
                found += page.days.items
                #expect(page.days.items.count == limit || page.next == .missing)
                guard page.next != .missing else { break }
                path = "/v2/daily/days?limit=\(limit)&before=\(page.next.text)"
            }
            #expect(found == expected, "\(limit)")
        }
        #expect(
            try await newcomer.get("/v2/daily/days?before=\(today())").json.days.items == Array(expected.dropFirst()))
        #expect(
            try await newcomer.get("/v2/daily/days?before=\(today(-3))").json.days.items == Array(expected.suffix(2)))
        #expect(try await newcomer.get("/v2/daily/days?before=\(today(9))").json == all.json, "no day to come")
        #expect(try await newcomer.get("/v2/daily/days?before=0000-01-01").json == .object(["days": []]))
        try await database.addDays(120)
        for (query, count) in [("", 50), ("?limit=1000", 100), ("?limit=100", 100)] {
            let page = try await newcomer.get("/v2/daily/days\(query)").json
            #expect(page.days.items.count == count)
            #expect(page.next == page.days[count - 1].day)
        }
        try await service.stop()
    }

    @Test("with a token each day has the player's own game, and no other player's")
    func games() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (player, other) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let daily = try await player.end(try await player.post("/v2/daily/game").json.game, in: 4, of: database)
        try await database.passDays(2)
        let archive = try await player.post("\(path(-1))/game").json.game
        _ = try await player.guess("crane", in: archive)
        let current = try await player.post("/v2/daily/game").json.game
        func entry(_ game: JSON, _ kind: String, _ state: String, _ guesses: Int) -> JSON {
            .object(["id": game.id, "kind": .string(kind), "state": .string(state), "guesses": .integer(guesses)])
        }
        let days = try await player.get("/v2/daily/days").json.days
        #expect(
            days.items.map(\.game) == [
                entry(current, "daily", "playing", 0), entry(archive, "archive", "playing", 1),
                entry(daily, "daily", "won", 4),
            ])
        for client in [V2Client.newcomer(on: service), other] {
            let days = try await client.get("/v2/daily/days").json.days
            #expect(days.items.map(\.game) == [.missing, .missing, .missing])
        }
        let nobody = player.with(token: "jt_" + String(repeating: "A", count: 43))
        #expect(try await nobody.get("/v2/daily/days").summary == "401 unauthorized")
        #expect(try await nobody.post("\(path(-1))/game").summary == "401 unauthorized")
        #expect(try await V2Client.newcomer(on: service).post("\(path(-1))/game").summary == "401 unauthorized")
        try await service.stop()
    }

    @Test(
        "an invalid query is refused with the name of its parameter",
        arguments: [
            ("before=x", "before"), ("before=", "before"), ("before=2026-02-30", "before"),
            ("before=20260101", "before"),
            ("before=today", "before"), ("before=-1", "before"), ("limit=0", "limit"), ("limit=x", "limit"),
            ("limit=1&limit=1", "limit"),
        ])
    func badQuery(query: String, path: String) async throws {
        let reply = try await V2Client.newcomer().get("/v2/daily/days?\(query)")
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path == .string(path))
    }

    // MARK: A game

    @Test("a past day's word can be played, free, once, by the day's commitment")
    func begin() async throws {
        let (service, database) = try await service()
        let player = try await V2Client.player(on: service)
        let day = try await player.get(path(-2)).json
        #expect(day.game == .missing)
        let begun = try await player.post("\(path(-2))/game", "{}")
        #expect(begun.status == 201)
        #expect(begun.json.names == ["game"])
        let game = begun.json.game
        #expect(
            game.names == [
                "id", "kind", "state", "language", "length", "maximumGuesses", "guesses", "commitment", "startedAt",
                "day",
            ])
        #expect(game.kind == "archive")
        #expect(game.state == "playing")
        #expect(game.day.text == "\(today(-2))")
        #expect(game.commitment == day.commitment)
        #expect(begun["Location"] == "/v2/games/\(game.id.text)")
        let again = try await player.post("\(path(-2))/game", #"{"hard": true}"#)
        #expect(again.status == 200)
        #expect(again.http.text == begun.http.text, "in the mode it began in")
        #expect(try await player.get("/v2/games/\(game.id.text)").json == game)
        #expect(try await player.get(path(-2)).json.game == game, "the day has it whole")
        let won = try await player.end(game, in: 3, of: database)
        #expect(won.kind == "archive")
        #expect(won.secret == day.secret)
        #expect(won.salt == day.salt)
        let digest = SHA256.hash(data: Data("\(won.salt.text):\(won.secret.text)".utf8))
        #expect(won.commitment.text == Hexadecimal.encode(digest))
        #expect(won.endedAt.text > won.startedAt.text)
        #expect(try await player.post("\(path(-2))/game").json.game == won)
        #expect(try await player.get(path(-2)).json.game == won)
        #expect(try await player.guess("crane", in: game).summary == "409 game-over")
        #expect(try await player.me().energy == 30)
        let export = try await player.get("/v2/players/me/export").json.games
        #expect(export[0].kind == "archive")
        #expect(export[0].day.text == "\(today(-2))")
        try await service.stop()
    }

    @Test("a player who began the word on its day gets that game, over or not")
    func own() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (ann, bob) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let hers = try await ann.end(try await ann.post("/v2/daily/game").json.game, in: nil, of: database)
        let his = try await bob.post("/v2/daily/game").json.game
        try await database.passDays(1)
        for (player, game) in [(ann, hers), (bob, his)] {
            let reply = try await player.post("\(path(-1))/game")
            #expect(reply.status == 200)
            #expect(reply.json.game.id == game.id)
            #expect(reply.json.game.kind == "daily")
            #expect(reply.json.game.state == game.state)
        }
        try await service.stop()
    }

    @Test("today, a day to come, one that was never held, and what is no day: 404")
    func unknown() async throws {
        let player = try await V2Client.player()
        for day in [
            "\(today())", "\(today(1))", "\(today(365))", "2025-12-31", "0000-01-01", "9999-12-31", "2026-02-30", "x",
            "days", "game", "20260101", "current", "%20",
        ] {
            #expect(try await player.post("/v2/daily/\(day)/game").summary == "404 not-found", "\(day)")
        }
        let get = try await player.get("\(path(-1))/game")
        #expect(get.summary == "405 method-not-allowed")
        let post = try await player.post("/v2/daily/days")
        #expect(post.summary == "405 method-not-allowed")
        #expect(post["Allow"]?.contains("GET") == true)
    }

    @Test("50 starts at the same moment begin one game")
    func race() async throws {
        let (service, _) = try await service(after: 1)
        let player = try await V2Client.player(on: service)
        let request = player.request("POST", "\(path(-1))/game")
        let replies = try await player.replies(toAll: Array(repeating: request, count: 50))
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(replies.count { $0.status == 200 } == 49)
        #expect(Set(replies.map(\.http.text)).count == 1)
        try await service.stop()
    }

    // MARK: What it counts for

    @Test("it counts nowhere, however it ends, and it hinders no other game")
    func countsNowhere() async throws {
        let (service, database) = try await service()
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        // A streak that a lost game would end.
        let daily = try await player.end(try await player.post("/v2/daily/game").json.game, in: 2, of: database)
        func records() async throws -> [String] {
            let rows = try await database.psql(
                """
                SELECT users::text FROM users UNION ALL SELECT players::text FROM players UNION ALL
                SELECT played_words::text FROM played_words UNION ALL SELECT energy_ledger::text FROM energy_ledger
                UNION ALL SELECT board_entries::text FROM board_entries UNION ALL
                SELECT board_changes::text FROM board_changes UNION ALL SELECT board_counts::text FROM board_counts
                """)
            var answers = [rows]
            for path in [
                "/v2/players/me", "/v2/leaderboards/wins", "/v2/players/me/energy", "\(path(0))/leaderboard",
            ] + (1...3).flatMap({ ["\(path(-$0))/leaderboard"] }) {
                answers.append(try await player.get(path).http.text)
            }
            for offset in 1...3 {
                let day = try await player.get(path(-offset)).json
                answers.append("\(day.players) \(day.won) \(day.distribution)")
            }
            return answers
        }
        try await database.gatherBoards()
        let before = try await records()
        let won = try await player.end(try await player.post("\(path(-1))/game").json.game, in: 1, of: database)
        let lost = try await player.end(try await player.post("\(path(-2))/game").json.game, in: nil, of: database)
        let resigned = try await player.post("\(path(-3))/game").json.game
        #expect(try await player.post("/v2/games/\(resigned.id.text)/resign").json.state == "lost")
        #expect([won, lost].map(\.state) == ["won", "lost"])
        #expect(try await records() == before)
        #expect(try await player.me().statistics.currentStreak == 1)

        let running = try await player.post("\(path(-4))/game").json.game
        let game = try await player.start()
        #expect(try await player.post("/v2/games").json.game == game, "game-unfinished is of kind game")
        #expect(try await player.post("/v2/daily/game").json.game == daily)
        let other = try await player.post("\(path(-5))/game")
        #expect(other.status == 201)
        #expect(try await player.get("/v2/games/\(running.id.text)").json == running)
        #expect(try await database.psql("SELECT words_played, wins FROM users WHERE id = '\(id)'") == "1|1")
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test("of 105 that are begun at once 100 are, the others are too many until one ends")
    func tooMany() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        try await database.addDays(105)
        let player = try await V2Client.player(on: service)
        let replies = try await player.replies(
            toAll: (1...105).map { player.request("POST", "\(path(-$0))/game") })
        #expect(replies.count { $0.status == 201 } == 100)
        let refused = replies.indices.filter { replies[$0].status != 201 }
        for index in refused { #expect(replies[index].summary == "409 too-many") }
        let index = try #require(replies.indices.first { replies[$0].status == 201 })
        #expect(try await player.post("\(path(-index - 1))/game").status == 200, "one that was begun")
        #expect(try await player.post("/v2/games").status == 201, "other kinds are no more than they were")
        #expect(try await player.post("/v2/daily/game").status == 201)
        let late = "\(path(-refused[0] - 1))/game"
        #expect(try await player.post(late).summary == "409 too-many")
        #expect(try await player.post("\(path(1))/game").summary == "404 not-found", "404 goes first")
        #expect(try await V2Client.player(on: service).post(late).status == 201, "each player has a hundred")
        _ = try await player.post("/v2/games/\(replies[index].json.game.id.text)/resign")
        #expect(try await player.post(late).status == 201)
        #expect(try await player.post("\(path(-refused[1] - 1))/game").summary == "409 too-many")
        try await service.stop()
    }

    @Test("games are listed by kind; another value is 400")
    func kinds() async throws {
        let (service, _) = try await service()
        let player = try await V2Client.player(on: service)
        let game = try await player.start()
        let archives = [
            try await player.post("\(path(-1))/game").json.game, try await player.post("\(path(-2))/game").json.game,
        ]
        let daily = try await player.post("/v2/daily/game").json.game
        let lost = try await player.post("/v2/games/\(archives[0].id.text)/resign").json
        let all = [daily, archives[1], lost, game]
        for (query, games) in [
            ("", all), ("?kind=game", [game]), ("?kind=daily", [daily]), ("?kind=archive", [archives[1], lost]),
            ("?kind=challenge", []), ("?kind=archive&state=playing", [archives[1]]), ("?state=lost", [lost]),
            ("?kind=game&state=lost", []),
        ] {
            #expect(try await player.get("/v2/games\(query)").json.games.items == games, "\(query)")
        }
        let page = try await player.get("/v2/games?kind=archive&limit=1").json
        #expect(page.games.items == [archives[1]])
        let next = try await player.get("/v2/games?kind=archive&limit=1&before=\(page.next.text)").json
        #expect(next.games.items == [lost])
        #expect(next.next == .missing)
        for query in ["kind=", "kind=Game", "kind=own", "kind=game,daily", "kind=game&kind=game"] {
            let reply = try await player.get("/v2/games?\(query)")
            #expect(reply.summary == "400 request-invalid", "\(query)")
            #expect(reply.json.path == "kind")
        }
        try await service.stop()
    }

    @Test("hard mode holds for it too")
    func hard() async throws {
        let (service, database) = try await service(after: 1)
        try await database.psql(
            "UPDATE daily_words SET word = 'slate', commitment = commitment(salt, 'slate') WHERE day = today() - 1")
        let player = try await V2Client.player(on: service)
        let game = try await player.post("\(path(-1))/game", #"{"hard": true}"#).json.game
        #expect(game.hard == true)
        _ = try await player.guess("crane", in: game)
        let reply = try await player.guess("pious", in: game)
        #expect(reply.summary == "422 guess-hard")
        #expect(reply.json.rule == .object(["letter": "a", "position": 3]))
        try await service.stop()
    }

    // MARK: Switched off

    @Test("play.daysGoneBy=off: its URLs are 404 for everybody; what was begun is played to its end, listed, exported")
    func off() async throws {
        let (on, database) = try await service()
        let off = try await TestService.start(["play.daysGoneBy": "off"], on: database)
        let player = try await V2Client.player(on: on)
        let game = try await player.post("\(path(-1))/game").json.game
        let ours = player.at(off)
        for client in [
            ours, V2Client.newcomer(on: off), ours.with(token: "jt_" + String(repeating: "A", count: 43)),
            ours.with(token: "x"),
        ] {
            for (method, path) in [
                ("GET", "/v2/daily/days"), ("GET", "/v2/daily/days?limit=0"), ("HEAD", "/v2/daily/days"),
                ("POST", "/v2/daily/days"), ("GET", "/v2/daily/d%61ys"), ("POST", "\(path(-1))/game"),
                ("POST", "\(path(-2))/game"), ("GET", "\(path(-2))/game"), ("POST", "/v2/daily/x/game"),
            ] {
                let reply = try await client.ask(method, path)
                #expect(reply.status == 404, "\(method) \(path)")
                if method != "HEAD" { #expect(reply.json.code == "not-found", "\(method) \(path)") }
            }
        }
        let description = try await off.exchange(Array("GET /openapi.json HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        #expect(description.status == 200)
        for name in ["/daily/days", "startArchive", "DayList"] { #expect(!description.text.contains(name)) }

        #expect(try await ours.get("/v2/games/\(game.id.text)").json == game)
        let won = try await ours.end(game, in: 2, of: database)
        #expect(won.kind == "archive")
        #expect(try await ours.get("/v2/games?kind=archive").json.games.items == [won])
        #expect(try await ours.get(path(-1)).json.game == won)
        #expect(try await ours.get("/v2/players/me/export").json.games[0].kind == "archive")
        #expect(try await ours.post("/v2/daily/game").status == 201)
        #expect(try await ours.get("/v2/daily").status == 200)
        try await off.stop()
        try await on.stop()
    }
}

extension TestDatabase {
    /// Has some days before today have had a word, where they have none.
    fileprivate func addDays(_ count: Int) async throws {
        try await psql(
            """
            WITH chosen AS MATERIALIZED (
                SELECT row_number() OVER (ORDER BY place)::integer AS age, word, gen_random_uuid() AS salt
                FROM words WHERE place IS NOT NULL LIMIT \(count))
            INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
            SELECT today() - age, 'en', word, salt, promise, false, daily_word_seal(today() - age, promise, false, false)
            FROM chosen, commitment(salt, word) AS promise ON CONFLICT (day) DO NOTHING
            """)
    }
}
