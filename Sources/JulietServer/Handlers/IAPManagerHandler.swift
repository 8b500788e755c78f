import JulietAPI
import JulietGame

/// `/Juliet_IAPManager`: energy reported, paid and bought.
struct IAPManagerHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.iapManager

    func answer(_ request: GameRequest) async throws(GameError) -> Answer {
        switch request {
        case .updateUserEnergy(let userID, let userEnergy):
            .energy(request.type, balance: try await game.reportEnergy(userEnergy, by: User.ID(userID)))
        case .singleGameEnergyUpdate(let userID):
            .energy(request.type, balance: try await game.payForGame(User.ID(userID)))
        case .handleEnergyPurchase(let userID, let amount):
            .energy(request.type, balance: try await game.buyEnergy(amount, for: User.ID(userID)))
        default:
            misplaced(request)
        }
    }
}
