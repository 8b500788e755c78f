import AppStoreTesting
import EventLoop
import Foundation
import JulietAPI
import JulietGame
import Postgres
import TestSupport
import Testing

/// How players are spread over several servers, and stay so. What the service does for players there is in the suites with
/// `.everyLayout`, which `TEST_LAYOUT=citus` runs on several servers.
@Suite("On several servers", .defaultLayout("starts several servers of its own"), .needsCitus)
struct DistributionTests {
    private static func distribute(_ database: TestDatabase) async throws -> Bool {
        try await database.withOwner { connection in
            try await Distribution.distribute(on: connection, shards: 8, lockTimeout: .seconds(10)) { _ in }
        }
    }

    private static func state(of database: TestDatabase) async throws -> Distribution.State? {
        try await database.withOwner { connection in try await Distribution.state(on: connection) }
    }

    /// The service's sessions with a server whose last statement called a function; "": any.
    private static func sessions(
        thatCalled function: String, on server: PostgresCluster, of database: TestDatabase
    ) async throws -> Int? {
        Int(
            try await server.psql(
                """
                SELECT count(*) FROM pg_stat_activity WHERE usename = 'player_service' AND application_name !~ 'citus'
                    AND query LIKE '%\(function)(%'
                """, database: database.name))
    }

    /// What is known of the players, in an order of its own.
    private static let records = """
        SELECT users.*, (SELECT count(*) FROM played_words WHERE user_id = id) FROM users ORDER BY id;
        SELECT * FROM energy_ledger ORDER BY user_id, operation_id;
        SELECT user_id, number, word_id FROM played_words ORDER BY user_id, number;
        SELECT * FROM players ORDER BY user_id; SELECT * FROM sessions ORDER BY user_id, id;
        SELECT * FROM judged_games ORDER BY user_id, id; SELECT * FROM daily_words ORDER BY day;
        SELECT * FROM board_entries ORDER BY user_id, board, starts_on; SELECT * FROM board_changes ORDER BY user_id, noted_at;
        SELECT * FROM board_counts ORDER BY board, starts_on, step, bucket;
        SELECT * FROM words ORDER BY id; SELECT * FROM word_lists ORDER BY language, letters
        """

