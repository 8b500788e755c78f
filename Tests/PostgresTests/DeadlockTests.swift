import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@Suite("Deadlocks")
struct DeadlockTests {
    /// Seconds; `POSTGRES_TESTS_LONG=1` makes it a minute.
    private static let duration: Duration =
        ProcessInfo.processInfo.environment["POSTGRES_TESTS_LONG"] == nil ? .seconds(5) : .seconds(60)

    @Test("8 processes' worth of batches over the same 20 players never deadlock")
    func eightPools() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(20)
            try await fixture.psql("ALTER TABLE players DROP CONSTRAINT players_n_check")
            let loops = try (0..<2).map { try EventLoop(label: "deadlock \($0)") }
            defer { for loop in loops { loop.shutdown() } }
            let total = try await withThrowingTaskGroup(of: Int.self) { group in
                for process in 0..<8 {
                    group.addTask { try await churn(fixture, loops: [loops[process % 2]]) }
                }
                return try await group.reduce(0, +)
            }
            #expect(total > 100)
            #expect(try await fixture.psql("SELECT sum(n) FROM players") == "\(total)")
            let sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = '\(fixture.database)'"
            #expect(try await fixture.cluster.psql(sql) == "0")
        }
    }

    /// One process: a pool, and callers that pick players at random. Returns how many statements were acknowledged.
    private func churn(_ fixture: Fixture, loops: [EventLoop]) async throws -> Int {
        try await fixture.withClient({ $0.connectionsPerLoop = 2 }, loops: loops) { client in
            let end = ContinuousClock.now + Self.duration
            return try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<40 {
                    group.addTask {
                        var count = 0
                        while ContinuousClock.now < end {
                            _ = try await client.execute(Bump(id: "p\(Int.random(in: 0..<20))"), timeout: .seconds(60))
                            count += 1
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
    }
}
