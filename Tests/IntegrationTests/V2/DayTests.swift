import Crypto
import Foundation
import JulietAPI
import JulietGame
import StrictEncoding
import TestSupport
import Testing

@Suite("The day of /v2", .everyLayout)
struct DayTests {
    private func commitment(_ json: JSON) -> JSON {
        let digest = SHA256.hash(data: Data("\(json.salt.text):\(json.secret.text)".utf8))
        return .string(Hexadecimal.encode(digest))
    }

    /// The day it is, or its distance from it; `number` as the contract counts.
    private func today(_ offset: Int = 0) -> V2.Day {
        V2.Day(daysSince1970: Int(Date().timeIntervalSince1970) / 86400 + offset)
    }

    @Test("today is for everybody: its number, its end, and what it and tomorrow are bound by")
    func current() async throws {
        let reply = try await V2Client.newcomer().get("/v2/daily")
        #expect(reply.status == 200)
        #expect(reply.json.names == ["day", "number", "language", "length", "commitment", "endsAt", "tomorrow"])
        #expect(reply.json.day.text == today().description)
        #expect(reply.json.number.int == today().daysSince1970 - 20_453, "1 on 2026-01-01")
        #expect(reply.json.length == 5)
        #expect(reply.json.commitment.text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        #expect(reply.json.endsAt.text.hasPrefix("\(today(1))T00:00:00"))
        #expect(reply.json.endsAt.text.hasSuffix("Z"))
        #expect(reply.json.language == "en")
        #expect(reply.json.tomorrow.names == ["language", "length", "commitment", "endsAt"])
        #expect(reply.json.tomorrow.language == "en" && reply.json.tomorrow.length == 5)
        #expect(reply.json.tomorrow.endsAt.text.hasPrefix("\(today(2))T00:00:00"))
        #expect(reply.json.tomorrow.commitment.text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        #expect(reply.json.tomorrow.commitment != reply.json.commitment)
        #expect(try await V2Client.player().get("/v2/daily").json == reply.json, "one for all")
    }

    @Test("a player's game of the day is free, one, and seen from then on")
    func game() async throws {
        let player = try await V2Client.player()
        #expect(try await player.get("/v2/daily").json.game == .missing)
        let first = try await player.post("/v2/daily/game", "{}")
        #expect(first.status == 201)
        #expect(first.json.names == ["game"])
        let game = first.json.game
        #expect(game.kind == "daily")
        #expect(game.state == "playing")
        #expect(game.day.text == today().description)
        #expect(game.secret == .missing)
        #expect(game.salt == .missing)
        #expect(first["Location"] == "/v2/games/\(game.id.text)")
        let again = try await player.post("/v2/daily/game")
        #expect(again.status == 200)
        #expect(again.http.text == first.http.text)
        let day = try await player.get("/v2/daily").json
        #expect(day.game == game)
        #expect(day.commitment == game.commitment)
        #expect(try await player.me().energy == 30)
        #expect(try await player.get("/v2/games/\(game.id.text)").json == game)
        #expect(try await player.start().kind == "game", "a game of one's own may run beside it")
    }

    @Test("its word is the same for all, and is shown to players who have ended their game")
    func secret() async throws {
        let (ann, bob) = (try await V2Client.player(), try await V2Client.player())
        let game = try await ann.post("/v2/daily/game").json.game
        let won = try await ann.end(game, in: 3)
        #expect(won.state == "won")
        #expect(won.commitment == commitment(won))
        let day = try await ann.get("/v2/daily").json
        #expect(day.game == won)
        #expect(day.secret == .missing, "it is the game that tells")
        #expect(try await ann.post("/v2/daily/game").json.game == won)
        let his = try await bob.post("/v2/daily/game").json.game
        #expect(try await bob.secret(of: his) == won.secret.text)
        #expect(try await bob.get("/v2/daily").json.game.secret == .missing)
        #expect(try await ann.me().statistics.won == 1, "dailies count")
        #expect(try await bob.post("/v2/games/\(his.id.text)/resign").json.state == "lost")
        #expect(try await ann.me().energy == 35, "the reward of the day")
    }

