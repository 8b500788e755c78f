package import Postgres

/// The players: table `users`.
package struct UserRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Creates the player with the starting energy. One who exists stays as they are.
    package func register(_ user: User.ID, as operation: Operation?) async throws(PostgresError) -> Outcome {
        try await database.call(RegisterUser(user: user, operation: operation))
    }

    /// Under which id a player of the published app goes on who was claimed; nil: not claimed.
    package func player(whoClaimed user: User.ID) async throws(PostgresError) -> User.ID? {
        try await database.first(ReadClaim(user: user)) ?? nil
    }
}

struct ReadClaim: Statement {
    static let sql: StaticString = "SELECT juliet.claimed_user($1)"
    static let access = StatementAccess.read

    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> User.ID? {
        try row.next(String?.self).map(User.ID.init)
    }
}

struct RegisterUser: GameFunction {
    static let sql: StaticString = "SELECT juliet.register_user($1, $2, $3)"

    let user: User.ID
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(operation)
    }
}
