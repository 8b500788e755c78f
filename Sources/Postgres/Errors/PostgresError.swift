/// What went wrong between a statement and its answer.
///
/// ``description`` is safe in any log: the code, the SQLSTATE and names of the schema, never a value nor the server's
/// text (which quotes rows). ``debugDescription`` adds the server's text, for operators.
public struct PostgresError: Error, Sendable {
    /// What happened, and so what may be done about it. More codes may come: a `switch` needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Name: UInt8 {
            case server, notSent, outcomeUnknown, cancelled, deadlineExceeded, queueTimeout, queueFull
            case connectionFailed, closed, decodingFailed, misuse, configuration
            case pipelineAborted, rolledBack
        }

        private let name: Name

        private init(_ name: Name) { self.name = name }

        /// The code's name.
        public var description: String { "\(name)" }

        /// The server refused the statement; ``PostgresError/sqlState`` says why. Nothing was changed by it.
        public static let server = Code(.server)
        /// The connection was lost before the statement could take effect: nothing happened, it may be sent again.
        public static let notSent = Code(.notSent)
        /// The connection was lost while the statement, or the commit, was under way. It took effect wholly or not at
        /// all, and only the database knows which. Or it was committed, but its wait for the synchronous standby was
        /// cut short: it is lost if that standby takes over now. Or it is a ``PostgresRowSequence`` that was given up when
        /// the server had done its part.
        public static let outcomeUnknown = Code(.outcomeUnknown)
        /// The task was cancelled, and the statement did not take effect.
        public static let cancelled = Code(.cancelled)
        /// The statement did not finish before its deadline. It did not take effect: where that is not certain the code
        /// is ``outcomeUnknown``.
        public static let deadlineExceeded = Code(.deadlineExceeded)
        /// No connection was free before the deadline for waiting. Nothing happened. Answer 503 with `Retry-After`.
        public static let queueTimeout = Code(.queueTimeout)
        /// Too many statements wait already. Nothing happened. Answer 503 with `Retry-After`.
        public static let queueFull = Code(.queueFull)
        /// No connection could be made. Nothing happened.
        public static let connectionFailed = Code(.connectionFailed)
        /// The connection or the client was closed by its owner. Nothing happened.
        public static let closed = Code(.closed)
        /// The statement took effect, and a column of its result was not what `decode` expects;
        /// ``PostgresError/decoding`` says which.
        public static let decodingFailed = Code(.decodingFailed)
        /// The call does not fit the connection's state, or a statement breaks the rules of ``Statement``.
        public static let misuse = Code(.misuse)
        /// The connection string or another setting cannot be used.
        public static let configuration = Code(.configuration)
        /// A statement before it in its ``PostgresPipeline`` failed, so the server skipped it. Nothing happened.
        public static let pipelineAborted = Code(.pipelineAborted)
        /// It ran, and was rolled back because a later statement of its transaction in the ``PostgresPipeline`` failed.
        public static let rolledBack = Code(.rolledBack)
    }

    /// What happened.
    public let code: Code
    /// What else is known, out of line: so a function that may throw this costs its callers two words, not fifty.
    private var details: Details?

    init(_ code: Code, reason: String? = nil) {
        self.code = code
        if let reason { self.reason = reason }
    }

    @usableFromInline
    init(_ decoding: PostgresDecodingError) {
        self.init(.decodingFailed)
        self.decoding = decoding
    }

    /// The server's own code, if it answered.
    public internal(set) var sqlState: SQLState? {
        get { details?.values.sqlState }
        set { edit { $0.sqlState = newValue } }
    }

    /// `ERROR`, `FATAL` or `PANIC`, in English whatever the server's language.
    public internal(set) var severity: String? {
        get { details?.values.severity }
        set { edit { $0.severity = newValue } }
    }

    /// The constraint that was violated, such as `users_energy_check`.
    public internal(set) var constraint: String? {
        get { details?.values.constraint }
        set { edit { $0.constraint = newValue } }
    }

    /// The schema of the table concerned.
    public internal(set) var schema: String? {
        get { details?.values.schema }
        set { edit { $0.schema = newValue } }
    }

    /// The table concerned.
    public internal(set) var table: String? {
        get { details?.values.table }
        set { edit { $0.table = newValue } }
    }

    /// The column concerned.
    public internal(set) var column: String? {
        get { details?.values.column }
        set { edit { $0.column = newValue } }
    }

    /// Where in the SQL text the error is, in characters from 1.
    public internal(set) var position: Int? {
        get { details?.values.position }
        set { edit { $0.position = newValue } }
    }

    /// Which column could not be decoded.
    public internal(set) var decoding: PostgresDecodingError? {
        get { details?.values.decoding }
        set { edit { $0.decoding = newValue } }
    }

    /// What the module itself has to say, without values.
    public internal(set) var reason: String? {
        get { details?.values.reason }
        set { edit { $0.reason = newValue } }
    }

    /// The server's function that raised the error, for the pool to recognise what only a new session cures.
    var routine: String? {
        get { details?.values.routine }
        set { edit { $0.routine = newValue } }
    }

    /// The server's or libpq's text: it may quote values and names of hosts, so only ``debugDescription`` shows it.
    var serverMessage: String? {
        get { details?.values.serverMessage }
        set { edit { $0.serverMessage = newValue } }
    }

    /// The server's detail and hint, likewise.
    var serverDetail: String? {
        get { details?.values.serverDetail }
        set { edit { $0.serverDetail = newValue } }
    }

    private struct Values: Sendable {
        var sqlState: SQLState?
        var severity: String?
        var constraint: String?
        var schema: String?
        var table: String?
        var column: String?
        var position: Int?
        var decoding: PostgresDecodingError?
        var reason: String?
        var routine: String?
        var serverMessage: String?
        var serverDetail: String?
    }

    private final class Details: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private mutating func edit(_ change: (inout Values) -> Void) {
        var values = details?.values ?? Values()
        change(&values)
        details = Details(values)
    }

    /// Whether a prepared statement is of no use any more: its plan was made for another schema, or someone has dropped
    /// it (`DISCARD ALL`). Preparing it anew cures that.
    var isStaleStatement: Bool {
        switch sqlState {
        case "0A000"?: routine == "RevalidateCachedQuery"
        case .invalidStatementName?: routine == "FetchPreparedStatement"
        default: false
        }
    }

    /// The server's message, detail and hint, one a line. It can quote rows: for an operator's terminal (a migration
    /// that fails), never for a log that keeps no personal data, nor for a user.
    public var operatorMessage: String? {
        guard let serverMessage else { return nil }
        return serverDetail.map { serverMessage + "\n" + $0 } ?? serverMessage
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line for any log: `server 23514 (table users, constraint users_energy_check)`.
    public var description: String {
        var text = code.description
        if let sqlState { text += " \(sqlState)" }
        let names: [(String, String?)] = [
            ("severity", severity == "ERROR" ? nil : severity), ("schema", schema == "public" ? nil : schema),
            ("table", table), ("column", column), ("constraint", constraint), ("position", position.map(String.init)),
        ]
        let known = names.compactMap { name, value in value.map { "\(name) \($0)" } }
        if !known.isEmpty { text += " (\(known.joined(separator: ", ")))" }
        if let decoding { text += ": \(decoding)" }
        if let reason { text += ": \(reason)" }
        return text
    }

    /// ``description`` and the server's own text, on further lines.
    public var debugDescription: String { operatorMessage.map { description + "\n" + $0 } ?? description }
}
