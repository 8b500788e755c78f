/// A statement that waits or is under way, whatever its type. Inside turns of its loop only.
class PendingStatement {
    let orderingKey: String?
    let access: StatementAccess
    let name: String
    let since: ContinuousClock.Instant
    var isAlone = false

    init(orderingKey: String?, access: StatementAccess, name: String, since: ContinuousClock.Instant) {
        self.orderingKey = orderingKey
        self.access = access
        self.name = name
        self.since = since
    }

    var sql: String { fatalError("abstract") }
    func bind(to parameters: inout Parameters) { fatalError("abstract") }
    /// Keeps the rows until the commit.
    func take(_ result: borrowing ResultHandle) { fatalError("abstract") }
    func complete() { fatalError("abstract") }
    func fail(_ error: PostgresError) { fatalError("abstract") }
}

final class Pending<S: Statement>: PendingStatement {
    private let statement: S
    private var continuation: CheckedContinuation<Result<[S.Row], PostgresError>, Never>?
    private var outcome: Result<[S.Row], PostgresError> = .success([])

    init(
        _ statement: S, since: ContinuousClock.Instant,
        _ continuation: CheckedContinuation<Result<[S.Row], PostgresError>, Never>
    ) {
        self.statement = statement
        self.continuation = continuation
        super.init(
            orderingKey: statement.orderingKey, access: S.access, name: StatementNames.name(of: S.self), since: since)
    }

    override var sql: String { S.sql.description }
    override func bind(to parameters: inout Parameters) { statement.bind(to: &parameters) }

    override func take(_ result: borrowing ResultHandle) {
        do throws(PostgresDecodingError) {
            outcome = .success(try result.rows { (row) throws(PostgresDecodingError) in try S.decode(&row) })
        } catch {
            outcome = .failure(PostgresError(error))
        }
    }

    override func complete() {
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    override func fail(_ error: PostgresError) {
        continuation?.resume(returning: .failure(error))
        continuation = nil
    }
}

/// The name of each statement type on the server.
enum StatementNames {
    /// `JulietGame.PayForGame` and the like: stable, and unique in a program.
    static func name<S: Statement>(of type: S.Type) -> String { String(reflecting: type) }
}
