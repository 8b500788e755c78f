import Postgres
import TestSupport
import Testing

@Suite("The observer")
struct ObserverTests {
    @Test("statements are seen with their names, times and outcomes, batches with their sizes, notices with their text")
    func everything() async throws {
        struct Warn: Statement {
            var sql: StaticString { "SELECT warn()" }
            typealias Row = NoRow
        }
        try await Fixture.run { fixture in
            try await fixture.createPlayers(10)
            try await fixture.psql(
                """
                CREATE FUNCTION warn() RETURNS int LANGUAGE plpgsql AS
                    $$ BEGIN RAISE WARNING 'mind the gap'; RETURN 1; END $$
                """)
            let watcher = Watcher()
            try await fixture.withClient({
                $0.observer = watcher
                $0.readConnectionsPerLoop = 0
            }) { client in
                let slow = Task { try await client.execute(SlowMark(mark: 1, seconds: 3)) }
                try await fixture.untilActive("pg_sleep(")
                let results = await outcomes(10) { (index) async throws(PostgresError) in
                    try await client.first(Bump(id: "p\(index)", by: index == 4 ? 2000 : 1))
                }
                #expect(results.filter { $0.code != nil }.count == 1)
                _ = try await slow.value
                _ = try await client.execute(Warn())
            }
            let seen = watcher.seen
            #expect(seen.opened == 1)
            #expect(seen.lost.isEmpty && seen.failed.isEmpty, "what the pool closes itself is not lost")
            #expect(seen.notices == ["mind the gap"])
            #expect(seen.statements.count == 12)
            let bumps = seen.statements.filter { $0.name == "Bump" }
            #expect(bumps.count == 10)
            #expect(bumps.filter { $0.error?.sqlState == .checkViolation }.count == 1)
            #expect(bumps.allSatisfy { $0.waiting > .milliseconds(50) && $0.running > .zero && $0.access == .write })
            let sleeper = seen.statements.first { $0.name == "SlowMark" }
            #expect(sleeper.map { $0.running >= .milliseconds(2950) } == true)
            // The slow one alone; ten together, rolled back; the ten one by one; the warning.
            #expect(seen.batches.map(\.size) == [1, 10, 10, 1])
            #expect(seen.batches.map(\.outcome) == [.committed, .rolledBack, .committed, .committed])
            #expect(seen.batches.first?.waiting == 10)
        }
    }

    @Test("connections that are lost, and those that cannot be made, are seen with their reasons")
    func connections() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        try await Fixture.run(cluster: cluster) { fixture in
            try await fixture.createPlayers(1)
            let watcher = Watcher()
            try await fixture.withClient({ $0.observer = watcher }) { client in
                _ = try await client.first(Bump(id: "p0"))
                try await fixture.until(.seconds(20)) { watcher.seen.opened >= 2 }
                try await cluster.kill()
                try await fixture.until(.seconds(20)) { watcher.seen.lost.count >= 2 && !watcher.seen.failed.isEmpty }
                try await cluster.start()
                try await fixture.until(.seconds(20)) { (try? await client.first(Bump(id: "p0"))) != nil }
            }
            #expect(watcher.seen.failed.allSatisfy { $0.code == .connectionFailed })
        }
    }
}
