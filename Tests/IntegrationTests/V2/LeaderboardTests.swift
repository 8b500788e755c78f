import EventLoop
import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("Leaderboards of /v2", .everyLayout)
struct LeaderboardTests {
    /// A service on a database of its own, and players in their order.
    private func players(
        _ names: String..., on service: TestService
    ) async throws -> [V2Client] {
        var players: [V2Client] = []
        for name in names { players.append(try await V2Client.player(on: service, named: name)) }
        return players
    }

    private func day(_ service: TestService) async throws -> String {
        "/v2/daily/\(try await V2Client.newcomer(on: service).get("/v2/daily").json.day.text)/leaderboard"
    }

    private func entry(_ rank: Int, _ name: String, _ members: [String: JSON], isMe: Bool = false) -> JSON {
        .object(members.merging(["rank": .integer(rank), "name": .string(name), "isMe": .boolean(isMe)]) { $1 })
    }

    @Test("the day's: won games by guesses, then whole seconds; equals share a rank, the earlier end first")
    func daily() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let newcomer = V2Client.newcomer(on: service)
        let path = try await day(service)
        #expect(try await newcomer.get(path).json == .object(["entries": [], "players": 0]))
        let names = ["slow", "equal", "first", "earlier", "loser", "quick", "running"]
        let players = try await self.players(
            "slow", "equal", "first", "earlier", "loser", "quick", "running", on: service)
        var games: [JSON] = []
        for player in players { games.append(try await player.post("/v2/daily/game").json.game) }
        // They end in this order, in the last second of the day, after so many seconds: a game ends a moment after the
        // player's game before at the earliest, and when that is in the future, at that moment.
        let end = try await newcomer.get("/v2/daily").json.endsAt.text
        for (order, (name, guesses, seconds)) in [
            ("earlier", 3, 20), ("equal", 3, 20), ("loser", nil, 1), ("first", 2, 100), ("slow", 3, 100),
            ("quick", 3, 3),
        ].enumerated() {
            let index = try #require(names.firstIndex(of: name))
            let moment = "'\(end)'::timestamptz - interval '\(1000 - order) milliseconds'"
            try await database.psql(
                """
                UPDATE players SET last_ended_at = \(moment) WHERE user_id = '\(try await players[index].me().id.text)';
                UPDATE judged_games SET started_at = \(moment) - interval '\(seconds) seconds'
                WHERE id = '\(games[index].id.text)'
                """)
            try await players[index].end(games[index], in: guesses, of: database)
        }
        func lines(_ me: String = "") -> [JSON] {
            [
                (1, "first", 2, 100), (2, "quick", 3, 3), (3, "earlier", 3, 20), (3, "equal", 3, 20),
                (5, "slow", 3, 100),
            ].map { rank, name, guesses, seconds in
                entry(
                    rank, name, ["guesses": .integer(guesses), "seconds": .integer(seconds)], isMe: name == me)
            }
        }
        let board = try await newcomer.get(path)
        #expect(board.status == 200)
        #expect(board.json.names == ["entries", "players"])
        #expect(board.json.players == 6, "who ended it")
        #expect(board.json.entries.items == lines())
        let own = try await players[1].get(path).json
        #expect(own.entries.items == lines("equal"))
        #expect(own.me == lines("equal").first { $0.name == "equal" })
        for other in ["loser", "running"] {
            let index = try #require(names.firstIndex(of: other))
            #expect(try await players[index].get(path).json == board.json, "\(other) is not on the board")
        }

