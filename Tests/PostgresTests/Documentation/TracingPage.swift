import EventLoop
import Postgres
import PostgresTracing
import Tracing

// The example of PostgresTracing's first page; `DocumentationTests` sees to it that both are the same, and runs it.

// begin
/// Adds two numbers.
struct Sum: Statement {
    let left: Int32
    let right: Int32

    var sql: StaticString { "SELECT $1 + $2" }
    var access: StatementAccess { .read }

    func bind(to parameters: inout Parameters) { parameters.append(left, right) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

/// Runs a statement that is a child of the span of whoever calls.
func traced(_ configuration: PostgresConfiguration, by tracer: some Tracer, on loop: EventLoop) async throws -> Int32? {
    var configuration = configuration
    configuration.observer = PostgresTracingObserver(tracer: tracer)
    let connection = try await PostgresConnection.connect(configuration, on: loop)
    let sum = try await connection.first(Sum(left: 1, right: 2))
    await connection.close()
    return sum
}
// end
