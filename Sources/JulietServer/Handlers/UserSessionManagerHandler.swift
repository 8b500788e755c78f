import JulietAPI
import JulietGame

/// `/Juliet_UserSessionManager`: games started and won.
struct UserSessionManagerHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.userSessionManager

    func answer(_ request: GameRequest) async throws(GameError) -> Answer {
        switch request {
        case .fetchUserWins(let userID):
            return .wins(request.type, count: try await game.wins(of: User.ID(userID)))
        case .updateUserWins(let userID):
            return .wins(request.type, count: try await game.addWin(to: User.ID(userID)))
        case .statNewGameSession(let userID):
            let started = try await game.startGame(User.ID(userID))
            return .game(balance: started.balance, word: started.word)
        default:
            return misplaced(request)
        }
    }
}
