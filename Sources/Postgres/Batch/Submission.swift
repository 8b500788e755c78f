/// A statement that was handed in and waits for its answer.
///
/// It knows nothing of the type of the rows: it keeps libpq's result until the transaction has ended, and whoever asked
/// decodes the rows. So what is generic stays with the caller, who knows the type: nothing looks types up at run time.
@usableFromInline
@safe final class Submission: @unchecked Sendable {
    // Invariant: what is mutable is touched only inside turns of the loop that the submission was handed to, and by the
    // task that waits for it once it is finished. Before that the task only keeps it to say that it no longer wants
    // the answer.

    /// What is sent.
    enum Command {
        /// A type of statement, which a connection prepares once.
        case statement(any Statement.Type)
        /// A one-off query, which is not prepared.
        case query(String)

        /// What people call it. Looked up by the runtime, which takes its time.
        var name: String { if case .statement(let type) = self { String(describing: type) } else { "query" } }
    }

    /// Unsafe, for a checked one costs an allocation and a lock per statement. It is resumed exactly once: `finish`
    /// takes it away.
    typealias Continuation = UnsafeContinuation<Void, Never>

    let access: StatementAccess
    let key: OrderingKey?
    let command: Command
    /// Writes the parameters.
    let bind: (inout Parameters) -> Void

    /// The statement's place in the pool, while it is there.
    var id: StatementID?
    /// Whether nobody wants it any more, from before it reached the pool.
    var isCancelled = false
    /// When it was handed in and when it was sent, for an observer.
    var submittedAt: Duration?
    var sentAt: Duration?

    private var continuation: Continuation?
    private var result: ResultHandle?
    private var failure: PostgresError?

    init(
        _ command: Command, access: StatementAccess, orderingKey: String?, bind: @escaping (inout Parameters) -> Void
    ) {
        self.command = command
        self.access = access
        self.bind = bind
        key = orderingKey.map(OrderingKey.init)
    }

    /// A one-off query, which may do anything.
    convenience init(_ sql: SQLText, _ values: [any PostgresEncodable]) {
        self.init(.query(sql.text), access: .write, orderingKey: nil) { parameters in
            for value in values { parameters.append(value) }
        }
    }

    /// A typed statement.
    @inlinable
    convenience init<S: Statement>(_ statement: S) {
        self.init(
            type: S.self, access: S.access, orderingKey: statement.orderingKey, bind: { statement.bind(to: &$0) })
    }

    @usableFromInline
    convenience init(
        type: any Statement.Type, access: StatementAccess, orderingKey: String?,
        bind: @escaping (inout Parameters) -> Void
    ) {
        self.init(.statement(type), access: access, orderingKey: orderingKey, bind: bind)
    }

    /// The type of the statement; `nil` for a one-off query.
    var type: ObjectIdentifier? {
        if case .statement(let type) = command { ObjectIdentifier(type) } else { nil }
    }

    var sql: String {
        switch command {
        case .statement(let type): type.sql.description
        case .query(let text): text
        }
    }

    /// How often it is tried when the server ends its transaction for the sake of others.
    var attempts: Int {
        if case .statement(let type) = command { type.attempts } else { 1 }
    }

    /// The full name of the statement's type.
    var typeName: String {
        if case .statement(let type) = command { String(reflecting: type) } else { "" }
    }

    // MARK: The answer

    /// Remembers whom to answer.
    func waits(_ continuation: Continuation) { unsafe self.continuation = unsafe continuation }

    /// Keeps a result: it counts only when the transaction is committed.
    func take(_ result: consuming ResultHandle) { self.result = consume result }

    /// Says that what was taken counts.
    func deliver() { finish() }

    /// Says that the statement failed.
    func fail(_ error: PostgresError) {
        result = nil
        failure = error
        finish()
    }

    private func finish() {
        let waiting = unsafe continuation
        unsafe continuation = nil
        unsafe waiting?.resume()
    }

    /// How many rows the answer has, for the one who waited. Throws what the statement failed with.
    @usableFromInline
    func rowCount() throws(PostgresError) -> Int {
        if let failure { throw failure }
        guard let count = result?.rowCount else { throw PostgresError(.misuse, reason: "no result") }
        return count
    }

    /// How many rows the command changed, or returned.
    func affectedRows() throws(PostgresError) -> Int {
        if let failure { throw failure }
        return result?.affectedRows ?? 0
    }

    /// What reads the answer's rows, at the first one. It must not outlive the submission.
    @usableFromInline
    func makeDecoder() -> RowDecoder {
        guard let decoder = result?.makeDecoder() else { preconditionFailure("no result") }
        return decoder
    }

    /// Decodes every row. Throws what the statement failed with, or `.decodingFailed`.
    @inlinable
    func rows<Row>(
        _ decode: (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) throws(PostgresError) -> [Row] {
        let count = try rowCount()
        guard count > 0 else { return [] }
        var rows: [Row] = []
        rows.reserveCapacity(count)
        var decoder = makeDecoder()
        do throws(PostgresDecodingError) {
            for row in 0..<count {
                decoder.move(to: row)
                rows.append(try decode(&decoder))
            }
        } catch {
            throw PostgresError(error)
        }
        return rows
    }

    /// Decodes the first row, if there is one. Throws as ``rows(_:)``.
    @inlinable
    func firstRow<Row>(
        _ decode: (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) throws(PostgresError) -> Row? {
        guard try rowCount() > 0 else { return nil }
        var decoder = makeDecoder()
        do throws(PostgresDecodingError) { return try decode(&decoder) } catch { throw PostgresError(error) }
    }
}
