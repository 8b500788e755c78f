package import Postgres

/// The players: table `users`.
package struct UserRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Creates the player with a first balance. Does nothing when the player exists.
    package func register(_ user: User.ID, energy: Energy) async throws(PostgresError) {
        _ = try await database.execute(RegisterUser(user: user, energy: energy))
    }
}

/// Creates a player; the schema's trigger writes the first entry of the ledger. An existing player stays as they are.
private struct RegisterUser: Statement {
    static let sql: StaticString = """
        INSERT INTO users (id, energy, energy_reason) VALUES ($1, $2, 'registration') ON CONFLICT DO NOTHING
        """
    typealias Row = NoRow

    let user: User.ID
    let energy: Energy

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: energy))
    }
}
