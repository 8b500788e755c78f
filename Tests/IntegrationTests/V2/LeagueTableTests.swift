import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("The tables of leagues of /v2", .everyLayout)
struct LeagueTableTests {
    private func service(_ settings: [String: String] = [:]) async throws -> (TestService, TestDatabase) {
        let database = try await TestDatabase.create()
        return (try await TestService.start(settings, on: database), database)
    }

    private func today(_ offset: Int = 0) -> V2.Day {
        V2.Day(daysSince1970: Int(Date().timeIntervalSince1970) / 86400 + offset)
    }

    /// The first day of the week that it is.
    private var monday: V2.Day {
        // 1970-01-01 was a Thursday.
        let today = Int(Date().timeIntervalSince1970) / 86400
        return V2.Day(daysSince1970: today - (today + 3) % 7)
    }

    private func league(
        of names: [String], on service: TestService
    ) async throws -> (league: JSON, members: [V2Client]) {
        var members: [V2Client] = []
        for name in names { members.append(try await V2Client.player(on: service, named: name)) }
        let league = try await members[0].createLeague()
        for member in members.dropFirst() {
            #expect(try await member.join(league.invite.text).status == 200)
        }
        return (league, members)
    }

    /// Plays today's word to its end.
    @discardableResult
    private func play(_ player: V2Client, in guesses: Int?, of database: TestDatabase) async throws -> JSON {
        try await player.end(try await player.post("/v2/daily/game").json.game, in: guesses, of: database)
    }

    private func line(_ entry: JSON) -> String {
        "\(entry.rank.int) \(entry.name.text) \(entry.points.int) \(entry.played.int) \(entry.won.int)"
    }

    // MARK: What it says

