import EventLoop
import Foundation
import JulietGame
import Postgres
import TestSupport
import Testing

/// The figures of the admin page: what is counted, when, and that it agrees with the records.
@Suite("The admin page's figures", .everyLayout)
struct AdminFiguresTests {
    /// What happened on each of the last sixty days but today, one line a day that is counted by now, without any of the
    /// product's functions.
    private static let days = """
        WITH moments AS (
            SELECT user_id, (created_at AT TIME ZONE 'UTC')::date AS day FROM energy_ledger
            WHERE reason NOT IN ('support', 'refund', 'lottery', 'import', 'merge')
            UNION ALL SELECT user_id, (started_at AT TIME ZONE 'UTC')::date FROM judged_games
            UNION ALL SELECT user_id, (ended_at AT TIME ZONE 'UTC')::date FROM judged_games),
        entries AS (SELECT *, (created_at AT TIME ZONE 'UTC')::date AS day FROM energy_ledger WHERE entry IS NOT NULL),
        games AS (SELECT *, (started_at AT TIME ZONE 'UTC')::date AS begun, (ended_at AT TIME ZONE 'UTC')::date AS ended
            FROM judged_games)
        SELECT concat_ws(' ', day,
            (SELECT count(DISTINCT user_id) FROM moments WHERE moments.day = list.day),
            (SELECT count(*) FROM entries WHERE entries.day = list.day AND reason = 'registration'),
            (SELECT count(*) FROM entries WHERE entries.day = list.day AND reason = 'game')
                - (SELECT count(*) FROM games WHERE begun = list.day AND kind = 'game'),
            (SELECT count(*) FROM games WHERE begun = list.day AND kind = 'game'),
            (SELECT count(*) FROM games WHERE begun = list.day AND kind = 'daily'),
            (SELECT count(*) FROM games WHERE begun = list.day AND is_hard),
            (SELECT count(*) FROM games WHERE ended = list.day AND is_won),
            (SELECT count(*) FROM games WHERE ended = list.day AND NOT is_won),
            (SELECT count(*) FROM entries WHERE entries.day = list.day AND reason = 'purchase'),
            (SELECT count(*) FROM entries WHERE entries.day = list.day AND reason = 'refund'),
            (SELECT coalesce(sum(delta), 0) FROM entries WHERE entries.day = list.day AND reason = 'purchase'),
            (SELECT coalesce(sum(delta), 0) FROM entries WHERE entries.day = list.day AND reason = 'support' AND delta > 0),
            (SELECT coalesce(-sum(delta), 0) FROM entries WHERE entries.day = list.day AND reason = 'refund' AND delta < 0),
            (SELECT coalesce(-sum(delta), 0) FROM entries WHERE entries.day = list.day AND reason = 'game' AND delta < 0))
        FROM (SELECT (now() AT TIME ZONE 'UTC' - interval '10 minutes')::date - n AS day
            FROM generate_series(1, 59) AS n) AS list ORDER BY day
        """
    /// The weeks that are over: who was active, who came, and how many of those of the weeks before were active again.
    private static let weeks = """
        WITH moments AS (
            SELECT user_id, date_trunc('week', created_at AT TIME ZONE 'UTC')::date AS week FROM energy_ledger
            WHERE reason NOT IN ('support', 'refund', 'lottery', 'import', 'merge')
            UNION SELECT user_id, date_trunc('week', started_at AT TIME ZONE 'UTC')::date FROM judged_games
            UNION SELECT user_id, date_trunc('week', ended_at AT TIME ZONE 'UTC')::date FROM judged_games),
        comers AS (SELECT id, date_trunc('week', created_at AT TIME ZONE 'UTC')::date AS week FROM users)
        SELECT concat_ws(' ', list.week, (SELECT count(*) FROM moments WHERE moments.week = list.week),
            (SELECT count(*) FROM comers WHERE comers.week = list.week),
            (SELECT string_agg(week || ':' || players, ' ' ORDER BY week) FROM (
                SELECT comers.week, count(*) AS players FROM moments JOIN comers ON id = user_id
                WHERE moments.week = list.week AND comers.week < list.week GROUP BY comers.week) AS cohorts))
        FROM (SELECT date_trunc('week', now() AT TIME ZONE 'UTC' - interval '10 minutes')::date - 7 * n AS week
            FROM generate_series(1, 8) AS n) AS list ORDER BY list.week
        """

