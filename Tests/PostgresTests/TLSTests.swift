import EventLoop
import Postgres
import TestSupport
import Testing

/// Connections whose bytes go through libpq's TLS: what it has read and decrypted must not wait for the socket.
@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
    private struct Encrypted: Statement {
        var sql: StaticString { "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()" }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
    }

    private struct Large: Statement {
        var sql: StaticString { "SELECT repeat(chr(64 + $1), $2)" }
        let letter: Int
        let count: Int

        func bind(to parameters: inout Parameters) {
            parameters.append(Int32(letter))
            parameters.append(Int32(count))
        }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }

    @Test("a pool speaks TLS by libpq's own parameters and checks the server's certificate")
    func pool() async throws {
        let cluster = try await PostgresCluster.start()
        let certificate = try await cluster.enableTLS()
        try await Fixture.run(cluster: cluster) { fixture in
            let trusting =
                "host=127.0.0.1 port=\(cluster.port) user=postgres dbname=\(fixture.database) sslmode=verify-full"
                + " sslrootcert=\(certificate)"
            try await fixture.createPlayers(30)
            try await fixture.withClient({ $0.connectionString = trusting }) { client in
                #expect(try await client.first(Encrypted()) == true)
                // Batches: many small records in one read of the socket.
                for round in 1...10 {
                    let results = await outcomes(30) { (index) async throws(PostgresError) in
                        try await client.first(Bump(id: "p\(index)"))
                    }
                    for result in results { #expect(try result.get() == Int32(round)) }
                }
                // Answers of many records: the last bytes may be decrypted with nothing left on the socket.
                for count in [16_383, 16_384, 16_385, 3_000_000] {
                    let answers = try await client.execute(Large(letter: 1, count: count))
                    #expect(answers.first?.utf8.count == count)
                }
            }
        }
    }

    @Test("a record larger than the room in libpq's buffer is read to its end")
    func largeRecords() async throws {
        struct Rows: Statement {
            var sql: StaticString { "SELECT repeat('x', $1) FROM generate_series(1, 11)" }
            let count: Int
            func bind(to parameters: inout Parameters) { parameters.append(Int32(count)) }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
        }
        try await Fixture.run { fixture in
            let terminator = try await TLSTerminator.start(for: fixture.cluster)
            defer { terminator.stop() }
            let target =
                "host=127.0.0.1 port=\(terminator.port) user=postgres dbname=\(fixture.database) sslmode=require"
            let configuration = PostgresConfiguration(connectionString: target)
            let connection = try await PostgresConnection.connect(configuration, on: fixture.loop)
            // The first record ends within a row, so the second finds less room than it needs.
            for count in stride(from: 2900, through: 3100, by: 10) {
                let rows = try await connection.execute(Rows(count: count), timeout: .seconds(10))
                #expect(rows.map(\.utf8.count) == Array(repeating: count, count: 11))
            }
            await connection.close()
        }
    }

    @Test("a certificate that nobody vouches for, and a server without TLS, are refused at once")
    func refusals() async throws {
        let secured = try await PostgresCluster.start()
        _ = try await secured.enableTLS()
        let other = try await PostgresCluster.start()
        let foreign = try await other.enableTLS()
        let plain = try await PostgresCluster.shared()
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        for (port, parameters) in [
            (secured.port, "sslmode=verify-full sslrootcert=\(foreign)"), (plain.port, "sslmode=require"),
            (secured.port, "sslmode=disable"),
        ] {
            let target = "host=127.0.0.1 port=\(port) user=postgres dbname=postgres \(parameters)"
            let error = await #expect(throws: PostgresError.self) {
                _ = try await PostgresConnection.connect(.init(connectionString: target), on: loop)
            }
            #expect(error?.code == .connectionFailed, "\(parameters)")
        }
    }

    @Test("verify-full takes a certificate of the authority for the name, and no other; one is renewed while all runs")
    func authority() async throws {
        let cluster = try await PostgresCluster.start()
        let authority = try await CertificateAuthority(for: cluster)
        func target(_ host: String, _ mode: String = "verify-full") -> String {
            "host=\(host) hostaddr=127.0.0.1 port=\(cluster.port) user=postgres dbname=postgres sslmode=\(mode)"
                + " sslrootcert=\(authority.certificate)"
        }
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        func isEncrypted(_ target: String) async throws -> Bool? {
            let connection = try await PostgresConnection.connect(.init(connectionString: target), on: loop)
            let answer = try await connection.first(Encrypted())
            await connection.close()
            return answer
        }
        func isRefused(_ target: String) async {
            let error = await #expect(throws: PostgresError.self) { _ = try await isEncrypted(target) }
            #expect(error?.code == .connectionFailed)
        }
        // The server reads its files when it is told to, a moment later.
        func until(_ isSo: () async throws -> Bool) async throws {
            while try await !isSo() { try await Task.sleep(for: .milliseconds(10)) }
        }

        try await authority.install(for: "database.test")
        try await until { (try? await isEncrypted(target("database.test"))) == true }
        await isRefused(target("elsewhere.test"))
        #expect(try await isEncrypted(target("elsewhere.test", "verify-ca")) == true, "the name is what was wrong")

        let client = PostgresClient(
            configuration: PostgresConfiguration(connectionString: target("database.test")), loops: [loop])
        let running = Task { try await client.run() }
        #expect(try await client.first(Encrypted()) == true)
        try await authority.install(for: "database.test", to: "20210101000000Z")
        try await until { (try? await isEncrypted(target("database.test"))) == nil }
        await isRefused(target("database.test"))
        #expect(try await client.first(Encrypted()) == true, "a session that is open stays")

        try await cluster.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'swift-postgres'")
        await #expect(throws: PostgresError.self, "none is made with a certificate that has expired") {
            while true { _ = try await client.first(Encrypted(), timeout: .milliseconds(500)) }
        }
        try await authority.install(for: "database.test")
        try await until { (try? await client.first(Encrypted())) == true }
        running.cancel()
        try await running.value
    }

    @Test("who need not prove who they are: servers of other machines without verify-full")
    func proof() throws {
        for (target, isProven) in [
            ("host=/run/postgresql", true), ("host=127.0.0.1", true), ("host=localhost", true), ("host=::1", true),
            ("host=database.test", false), ("host=database.test sslmode=require", false),
            ("host=database.test sslmode=verify-ca", false), ("host=database.test sslmode=verify-full", true),
            ("host=localhost,database.test", false), ("host=localhost hostaddr=192.0.2.1", false),
            ("host=database.test hostaddr=127.0.0.1", true), ("host=127.db.example.org", false),
            ("postgres://u@[2001:db8::1]/d?sslmode=prefer", false),
        ] {
            #expect(try PostgresConfiguration(connectionString: target).areServersProven == isProven, "\(target)")
        }
    }

    @Test(
        "a server that statements are routed to has to prove who it is, whatever the connection string has for an address"
    )
    func routedProof() throws {
        let worker = PostgresServer(host: "worker.test", port: 5433)
        for (target, isProven) in [
            ("host=localhost", false), ("host=localhost hostaddr=127.0.0.1", false),
            ("host=localhost hostaddr=127.0.0.1,127.0.0.2 sslmode=verify-full", true),
        ] {
            let configuration = PostgresConfiguration(connectionString: target).routed(to: worker)
            #expect(try configuration.areServersProven == isProven, "\(target)")
        }
    }
}
