import Postgres

/// A call of a function of the schema that answers rows of one column. Each function has one declaration, next to its
/// callers, with the function's name and the names and order of its arguments:
///
/// ```swift
/// extension FunctionCall<AnswerRow<AppState>> {
///     static func addWin(user: AppUser, operation: Operation?) -> Self {
///         Self(
///             "SELECT juliet.add_win($1, $2, $3, $4)",
///             each: "SELECT answer, place FROM juliet.add_win_each($1, $2, $3)", user: user
///         ) { $0.append(operation) }
///     }
/// }
/// ```
struct FunctionCall<Row: PostgresDecodable & Sendable>: Statement {
    let sql: StaticString
    let gatheredSQL: StaticString?
    let access: StatementAccess
    let attempts: Int
    let orderingKey: String?
    let isKeyShared: Bool
    let routingKey: String?
    private let appendArguments: @Sendable (inout Parameters) -> Void

    /// Calls a function.
    ///
    /// - Parameters:
    ///   - sql: `SELECT juliet.f($1, $2)`.
    ///   - each: `SELECT answer, place FROM juliet.f_each($1, $2)`, which does several calls at once; nil: nothing does.
    ///   - access: Whether the function may write.
    ///   - attempts: How often it is tried if the server ends its transaction because of a deadlock or conflict.
    ///   - orderingKey: The player whose row it locks; nil: none.
    ///   - isKeyShared: Whether the key is of what many players change.
    ///   - routingKey: The player on whose server it runs; nil: the coordinator.
    ///   - arguments: Appends `$1`, `$2` …
    init(
        _ sql: StaticString, each: StaticString? = nil, access: StatementAccess = .write, attempts: Int = 1,
        orderingKey: String? = nil, isKeyShared: Bool = false, routingKey: String? = nil,
        arguments: @escaping @Sendable (inout Parameters) -> Void = { _ in }
    ) {
        self.sql = sql
        gatheredSQL = each
        self.access = access
        self.attempts = attempts
        self.orderingKey = orderingKey
        self.isKeyShared = isKeyShared
        self.routingKey = routingKey
        appendArguments = arguments
    }

    /// The function's name: "juliet.f".
    var function: String { "\(sql)".split { $0 == " " || $0 == "(" }.dropFirst().first.map(String.init) ?? "" }

    func bind(to parameters: inout Parameters) { appendArguments(&parameters) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Row { try row.next(Row.self) }
}

extension FunctionCall {
    /// Calls a function that takes a player's id first and locks that player's row.
    ///
    /// It is tried three times: refunds, merges and draws lock players that a batch cannot know when it sorts its
    /// statements, and a batch that meets such a lock in the wrong order is rolled back completely.
    ///
    /// - Parameter isSpread: Whether it runs where the player is kept (``Distribution/functions``); else on the coordinator.
    @inline(__always)
    init(
        _ sql: StaticString, each: StaticString? = nil, player: User.ID, access: StatementAccess = .write,
        isSpread: Bool = true, arguments: @escaping @Sendable (inout Parameters) -> Void = { _ in }
    ) {
        self.init(
            sql, each: each, access: access, attempts: 3, orderingKey: player.rawValue,
            routingKey: isSpread ? player.rawValue : nil
        ) { parameters in
            parameters.append(player.rawValue)
            arguments(&parameters)
        }
    }

    /// Calls a function of the app's URLs, which takes a player's id first and the account that the player claimed last.
    ///
    /// - Parameter each: What does several calls at once, if nobody claimed the players.
    @inline(__always)
    init(
        _ sql: StaticString, each: StaticString? = nil, user: AppUser, access: StatementAccess = .write,
        isSpread: Bool = true, arguments: @escaping @Sendable (inout Parameters) -> Void = { _ in }
    ) {
        self.init(
            sql, each: user.account == nil ? each : nil, player: user.player, access: access, isSpread: isSpread
        ) { parameters in
            arguments(&parameters)
            parameters.append(user.account?.rawValue)
        }
    }

    /// Calls a function that takes the proof of a session first and finds out whose it is.
    ///
    /// It is tried three times, as one that takes a player's id.
    ///
    /// - Parameters:
    ///   - session: The caller's session; nil: not signed in.
    ///   - isSpread: Whether it runs where the player is kept (``Distribution/functions``); else on the coordinator, as
    ///     functions do that read all players, purchases or the lottery.
    @inline(__always)
    init(
        _ sql: StaticString, each: StaticString? = nil, session: Credential?, access: StatementAccess = .write,
        isSpread: Bool = true, arguments: @escaping @Sendable (inout Parameters) -> Void = { _ in }
    ) {
        self.init(
            sql, each: each, access: access, attempts: 3, orderingKey: session?.player?.rawValue,
            routingKey: isSpread ? session?.player?.rawValue : nil
        ) { parameters in
            parameters.append(session?.proof)
            arguments(&parameters)
        }
    }

    /// Calls a function that takes the digest of an operator's session first. It is tried three times.
    ///
    /// - Parameter orderingKey: The player whose row it locks; nil: none.
    init(
        _ sql: StaticString, session: AdminSession, access: StatementAccess = .write, orderingKey: String? = nil,
        arguments: @escaping @Sendable (inout Parameters) -> Void = { _ in }
    ) {
        self.init(sql, access: access, attempts: 3, orderingKey: orderingKey) { parameters in
            parameters.append(session.digest)
            arguments(&parameters)
        }
    }
}

extension Parameters {
    /// Appends two values that every function takes that takes an operation: its name and its fingerprint.
    @inline(__always)
    mutating func append(_ operation: Operation?) {
        append(operation?.id.rawValue, operation?.request)
    }
}
