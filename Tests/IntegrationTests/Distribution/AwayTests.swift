import Foundation
import JulietAPI
import TestSupport
import Testing

/// Servers that are away while a service starts, and servers whose address changes while it runs.
@Suite(
    "Servers that are away",
    .enabled(if: CitusCluster.isInstalled, "Citus is not installed beside PostgreSQL"))
struct AwayTests {
    @Test("a service starts while the coordinator is away if a worker answers, and does everything once it is back")
    func start() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let workers = cluster.workers.map { "127.0.0.1:\($0.port)" }
        let settings = ["database.statementTimeout": "2s", "database.workers": workers.joined(separator: ",")]
        try await cluster.coordinator.stop()
        try await cluster.workers[0].stop()

        let service = try await TestService.start(settings, on: database)
        #expect(try await service.readiness() == 503)
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
        #expect(try await service.waitUntilReady(is: 200) < .seconds(10))
        #expect(try await players[0].get("/v2/leaderboards/wins").status == 200)
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test("a service does not start with workers that lack what it calls")
    func lack() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster, workers: 1)
        try await database.psql("DROP FUNCTION add_win(text, text, bigint)")
        try await cluster.coordinator.stop()
        let lines = LogLines()
        let settings = ["database.workers": "127.0.0.1:\(cluster.workers[0].port),127.0.0.1:\(cluster.workers[1].port)"]
        let starting = Task { try await TestService.start(settings, on: database, logger: lines.logger) }
        let said = "lacks functions of this release: add_win(text, text, bigint)"
        for _ in 0..<300 where !lines.all.contains(where: { $0.contains(said) }) {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(lines.all.contains { $0.contains(said) }, "\(lines.all)")
        await #expect(throws: (any Error).self) { try await starting.value }
    }

    @Test("an address that changed is followed without a restart, and the old one is forgotten")
    func address() async throws {
        let cluster = try await CitusCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.distributed(over: cluster)
        let service = try await TestService.start(on: database)
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
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }
}
