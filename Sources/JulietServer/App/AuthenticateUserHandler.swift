import JulietAPI
import JulietGame
import Postgres

/// `/Juliet_AuthenticateUser`: registration.
struct AuthenticateUserHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.authenticateUser

    func answer(to request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> AppAnswer? {
        guard case .initialRegistration(let vendorID) = request else { return nil }
        return try await game.register(User.ID(vendorID), as: operation)
    }
}