    @Test("a database with players keeps every row, again is nothing to do, and killed half way it is as before")
    func living() async throws {
        let cluster = try await CitusCluster.shared()
        let name = try await cluster.createDatabase()
        let database = try await TestDatabase.fill(name, in: cluster.coordinator)
        try await database.psql(
            """
            SELECT register_user('P' || i, NULL, NULL) FROM generate_series(1, 2000) AS i;
            SELECT pay_for_game('P' || i, 'op', 1), add_win('P' || i, NULL, NULL), record_played_word('P' || i, 'crane', 'en')
            FROM generate_series(1, 2000, 2) AS i
            """)
        try await database.psql(
            """
            DO $$
            DECLARE
                token bytea;
                game uuid;
            BEGIN
                PERFORM choose_daily_words();
                FOR i IN 100..150 LOOP
                    token := sha256(int4send(i)) || ('7ed8320e-51c1-8a06-b8b0-000000000' || i)::bytea;
                    PERFORM create_player('7ed8320e-51c1-8a06-b8b0-000000000' || i, NULL, NULL, token, gen_random_uuid(),
                        sha256(token)), start_daily_game(token, false);
                    game := ((start_judged_game(token, 'en', 5, false, NULL, NULL)).game).id;
                    IF i % 2 = 0 THEN
                        PERFORM guess(token, game, word, 1, NULL, NULL) FROM judged_games WHERE id = game;
                    END IF;
                END LOOP;
            END
            $$
            """)
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let game = try await player.start()
        try await service.stop()
        let before = try await database.psql(Self.records)
        #expect(try await Self.state(of: database)?.shards == 0)

        var kills = 0
        while kills < 5 {
            async let result = try? Self.distribute(database)
            let others = """
                FROM pg_stat_activity WHERE datname = '\(database.name)' AND pid <> pg_backend_pid()
                    AND application_name !~* 'citus' AND backend_type = 'client backend'
                """
            for _ in 0..<1000 {
                guard try await database.psql("SELECT count(*) \(others) AND query ~ 'create_'") == "0" else { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            try await Task.sleep(for: .milliseconds(60 * kills))
            let ended = try await database.psql("SELECT count(pg_terminate_backend(pid)) \(others)")
            guard await result == nil, ended != "0" else { break }
            kills += 1
            let state = try #require(await Self.state(of: database))
            #expect(state.shards == 0 || state.missing.isEmpty)
            #expect(try await database.psql(Self.records) == before)
        }
        #expect(kills > 0)
        _ = try await Self.distribute(database)
        #expect(try await Self.distribute(database) == false)
        let state = try #require(await Self.state(of: database))
        #expect(state.missing == [])
        #expect(state.servers.map(\.shards) == [4, 4])
        #expect(try await database.psql(Self.records) == before)
        #expect(try await database.ledgerFaults() == "")
        let alone = try await database.psql(
            """
            SELECT relname FROM pg_class
            WHERE relnamespace = 'juliet'::regnamespace AND relkind = 'r' AND relname !~ '^schema_|_[0-9]+$'
                AND oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)
                AND oid NOT IN (SELECT tgrelid FROM pg_trigger WHERE tgfoid = 'commit_together'::regproc)
            """)
        #expect(alone == "", "changes of these would be committed alone")

        // Games go on.
        let spread = try await TestService.start(on: database)
        try await player.at(spread).end(game, in: 2, of: database)
        #expect(try await player.at(spread).get("/v2/leaderboards/wins").json.players == 27)
        try await spread.stop()
    }

    @Test("refusals say what is missing, and change nothing")
    func refusals() async throws {
        let plain = try await TestDatabase.fill(PostgresCluster.shared().createDatabase(), in: .shared())
        var refusal = await #expect(throws: DistributionRefusal.self) { _ = try await Self.distribute(plain) }
        #expect("\(refusal!)".hasPrefix("this database has no Citus: install Citus on all servers"))
        let cluster = try await CitusCluster.shared()
        let alone = try await TestDatabase.fill(cluster.createDatabase(workers: 0), in: cluster.coordinator)
        refusal = await #expect(throws: DistributionRefusal.self) { _ = try await Self.distribute(alone) }
        #expect("\(refusal!)".hasPrefix("no server but the coordinator is known: SELECT citus_set_coordinator_host"))
        let busy = try await TestDatabase.fill(cluster.createDatabase(), in: cluster.coordinator)
        async let holder = busy.psql("BEGIN; LOCK TABLE users IN ROW EXCLUSIVE MODE; SELECT pg_sleep(3); COMMIT")
        let isLocked = """
            SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND mode = 'RowExclusiveLock' AND granted
            """
        while try await busy.psql(isLocked) == "0" { try await Task.sleep(for: .milliseconds(10)) }
        refusal = await #expect(throws: DistributionRefusal.self) {
            try await busy.withOwner { connection in
                _ = try await Distribution.distribute(on: connection, shards: 8, lockTimeout: .seconds(1)) { _ in }
            }
        }
        #expect("\(refusal!)".hasPrefix("a table stayed locked by others, nothing has changed"))
        #expect(try await Self.state(of: busy)?.shards == 0)
        _ = try await holder
    }

    /// What each execution of a statement leaves in a session's memory, for both workers: to one the player is at home.
    private static func bytes(
        leftBy statement: String, after preparation: String = "", in database: TestDatabase, of cluster: CitusCluster
    ) async throws -> [Int] {
        let memory = "SELECT 'bytes ' || sum(total_bytes) FROM pg_backend_memory_contexts;\n"
        var grown: [Int] = []
        for worker in cluster.workers {
            let said = try await worker.psql(
                preparation + String(repeating: statement, count: 20) + memory
                    + String(repeating: statement, count: 400) + memory, database: database.name)
            let bytes = said.split(separator: "\n").compactMap { $0.hasPrefix("bytes ") ? Int($0.dropFirst(6)) : nil }
            try #require(bytes.count == 2)
            grown.append((bytes[1] - bytes[0]) / 400)
        }
        return grown
    }

    @Test("a session on a player's server does not grow with requests: docs/citus.md mends a Citus whose does")
    func memory() async throws {
        let cluster = try await CitusCluster.shared()
        let database = try await TestDatabase.distributed(over: cluster)
        try await database.psql("SELECT register_user('P', NULL, NULL)")
        let prepared = """
            SET plan_cache_mode = force_generic_plan;
            PREPARE asked(text) AS SELECT wins FROM users WHERE id = $1;

            """
        let kept = try await Self.bytes(leftBy: "EXECUTE asked('P');\n", after: prepared, in: database, of: cluster)
        #expect(kept.allSatisfy { $0 < 1000 }, "bytes that each execution leaves: \(kept)")

        // What a guess asks for: the second time it has been taken.
        let player = "7ed8320e-51c1-8a06-b8b0-000000000001"
        let token = "sha256('memory') || '\(player)'::bytea"
        try await database.psql(
            """
            SELECT create_player('\(player)', NULL, NULL, \(token), gen_random_uuid(), sha256(''));
            SELECT start_judged_game(\(token), 'en', 5, false, NULL, NULL);
            """)
        let game = try await database.psql("SELECT id FROM judged_games WHERE user_id = '\(player)'")
        let guess = "SELECT (guess_known_word(\(token), '\(game)', 'crane', 1, 'en')).refusal;\n"
        let grown = try await Self.bytes(leftBy: guess, in: database, of: cluster)
        #expect(grown.allSatisfy { $0 < 1000 }, "bytes that each guess leaves: \(grown)")
    }

    @Test("each player is asked for on their own server; while one is away the others play on")
    func routed() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let service = try await TestService.start(["database.statementTimeout": "2s"], on: database)
        var users: [String] = []
        for _ in 0..<40 {
            users.append(TestService.newUser())
            #expect(try await service.answer(to: .initialRegistration(vendorID: users.last!)).httpStatus == 200)
        }
        for user in users { #expect(try await service.answer(to: .updateUserWins(userID: user)).userWins == 1) }
        var asked: [Int] = []
        for server in cluster.servers {
            asked.append(try #require(await Self.sessions(thatCalled: "add_win", on: server, of: database)))
        }
        #expect(asked[0] == 0 && asked[1] > 0 && asked[2] > 0, "\(asked)")
        asked = []
        for _ in 0..<20 {
            let player = try await V2Client.player(on: service)
            #expect(try await player.guess("crane", in: player.start()).status == 200)
        }
        for server in cluster.servers {
            asked.append(
                try #require(await Self.sessions(thatCalled: "guess", on: server, of: database))
                    + #require(await Self.sessions(thatCalled: "guess_known_word", on: server, of: database)))
        }
        #expect(asked[0] == 0 && asked[1] > 0 && asked[2] > 0, "\(asked)")

        try await cluster.workers[1].stop()
        let answers = try await service.replies(toAll: users.map { .updateUserWins(userID: $0) })
        let served = answers.count { $0.status == 200 }
        #expect(served > 0 && served < users.count)
        #expect(answers.allSatisfy { $0.status == 200 || $0.status == 503 })
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        try await cluster.workers[1].start()
        let reads = users.map { GameRequest.fetchUserWins(userID: $0) }
        for _ in 0..<100 {
            guard try await service.replies(toAll: reads).contains(where: { $0.status != 200 }) else { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        for (user, reply) in zip(users, answers) {
            let before = reply.status == 200 ? 2 : 1
            #expect(try await service.answer(to: .updateUserWins(userID: user)).userWins == before + 1)
        }
        try await service.stop()
    }

    @Test(
        "without the coordinator players play on, and new ones come; what is of all is told 503, and there again afterwards"
    )
    func withoutCoordinator() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let service = try await TestService.start(["database.statementTimeout": "2s"], on: database)
        let words = Array(database.secrets.prefix(5))
        var players: [V2Client] = []
        for _ in 0..<8 { players.append(try await V2Client.player(on: service)) }
        for player in players {
            #expect(try await player.guess(words[0], number: 1, in: player.start()).status == 200)
            #expect(try await player.post("/v2/daily/game").summary == "201")
        }

        try await cluster.coordinator.stop()
        for _ in 0..<4 { players.append(try await V2Client.player(on: service)) }
        for player in players.suffix(4) { _ = try await player.start() }
        for player in players {
            let game = try await player.get("/v2/games?state=playing").json.games.items.first { $0.day == .missing }
            guard let game else { continue }
            for number in 1...6 {
                let reply = try await player.guess(words[(number - 1) % 5], number: number, in: game)
                #expect(reply.status == 200 || reply.summary == "409 game-over", "\(reply.summary)")
            }
            #expect(try await player.get("/v2/players/me").json.statistics.played == 1)
            #expect(try await player.get("/v2/players/me/energy").status == 200)
        }
        #expect(try await players[0].get("/v2/leaderboards/wins").status == 503)

        try await cluster.coordinator.start()
        for _ in 0..<100 {
            guard try await players[0].get("/v2/leaderboards/wins").status != 200 else { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        let board = try await players[0].get("/v2/leaderboards/wins").json
        var won = 0
        for player in players where try await player.get("/v2/players/me").json.statistics.won == 1 { won += 1 }
        #expect(board.players.int == won)
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test(
        "a coordinator that is lost between the commits of two servers leaves nothing done on one of them alone",
        .timeLimit(.minutes(5)), arguments: ["PREPARE TRANSACTION", "COMMIT PREPARED"])
    func lostBetweenCommits(moment: String) async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let proxies = try cluster.workers.map { try Proxy(to: $0.port) }
        defer { for proxy in proxies { proxy.close() } }
        let database = try await TestDatabase.distributed(over: cluster, ports: proxies.map(\.port))
        let store = try TestStore()
        let service = try await TestService.start(
            store.settings("none").merging(["database.statementTimeout": "2s"]) { $1 }, on: database)
        let player = try await V2Client.player(on: service)
        let signed = try store.signed(TestTransaction(TestStore.newNumber(), product: TestStore.thirty))

        // The worker does what it is told, and the coordinator never hears of it.
        for proxy in proxies { proxy.holdAnswers(whenClientSends: moment) }
        let presented = Task { try await player.buy(signed) }
        while !proxies.contains(where: \.holdsAnswers) { try await Task.sleep(for: .milliseconds(10)) }
        try await Task.sleep(for: .milliseconds(200))
        try await cluster.coordinator.kill()
        for proxy in proxies {
            proxy.cut()
            proxy.resume()
        }
        #expect(try await presented.value.status == 503)
        try await cluster.coordinator.start()
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        func prepared() async throws -> Int {
            var count = 0
            for worker in cluster.workers {
                count += try #require(await Int(worker.psql("SELECT count(*) FROM pg_prepared_xacts")))
            }
            return count
        }
        // The coordinator's records say what became of it, and it looks by itself.
        try await cluster.coordinator.psql("ALTER SYSTEM SET citus.recover_2pc_interval = '1s'")
        try await cluster.coordinator.psql("SELECT pg_reload_conf()")
        while try await prepared() > 0 { try await Task.sleep(for: .milliseconds(100)) }

        let isDone = moment == "COMMIT PREPARED"
        #expect(try await player.me().energy == (isDone ? 60 : 30))
        #expect(try await database.psql("SELECT count(*) FROM purchases") == (isDone ? "1" : "0"))
        #expect(try await player.buy(signed).status == (isDone ? 200 : 201))
        #expect(try await player.me().energy == 60)
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test("shards move under load: every request is answered, each once, and the new server is asked before long")
    func moving() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster, workers: 1)
        let service = try await TestService.start(on: database)
        let users = (0..<24).map { _ in TestService.newUser() }
        for user in users {
            #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        }
        let (isOver, answered) = (Locked(false), Locked(0))
        async let load = withThrowingTaskGroup(of: (wins: Int, failures: [Int]).self) { group in
            for user in users {
                group.addTask {
                    var (count, failures) = (0, [Int]())
                    while !isOver.withLock({ $0 }), !Task.isCancelled {
                        let reply = try await service.reply(to: .updateUserWins(userID: user))
                        if reply.status == 200 { count += 1 } else { failures.append(reply.status) }
                        answered.withLock { $0 += 1 }
                    }
                    let answer = try await service.reply(to: .fetchUserWins(userID: user))
                    let wins = try answer.answer(to: .fetchUserWins).userWins
                    #expect(wins == count, "no win is lost, none counts twice: \(answer)")
                    return (count, failures)
                }
            }
            return try await group.reduce(into: (0, [Int]())) { $0 = ($0.0 + $1.wins, $0.1 + $1.failures) }
        }
        var players: [V2Client] = []
        for _ in 0..<8 {
            players.append(try await V2Client.player(on: service))
            let id = try await players.last!.me().id.text
            try await database.psql("SELECT grant_energy('os:test', '\(id)', 30000, 'to play', NULL, NULL)")
        }
        async let games = withThrowingTaskGroup(of: [String].self) { group in
            for player in players {
                group.addTask {
                    var (ended, failures) = (0, [String]())
                    while !isOver.withLock({ $0 }), !Task.isCancelled {
                        let begun = try await player.post("/v2/games", "{}")
                        guard begun.status == 201 else {
                            failures.append(begun.summary)
                            continue
                        }
                        for number in 1...6 {
                            let reply = try await player.guess("crane", number: number, in: begun.json.game)
                            if reply.status != 200, reply.summary != "409 game-over" { failures.append(reply.summary) }
                        }
                        ended += 1
                    }
                    let statistics = try await player.me().statistics
                    #expect(statistics.played.int == ended, "no game is lost, none ends twice")
                    let won = try await player.get("/v2/leaderboards/wins?around=me").json.me
                    #expect((won == .missing ? 0 : won.wins.int) == statistics.won.int)
                    return failures
                }
            }
            return try await group.reduce(into: [String]()) { $0 += $1 }
        }
        // Where the session looks in juliet, Citus names types without their schema, and the new server does not find them.
        try await database.psql(
            "SET search_path = public; SELECT citus_add_node('127.0.0.1', \(cluster.workers[1].port))")
        try await database.psql("SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')")
        try await database.psql("SELECT citus_rebalance_wait()")
        func isAsked() async throws -> Bool {
            try #require(await Self.sessions(thatCalled: "", on: cluster.workers[1], of: database)) > 0
        }
        var deadline = ContinuousClock.now + .seconds(7)
        while try await !isAsked(), ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(100)) }
        // And the load goes on with the new server for a while.
        let enough = answered.withLock { $0 } + 1000
        deadline = ContinuousClock.now + .seconds(60)
        while answered.withLock({ $0 }) < enough, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(answered.withLock { $0 } >= enough)
        isOver.withLock { $0 = true }
        let (wins, failures) = try await load
        #expect(failures == [], "of \(wins) wins")
        #expect(try await games == [], "of the games of /v2")
        #expect(try await Self.state(of: database)?.servers.map(\.shards) == [4, 4])
        #expect(try await isAsked())
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }
}
