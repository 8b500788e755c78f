package import JulietAPI
package import Postgres

/// The players' energy: `users.energy`, which moves together with `energy_ledger`.
package struct EnergyRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Pays for a game.
    package func payForGame(_ user: User.ID, as operation: Operation?) async throws(PostgresError) -> Outcome {
        try await database.call(PayForGame(user: user, operation: operation))
    }

    /// Adds what was bought.
    ///
    /// - Parameter amount: Any; the schema knows what is on sale.
    package func buy(
        _ amount: Energy, for user: User.ID, as operation: Operation?
    ) async throws(PostgresError) -> Outcome {
        try await database.call(BuyEnergy(user: user, amount: amount, operation: operation))
    }

    /// The same, as long as the player has bought no more than a limit in the day (UTC).
    package func buy(
        _ amount: Energy, within limit: Energy, for user: User.ID, as operation: Operation?
    ) async throws(PostgresError) -> Outcome {
        try await database.call(BuyEnergyWithin(user: user, amount: amount, limit: limit, operation: operation))
    }

    /// Credits a transaction of the App Store, once.
    ///
    /// - Parameter amount: What it has to be worth.
    package func credit(
        _ transaction: StoreTransaction, worth amount: Energy, to user: User.ID, as operation: Operation?
    ) async throws(PostgresError) -> Outcome {
        try await database.call(
            CreditPurchase(user: user, transaction: transaction, amount: amount, operation: operation))
    }

    /// Refuses a purchase.
    package func refusePurchase(
        _ reason: PurchaseReason, by user: User.ID, as operation: Operation?
    ) async throws(PostgresError) -> Outcome {
        try await database.call(RefusePurchase(user: user, reason: reason, operation: operation))
    }

    /// Takes over what a client reports.
    ///
    /// - Parameters:
    ///   - energy: 0 or more.
    ///   - maximum: The highest balance a report can raise to; 0 lets reports only lower it, nil refuses them.
    package func report(
        _ energy: Energy, by user: User.ID, maximum: Energy?, as operation: Operation?
    ) async throws(PostgresError) -> Outcome {
        try await database.call(ReportEnergy(user: user, energy: energy, maximum: maximum, operation: operation))
    }
}

struct PayForGame: GameFunction {
    static let sql: StaticString = "SELECT juliet.pay_for_game($1, $2, $3)"

    let user: User.ID
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(operation)
    }
}

struct BuyEnergy: GameFunction {
    static let sql: StaticString = "SELECT juliet.buy_energy($1, $2, $3, $4)"

    let user: User.ID
    let amount: Energy
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: amount))
        parameters.append(operation)
    }
}

struct ReportEnergy: GameFunction {
    static let sql: StaticString = "SELECT juliet.report_energy($1, $2, $3, $4, $5)"

    let user: User.ID
    let energy: Energy
    let maximum: Energy?
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: energy))
        parameters.append(maximum.map { Int32(clamping: $0) })
        parameters.append(operation)
    }
}
