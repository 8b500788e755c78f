package import JulietAPI
package import Postgres

/// The players' energy: `users.energy`, which moves together with `energy_ledger`.
package struct EnergyRepository: Sendable {
    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Pays for a game.
    package func payForGame(_ user: AppUser, as operation: Operation?) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.payForGame(user: user, operation: operation))
    }

    /// Adds bought energy, if the rules allow it.
    ///
    /// - Parameter amount: Any amount; the schema decides which are on sale.
    package func buy(
        _ amount: Energy, for user: AppUser, as operation: Operation?
    ) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.buyEnergy(user: user, amount: amount, operation: operation))
    }

    /// Credits a transaction of the App Store, once.
    ///
    /// - Parameter amount: The energy that it must be worth.
    package func credit(
        _ transaction: StoreTransaction, worth amount: Energy, to user: AppUser, as operation: Operation?
    ) async throws(PostgresError) -> AppAnswer {
        let answer = try await database.first(
            FunctionCall.creditPurchase(user: user, transaction: transaction, amount: amount, operation: operation))
        return answer?.app ?? .refused(.userUnknown)
    }

    /// Refuses a purchase.
    package func refusePurchase(
        _ reason: PurchaseReason, by user: AppUser, as operation: Operation?
    ) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.refusePurchase(user: user, reason: reason, operation: operation))
    }

    /// Takes over a client's report, as far as the rules allow it.
    ///
    /// - Parameter energy: 0 or more.
    package func report(
        _ energy: Energy, by user: AppUser, as operation: Operation?
    ) async throws(PostgresError) -> AppAnswer {
        try await database.ask(.reportEnergy(user: user, energy: energy, operation: operation))
    }
}

extension FunctionCall<AnswerRow<AppState>> {
    static func payForGame(user: AppUser, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.pay_for_game($1, $2, $3, $4)",
            each: "SELECT answer, place FROM juliet.pay_for_game_each($1, $2, $3)", user: user
        ) { $0.append(operation) }
    }

    static func buyEnergy(user: AppUser, amount: Energy, operation: Operation?) -> Self {
        Self(
            "SELECT juliet.buy_energy($1, $2, $3, $4, $5)",
            each: "SELECT answer, place FROM juliet.buy_energy_each($1, $2, $3, $4)", user: user
        ) {
            $0.append(Int32(clamping: amount))
            $0.append(operation)
        }
    }

    static func reportEnergy(user: AppUser, energy: Energy, operation: Operation?) -> Self {
        Self("SELECT juliet.report_energy($1, $2, $3, $4, $5)", user: user) {
            $0.append(Int32(clamping: energy))
            $0.append(operation)
        }
    }
}