    @Test("today's words are points: seven less the guesses; equals share a rank, by joining; the week unless told")
    func points() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid", "Dan", "Eve", "Flo"], on: service)
        let empty = try await members[0].table(of: league)
        #expect(empty.json.names == ["period", "startsOn", "entries", "endedToday", "withoutToday"])
        #expect(empty.json.endedToday == 0 && empty.json.withoutToday == true)
        #expect(empty.json.period == "week")
        #expect(empty.json.startsOn.text == "\(monday)")
        #expect(
            empty.json.entries.items.map(line) == [
                "1 Ann 0 0 0", "1 Bob 0 0 0", "1 Cid 0 0 0", "1 Dan 0 0 0", "1 Eve 0 0 0", "1 Flo 0 0 0",
            ])
        #expect(empty.json.entries[0].names == ["rank", "name", "points", "played", "won", "isMe"])
        #expect(empty.json.entries[1].names == ["rank", "name", "points", "played", "won"])

        try await play(members[1], in: 6, of: database)
        try await play(members[2], in: 1, of: database)
        try await play(members[3], in: nil, of: database)
        try await play(members[4], in: 6, of: database)
        // Begun, and not ended.
        #expect(try await members[5].post("/v2/daily/game").status == 201)
        for period in [nil, "day", "week", "month", "all"] {
            // Who has not ended today's word sees nothing of it, but that it was ended.
            for spared in [members[0], members[5]] {
                let table = try await spared.table(of: league, period).json
                #expect(table.entries.items.map(line) == empty.json.entries.items.map(line), "\(period ?? "none")")
                #expect(table.endedToday == 4 && table.withoutToday == true)
            }
            let table = try await members[4].table(of: league, period).json
            #expect(table.endedToday == 4 && table.withoutToday == .missing)
            #expect(table.period.text == period ?? "week")
            #expect((table.startsOn == .missing) == (period == "all"))
            #expect(
                table.entries.items.map(line) == [
                    "1 Cid 6 1 1", "2 Bob 1 1 1", "2 Eve 1 1 1", "4 Ann 0 0 0", "4 Dan 0 1 0", "4 Flo 0 0 0",
                ], "\(period ?? "none")")
        }
        #expect(try await members[0].table(of: league, "day").json.startsOn.text == "\(today())")
        #expect(try await members[0].table(of: league, "month").json.startsOn.text == "\(today())".prefix(8) + "01")
        for period in ["year", "", "Week"] {
            let reply = try await members[0].table(of: league, period)
            #expect(reply.summary == "400 request-invalid")
            #expect(reply.json.path == "period")
        }
        try await database.expectCleanAudit()
        try await service.stop()
    }

    @Test("more wins go before equal points")
    func ties() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid", "Dan"], on: service)
        try await database.psql("UPDATE league_members SET joined_at = earlier(joined_at, '70 days')")
        for (member, results) in zip(members, ["1", "66666 6", "6 5554", "7"]) {
            let id = try await member.me().id.text
            let month = (results.replacing(" ", with: "0") + String(repeating: "0", count: 31)).prefix(31)
            try await database.psql(
                """
                INSERT INTO daily_results
                VALUES ('\(id)', board_start('month', board_start('month', today()) - 1), '\(month)')
                """)
        }
        let table = try await members[0].table(of: league, "all").json
        #expect(
            table.entries.items.map(line) == ["1 Cid 10 5 5", "2 Bob 6 6 6", "3 Ann 6 1 1", "4 Dan 0 1 0"])
        try await service.stop()
    }

    @Test("how words of today ended is shown, as marks only, after one's own end")
    func todays() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid"], on: service)
        let game = try await play(members[0], in: 3, of: database)
        let own = try await members[0].table(of: league).json.entries[0].today
        #expect(own.names == ["state", "guesses", "seconds", "marks"])
        #expect(own.state == "won")
        #expect(own.guesses == 3)
        #expect((0...60).contains(own.seconds.int))
        #expect(own.marks.items == game.guesses.items.map(\.marks))
        let hidden = try await members[1].table(of: league)
        #expect(hidden.json.entries[0].today == .missing)
        #expect(hidden.json.entries[0].points == 0 && hidden.json.entries[0].played == 0)
        #expect(hidden.json.endedToday == 1)
        #expect(!hidden.description.contains("marks"))

        // Given up before the first guess.
        let given = try await members[1].post("/v2/daily/game").json.game
        #expect(try await members[1].table(of: league).json.entries[0].today == .missing, "begun is not ended")
        #expect(try await members[1].post("/v2/games/\(given.id.text)/resign").json.state == "lost")
        let shown = try await members[1].table(of: league).json.entries.items
        #expect(shown[0].today == own)
        #expect(
            shown[1].today == .object(["state": "lost", "guesses": 0, "seconds": shown[1].today.seconds, "marks": []]))
        #expect(line(shown[1]) == "2 Bob 0 1 0")
        #expect(shown[2].today == .missing)
        #expect(try await members[2].table(of: league).json.entries.items.allSatisfy { $0.today == .missing })
        let secret = game.secret.text
        let text = try await members[1].table(of: league).http.text
        #expect(!text.contains(secret))
        // The day after, all of it is of a past day.
        try await database.passDays(1)
        let later = try await members[0].table(of: league, "all").json.entries.items
        #expect(later.map(line) == ["1 Ann 4 1 1", "2 Bob 0 1 0", "2 Cid 0 0 0"])
        #expect(later.allSatisfy { $0.today == .missing })
        try await service.stop()
    }

    @Test("a daily that ends after its day, a game of a past day, and other games count for nothing")
    func late() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob"], on: service)
        let late = try await members[0].post("/v2/daily/game").json.game
        try await database.passDays(2)
        try await members[0].end(late, in: 1, of: database)
        let archive = try await members[1].post("/v2/daily/\(today(-2))/game").json.game
        try await members[1].end(archive, in: 2, of: database)
        try await members[1].end(try await members[1].start(), in: 3, of: database)
        for period in ["day", "week", "month", "all"] {
            let table = try await members[0].table(of: league, period).json.entries.items
            #expect(table.map(line) == ["1 Ann 0 0 0", "1 Bob 0 0 0"])
            #expect(table.allSatisfy { $0.today == .missing })
        }
        #expect(try await members[0].me().statistics.won == 1)
        #expect(try await database.psql("SELECT count(*) FROM daily_results") == "0")
        try await service.stop()
    }

    @Test("a member's days count from the one they joined on, that one too; who comes back begins anew")
    func joined() async throws {
        let (service, database) = try await service()
        let players = [
            try await V2Client.player(on: service, named: "Ann"), try await V2Client.player(on: service, named: "Bob"),
        ]
        let league = try await players[0].createLeague()
        for player in players { try await play(player, in: 2, of: database) }
        try await database.passDays(1)
        // On the second day Bob joins, after the end of that day's word.
        for player in players { try await play(player, in: 3, of: database) }
        #expect(try await players[1].join(league.invite.text).status == 200)
        let table = try await players[1].table(of: league, "all").json
        #expect(table.entries.items.map(line) == ["1 Ann 9 2 2", "2 Bob 4 1 1"])
        #expect(table.entries[0].today.guesses == 3)
        #expect(table.entries[1].isMe == true)
        #expect(
            try await players[0].table(of: league, "day").json.entries.items.map(line) == [
                "1 Ann 4 1 1", "1 Bob 4 1 1",
            ])
        try await database.passDays(1)
        #expect(try await players[1].delete(V2Client.path(league, "/members/me")).status == 204)
        #expect(try await players[1].join(league.invite.text).status == 200)
        #expect(
            try await players[0].table(of: league, "all").json.entries.items.map(line) == [
                "1 Ann 9 2 2", "2 Bob 0 0 0",
            ])
        try await service.stop()
    }

    @Test("on every day a period has its days, whatever months they are of")
    func periods() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (league, members) = try await league(of: ["Ann"], on: service)
        try await service.stop()
        let id = try await database.psql("SELECT user_id FROM league_members")
        #expect(members.count == 1)
        try await database.psql("UPDATE league_members SET joined_at = '2020-01-15 23:59:59.9+00'")
        // A word a day; how it ended follows from the day.
        try await database.psql(
            """
            CREATE FUNCTION result_of(day date) RETURNS integer IMMUTABLE RETURN 1 + (day - '2000-01-01'::date) * 5 % 7;
            CREATE FUNCTION expected(first_day date, last_day date) RETURNS text STABLE RETURN (
                SELECT format('%s %s %s', sum(7 - result), count(*), count(*) FILTER (WHERE result < 7))
                FROM (SELECT result_of(day::date) AS result
                    FROM generate_series(greatest(first_day, '2020-01-15'), last_day, '1 day') AS day) AS days)
            """)
        for day in [
            "2020-01-15", "2020-01-16", "2020-01-31", "2020-02-01", "2020-02-02", "2020-02-29", "2020-03-01",
            "2020-03-02", "2020-12-31", "2021-01-01", "2021-01-03", "2021-01-04", "2021-02-28",
        ] {
            // What is of days to come is not there yet.
            let wrong = try await database.psql(
                """
                CREATE OR REPLACE FUNCTION today() RETURNS date LANGUAGE sql STABLE RETURN '\(day)'::date;
                DELETE FROM daily_results;
                DO $$ BEGIN PERFORM note_daily_result('\(id)', day::date, result_of(day::date))
                    FROM generate_series('2019-11-20'::date, today(), '1 day') AS day; END $$;
                SELECT period, found, expected FROM (
                    SELECT period, format('%s %s %s', points, played, won) AS found,
                        expected(board_start(period, today()), today()) AS expected
                    FROM unnest('{day,week,month,all}'::board[]) AS period,
                        LATERAL read_league_table('\(league.id.text)', period)) AS tables
                WHERE found <> expected
                """)
            #expect(wrong == "", "\(day)")
        }
    }

    // MARK: How it is asked again and again

    @Test("it has an ETag; a friend's end changes it at once, and what has not changed is not sent again")
    func tags() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob"], on: service)
        let first = try await members[0].table(of: league)
        let tag = try #require(first["ETag"])
        #expect(first["Cache-Control"] == "private, no-cache")
        #expect(first["Vary"] == "Authorization")
        let path = V2Client.path(league, "/table")
        let known = try await members[0].get(path, fields: ["If-None-Match: \(tag)"])
        #expect(known.status == 304)
        #expect(known.http.body.isEmpty)
        #expect(try await members[1].get(path, fields: ["If-None-Match: \(tag)"]).status == 200, "another reader")
        try await play(members[1], in: 4, of: database)
        let changed = try await members[0].get(path, fields: ["If-None-Match: \(tag)"])
        #expect(changed.status == 200)
        #expect(changed.json.endedToday == 1)
        #expect(changed.json.entries.items.map(line) == ["1 Ann 0 0 0", "1 Bob 0 0 0"], "Ann has not ended it")
        try await service.stop()
    }

    @Test("a client that asks as fast as it can sees a friend's end within three seconds, and keeps seeing it")
    func onlookers() async throws {
        let (service, database) = try await service()
        let (league, members) = try await league(of: ["Ann", "Bob", "Cid"], on: service)
        let path = V2Client.path(league, "/table")
        let seen = try await withThrowingTaskGroup(of: Duration?.self) { group in
            let start = ContinuousClock.now
            for _ in 0..<8 {
                group.addTask {
                    var seen: Duration?
                    while ContinuousClock.now - start < .seconds(5) {
                        let table = try await members[0].get(path)
                        #expect(table.status == 200)
                        let now = ContinuousClock.now
                        if table.json.endedToday == 1 { seen = seen ?? (now - start) } else { seen = nil }
                    }
                    return seen
                }
            }
            group.addTask {
                try await play(members[1], in: 2, of: database)
                return ContinuousClock.now - start
            }
            var times: [Duration] = []
            for try await time in group { times.append(try #require(time)) }
            return times
        }
        let ended = try #require(seen.min())
        #expect(seen.allSatisfy { $0 - ended < .seconds(3) }, "\(seen)")
        try await service.stop()
    }
}
