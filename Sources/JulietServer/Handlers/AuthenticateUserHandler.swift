import JulietAPI
import JulietGame

/// `/Juliet_AuthenticateUser`: registration.
struct AuthenticateUserHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.authenticateUser

    func answer(_ request: GameRequest) async throws(GameError) -> Answer {
        guard case .initialRegistration(let vendorID) = request else { return misplaced(request) }
        try await game.register(User.ID(vendorID))
        return .done(request.type)
    }
}
