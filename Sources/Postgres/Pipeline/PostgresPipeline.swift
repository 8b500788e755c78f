import EventLoop

/// Several statements that travel together: all are sent before the first is answered, so they cost one round trip
/// (libpq, "Pipeline Mode"; what psycopg calls a pipeline and pgx a batch).
///
/// ```swift
/// var pipeline = PostgresPipeline()
/// let left = pipeline.first(TakePoints(player: "Juliet", points: 5))
/// let logged = pipeline.run("INSERT INTO log VALUES ($1)", ["Juliet"])
/// let results = try await connection.execute(pipeline: pipeline).get()
/// print(try results[left] ?? 0, try results[logged])
/// ```
///
/// Without an open transaction everything up to a ``sync()``, or to the end, is one transaction: committed whole, or
/// rolled back whole when one of its statements fails. What follows a ``sync()`` is a transaction of its own, and runs
/// whether or not the one before it failed. Within an open transaction everything belongs to that one; a statement that
/// fails makes the transaction fail, and what follows fails, too.
///
/// A pipeline is a value: it can be built once and executed several times. SQL that begins or ends a transaction is
/// refused, and so are `CALL` and `DO`, which may do so: put the pipeline into `withTransaction` instead. A statement that
/// PostgreSQL runs outside of transactions only, such as `VACUUM`, needs a ``sync()`` before and behind it; else the server
/// refuses it.
public struct PostgresPipeline: Sendable {
    /// What was put into a pipeline, and so what its result is asked for by.
    public struct Entry<Value: Sendable>: Sendable {
        let index: Int
        let number: Int
        let read: @Sendable (Submission) throws(PostgresError) -> Value
    }

    struct Item: Sendable {
        /// Tells entries of different pipelines apart.
        let number: Int
        let command: Submission.Command
        let bind: @Sendable (inout Parameters) -> Void
    }

    private(set) var items: [Item] = []
    /// Behind how many items a transaction ends, ascending; without the last one's end.
    private var syncs: [Int] = []

    private static let lastNumber = Locked(0)

    /// A pipeline without statements. To execute it is to ask the server for a sign of life.
    public init() {}

    /// How many statements it has.
    public var count: Int { items.count }

    /// The ranges of items that are one transaction each; at least one range, perhaps an empty one.
    var segments: [Range<Int>] {
        var start = 0
        var segments: [Range<Int>] = []
        for end in syncs + [items.count] where end > start || end == 0 && items.isEmpty {
            segments.append(start..<end)
            start = end
        }
        return segments
    }

    /// Adds a typed statement, which the session prepares on first use. Its result is its rows, in the server's order.
    @discardableResult
    public mutating func execute<S: Statement>(_ statement: S) -> Entry<[S.Row]> {
        append(statement) { (submission) throws(PostgresError) in try submission.rows(S.decode) }
    }

    /// Adds a typed statement. Its result is its first row, `nil` if it has none.
    @discardableResult
    public mutating func first<S: Statement>(_ statement: S) -> Entry<S.Row?> {
        append(statement) { (submission) throws(PostgresError) in try submission.firstRow(S.decode) }
    }

    /// Adds a one-off query. Its result is its rows.
    ///
    /// - Parameter sql: One statement.
    /// - Parameter parameters: The values of `$1`, `$2` ...
    /// - Parameter decode: Reads one row; called when the result is asked for.
    @discardableResult
    public mutating func query<Row: Sendable>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable] = [],
        decode: @escaping @Sendable (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) -> Entry<[Row]> {
        append(sql, parameters) { (submission) throws(PostgresError) in try submission.rows(decode) }
    }

    /// Adds a one-off command. Its result is how many rows it changed.
    @discardableResult
    public mutating func run(_ sql: SQLText, _ parameters: [any PostgresEncodable] = []) -> Entry<Int> {
        append(sql, parameters) { (submission) throws(PostgresError) in try submission.affectedRows() }
    }

    /// Ends the transaction of what was added so far (libpq, `PQpipelineSync`). Without statements before it, nothing.
    public mutating func sync() {
        if !items.isEmpty, syncs.last != items.count { syncs.append(items.count) }
    }

    private mutating func append<S: Statement, Value>(
        _ statement: S, _ read: @escaping @Sendable (Submission) throws(PostgresError) -> Value
    ) -> Entry<Value> {
        append(.statement(StatementText(type: S.self, sql: statement.sql)), { statement.bind(to: &$0) }, read)
    }

    private mutating func append<Value>(
        _ sql: SQLText, _ parameters: [any PostgresEncodable],
        _ read: @escaping @Sendable (Submission) throws(PostgresError) -> Value
    ) -> Entry<Value> {
        append(.query(sql.text), { for value in parameters { $0.append(value) } }, read)
    }

    private mutating func append<Value>(
        _ command: Submission.Command, _ bind: @escaping @Sendable (inout Parameters) -> Void,
        _ read: @escaping @Sendable (Submission) throws(PostgresError) -> Value
    ) -> Entry<Value> {
        let number = Self.lastNumber.withLock { last in
            last += 1
            return last
        }
        items.append(Item(number: number, command: command, bind: bind))
        return Entry(index: items.count - 1, number: number, read: read)
    }
}

/// What became of the statements of a ``PostgresPipeline``, each by itself.
public struct PostgresPipelineResults: Sendable {
    private let items: [PostgresPipeline.Item]
    private let submissions: [Submission]
    /// Why each statement failed, in their order; `nil` for one that took effect.
    ///
    /// - ``PostgresError/Code/server``: it is the one that failed, or a deferred constraint or a conflict was found at the
    ///   commit of its transaction, which then all statements of the transaction have.
    /// - ``PostgresError/Code/rolledBack``: it ran, and a later one of its transaction failed.
    /// - ``PostgresError/Code/pipelineAborted``: it was skipped, because one before it failed.
    /// - ``PostgresError/Code/cancelled``, ``PostgresError/Code/deadlineExceeded``: it was stopped.
    /// - ``PostgresError/Code/notSent``: the connection was lost, and it did not take effect.
    /// - ``PostgresError/Code/outcomeUnknown``: the connection was lost when its transaction may have been committed.
    ///
    /// Within an open transaction `nil` says that the statement ran; what becomes of it is the transaction's matter.
    public let errors: [PostgresError?]

    init(_ items: [PostgresPipeline.Item], _ submissions: [Submission], _ errors: [PostgresError?]) {
        self.items = items
        self.submissions = submissions
        self.errors = errors
    }

    /// The result of one statement. It can be asked for any number of times; an entry of another pipeline traps.
    ///
    /// - Throws: ``PostgresError``: the statement's own of ``errors``, or `.decodingFailed` (done).
    public subscript<Value>(entry: PostgresPipeline.Entry<Value>) -> Value {
        get throws(PostgresError) {
            precondition(
                items.indices.contains(entry.index) && items[entry.index].number == entry.number,
                "an entry of another pipeline")
            return try entry.read(submissions[entry.index])
        }
    }

    /// The error that is the cause of others, or else the first one; `nil` if every statement took effect.
    public var firstError: PostgresError? {
        let failed = errors.compactMap { $0 }
        return failed.first { $0.code != .rolledBack && $0.code != .pipelineAborted } ?? failed.first
    }

    /// These results, if every statement took effect.
    ///
    /// - Throws: ``firstError``. Of a pipeline without ``PostgresPipeline/sync()`` nothing took effect then, unless it is
    ///   `.outcomeUnknown`.
    public func get() throws(PostgresError) -> PostgresPipelineResults {
        if let firstError { throw firstError }
        return self
    }
}
