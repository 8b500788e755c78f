import JulietAPI
import JulietGame
import Postgres

/// `/Juliet_IAPManager`: energy reported, paid and bought.
struct IAPManagerHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.iapManager

    func outcome(of request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> Outcome? {
        switch request {
        case .updateUserEnergy(let userID, let userEnergy):
            try await game.reportEnergy(userEnergy, by: User.ID(userID), as: operation)
        case .singleGameEnergyUpdate(let userID):
            try await game.payForGame(User.ID(userID), as: operation)
        case .handleEnergyPurchase(let userID, let amount):
            try await game.buyEnergy(amount, for: User.ID(userID), as: operation)
        default:
            nil
        }
    }
}
