package import Postgres

/// The players' wins: `users.wins`.
package struct WinRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// How often the player has won.
    package func wins(of user: User.ID) async throws(PostgresError) -> AppAnswer {
        try await database.first(ReadWins(user: user)).map { .done(AppState(wins: $0)) } ?? .refused(.userUnknown)
    }

    /// Counts a win.
    package func addWin(to user: AppUser, as operation: Operation?) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.addWin(user: user, operation: operation))
    }
}

/// The wins of a player. No row: unknown player. Only this request reads a table directly: a function call would cost
/// half as much again. Requests that wait together are asked as one.
struct ReadWins: Statement {
    var sql: StaticString { "SELECT wins FROM juliet.users WHERE id = $1" }
    var gatheredSQL: StaticString? {
        """
        SELECT wins, number FROM unnest($1) WITH ORDINALITY AS asked (player, number)
        JOIN juliet.users ON id = player
        """
    }
    var access: StatementAccess { .read }

    let user: User.ID

    var orderingKey: String? { user.rawValue }
    var routingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int32.self)) }
}

extension FunctionCall<AnswerRow<AppState>> {
    static func addWin(user: AppUser, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.add_win($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.add_win_each($1, $2, $3)", user: user
        ) { $0.append(operation) }
    }
}