    /// The same as the page is told it.
    private func days(_ reply: JSON) -> [String] {
        reply.kept.days.items.map { day in
            func number(_ value: JSON) -> Int { max(0, value.int) }
            let counts = [
                day.active, day.registered, day.begun.app, day.begun.game, day.begun.daily, day.hard, day.won, day.lost,
                day.entries.purchase, day.entries.refund, day.brought.purchase, day.brought.support, day.took.refund,
                day.took.game,
            ]
            return ([day.day.text] + counts.map { "\(number($0))" }).joined(separator: " ")
        }
    }

    private func weeks(_ reply: JSON) -> [String] {
        reply.kept.weeks.items.suffix(8).map { week in
            let cohorts: [String] = week.cohorts.names.sorted().map { name in
                guard case .object(let members) = week.cohorts else { return name }
                return "\(name):\(members[name]?.int ?? -1)"
            }
            return (["\(week.day.text) \(week.active.int) \(week.came.int)"] + cohorts).joined(separator: " ")
        }
    }

    /// Counts all that is over, as a service does.
    private func count(_ database: TestDatabase) async throws {
        let loop = try EventLoop(label: "figures")
        defer { loop.shutdown() }
        let configuration = PostgresConfiguration(connectionString: database.serviceConnectionString)
        try await FigureCounter(database: configuration, on: loop).count()
    }

    /// A player of the app who came some days ago: the energy bought, a game, and more games later.
    private func play(
        _ player: String, cameDaysAgo: Int, gamesDaysAgo: [Int] = [], on database: TestDatabase
    ) async throws {
        var script = """
            SELECT register_user('\(player)', NULL, NULL), buy_energy('\(player)', 30, NULL, NULL),
                pay_for_game('\(player)', NULL, NULL);
            UPDATE energy_ledger SET created_at = earlier(created_at, '\(cameDaysAgo) days') WHERE user_id = '\(player)';
            UPDATE users SET created_at = earlier(created_at, '\(cameDaysAgo) days') WHERE id = '\(player)';

            """
        for (index, ago) in gamesDaysAgo.enumerated() {
            script += """
                SELECT pay_for_game('\(player)', NULL, NULL);
                UPDATE energy_ledger SET created_at = earlier(created_at, '\(ago) days')
                WHERE user_id = '\(player)' AND entry = \(4 + index);

                """
        }
        try await database.psql(script)
    }

    /// A game that the service judged: begun so many days ago, and ended two minutes later, or a day later.
    private func judge(
        _ player: String, _ kind: String, daysAgo: Int, isWon: Bool, isHard: Bool = false, endsNextDay: Bool = false,
        on database: TestDatabase
    ) async throws {
        let ended = endsNextDay ? daysAgo - 1 : daysAgo
        try await database.psql(
            """
            INSERT INTO judged_games (user_id, id, kind, day, is_hard, language, letters, word, salt, commitment, started_at,
                ended_at, is_won, guess_count)
            VALUES ('\(player)', '\(UUID().uuidString)', '\(kind)',
                \(kind == "daily" ? "today() - \(daysAgo)" : "NULL"), \(isHard), 'en', 5, 'crane',
                '\(UUID().uuidString)', '\\x00', now() - interval '\(daysAgo) days', now() - interval '\(ended) days',
                \(isWon), 3)
            """)
    }

    /// Players of several days and weeks.
    private func makeWorld(on database: TestDatabase) async throws {
        for (index, ago) in [2, 2, 3, 5, 9, 9, 10, 16, 16, 17, 30, 45].enumerated() {
            try await play(
                "P\(index)", cameDaysAgo: ago, gamesDaysAgo: [ago - 1, ago / 2].filter { $0 > 1 }, on: database)
        }
        try await database.psql(
            """
            SELECT register_user('GIVEN', NULL, NULL), change_energy('GIVEN', 7, 'support', 'x', NULL, NULL),
                change_energy('GIVEN', -3, 'refund', 'y', NULL, NULL);
            UPDATE energy_ledger SET created_at = earlier(created_at, '12 days') WHERE user_id = 'GIVEN' AND entry > 1;
            UPDATE energy_ledger SET created_at = earlier(created_at, '20 days') WHERE user_id = 'GIVEN' AND entry = 1;
            UPDATE users SET created_at = earlier(created_at, '20 days') WHERE id = 'GIVEN';
            INSERT INTO board_counts (board, starts_on, step, bucket, count)
            VALUES ('daily', today() - 3, 0, 4, 5), ('daily', today() - 3, 0, 7, 2)
            """)
        try await database.psql(
            """
            SELECT pay_for_game('P4', NULL, NULL);
            UPDATE energy_ledger SET created_at = earlier(created_at, '6 days')
            WHERE user_id = 'P4' AND created_at > earlier(now(), '1 hour')
            """)
        try await judge("P4", "game", daysAgo: 6, isWon: true, isHard: true, on: database)
        try await judge("P4", "daily", daysAgo: 4, isWon: false, on: database)
        try await judge("P5", "daily", daysAgo: 4, isWon: true, endsNextDay: true, on: database)
        try await judge("P10", "archive", daysAgo: 25, isWon: true, on: database)
    }

