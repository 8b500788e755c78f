import Foundation
import JulietAPI
import JulietServer
import TestSupport
import Testing

/// Servers that are away while a service starts, and servers whose address changes while it runs.
@Suite(
    "Servers that are away", .defaultLayout("starts several servers of its own"),
    .needsCitus)
struct AwayTests {
    @Test("a service starts while the coordinator is down if a worker answers, and does everything once it is back")
    func start() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let workers = cluster.workers.map { "127.0.0.1:\($0.port)" }
        let settings = ["database.statementTimeout": "2s", "database.workers": workers.joined(separator: ",")]
        try await database.psql(#"SELECT apply_rules('test', '{"energy.price": 7}')"#)
        try await cluster.coordinator.stop()
        try await cluster.workers[0].stop()

        let lines = LogLines()
        let service = try await TestService.start(settings, on: database, logger: lines.logger)
        #expect(try await service.readiness() == 503)
        let refused = "warning: 127.0.0.1:\(cluster.workers[0].port) cannot be reached either: "
        #expect(lines.all.filter { $0.hasPrefix(refused) }.count == 1, "\(lines.all)")
        let ready = TestDatabase.root.appending(path: "packaging/ready").path
        await #expect(throws: Command.Failure.self) { try await Command.run([ready, "\(service.port)"]) }
        try await Command.run([ready, "\(service.port)", "1"])
        try await cluster.workers[0].start()
        var players: [V2Client] = []
        for _ in 0..<100 where players.count < 6 {
            guard let player = try? await V2Client.player(on: service) else {
                // The worker that has just started is not asked at once.
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            players.append(player)
        }
        #expect(players.count == 6)
        for player in players {
            #expect(try await player.guess("crane", number: 1, in: player.start()).status == 200)
        }
        #expect(try await players[0].get("/v2/leaderboards/wins").status == 503)

        try await cluster.coordinator.start()
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        #expect(try await players[0].get("/v2/leaderboards/wins").status == 200)
        #expect(try await lines.wait(for: "info: the coordinator is back, and its schema"), "\(lines.all)")
        // The rules were read twice.
        #expect(lines.all.filter { $0.hasPrefix("warning: the settings differ") }.count == 1, "\(lines.all)")
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test(
        "what a start would have refused ends a service that started by a worker, as soon as the coordinator is back",
        .timeLimit(.minutes(3)))
    func unfit() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let workers = cluster.workers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
        var databases: [(TestDatabase, String)] = []
        for (harm, said) in [
            (
                "SET citus.enable_ddl_propagation = off; DROP FUNCTION add_win(text, text, bigint, text)",
                "the function add_win is missing"
            ),
            (
                "SET citus.enable_ddl_propagation = off; GRANT SELECT (energy) ON users TO player_service",
                "player_service may SELECT users.energy"
            ),
        ] {
            let database = try await TestDatabase.distributed(over: cluster)
            try await database.psql(harm)
            databases.append((database, said))
        }
        try await cluster.coordinator.stop()
        var services: [(TestService, LogLines, String)] = []
        for (database, said) in databases {
            let lines = LogLines()
            let service = try await TestService.start(
                ["database.workers": workers], on: database, logger: lines.logger)
            #expect(lines.all.contains { $0.hasPrefix("warning: the coordinator is down") })
            services.append((service, lines, said))
        }
        try await cluster.coordinator.start()
        for (service, lines, said) in services {
            let error = await #expect(throws: StartupError.self) { try await service.end() }
            #expect(error?.description.contains(said) == true, "\(String(describing: error))")
            #expect(
                lines.all.contains {
                    $0.hasPrefix("error: the coordinator is back, and the service must stop") && $0.contains(said)
                }, "\(lines.all)")
        }
    }

    @Test("only a coordinator that is away is replaced by workers: not one that refuses, or has no session left")
    func refusal() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let coordinator = cluster.coordinator
        let workers = cluster.workers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")

