package import Postgres

/// The players' energy: `users.energy`, whose trigger writes each change to `energy_ledger`.
package struct EnergyRepository: Sendable {
    /// What became of a payment.
    package enum Payment: Sendable, Equatable {
        /// Paid; this is left.
        case paid(balance: Energy)
        /// Not enough: this is there, and nothing was taken.
        case refused(balance: Energy)
    }

    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// The player's balance; nil for an unknown player.
    package func balance(of user: User.ID) async throws(PostgresError) -> Energy? {
        try await database.first(ReadEnergy(user: user))
    }

    /// Pays for a game.
    ///
    /// - Returns: nil for an unknown player.
    package func payForGame(_ user: User.ID, price: Energy) async throws(PostgresError) -> Payment? {
        try await database.first(PayForGame(user: user, price: price))
    }

    /// Adds what was bought.
    ///
    /// - Parameter amount: 5 or 30; the ledger's constraint refuses others.
    /// - Returns: The balance that now holds; nil for an unknown player.
    package func add(purchase amount: Energy, to user: User.ID) async throws(PostgresError) -> Energy? {
        try await database.first(BuyEnergy(user: user, amount: amount))
    }

    /// Takes over what a client reports.
    ///
    /// - Parameters:
    ///   - energy: 0 or more.
    ///   - maximum: The highest balance a report can raise to; 0 lets reports only lower it.
    /// - Returns: The balance that now holds; nil for an unknown player.
    package func report(
        _ energy: Energy,
        by user: User.ID,
        maximum: Energy
    ) async throws(PostgresError) -> Energy? {
        try await database.first(ReportEnergy(user: user, energy: energy, maximum: maximum))
    }
}

/// A player's balance. No row: unknown player.
private struct ReadEnergy: Statement {
    static let sql: StaticString = "SELECT energy FROM users WHERE id = $1"
    static let access = StatementAccess.read

    let user: User.ID

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Energy {
        Int(try row.next(Int32.self))
    }
}

/// Pays for one game. No row: unknown player.
///
/// One UPDATE that leaves the balance alone when it does not suffice: so the balance of a refusal is read under the
/// row's lock as well, and not from a snapshot that is older than the payment which emptied it.
struct PayForGame: Statement {
    static let sql: StaticString = """
        UPDATE users SET energy = CASE WHEN energy >= $2 THEN energy - $2 ELSE energy END, energy_reason = 'game'
        WHERE id = $1 RETURNING energy, energy_changed
        """

    let user: User.ID
    let price: Energy

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: price))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> EnergyRepository.Payment {
        let balance = Int(try row.next(Int32.self))
        return try row.next(Bool.self) ? .paid(balance: balance) : .refused(balance: balance)
    }
}

/// Adds a purchase. No row: unknown player.
struct BuyEnergy: Statement {
    static let sql: StaticString = """
        UPDATE users SET energy = energy + $2, energy_reason = 'purchase' WHERE id = $1 RETURNING energy
        """

    let user: User.ID
    let amount: Energy

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: amount))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Energy {
        Int(try row.next(Int32.self))
    }
}

/// Takes over a client's report: it may lower the balance, and raise it up to a maximum. No row: unknown player.
private struct ReportEnergy: Statement {
    static let sql: StaticString = """
        UPDATE users SET energy = LEAST($2, GREATEST($3, energy)), energy_reason = 'client_report'
        WHERE id = $1 RETURNING energy
        """

    let user: User.ID
    let energy: Energy
    let maximum: Energy

    var orderingKey: String? { user.rawValue }

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: energy))
        parameters.append(Int32(clamping: maximum))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Energy {
        Int(try row.next(Int32.self))
    }
}