    @Test("what was counted is what the records say, day by day and week by week, and again a day later")
    func agreement() async throws {
        let database = try await TestDatabase.create()
        try await makeWorld(on: database)
        try await count(database)
        let (service, anna) = try await AdminClient.start(on: database)
        func expectAgreement(_ comment: String) async throws -> JSON {
            let reply = try await anna.get("figures?days=90").json
            let expected = try await database.psql(Self.days).split(separator: "\n").map(String.init)
            let told = days(reply)
            #expect(Array(told.suffix(59)) == expected, "\(comment)")
            #expect(expected.filter { !$0.hasSuffix(" 0 0 0 0 0 0 0 0 0 0 0 0 0 0") }.count > 15)
            let expectedWeeks = try await database.psql(Self.weeks).split(separator: "\n").map(String.init)
            #expect(weeks(reply) == expectedWeeks, "\(comment)")
            return reply
        }
        var reply = try await expectAgreement("first")
        let told = days(reply)
        let day = try await database.psql("SELECT today() - 3")
        let outcomes = try #require(reply.kept.days.items.first { $0.day.text == day }?.outcomes)
        #expect(outcomes.items.map(\.int) == [0, 0, 0, 5, 0, 0, 2])
        let months = try await database.psql(
            """
            SELECT count(DISTINCT user_id) FROM energy_ledger
            WHERE reason NOT IN ('support', 'refund') AND created_at >= date_trunc('month', now() - interval '10 minutes', 'UTC')
                - interval '1 month' AND created_at < date_trunc('month', now() - interval '10 minutes', 'UTC')
            """)
        #expect(reply.kept.months.items.last?.active.int == Int(months), "all who were judged paid as well")

        // A day goes by: yesterday is as it was not counted, and more happened on it.
        let counted = """
            SELECT string_agg(concat_ws('/', kind, starts_on, extract(epoch FROM counted_at)), ' ' ORDER BY kind, starts_on)
            FROM figures
            """
        try await database.psql(
            """
            DELETE FROM figures AS f USING (SELECT (now() AT TIME ZONE 'UTC' - interval '10 minutes')::date - 1 AS day) AS d
            WHERE starts_on = day AND kind = 'day' OR starts_on = date_trunc(kind, day::timestamp)::date AND kind <> 'day'
            """)
        let before = try await database.psql(counted)
        // In the first ten minutes of a day the day before is not over.
        let sinceYesterday = "today() - (now() AT TIME ZONE 'UTC' - interval '10 minutes')::date + 1"
        let ago = try #require(Int(try await database.psql("SELECT \(sinceYesterday)")))
        try await play("NEW", cameDaysAgo: ago, on: database)
        try await database.psql(
            """
            SELECT pay_for_game('P8', NULL, NULL);
            UPDATE energy_ledger SET created_at = earlier(created_at, '\(ago) days')
            WHERE user_id = 'P8' AND created_at > earlier(now(), '1 hour')
            """)
        try await count(database)
        reply = try await expectAgreement("a day later")
        #expect(days(reply).count == told.count && days(reply) != told)
        let after = try await database.psql(counted)
        #expect(after != before && before.split(separator: " ").allSatisfy { after.contains($0) })
        try await service.stop()
    }

