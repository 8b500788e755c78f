import JulietAPI
import JulietGame
import Postgres

/// `/Juliet_AuthenticateUser`: registration.
struct AuthenticateUserHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.authenticateUser

    func outcome(of request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> Outcome? {
        guard case .initialRegistration(let vendorID) = request else { return nil }
        return try await game.register(User.ID(vendorID), as: operation)
    }
}
