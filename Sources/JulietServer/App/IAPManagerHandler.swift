import JulietAPI
import JulietGame
import Postgres

/// `/Juliet_IAPManager`: energy reported, paid and bought.
struct IAPManagerHandler: EndpointHandler {
    let game: Game
    let verifier: PurchaseVerifier

    let endpoint = Endpoint.iapManager
    /// If the rules require signatures and the settings do not name the app, no signature can be verified. Then a
    /// purchase counts as one without a signature, and the database decides.
    var takesTransactions: Bool { verifier.settings.verifier != nil && game.rules.current.verification != .none }

    func answer(to request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> AppAnswer? {
        switch request {
        case .updateUserEnergy(let userID, let userEnergy):
            try await game.reportEnergy(userEnergy, by: User.ID(userID), as: operation)
        case .singleGameEnergyUpdate(let userID):
            try await game.payForGame(User.ID(userID), as: operation)
        case .handleEnergyPurchase(let userID, let amount):
            try await game.buyEnergy(amount, for: User.ID(userID), as: operation)
        case .handleSignedEnergyPurchase(let userID, let amount, let signed):
            try await credit(signed, worth: amount, to: User.ID(userID), as: operation)
        default:
            nil
        }
    }

    private func credit(
        _ signed: String, worth amount: Energy, to user: User.ID, as operation: Operation.ID?
    ) async throws(PostgresError) -> AppAnswer? {
        guard let verdict = try? await verifier.transaction(signed) else { return nil }
        switch verdict {
        case .success(let transaction):
            return try await game.credit(transaction, worth: amount, signed: signed, to: user, as: operation)
        case .failure(let reason):
            return try await game.refusePurchase(reason, of: amount, signed: signed, by: user, as: operation)
        }
    }
}