        #expect(try await players[2].delete("/v2/players/me").status == 204)
        let without = try await newcomer.get(path).json
        #expect(without.entries.items.map(\.name.text) == ["quick", "earlier", "equal", "slow"])
        #expect(without.entries.items.map(\.rank) == [1, 2, 2, 4])
        try await database.passDays(1)
        let past = "/v2/daily/\(V2.Day(daysSince1970: Int(Date().timeIntervalSince1970) / 86400 - 1))/leaderboard"
        #expect(try await newcomer.get(past).json == without, "it stays when the day is over")
        try await service.stop()
    }

    @Test("of wins, in a day, a week, a month or ever: only those of judged games, dailies too")
    func wins() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (newcomer, path) = (V2Client.newcomer(on: service), "/v2/leaderboards/wins")
        #expect(try await newcomer.get(path).json == .object(["entries": [], "players": 0]))
        let players = try await self.players("two", "one", "daily", "none", on: service)
        try await players[1].end(try await players[1].start(), in: 1, of: database)
        for _ in 0..<2 { try await players[0].end(try await players[0].start(), in: 2, of: database) }
        try await players[2].end(try await players[2].post("/v2/daily/game").json.game, in: 4, of: database)
        try await players[3].end(try await players[3].start(), in: nil, of: database)
        let user = TestService.newUser()
        for request: GameRequest in [.initialRegistration(vendorID: user), .updateUserWins(userID: user)] {
            #expect(try await service.answer(to: request).innerStatus == 200)
        }
        let lines = [entry(1, "two", ["wins": 2]), entry(2, "one", ["wins": 1]), entry(2, "daily", ["wins": 1])]
        for period in ["", "?period=all", "?period=day", "?period=week", "?period=month"] {
            let board = try await newcomer.get(path + period)
            #expect(board.status == 200)
            #expect(board.json == .object(["entries": .array(lines), "players": 3]), "\(period)")
        }
        let own = try await players[1].get(path).json
        #expect(own.me == entry(2, "one", ["wins": 1], isMe: true))
        #expect(own.entries[1] == own.me)
        #expect(try await players[3].get(path).json.me == .missing)
        try await players[1].end(try await players[1].start(), in: 1, of: database)
        let ranks = try await newcomer.get(path).json.entries.items.map(\.rank)
        #expect(ranks == [1, 1, 3])
        #expect(
            try await newcomer.get(path).json.entries.items.map(\.name) == ["two", "one", "daily"], "the earlier first")
        try await service.stop()
    }

    @Test("weeks begin on Monday, and what is over counts no more")
    func periods() async throws {
        let database = try await TestDatabase.create()
        #expect(
            try await database.psql(
                """
                SELECT string_agg(board_start(which, day)::text, ' ' ORDER BY day) FROM (VALUES
                    ('week'::board, '2026-11-22'::date), ('week', '2026-11-23'), ('week', '2026-11-29'),
                    ('month', '2026-12-31'), ('month', '2027-01-01')) AS cases (which, day)
                """) == "2026-11-16 2026-11-23 2026-11-23 2026-12-01 2027-01-01")
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        try await player.end(try await player.start(), in: 1, of: database)
        try await database.gatherBoards()
        try await database.psql(
            """
            UPDATE board_entries SET starts_on = starts_on - 40 WHERE board IN ('day', 'week', 'month');
            UPDATE board_counts SET starts_on = starts_on - 40 WHERE board IN ('day', 'week', 'month')
            """)
        for (period, count) in [("day", 0), ("week", 0), ("month", 0), ("all", 1)] {
            let board = try await player.get("/v2/leaderboards/wins?period=\(period)").json
            #expect(board.players.int == count, "\(period)")
            #expect(board.entries.items.count == count, "\(period)")
            #expect((board.me == .missing) == (count == 0), "\(period)")
        }
        try await service.stop()
    }

    @Test("around=me puts the player in the middle; it is ignored without a token or an entry; 50 entries at most")
    func around() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service, named: "me")
        try await player.end(try await player.start(), in: 1, of: database)
        // 40 with two wins and 60 with one, who came after.
        try await database.psql(
            """
            DO $$
            DECLARE
                id text;
            BEGIN
                FOR number IN 1..100 LOOP
                    id := format('00000000-0000-8000-8000-%s', lpad(number::text, 12, '0'));
                    PERFORM create_player(id, 'p' || number, NULL,
                        sha256(convert_to('t' || number, 'UTF8')) || convert_to(id, 'UTF8'),
                        gen_random_uuid(), sha256(convert_to('r' || number, 'UTF8')));
                    INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
                    VALUES (id, 'all', '2000-01-01', CASE WHEN number <= 40 THEN -2 ELSE -1 END, clock_timestamp());
                    PERFORM note_on_boards(id, now(), ARRAY[ROW('all', '2000-01-01', NULL,
                        CASE WHEN number <= 40 THEN -2 ELSE -1 END, NULL)::board_change]);
                END LOOP;
            END
            $$
            """)
        let path = "/v2/leaderboards/wins"
        let names = (1...40).map { "p\($0)" } + ["me"] + (41...100).map { "p\($0)" }
        for (query, range) in [
            ("", 0..<50), ("?limit=50", 0..<50), ("?limit=1000", 0..<50), ("?limit=3", 0..<3), ("?limit=1", 0..<1),
            ("?around=me&limit=5", 38..<43), ("?around=me&limit=1", 40..<41), ("?limit=11&around=me", 35..<46),
        ] {
            let board = try await player.get(path + query).json
            #expect(board.entries.items.map(\.name.text) == Array(names[range]), "\(query)")
            #expect(board.entries.items.map(\.rank) == range.map { $0 < 40 ? 1 : 41 }, "\(query)")
            #expect(board.players == 101)
            #expect(board.me == entry(41, "me", ["wins": 1], isMe: true))
        }
        let even = try await player.get(path + "?around=me&limit=4").json.entries.items.map(\.name.text)
        #expect([Array(names[38..<42]), Array(names[39..<43])].contains(even))
        let unlisted = try await V2Client.player(on: service)
        for client in [V2Client.newcomer(on: service), unlisted] {
            let board = try await client.get(path + "?around=me&limit=4").json
            #expect(board.entries.items.map(\.name.text) == ["p1", "p2", "p3", "p4"])
            #expect(board.me == .missing)
        }
        try await service.stop()
    }

    @Test(
        "around=me at either end: the first or the last entries, as many as are asked for, also among equals",
        arguments: ["daily", "all"])
    func ends(of board: String) async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let isDaily = board == "daily"
        let day = try await V2Client.newcomer(on: service).get("/v2/daily").json.day.text
        let starts = isDaily ? day : "2000-01-01"
        let path = isDaily ? "/v2/daily/\(day)/leaderboard" : "/v2/leaderboards/wins"
        let ranks = [1, 2, 3, 4, 4, 4, 4, 8, 8, 8]
        let names = ranks.indices.map { "p\($0)" }
        var players: [V2Client] = []
        for (place, rank) in ranks.enumerated() {
            let player = try await V2Client.player(on: service, named: names[place])
            let id = try await player.me().id.text
            let score = isDaily ? (3 << 32) + rank : rank - 20
            try await database.psql(
                """
                INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
                VALUES ('\(id)', '\(board)', '\(starts)', \(score), clock_timestamp());
                SELECT note_on_boards('\(id)', now(), ARRAY[
                    ROW('\(board)', '\(starts)', NULL, \(score), \(isDaily ? "3" : "NULL"))::board_change])
                """)
            players.append(player)
        }
        for (place, player) in players.enumerated() {
            for limit in [1, 2, 3, 4, 5, 9, 10, 11, 50] {
                let first = max(0, min(place - (limit - 1) / 2, ranks.count - limit))
                let range = first..<min(first + limit, ranks.count)
                let shown = try await player.get("\(path)?around=me&limit=\(limit)").json
                #expect(shown.entries.items.map(\.name.text) == Array(names[range]), "\(place), limit \(limit)")
                #expect(shown.entries.items.map(\.rank.int) == Array(ranks[range]), "\(place), limit \(limit)")
                #expect(shown.me.rank.int == ranks[place])
                #expect(shown.players == 10)
            }
        }
        try await service.stop()
    }

    @Test(
        "an invalid query is refused with the name of its parameter",
        arguments: [
            ("around=you", "around"), ("around=", "around"), ("limit=0", "limit"), ("limit=x", "limit"),
            ("around=me&around=me", "around"),
        ])
    func badQuery(query: String, path: String) async throws {
        let newcomer = try await V2Client.newcomer()
        for url in [try await day(newcomer.service), "/v2/leaderboards/wins"] {
            let reply = try await newcomer.get("\(url)?\(query)")
            #expect(reply.summary == "400 request-invalid")
            #expect(reply.json.path == .string(path))
        }
        for period in ["year", "", "Day"] {
            let reply = try await newcomer.get("/v2/leaderboards/wins?period=\(period)")
            #expect(reply.json.path == "period")
        }
    }

    @Test("web.leaderboards=players asks for a token")
    func readers() async throws {
        let service = try await TestService.start(["web.leaderboards": "players"], on: .shared())
        let newcomer = V2Client.newcomer(on: service)
        for path in [try await day(service), "/v2/leaderboards/wins", "/v2/daily/x/leaderboard"] {
            #expect(try await newcomer.get(path).summary == "401 unauthorized")
        }
        let player = try await V2Client.player(on: service)
        for path in [try await day(service), "/v2/leaderboards/wins"] {
            #expect(try await player.get(path).status == 200)
        }
        #expect(try await newcomer.get("/v2/daily").status == 200)
        try await service.stop()
    }

    @Test("what many end at once is counted once, whoever gathers it and however little at a time")
    func gathering() async throws {
        let database = try await TestDatabase.create()
        let nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        let isOver = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Also where a player fails.
            defer { isOver.withLock { $0 = true } }
            for _ in 0..<2 {
                group.addTask {
                    while !isOver.withLock({ $0 }) { try await database.psql("SELECT tend_boards(2)") }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { players in
                for number in 0..<12 {
                    players.addTask {
                        let player = try await V2Client.player(on: nodes[number % 2])
                        let daily = try await player.post("/v2/daily/game").json.game
                        try await player.end(daily, in: number % 7 < 6 ? 1 + number % 7 : nil, of: database)
                        for _ in 0..<5 { try await player.end(try await player.start(), in: 1, of: database) }
                        if number % 4 == 3 { #expect(try await player.delete("/v2/players/me").status == 204) }
                    }
                }
                try await players.waitForAll()
            }
            isOver.withLock { $0 = true }
            try await group.waitForAll()
        }
        let check = """
            DO $$
            DECLARE
                e record;
                noted board_change[];
                entries board_entries[] := ARRAY(SELECT board_entries FROM board_entries);
                day date := (SELECT max(starts_on) FROM board_entries WHERE board = 'daily');
            BEGIN
                -- Nothing is gathered meanwhile: these are many statements, where a page of a board is one.
                PERFORM pg_advisory_xact_lock('board_counts'::regclass::oid::bigint);
                FOR e IN SELECT board, starts_on, score, count(*) OVER (PARTITION BY board, starts_on) AS players,
                        rank() OVER (PARTITION BY board, starts_on ORDER BY score) AS rank FROM unnest(entries)
                LOOP
                    noted := changes_of(e.board, e.starts_on);
                    IF count_better(e.board, e.starts_on, e.score, noted) + 1 <> e.rank
                        OR e.board <> 'daily' AND count_players(e.board, e.starts_on, noted) <> e.players
                    THEN
                        RAISE '% of %: % stands before % others, of %', e.board, e.starts_on, e.score,
                            count_better(e.board, e.starts_on, e.score, noted),
                            count_players(e.board, e.starts_on, noted);
                    END IF;
                END LOOP;
                noted := changes_of('daily', day);
                IF count_players('daily', day, noted) <> 12 OR count_outcomes(day) <> '{2,2,2,2,2,1,1}' THEN
                    RAISE 'the day: %, %', count_players('daily', day, noted), count_outcomes(day);
                END IF;
            END
            $$
            """
        try await database.psql(check)
        try await database.gatherBoards()
        try await database.psql(check)
        #expect(try await database.psql("SELECT count(*) FROM board_counts WHERE count < 0") == "0")
        for node in nodes { try await node.stop() }
    }
}
