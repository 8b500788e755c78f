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
        /// A statement, which a connection prepares once.
        case statement(StatementText)
        /// A one-off query, which a session prepares if it comes again and again.
        case query(String)

        /// What people call it.
        var name: String { if case .statement(let text) = self { text.name } else { "query" } }
    }

    /// Unsafe, for a checked one costs an allocation and a lock per statement. It is resumed exactly once: `finish`
    /// takes it away.
    typealias Continuation = UnsafeContinuation<Void, Never>

    let access: StatementAccess
    let key: OrderingKey?
    let command: Command
    /// What does several executions of the statement at once, if they may be.
    let gatheredText: StatementText?
    /// How often it is tried when the server ends its transaction for the sake of others.
    let attempts: Int
    /// Writes the parameters.
    let bind: (inout Parameters) -> Void

    /// The statement's place in the pool, while it is there.
    var id: StatementID?
    /// Whether nobody wants it any more, from before it reached the pool.
    var isCancelled = false
    /// The task that waits for it, if the pool has to look by itself whether it was cancelled.
    ///
    /// Unsafe: it is valid as long as the task waits in the call that set it, and so as long as this is not `nil`.
    private var task: UnsafeCurrentTask?
    /// Whether nobody waits for the answer any more.
    var isAbandoned: Bool {
        if isCancelled { return true }
        guard let task = unsafe task else { return false }
        return unsafe task.isCancelled
    }
    /// When it was handed in and when it was sent, for an observer; zero: not yet. Optional, each would take a word more.
    var submittedAt = Duration.zero
    var sentAt = Duration.zero

    private var continuation: Continuation?
    private var result: ResultHandle?
    /// The rows of several executions, and which of them this is; 1 is the first.
    private var gathered: (rows: GatheredRows, number: Int)?
    private var failure: PostgresError?

    init(
        _ command: Command, gathered: StatementText? = nil, access: StatementAccess, attempts: Int,
        orderingKey: String?, isKeyShared: Bool = false, bind: @escaping (inout Parameters) -> Void
    ) {
        self.command = command
        gatheredText = gathered
        self.access = access
        self.attempts = attempts
        self.bind = bind
        key = orderingKey.map { OrderingKey($0, isShared: isKeyShared) }
    }

    /// A one-off query, which may do anything.
    convenience init(_ sql: SQLText, _ values: [any PostgresEncodable]) {
        self.init(.query(sql.text), access: .write, attempts: 1, orderingKey: nil) { parameters in
            for value in values { parameters.append(value) }
        }
    }

    /// A typed statement.
    @inlinable
    convenience init<S: Statement>(_ statement: S) {
        self.init(
            type: S.self, sql: statement.sql, gatheredSQL: statement.gatheredSQL, access: statement.access,
            attempts: statement.attempts, orderingKey: statement.orderingKey, isKeyShared: statement.isKeyShared,
            bind: { statement.bind(to: &$0) })
    }

    @usableFromInline
    convenience init(
        type: any Statement.Type, sql: StaticString, gatheredSQL: StaticString?, access: StatementAccess, attempts: Int,
        orderingKey: String?, isKeyShared: Bool, bind: @escaping (inout Parameters) -> Void
    ) {
        self.init(
            .statement(StatementText(type: type, sql: sql)),
            gathered: gatheredSQL.map { StatementText(type: type, sql: $0) }, access: access, attempts: attempts,
            orderingKey: orderingKey, isKeyShared: isKeyShared, bind: bind)
    }

    /// What a connection prepares for it; `nil` for a one-off query.
    var text: StatementText? { if case .statement(let text) = command { text } else { nil } }

    var sql: String {
        switch command {
        case .statement(let text): text.sql.description
        case .query(let text): text
        }
    }

    // MARK: The answer

    /// Remembers whom to answer.
    func waits(_ continuation: Continuation) { unsafe self.continuation = unsafe continuation }

    /// Remembers the task that calls, so that the pool can look whether it was cancelled. Before ``waits(_:)``.
    func noteTask() { unsafe withUnsafeCurrentTask { unsafe task = unsafe $0 } }

    /// Keeps a result: it counts only when the transaction is committed.
    func take(_ result: consuming ResultHandle) {
        self.result = consume result
        gathered = nil
    }

    /// Keeps its part of a result, in the same way.
    func take(_ rows: GatheredRows, number: Int) {
        result = nil
        gathered = (rows, number)
    }

    /// Says that what was taken counts.
    func deliver() { finish() }

    /// Says that the statement failed.
    func fail(_ error: PostgresError) {
        result = nil
        gathered = nil
        failure = error
        finish()
    }

    private func finish() {
        unsafe task = nil
        let waiting = unsafe continuation
        unsafe continuation = nil
        unsafe waiting?.resume()
    }

    /// How many rows the answer has, for the one who waited. Throws what the statement failed with.
    @usableFromInline
    func rowCount() throws(PostgresError) -> Int {
        if let failure { throw failure }
        if let gathered { return try gathered.rows.count(of: gathered.number) }
        guard let count = result?.rowCount else { throw PostgresError(.misuse, reason: "no result") }
        return count
    }

    /// How many rows the command changed, or returned.
    func affectedRows() throws(PostgresError) -> Int {
        if let failure { throw failure }
        return result?.affectedRows ?? 0
    }

    /// What reads the answer's rows, at its first one, if it has one. It must not outlive the submission.
    @usableFromInline
    func makeDecoder() -> RowDecoder {
        if let gathered { return gathered.rows.makeDecoder(at: gathered.number) }
        guard let decoder = result?.makeDecoder() else { preconditionFailure("no result") }
        return decoder
    }

    /// Where one of the answer's rows is in the result; 0 is the first.
    @usableFromInline
    func place(of row: Int) -> Int { gathered.map { $0.rows.place(of: row, for: $0.number) } ?? row }

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
                decoder.move(to: place(of: row))
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
