package import Postgres

/// The players: table `users`.
package struct UserRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Creates the player with the starting energy. One who exists stays as they are.
    package func register(_ user: AppUser, as operation: Operation?) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.registerUser(user: user, operation: operation))
    }

    /// The id of the player who claimed a player of the published app; nil: not claimed.
    package func player(whoClaimed user: User.ID) async throws(PostgresError) -> User.ID? {
        try await (database.first(FunctionCall.claimedUser(account: user)) ?? nil).map(User.ID.init)
    }
}

extension FunctionCall<AnswerRow<AppState>> {
    static func registerUser(user: AppUser, operation: Operation?) -> Self {
        Self("SELECT juliet.register_user($1, $2, $3, $4)", user: user) { $0.append(operation) }
    }
}

extension FunctionCall<String?> {
    static func claimedUser(account: User.ID) -> Self {
        Self("SELECT juliet.claimed_user($1)", access: .read) { $0.append(account.rawValue) }
    }
}
