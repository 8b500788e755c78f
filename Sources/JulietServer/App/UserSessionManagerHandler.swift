import JulietAPI
import JulietGame
import Postgres

/// `/Juliet_UserSessionManager`: games started and won.
struct UserSessionManagerHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.userSessionManager

    func answer(to request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> AppAnswer? {
        switch request {
        case .fetchUserWins(let userID): try await game.wins(of: User.ID(userID))
        case .updateUserWins(let userID): try await game.addWin(to: User.ID(userID), as: operation)
        case .statNewGameSession(let userID): try await game.startGame(User.ID(userID), as: operation)
        default: nil
        }
    }
}
