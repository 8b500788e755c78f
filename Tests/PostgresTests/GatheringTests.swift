import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// What a key is worth, and how many executions were asked together for it; 0: it was asked by itself.
private struct Worth: Statement {
    var sql: StaticString { "SELECT 100 / p.n, 0::bigint FROM worth p WHERE p.id = $1" }
    var gatheredSQL: StaticString? {
        """
        SELECT 100 / p.n, count(*) OVER (), k.number FROM unnest($1) WITH ORDINALITY AS k (id, number)
        JOIN worth p ON p.id = k.id
        """
    }
    var access: StatementAccess { .read }
    let id: String?

    func bind(to parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (worth: Int32, together: Int64) {
        (try row.next(), try row.next())
    }
}

/// As many rows as a number says, from the number on.
private struct Series: Statement {
    var sql: StaticString { "SELECT $1 + i, $2 FROM generate_series(0, $1 - 1) AS i" }
    var gatheredSQL: StaticString? {
        """
        SELECT k.count + i, k.text || '+', k.number
        FROM unnest($1, $2) WITH ORDINALITY AS k (count, text, number), generate_series(0, k.count - 1) AS i
        ORDER BY i, k.number DESC
        """
    }
    var access: StatementAccess { .read }
    let count: Int32
    let text: String?

    func bind(to parameters: inout Parameters) { parameters.append(count, text) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String {
        "\(try row.next(Int32.self)) \(try row.next(String?.self) ?? "none")"
    }
}

/// Says whether it was asked with others, and takes its time if the text is `slow`.
private struct Slow: Statement {
    var sql: StaticString { "SELECT 'alone' FROM pg_sleep(CASE $1 WHEN 'slow' THEN 60 ELSE 0 END)" }
    var gatheredSQL: StaticString? {
        """
        SELECT 'together', k.number FROM unnest($1) WITH ORDINALITY AS k (text, number),
            pg_sleep(CASE k.text WHEN 'slow' THEN 60 ELSE 0 END)
        """
    }
    var access: StatementAccess { .read }
    let text: String

