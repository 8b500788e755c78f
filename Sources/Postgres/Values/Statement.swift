/// One SQL statement as a value: its text, its parameters and how a row becomes a value, together.
///
/// ```swift
/// struct WinsOfPlayer: Statement {
///     let player: String
///
///     var sql: StaticString { "SELECT wins FROM users WHERE id = $1" }
///     var access: StatementAccess { .read }
///
///     func bind(to parameters: inout Parameters) { parameters.append(player) }
///     static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 {
///         try row.next(Int32.self)
///     }
/// }
/// ```
///
/// The text is constant, so a value can only reach the server as a parameter. A connection prepares each text of each type
/// once, under a stable name.
public protocol Statement: Sendable {
    /// What one row becomes; ``NoRow`` for statements whose rows do not matter.
    associatedtype Row: Sendable

    /// The SQL, with `$1`, `$2` ... for the parameters that ``bind(to:)`` appends, in that order.
    ///
    /// One statement only: the extended query protocol refuses several. A literal: it is known again by its address.
    ///
    /// A ``PostgresClient`` takes a `SELECT`, `VALUES`, `TABLE`, `WITH`, `INSERT`, `UPDATE`, `DELETE` or `MERGE`, which take
    /// effect with the transaction that they share. All others, such as `BEGIN`, `SET` and `VACUUM`, are
    /// ``PostgresError/Code/misuse`` there, and nothing is sent; a ``PostgresConnection`` of one's own takes them.
    var sql: StaticString { get }

    /// SQL that does many executions at once, where they wait together. Default: `nil`, each runs by itself.
    ///
    /// ```swift
    /// var gatheredSQL: StaticString? {
    ///     "SELECT u.wins, k.n FROM unnest($1) WITH ORDINALITY AS k (id, n) JOIN users u ON u.id = k.id"
    /// }
    /// ```
    ///
    /// `$1`, `$2` … are arrays: of what each execution binds for ``sql``, in order. Every row has the columns of ``sql``, and
    /// behind them a `bigint` that says for which execution it is, from 1.
    ///
    /// - A read: each execution must get the rows that ``sql`` would have given it, in their order; rows of several may be
    ///   mixed.
    /// - A write: each execution must get one row, and the function that is called should raise an error if one would get
    ///   none or two, for nothing can be undone when the rows come. A negative number says that this execution had no effect:
    ///   ``sql`` then runs for it, in a transaction of its own, as for one that waits for a lock. The SQL must not wait for locks
    ///   of rows: it passes them over (`SKIP LOCKED`) and gives their executions negative numbers. In a batch it comes
    ///   behind all that may wait, so two batches cannot deadlock. Fewer than four writes run one by one, which is as fast.
    ///
    /// Executions run one by one in sessions and transactions; reads beside writes, if
    /// ``PostgresConfiguration/readConnectionsPerLoop`` is 0; where a ``PostgresRouter`` says that rows are on several servers; if they have no
    /// parameters or one of a type whose array the module does not know; and after an error, so that only the one at fault
    /// gets it.
    var gatheredSQL: StaticString? { get }

    /// Whether the statement may change anything. Default: ``StatementAccess/write``.
    var access: StatementAccess { get }

    /// Names whose rows the statement locks: a batch runs in ascending byte order of its statements' keys, so two
    /// batches cannot deadlock. `nil`, the default, sorts first and is for statements that lock nothing.
    ///
    /// Of the writes with one key, a client has one under way at a time, and those that were submitted to the pool of one
    /// loop keep their order, unless one of them takes longer than ``PostgresConfiguration/lockTimeout``.
    var orderingKey: String? { get }

    /// Whether many callers share the key, as when it names what all of them change. Several writes of such a key travel in
    /// one batch, or in several at once. Default: `false`.
    var isKeyShared: Bool { get }

    /// Names whose rows the statement is about, where rows are spread over several servers (``PostgresRouter``). `nil`, the
    /// default: the server that the client is configured for. Only looked at by a client that has a router.
    var routingKey: String? { get }

    /// How often the statement is tried in all when the server ends its transaction for the sake of others (class 40:
    /// serialization failure, deadlock). Default: 1, the error is the caller's. A statement in a transaction of the
    /// caller's own is never tried again by itself.
    var attempts: Int { get }

    /// Appends the values of `$1`, `$2` ... in order. The types appended must not depend on the values.
    func bind(to parameters: inout Parameters)

    /// Reads the columns of one row from left to right.
    ///
    /// - Throws: ``PostgresDecodingError`` naming the column. The statement has then run all the same.
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Row
}

extension Statement {
    /// Writes, unless a statement says otherwise.
    public var access: StatementAccess { .write }
    /// Each execution runs by itself.
    public var gatheredSQL: StaticString? { nil }
    /// Once.
    public var attempts: Int { 1 }
    /// None: the statement sorts first.
    public var orderingKey: String? { nil }
    /// The key is one caller's.
    public var isKeyShared: Bool { false }
    /// None: the client's own server.
    public var routingKey: String? { nil }
    /// No parameters.
    public func bind(to parameters: inout Parameters) {}
}

extension Statement where Row == NoRow {
    /// Reads nothing.
    public static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NoRow { NoRow() }
}

/// What a statement may do to the database.
public enum StatementAccess: Sendable {
    /// Only reads: it may run twice, so it is sent again when a lost connection leaves its outcome unknown.
    case read
    /// May write: it is never sent a second time unless it is certain that the first had no effect.
    case write
}

/// The row of a statement whose columns, if it has any, do not matter.
public struct NoRow: Sendable, Hashable {
    /// Creates the value.
    public init() {}
}