        let full = LogLines()
        try await coordinator.psql("ALTER ROLE player_service CONNECTION LIMIT 0")
        let starting = Task {
            try await TestService.start(["database.workers": workers], on: database, logger: full.logger)
        }
        #expect(try await full.wait(for: "waiting for PostgreSQL"), "\(full.all)")
        try await coordinator.psql("ALTER ROLE player_service CONNECTION LIMIT -1")
        try await starting.value.stop()
        #expect(!full.all.contains { $0.contains("the coordinator is down") })

        let access = "\(coordinator.directory)/data/pg_hba.conf"
        let former = try String(contentsOfFile: access, encoding: .utf8)
        try Data(("local all player_service scram-sha-256\n" + former).utf8).write(to: URL(filePath: access))
        try await coordinator.psql("SELECT pg_reload_conf()")
        let lines = LogLines()
        let settings = [
            "database.workers": workers, "database.url": database.serviceConnectionString + " password=wrong",
        ]
        let error = await #expect(throws: StartupError.self) {
            try await TestService.start(settings, on: database, logger: lines.logger)
        }
        #expect(error?.description.contains("28P01") == true, "\(String(describing: error))")
        #expect(!lines.all.contains { $0.contains("the coordinator is down") || $0.contains("cannot be asked either") })
    }

    @Test("a service does not start with workers that lack what it calls")
    func lack() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster, workers: 1)
        try await database.psql("DROP FUNCTION add_win(text, text, bigint, text)")
        try await cluster.coordinator.stop()
        let lines = LogLines()
        let settings = ["database.workers": "127.0.0.1:\(cluster.workers[0].port),127.0.0.1:\(cluster.workers[1].port)"]
        let starting = Task { try await TestService.start(settings, on: database, logger: lines.logger) }
        let said = "lacks functions of this release: add_win(text, text, bigint, text)"
        #expect(try await lines.wait(for: said), "\(lines.all)")
        await #expect(throws: (any Error).self) { try await starting.value }
        // Once of each worker, however often they are asked.
        let warnings = lines.all.filter {
            $0.contains("lacks functions of this release: ") && $0.contains("add_win(text, text, bigint, text)")
        }
        #expect(warnings.count == 2, "\(lines.all)")
    }

    @Test("an address that changed is followed without a restart, and the old one is forgotten")
    func address() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let lines = LogLines()
        let service = try await TestService.start(on: database, logger: lines.logger)
        let users = (0..<20).map { _ in TestService.newUser() }
        for user in users {
            #expect(try await service.answer(to: .initialRegistration(vendorID: user)).httpStatus == 200)
        }
        let sessions =
            "SELECT pid FROM pg_stat_activity WHERE usename = 'player_service' AND application_name = 'juliet'"
        let before = Set(
            try await cluster.workers[0].psql(sessions, database: database.name).split(separator: "\n").map(String.init)
        )
        #expect(!before.isEmpty)
        try await database.psql(
            """
            SELECT citus_update_node(nodeid, 'localhost', nodeport) FROM pg_dist_node
            WHERE nodeport = \(cluster.workers[0].port)
            """)
        var now = before
        for _ in 0..<100 where !now.isDisjoint(with: before) || now.isEmpty {
            try await Task.sleep(for: .milliseconds(100))
            for user in users { #expect(try await service.answer(to: .updateUserWins(userID: user)).httpStatus == 200) }
            now = Set(
                try await cluster.workers[0].psql(sessions, database: database.name).split(separator: "\n")
                    .map(String.init))
        }
        #expect(now.isDisjoint(with: before) && !now.isEmpty)
        #expect(!lines.all.contains { $0.contains("its identity is not verified") })
        // No address of loopback's, and yet Linux finds this machine there.
        try await database.psql(
            "SELECT citus_update_node(nodeid, '0.0.0.0', nodeport) FROM pg_dist_node WHERE nodename = 'localhost' AND groupid <> 0"
        )
        let unproven = "warning: a server of the players (0.0.0.0:\(cluster.workers[0].port)) is on another machine"
        #expect(try await lines.wait(for: unproven), "\(lines.all)")
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }
}