    @Test("what was counted stays, whatever happens to players and entries; it is counted once by all nodes together")
    func keeping() async throws {
        let database = try await TestDatabase.create()
        try await makeWorld(on: database)
        let read =
            "SELECT md5(string_agg(kind || starts_on || counts || counted_at, ' ' ORDER BY kind, starts_on)) FROM figures"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await self.count(database) } }
            try await group.waitForAll()
        }
        // Who finds that another counts goes without.
        try await count(database)
        let figures = try await database.psql(read)
        #expect(try await database.psql("SELECT count(*) FROM figures WHERE kind = 'day'") == "400")
        #expect(try await database.psql("SELECT count(*) FROM figures WHERE counts::text ~ 'P[0-9]|GIVEN'") == "0")
        let (service, anna) = try await AdminClient.start(on: database)
        let told = days(try await anna.get("figures?days=365").json)
        try await database.psql("SELECT delete_user('P4', E'x\\t1')")
        try await database.psql("DELETE FROM energy_ledger WHERE user_id = 'P11'")
        try await count(database)
        #expect(try await database.psql(read) == figures)
        #expect(days(try await anna.get("figures?days=365").json) == told)
        try await service.stop()
    }

    @Test(
        "today is counted when somebody asks, once a minute; what is not counted is left out and said; owners alone ask"
    )
    func reading() async throws {
        let database = try await TestDatabase.create()
        try await makeWorld(on: database)
        let (service, anna) = try await AdminClient.start(on: database)
        try await database.psql("SELECT register_user('NOW', NULL, NULL), pay_for_game('NOW', NULL, NULL)")
        var reply = try await anna.get("figures?days=30").json
        let today = try #require(reply.open.items.last)
        #expect(today.day.text == (try await database.psql("SELECT today()")))
        #expect(today.active == 1 && today.registered == 1 && today.took.game == 5 && today.begun.app == 1)
        #expect(reply.open.items.count == 2 && reply.open[0].active.int == 0)
        // The service counts by itself after a while.
        #expect(reply.kept.left.int == 29 - reply.kept.days.items.count)
        try await database.psql("SELECT register_user('LATER', NULL, NULL)")
        #expect(try await anna.get("figures?days=7").json.open.items.last == today)
        let deadline = ContinuousClock.now + .seconds(60)
        while try await anna.get("figures?days=365").json.kept.left.int > 1, ContinuousClock.now < deadline {
            // It counts nothing while the service does.
            try await count(database)
            try await Task.sleep(for: .milliseconds(100))
        }
        reply = try await anna.get("figures").json
        #expect(reply.kept.left.int <= 1, "yesterday, in the ten minutes after midnight")
        #expect(reply.kept.weeks.items.count > 50 && (12...13).contains(reply.kept.months.items.count))
        #expect(try await anna.get("figures?days=365").json.kept.left.int <= 1)
        for bad in ["figures?days=8", "figures?days=x", "figures?days=-7"] {
            #expect(try await anna.get(bad).summary == "400 request-invalid", "\(bad)")
        }
        let ben = try await anna.with(key: database.addAdminKey("ben", role: .support))
        #expect(try await ben.get("figures").summary == "403 forbidden")
        #expect(try await anna.with(session: .random()).get("figures").summary == "401 unauthorized")
        try await service.stop()
    }

    @Test(
        "what goes on now: support and owners see the services, the games of the last hour, the process and what is wrong"
    )
    func live() async throws {
        let database = try await TestDatabase.create()
        try await makeWorld(on: database)
        try await database.psql(
            """
            SELECT register_user('NOW', NULL, NULL), pay_for_game('NOW', NULL, NULL);
            SELECT renew_service(gen_random_uuid(), '0.0.1', repeat('a', 64));
            UPDATE services SET seen_at = now() + interval '10 minutes' WHERE release = '0.0.1'
            """)
        let (service, anna) = try await AdminClient.start(on: database)
        let ben = try await anna.with(key: database.addAdminKey("ben", role: .support))
        let player = try await V2Client.player(on: service)
        _ = try await player.start()
        var reply = try await ben.get("live").json
        let hour = reply.database.lastHour
        #expect(hour.players == 2 && hour.paid == 2 && hour.judged == 1 && hour.running == 1 && hour.won == 0)
        #expect(reply.database.services.items.map(\.release.text).sorted().first == "0.0.1")
        #expect(reply.database.warnings.items.contains("releases"))
        #expect(reply.process.requests.int >= 2 && reply.process.failures == 0)
        #expect(reply.process.memory.int > 1_000_000 && reply.process.connections.int >= 0)
        let postgres = reply.database.postgres
        #expect(postgres.connections.int > 0 && postgres.maximum.int > 0 && postgres.size.int > 1_000_000)
        #expect(postgres.isTold == true && postgres.oldest.int >= 0, "the owner of this database is a superuser")
        #expect(
            try await anna.with(session: .random()).get("live").summary == "401 unauthorized",
            "kept ones are told nobody")

        try await database.psql("UPDATE services SET seen_at = now() - interval '1 day' WHERE release = '0.0.1'")
        let deadline = ContinuousClock.now + .seconds(30)
        while reply.database.warnings.items.contains("releases"), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
            reply = try await anna.get("live").json
        }
        #expect(!reply.database.warnings.items.contains("releases"))
        try await service.stop()
    }
}
