package import Postgres

/// The players' wins: `users.wins`.
package struct WinRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// How often the player has won; nil for an unknown player.
    package func wins(of user: User.ID) async throws(PostgresError) -> Int? {
        try await database.first(ReadWins(user: user))
    }

    /// Counts a win.
    ///
    /// - Returns: The wins that now count; nil for an unknown player.
    package func addWin(to user: User.ID) async throws(PostgresError) -> Int? {
        try await database.first(AddWin(user: user))
    }
}

/// The wins of a player. No row: unknown player.
struct ReadWins: Statement {
    static let sql: StaticString = "SELECT wins FROM users WHERE id = $1"
    static let access = StatementAccess.read

    let user: User.ID

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int32.self)) }
}

/// Counts a win. No row: unknown player.
struct AddWin: Statement {
    static let sql: StaticString = "UPDATE users SET wins = wins + 1 WHERE id = $1 RETURNING wins"

    let user: User.ID

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int32.self)) }
}
