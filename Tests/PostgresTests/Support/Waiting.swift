import Postgres
import TestSupport
import Testing

/// Keeps its connection until somebody opens the gate.
private struct Gate: Statement {
    var sql: StaticString { "SELECT wait_for_gate()" }
    let access: StatementAccess
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

extension Fixture {
    /// Makes what ``handIn(_:_:behind:meanwhile:_:)`` needs.
    func createGate() async throws {
        try await psql(
            """
            CREATE TABLE open_gates (at timestamptz DEFAULT now());
            CREATE FUNCTION wait_for_gate() RETURNS int LANGUAGE plpgsql AS $$
            BEGIN
                WHILE NOT EXISTS (SELECT FROM open_gates) LOOP PERFORM pg_sleep(0.002); END LOOP;
                RETURN 1;
            END $$
            """)
    }

    /// Calls a closure with a client on which nothing but the test's own statements decides what waits, and who waits for locks
    /// as long as it takes.
    func withPatientClient<Result: Sendable>(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (PostgresClient) async throws -> Result
    ) async throws -> Result {
        try await withClient(
            {
                $0.slowReadTime = nil
                $0.lockTimeout = .seconds(60)
                $0.loneLockTimeout = .seconds(60)
                $0.queueTimeout = .seconds(60)
                $0.statementTimeout = .seconds(60)
                configure(&$0)
            }, body)
    }

    /// Makes calls that wait together: all are handed in while the only connection is held up that they could have.
    ///
    /// - Parameter access: Of the statement that holds it up.
    /// - Returns: When they may leave.
    func handIn<Value: Sendable>(
        _ client: PostgresClient, _ count: Int, behind access: StatementAccess, meanwhile: () async throws -> Void = {},
        _ call: @escaping @Sendable (Int) async throws(PostgresError) -> Value
    ) async throws -> [Task<Result<Value, PostgresError>, Never>] {
        try await psql("DELETE FROM open_gates")
        let gate = Task { try await client.execute(Gate(access: access)) }
        try await untilActive("wait_for_gate(")
        let calls = (0..<count).map { index in
            Task { () async -> Result<Value, PostgresError> in
                do throws(PostgresError) { return .success(try await call(index)) } catch { return .failure(error) }
            }
        }
        try await until(.seconds(20)) { await client.statistics().statementsWaiting == count }
        try await meanwhile()
        try await psql("INSERT INTO open_gates DEFAULT VALUES")
        _ = try await gate.value
        return calls
    }

    /// What calls come to that wait together.
    func together<Value: Sendable>(
        _ client: PostgresClient, _ count: Int, behind access: StatementAccess = .read,
        meanwhile: () async throws -> Void = {},
        _ call: @escaping @Sendable (Int) async throws(PostgresError) -> Value
    ) async throws -> [Result<Value, PostgresError>] {
        var results: [Result<Value, PostgresError>] = []
        for call in try await handIn(client, count, behind: access, meanwhile: meanwhile, call) {
            results.append(await call.value)
        }
        return results
    }

    /// Waits until so many sessions wait for a lock in a statement with this text.
    func untilLocked(_ text: String, count: Int = 1, within limit: Duration = .seconds(60)) async throws {
        let sql = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%\(text)%'
            """
        try await until(limit) { try await psql(sql) == "\(count)" }
    }
}
