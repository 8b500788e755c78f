import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Postgres

@Suite("Routing", .timeLimit(.minutes(5)))
struct RoutingTests {
    /// Rows whose key begins with a digit are on the server of that number.
    private final class Digits: PostgresRouter {
        let isSpread = true
        let servers: Locked<[PostgresServer]>

        init(_ servers: [PostgresServer]) { self.servers = Locked(servers) }

        func server(of key: String) -> PostgresServer? {
            guard let digit = key.first?.wholeNumberValue else { return nil }
            return servers.withLock { $0.indices.contains(digit) ? $0[digit] : nil }
        }
    }

    /// Counts a key up and says where: the port of the server that did it.
    private struct Count: Statement {
        var sql: StaticString {
            """
            INSERT INTO counted (key, n) VALUES ($1, 1) ON CONFLICT (key) DO UPDATE SET n = counted.n + 1
            RETURNING current_setting('port')::int
            """
        }
        let key: String
        var orderingKey: String? { key }
        var routingKey: String? { key }

        func bind(to parameters: inout Parameters) { parameters.append(key) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    private struct Where: Statement {
        var sql: StaticString { "SELECT current_setting('port')::int" }
        var access: StatementAccess { .read }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    /// A client of the first server, which routes to all of them by the first digit.
    private func running(
        _ count: Int, _ body: (PostgresClient, Digits, [PostgresCluster], Task<Void, any Error>) async throws -> Void
    ) async throws {
        var clusters: [PostgresCluster] = []
        for _ in 0..<count {
            let cluster = try await PostgresCluster.start()
            try await cluster.psql("CREATE TABLE counted (key text PRIMARY KEY, n int)", database: "postgres")
            clusters.append(cluster)
        }
        let loops = [try EventLoop(label: "one"), try EventLoop(label: "two")]
        defer { for loop in loops { loop.shutdown() } }
        let router = Digits(clusters.map { PostgresServer(host: "127.0.0.1", port: $0.port) })
        let client = PostgresClient(
            configuration: .init(connectionString: clusters[0].connectionString(database: "postgres", tcp: true)),
            router: router, loops: loops)
        let task = Task { try await client.run() }
        do { try await body(client, router, clusters, task) } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        try await task.value
        for cluster in clusters { cluster.remove() }
    }

    @Test("each statement runs on the server of its key, those without one on the client's own")
    func routes() async throws {
        try await running(3) { client, _, clusters, _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let port = try await client.first(Count(key: "\(number % 3) \(number % 30)"))
                        #expect(port.map(Int.init) == clusters[number % 3].port)
                        #expect(try await client.first(Where()).map(Int.init) == clusters[0].port)
                    }
                }
                try await group.waitForAll()
            }
            for key in ["x", "9"] { #expect(try await client.first(Count(key: key)).map(Int.init) == clusters[0].port) }
            for (number, cluster) in clusters.enumerated() {
                let counted = try await cluster.psql(
                    "SELECT count(*), sum(n) FROM counted WHERE key LIKE '\(number) %'", database: "postgres")
                #expect(counted == "10|100")
                #expect(
                    try await cluster.psql("SELECT count(*) FROM counted", database: "postgres")
                        == (number == 0 ? "12" : "10"))
            }
            #expect(await client.statistics().connections >= 3)
        }
    }

    @Test("a server that is gone fails its own keys alone, and serves them when it is back or its rows have moved")
    func gone() async throws {
        try await running(2) { client, router, clusters, _ in
            #expect(try await client.first(Count(key: "1")) != nil)
            try await clusters[1].kill()
            let failure = await #expect(throws: PostgresError.self) {
                while true { _ = try await client.first(Count(key: "1"), timeout: .milliseconds(500)) }
            }
            #expect(failure?.code != .closed)
            #expect(try await client.first(Count(key: "0")).map(Int.init) == clusters[0].port)
            router.servers.withLock { $0[1] = $0[0] }
            #expect(try await client.first(Count(key: "1")).map(Int.init) == clusters[0].port)
        }
    }

    @Test("a server that is no longer named answers what it was asked; then nobody is connected to it")
    func forgotten() async throws {
        try await running(2) { client, router, clusters, _ in
            #expect(try await client.first(Count(key: "1")).map(Int.init) == clusters[1].port)
            // Another session holds the row, so that the statement is under way.
            let loop = try EventLoop(label: "holder")
            defer { loop.shutdown() }
            let target = clusters[1].connectionString(database: "postgres", tcp: true)
            let holder = try await PostgresConnection.connect(.init(connectionString: target), on: loop)
            try await holder.executeScript("BEGIN; UPDATE counted SET n = n WHERE key = '1'")
            async let waiting = client.first(Count(key: "1"))
            func sessions(_ condition: String) async throws -> String {
                try await clusters[1].psql(
                    """
                    SELECT count(*) FROM pg_stat_activity
                    WHERE application_name = 'swift-postgres' AND pid <> \(holder.backendPID) AND \(condition)
                    """, database: "postgres")
            }
            while try await sessions("wait_event_type = 'Lock'") == "0" { try await Task.sleep(for: .milliseconds(10)) }
            let named = router.servers.withLock { servers in
                defer { servers[1] = servers[0] }
                return servers
            }
            client.forgetServers(except: [named[0]])
            #expect(try await client.first(Count(key: "1")).map(Int.init) == clusters[0].port)
            try await holder.executeScript("COMMIT")
            #expect(try await waiting.map(Int.init) == clusters[1].port)
            while try await sessions("true") != "0" { try await Task.sleep(for: .milliseconds(10)) }
            await holder.close()
            router.servers.withLock { $0 = named }
            #expect(try await client.first(Count(key: "1")).map(Int.init) == clusters[1].port)
        }
    }

    @Test("a server that stays away is asked ever more rarely, up to every few seconds")
    func backsOff() throws {
        let configuration = PostgresConfiguration().routed(to: PostgresServer(host: "a", port: 1))
        var backoff = Backoff(configuration.reconnectDelay)
        let waits = (0..<20).map { _ in backoff.failed(random: 0) }
        #expect(waits.first == .milliseconds(50) && waits.last == .seconds(4))
        #expect(backoff.failed(random: 0.99) >= .seconds(2))
    }

    @Test("when the client has stopped all servers refuse, also those that nobody had asked for anything")
    func stopped() async throws {
        try await running(2) { client, _, _, task in
            #expect(try await client.first(Count(key: "0")) != nil)
            task.cancel()
            try await task.value
            for key in ["0", "1", "x"] {
                let failure = await #expect(throws: PostgresError.self) { _ = try await client.first(Count(key: key)) }
                #expect(failure?.code == .closed)
            }
        }
    }

    @Test("texts have the hashes that the server gives them")
    func hashes() async throws {
        var generator = SeededGenerator(seed: 19)
        let letters = Array("abcXYZ0189-ßéπ✓😀 ")
        let texts = (0..<600).map { number in
            String((0..<(number % 60)).map { _ in letters.randomElement(using: &generator)! })
        }
        try await Fixture.run { fixture in
            let list = texts.map { "'\($0)'" }.joined(separator: ",")
            let hashes = try await fixture.psql(
                "SELECT hashtext(t COLLATE \"C\") FROM unnest(ARRAY[\(list)]) WITH ORDINALITY AS u (t, n) ORDER BY n")
            #expect(hashes.split(separator: "\n").map(String.init) == texts.map { "\(PostgresHash.text($0))" })
        }
    }
}