    @Test("50 starts at the same moment begin one game")
    func race() async throws {
        let player = try await V2Client.player()
        let request = player.request("POST", "/v2/daily/game")
        let replies = try await player.replies(toAll: Array(repeating: request, count: 50))
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(replies.count { $0.status == 200 } == 49)
        #expect(Set(replies.map(\.http.text)).count == 1)
    }

    @Test("a day that is over tells its word and what became of it, and its figures never change")
    func past() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        var players: [V2Client] = []
        for _ in 0..<5 { players.append(try await V2Client.player(on: service)) }
        let before = try await players[0].get("/v2/daily").json
        for (player, guesses) in zip(players, [2, 4, 4, nil]) {
            let game = try await player.post("/v2/daily/game").json.game
            try await player.end(game, in: guesses, of: database)
        }
        let running = try await players[4].post("/v2/daily/game").json.game
        _ = try await players[4].guess("crane", in: running)
        let path = "/v2/daily/\(today())"
        let newcomer = V2Client.newcomer(on: service)
        #expect(try await newcomer.get(path).summary == "404 not-found", "the day is not over")
        try await database.passDays(1)

        let yesterday = "/v2/daily/\(today(-1))"
        let reply = try await newcomer.get(yesterday)
        #expect(reply.status == 200)
        #expect(
            reply.json.names.isSuperset(of: [
                "day", "number", "length", "commitment", "endsAt", "secret", "salt", "players", "won", "distribution",
            ]))
        #expect(reply.json.game == .missing)
        #expect(reply.json.day.text == today(-1).description)
        #expect(reply.json.number.int == before.number.int - 1)
        #expect(reply.json.commitment == before.commitment)
        #expect(reply.json.commitment == commitment(reply.json))
        #expect(reply.json.tomorrow.commitment == before.tomorrow.commitment)
        #expect(reply.json.endsAt.text.hasPrefix("\(today())T00:00:00"))
        #expect(reply.json.players == 4, "those who ended it")
        #expect(reply.json.won == 3)
        #expect(reply.json.distribution == [0, 1, 0, 2, 0, 0])
        #expect(try await players[0].get(yesterday).json.game.state == "won")

        let current = try await players[4].get("/v2/daily").json
        #expect(current.game == .missing)
        #expect(current.commitment == before.tomorrow.commitment, "committed to a day ahead")
        #expect(current.tomorrow.commitment != current.commitment)
        let board = try await newcomer.get("\(yesterday)/leaderboard").json
        let ended = try await players[4].end(running, in: 1, of: database)
        #expect(ended.day.text == today(-1).description)
        #expect(ended.kind == "daily")
        #expect(ended.guesses.items.count == 2, "a guess of yesterday and one of today")
        #expect(try await newcomer.get(yesterday).json == reply.json, "it ended after its day")
        #expect(try await newcomer.get("\(yesterday)/leaderboard").json == board)
        #expect(try await players[4].get("\(yesterday)/leaderboard").json.me == .missing)
        #expect(try await players[4].get(yesterday).json.game == ended)
        #expect(try await players[4].post("/v2/daily/game").status == 201, "today's is another")
        try await database.gatherBoards()
        #expect(try await newcomer.get(yesterday).json == reply.json, "nor when it is gathered")

        #expect(try await players[0].delete("/v2/players/me").status == 204)
        #expect(try await newcomer.get(yesterday).json == reply.json, "the figures stay")
        try await service.stop()
    }

    @Test(
        "a game of the day that ends after it is one in the player's statistics, streak and wins", arguments: [3, nil])
    func late(guesses: Int?) async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        let game = try await player.post("/v2/daily/game").json.game
        try await database.passDays(1)
        try await player.end(game, in: guesses, of: database)
        let isWon = guesses != nil
        let statistics = try await player.me().statistics
        #expect(statistics.played == 1)
        #expect(statistics.won == (isWon ? 1 : 0))
        #expect(statistics.currentStreak == (isWon ? 1 : 0))
        #expect(statistics.distribution == (isWon ? [0, 0, 1, 0, 0, 0] : [0, 0, 0, 0, 0, 0]))
        for period in ["day", "week", "month", "all"] {
            let board = try await player.get("/v2/leaderboards/wins?period=\(period)").json
            #expect(board.me.wins == (isWon ? 1 : .missing), "\(period)")
        }
        #expect(
            try await database.psql(
                "SELECT wins, words_played FROM users WHERE id = '\(id)'") == (isWon ? "1|1" : "0|1"))
        let yesterday = try await player.get("/v2/daily/\(today(-1))").json
        #expect(yesterday.players == 0)
        #expect(yesterday.won == 0)
        #expect(yesterday.distribution == [0, 0, 0, 0, 0, 0])
        #expect(
            try await player.get("/v2/daily/\(today(-1))/leaderboard").json
                == .object(["entries": [], "players": 0]))
        #expect(try await database.psql("SELECT count(*) FROM board_entries WHERE board = 'daily'") == "0")
        try await service.stop()
    }

    @Test("a game of the day that ends on its day counts for it until the last moment, and no moment longer")
    func lastMoment() async throws {
        let database = try await TestDatabase.create()
        // end_game takes the end from the clock, or from the player's end before, if that was later.
        let counts = try await database.psql(
            """
            DO $$
            DECLARE
                token bytea;
                player text;
                g judged_games;
            BEGIN
                PERFORM choose_daily_words();
                FOR n IN 1..2 LOOP
                    player := '5ed8320e-51c1-8a06-b8b0-00000000000' || n;
                    token := sha256(int4send(n)) || player::bytea;
                    PERFORM create_player(player, 'P' || n, NULL, token, gen_random_uuid(), sha256(token));
                    PERFORM start_daily_game(token, false);
                    UPDATE players SET last_ended_at = (today() + 1)::timestamp AT TIME ZONE 'UTC'
                        + (n - 3) * interval '1 microsecond'
                    WHERE user_id = player;
                    SELECT * INTO g FROM judged_games WHERE user_id = player;
                    g := end_game(g, true);
                END LOOP;
            END
            $$;
            SELECT user_id, score IS NOT NULL FROM judged_games LEFT JOIN board_entries USING (user_id)
            WHERE board = 'daily' OR board IS NULL;
            SELECT count_players('daily', today(), changes_of('daily', today()))
            """)
        #expect(counts == "5ed8320e-51c1-8a06-b8b0-000000000001|t\n1")
    }

    @Test("a day to come, one that was never held, and what is no day: 404")
    func unknown() async throws {
        let newcomer = try await V2Client.newcomer()
        for day in [
            "\(today())", "\(today(1))", "\(today(365))", "2025-12-31", "2026-01-01", "0000-01-01", "9999-12-31",
            "2026-02-30",
            "2026-1-1", "20260101", "x", "current", "2026-01-01T00:00:00Z", "%20", "+2026-01-01",
            "games",
        ] {
            #expect(try await newcomer.get("/v2/daily/\(day)").summary == "404 not-found", "\(day)")
        }
        let game = try await newcomer.get("/v2/daily/game")
        #expect(game.summary == "405 method-not-allowed")
        #expect(game["Allow"]?.contains("POST") == true)
        for day in ["\(today(1))", "2025-12-31", "x", "game"] {
            #expect(try await newcomer.get("/v2/daily/\(day)/leaderboard").summary == "404 not-found", "\(day)")
        }
    }

    @Test("the word is a secret of the list, and never one of the last 365 days")
    func choice() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            UPDATE words SET retired_at = now() WHERE word NOT IN ('crane', 'slate', 'fjord');
            SELECT refresh_word_lists();
            INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
            SELECT today() - age, 'en', word, salt, promise, false, daily_word_seal(today() - age, promise, false, false)
            FROM (VALUES (1, 'crane', gen_random_uuid()), (366, 'slate', gen_random_uuid())) AS held (age, word, salt),
                commitment(salt, word) AS promise
            """)
        let service = try await TestService.start(on: database)
        #expect(try await V2Client.newcomer(on: service).get("/v2/daily").status == 200)
        let words = try await database.psql(
            "SELECT word FROM daily_words WHERE day BETWEEN today() AND today() + 1 ORDER BY day")
        #expect(["fjord\nslate", "slate\nfjord"].contains(words))
        try await service.stop()
    }

    @Test("two nodes have one day, whoever asks first")
    func nodes() async throws {
        let database = try await TestDatabase.create()
        let nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        let replies = try await withThrowingTaskGroup(of: [V2Reply].self) { group in
            for node in nodes {
                group.addTask {
                    let newcomer = V2Client.newcomer(on: node)
                    return try await newcomer.replies(
                        toAll: Array(repeating: newcomer.request("GET", "/v2/daily"), count: 20))
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        #expect(Set(replies.map(\.http.text)).count == 1)
        for node in nodes { try await node.stop() }
    }

    // MARK: Days in a row

    @Test(
        "days in a row count the words that were won on their day, up to today or yesterday; nothing else changes them")
    func daysInRow() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service, named: "Ada")
        func days() async throws -> String {
            let days = try await ada.me().statistics.days
            #expect(days.names == ["played", "won", "currentStreak", "longestStreak"])
            return "\(days.played.int) \(days.won.int) \(days.currentStreak.int) \(days.longestStreak.int)"
        }
        func play(in guesses: Int?) async throws {
            _ = try await ada.end(try await ada.post("/v2/daily/game").json.game, in: guesses, of: database)
        }
        #expect(try await days() == "0 0 0 0")
        try await play(in: 3)
        #expect(try await days() == "1 1 1 1")
        try await database.passDays(1)
        #expect(try await days() == "1 1 1 1", "today is not ended yet")
        try await play(in: 6)
        #expect(try await days() == "2 2 2 2")
        // Words of one's own, of past days and of a day that is over change nothing.
        _ = try await ada.end(try await ada.start(), in: nil, of: database)
        try await database.passDays(1)
        let late = try await ada.post("/v2/daily/game").json.game
        try await database.passDays(1)
        #expect(try await days() == "2 2 0 2", "yesterday was missed")
        _ = try await ada.end(late, in: 1, of: database)
        #expect(try await days() == "2 2 0 2")
        #expect(try await ada.me().statistics.currentStreak == 1)
        try await play(in: 2)
        #expect(try await days() == "3 3 1 2")
        try await database.passDays(1)
        try await play(in: nil)
        #expect(try await days() == "4 3 0 2", "today is lost")
        try await database.passDays(1)
        // Given up before the first guess: it is ended all the same.
        let given = try await ada.post("/v2/daily/game").json.game
        #expect(try await ada.post("/v2/games/\(given.id.text)/resign").status == 200)
        #expect(try await days() == "5 3 0 2")
        for _ in 1...3 {
            try await database.passDays(1)
            try await play(in: 4)
        }
        #expect(try await days() == "8 6 3 3")
        // Games that tests have moved in time are no games to the other parts.
        try await database.expectCleanAudit(without: Audit.Scope().parts.subtracting([.leagues]))
        try await service.stop()
    }

    @Test("after a merge days in a row are those of both")
    func mergedDays() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let ada = try await V2Client.player(on: service, named: "Ada")
        let other = try await V2Client.player(on: service, named: "Other")
        // Ada wins on days 1, 2 and 4; the other on 3 and 5, and loses on 4, where Ada's game is the day's.
        for ends in [[(ada, 2)], [(ada, 3)], [(other, 4)], [(other, nil), (ada, 5)], [(other, 1)]]
            as [[(V2Client, Int?)]]
        {
            for (player, guesses) in ends {
                _ = try await player.end(try await player.post("/v2/daily/game").json.game, in: guesses, of: database)
            }
            try await database.passDays(1)
        }
        #expect(try await ada.me().statistics.days.longestStreak == 2)
        let code = try await other.post("/v2/players/me/recovery-code").json.recoveryCode.text
        let merged = try await ada.post("/v2/players/me/merge", #"{"recoveryCode": "\#(code)"}"#)
        #expect(merged.status == 200, "\(merged)")
        let days = merged.json.statistics.days
        #expect(
            days == .object(["played": 5, "won": 5, "currentStreak": 5, "longestStreak": 5]), "\(days)")
        // Games that tests have moved in time are no games to the other parts.
        try await database.expectCleanAudit(without: Audit.Scope().parts.subtracting([.leagues]))
        try await service.stop()
    }
}