    func bind(to parameters: inout Parameters) { parameters.append(text) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// One whose parameters have no array that is known, and one whose SQL does not say whose its rows are.
private struct Points: Statement {
    var sql: StaticString { "SELECT 'alone' || $1::text" }
    var gatheredSQL: StaticString? { "SELECT 'together', k.number FROM unnest($1) WITH ORDINALITY AS k (x, number)" }
    var access: StatementAccess { .read }
    let values: [Int32]

    func bind(to parameters: inout Parameters) { parameters.append(values) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

private struct Wrong: Statement {
    var sql: StaticString { "SELECT $1::int" }
    var gatheredSQL: StaticString? { "SELECT k FROM unnest($1) AS k" }
    var access: StatementAccess { .read }
    let value: Int32

    func bind(to parameters: inout Parameters) { parameters.append(value) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

/// One whose second row has a number that the test chooses.
private struct Stray: Statement {
    var sql: StaticString { "SELECT $1::int" }
    var gatheredSQL: StaticString? {
        """
        SELECT k.value, CASE k.n WHEN 2 THEN s.number ELSE k.n END
        FROM unnest($1) WITH ORDINALITY AS k (value, n), stray AS s
        """
    }
    var access: StatementAccess { .read }
    let value: Int32

    func bind(to parameters: inout Parameters) { parameters.append(value) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

private struct Change: Statement {
    var sql: StaticString { "UPDATE worth SET n = n + 1 WHERE id = $1 RETURNING n" }
    var gatheredSQL: StaticString? { "SELECT -1, k.n FROM unnest($1) WITH ORDINALITY AS k (id, n)" }
    let id: String

    func bind(to parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

extension Fixture {
    fileprivate func createWorths() async throws {
        try await createGate()
        try await psql("CREATE TABLE worth AS SELECT 'w' || n AS id, n FROM generate_series(0, 99) AS n")
    }
}

@Suite("Reads that are asked as one")
struct GatheringTests {
    private func running(
        _ configure: @Sendable (inout PostgresConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Fixture, PostgresClient) async throws -> Void
    ) async throws {
        try await Fixture.run { fixture in
            try await fixture.createWorths()
            try await fixture.withPatientClient(configure) { client in
                _ = try await client.execute(Gate0())
                try await body(fixture, client)
            }
        }
    }

    private struct Gate0: Statement {
        var sql: StaticString { "SELECT 1" }
        var access: StatementAccess { .read }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    @Test("those that wait together become one statement, and each gets its own rows, also none, also twice the same")
    func together() async throws {
        try await running { fixture, client in
            let keys = (1...20).map { "w\($0)" } + ["w1", nil, "nobody"]
            for _ in 0..<3 {
                let results = try await fixture.together(client, keys.count) { (index) async throws(PostgresError) in
                    try await client.first(Worth(id: keys[index]))
                }
                for (index, result) in results.enumerated() {
                    let row = try result.get()
                    let expected = index < 20 ? 100 / (index + 1) : index == 20 ? 100 : nil
                    #expect(row.map { Int($0.worth) } == expected)
                    #expect(row.map(\.together) == (expected == nil ? nil : 21))
                }
            }
        }
    }

    @Test("one that waits alone is asked by itself")
    func alone() async throws {
        try await running { fixture, client in
            let results = try await fixture.together(client, 1) { (_) async throws(PostgresError) in
                try await client.first(Worth(id: "w5"))
            }
            #expect(try results.first?.get()?.together == 0)
            #expect(try await client.execute(Worth(id: "w4")).map(\.together) == [0])
        }
    }

    @Test("several rows of each keep their order, however those of all are mixed; several values, and NULL")
    func rows() async throws {
        try await running { fixture, client in
            let results = try await fixture.together(client, 12) { (index) async throws(PostgresError) in
                try await client.execute(Series(count: Int32(index), text: index == 3 ? nil : "t\(index)"))
            }
            for (index, result) in results.enumerated() {
                let text = index == 3 ? "none" : "t\(index)+"
                #expect(try result.get() == (0..<index).map { "\(index + $0) \(text)" })
            }
        }
    }

    @Test("those of several kinds, and those that cannot be gathered, share the batch")
    func mixed() async throws {
        try await running { fixture, client in
            let results = try await fixture.together(client, 40) { (index) async throws(PostgresError) in
                switch index % 4 {
                case 0: try await client.first(Worth(id: "w\(index + 1)")).map { "\($0.worth) \($0.together)" }
                case 1: try await client.execute(Series(count: 2, text: "\(index)")).joined(separator: ",")
                case 2: try await client.first(Points(values: [Int32(index)]))
                default: try await client.first(Gate0()).map { "\($0)" }
                }
            }
            for (index, result) in results.enumerated() {
                let expected =
                    switch index % 4 {
                    case 0: "\(100 / (index + 1)) 10"
                    case 1: "2 \(index)+,3 \(index)+"
                    case 2: "alone{\(index)}"
                    default: "1"
                    }
                #expect(try result.get() == expected)
            }
        }
    }

    @Test("an error is that of the one whose own it is, and the others get their answers")
    func error() async throws {
        try await running { fixture, client in
            let results = try await fixture.together(client, 10) { (index) async throws(PostgresError) in
                try await client.first(Worth(id: "w\(index)"))
            }
            #expect(results.first?.error?.sqlState == "22012")
            for result in results.dropFirst() { #expect(try result.get()?.together == 0) }
            let zero = try await fixture.together(client, 5) { (index) async throws(PostgresError) in
                try await client.first(Slow(text: index == 2 ? "a\0" : "a"))
            }
            #expect(zero[2].error?.sqlState == "22021")
            #expect(try zero.enumerated().filter { $0.offset != 2 }.allSatisfy { try $0.element.get() == "alone" })
        }
    }

    @Test("rows that do not say whose they are are a misuse for all, and the connection goes on")
    func malformed() async throws {
        try await running { fixture, client in
            let results = try await fixture.together(client, 3) { (index) async throws(PostgresError) in
                try await client.first(Wrong(value: Int32(index)))
            }
            #expect(results.allSatisfy { $0.error?.code == .misuse })
            #expect(try await client.first(Wrong(value: 7)) == 7)
            try await fixture.psql("CREATE TABLE stray (number bigint)")
            for number in ["0", "4", "-1", "9223372036854775807", "-9223372036854775808", "NULL"] {
                try await fixture.psql("TRUNCATE stray; INSERT INTO stray VALUES (\(number))")
                let results = try await fixture.together(client, 3) { (index) async throws(PostgresError) in
                    try await client.first(Stray(value: Int32(index)))
                }
                #expect(results.allSatisfy { $0.error?.code == .misuse }, "\(number)")
                #expect(try await client.first(Stray(value: 7)) == 7)
            }
        }
    }

    @Test("what was read in a transaction that was rolled back is not what is answered")
    func rolledBack() async throws {
        struct Failing: Statement {
            var sql: StaticString { "SELECT 1 / 0" }
            var access: StatementAccess { .read }
            static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
        }
        try await running { fixture, client in
            let failing = Locked<Task<[Int32], any Error>?>(nil)
            let results = try await fixture.together(
                client, 5,
                meanwhile: {
                    let task = Task { try await client.execute(Failing()) }
                    failing.withLock { $0 = task }
                    try await fixture.until(.seconds(10)) { await client.statistics().statementsWaiting == 6 }
                }
            ) { (index) async throws(PostgresError) in try await client.first(Worth(id: "w\(index + 1)")) }
            for (index, result) in results.enumerated() {
                let row = try #require(try result.get())
                #expect(Int(row.worth) == 100 / (index + 1) && row.together == 0)
            }
            let error = await failing.withLock({ $0 })?.result.error as? PostgresError
            #expect(error?.sqlState == "22012")
        }
    }

    @Test("those that wait for a lock are asked by themselves, and get their answers when it is gone")
    func locked() async throws {
        try await running({ $0.lockTimeout = .milliseconds(100) }) { fixture, client in
            let holder = try await PostgresConnection.connect(fixture.configuration(), on: fixture.loop)
            try await holder.run("BEGIN")
            try await holder.run("LOCK TABLE worth")
            let results = Task {
                try await fixture.together(client, 4) { (index) async throws(PostgresError) in
                    try await client.first(Worth(id: "w\(index + 1)"))
                }
            }
            let alone = """
                FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'relation' AND query LIKE '%0::bigint FROM worth%'
                """
            try await fixture.until(.seconds(20)) { try await fixture.psql("SELECT count(*) > 0 \(alone)") == "t" }
            await holder.close()
            for (index, result) in try await results.value.enumerated() {
                let row = try #require(try result.get())
                #expect(Int(row.worth) == 100 / (index + 1) && row.together == 0)
            }
        }
    }

    @Test("reads that travel with a write are not gathered")
    func besideWrites() async throws {
        try await running({ $0.readConnectionsPerLoop = 0 }) { fixture, client in
            let results = try await fixture.together(client, 6) { (index) async throws(PostgresError) in
                guard index > 0 else { return try await client.first(Change(id: "w50")).map(Int64.init) }
                return try await client.first(Worth(id: "w\(index)"))?.together
            }
            #expect(try results.map { try $0.get() } == [51, 0, 0, 0, 0, 0])
        }
    }

    @Test("one whose task is cancelled, or that takes too long, takes nothing from the others")
    func cancelled() async throws {
        try await running { fixture, client in
            let results = try await fixture.together(client, 6) { (index) async throws(PostgresError) in
                try await client.execute(
                    Slow(text: index == 4 ? "slow" : "quick"), timeout: index == 4 ? .seconds(3) : nil)
            }
            #expect(results[4].error?.code == .deadlineExceeded)
            for (index, result) in results.enumerated() where index != 4 { #expect(try result.get() == ["alone"]) }
        }
        try await running { fixture, client in
            let doomed = Locked<Task<[String], any Error>?>(nil)
            let results = try await fixture.together(
                client, 6,
                meanwhile: {
                    let task = Task { try await client.execute(Slow(text: "quick")) }
                    doomed.withLock { $0 = task }
                    try await fixture.until(.seconds(10)) { await client.statistics().statementsWaiting == 7 }
                    task.cancel()
                    try await fixture.until(.seconds(10)) { await client.statistics().statementsWaiting == 6 }
                }
            ) { (_) async throws(PostgresError) in try await client.execute(Slow(text: "quick")) }
            for result in results { #expect(try result.get() == ["together"]) }
            let error = await doomed.withLock({ $0 })?.result.error as? PostgresError
            #expect(error?.code == .cancelled)
        }
    }

    @Test("they are asked once more when the connection is lost under them")
    func lost() async throws {
        try await running { fixture, client in
            let holder = try await PostgresConnection.connect(fixture.configuration(), on: fixture.loop)
            try await holder.run("BEGIN")
            try await holder.run("LOCK TABLE worth")
            let results = Task {
                try await fixture.together(client, 9) { (index) async throws(PostgresError) in
                    try await client.first(Worth(id: "w\(index + 1)"))
                }
            }
            let waiting = """
                SELECT pid FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'relation' AND query LIKE '%unnest%'
                """
            try await fixture.until(.seconds(10)) { try await fixture.psql(waiting) != "" }
            let pid = try await fixture.psql(waiting)
            try await fixture.psql("SELECT pg_terminate_backend(\(pid), 5000)")
            await holder.close()
            for (index, result) in try await results.value.enumerated() {
                #expect(try result.get().map { Int($0.worth) } == 100 / (index + 1))
            }
        }
    }

    @Test("many at once get what is theirs, gathered as it comes")
    func many() async throws {
        try await running({ $0.readConnectionsPerLoop = 2 }) { fixture, client in
            let together = Locked(0)
            await withTaskGroup(of: Void.self) { group in
                for caller in 0..<40 {
                    group.addTask {
                        for turn in 0..<100 {
                            let n = (caller * 7 + turn) % 99 + 1
                            let row = try? await client.first(Worth(id: "w\(n)"))
                            #expect(row.map { Int($0.worth) } == 100 / n)
                            if let row, row.together > 1 { together.withLock { $0 += 1 } }
                        }
                    }
                }
            }
            #expect(together.withLock { $0 } > 0)
        }
    }

    @Test("where rows are spread over servers nothing is gathered", arguments: [true, false])
    func routed(isSpread: Bool) async throws {
        struct Nowhere: PostgresRouter {
            let isSpread: Bool
            func server(of key: String) -> PostgresServer? { nil }
        }
        try await Fixture.run { fixture in
            try await fixture.createWorths()
            var configuration = fixture.configuration()
            configuration.slowReadTime = nil
            let client = PostgresClient(
                configuration: configuration, router: Nowhere(isSpread: isSpread), loops: [fixture.loop])
            let running = Task { try await client.run() }
            defer { running.cancel() }
            let results = try await fixture.together(client, 6) { (index) async throws(PostgresError) in
                try await client.first(Worth(id: "w\(index + 1)"))
            }
            #expect(try results.allSatisfy { try $0.get()?.together == (isSpread ? 0 : 6) })
            running.cancel()
            try await running.value
        }
    }

    @Test("values become arrays in PostgreSQL's binary form")
    func arrays() {
        var parameters = Parameters()
        for value in [1, nil, 3] as [Int32?] { parameters.append(value, "t") }
        let isGathered = parameters.gather(3)
        #expect(isGathered)
        #expect(parameters.types == [PostgresType.int4.array?.oid, PostgresType.text.array?.oid])
        let bytes = parameters.offsets.indices.map { index in
            Array(parameters.writer.bytes[parameters.offsets[index]...].prefix(Int(parameters.lengths[index])))
        }
        var expected = Parameters()
        expected.append([1, nil, 3] as [Int32?], ["t", "t", "t"])
        let wanted = expected.offsets.indices.map { index in
            Array(expected.writer.bytes[expected.offsets[index]...].prefix(Int(expected.lengths[index])))
        }
        #expect(bytes == wanted)
        var uneven = Parameters()
        uneven.append(Int32(1), "a", Int32(2))
        let isUneven = uneven.gather(2)
        #expect(!isUneven)
        #expect(uneven.count == 3)
        var mixed = Parameters()
        mixed.append(Int32(1), "a")
        let isMixed = mixed.gather(2)
        #expect(!isMixed)
        var none = Parameters()
        let isNone = none.gather(2)
        #expect(!isNone)
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
