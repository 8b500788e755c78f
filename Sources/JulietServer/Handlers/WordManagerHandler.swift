import JulietAPI
import JulietGame

/// `/Juliet_WordManager`: free words and the words that were played.
struct WordManagerHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.wordManager

    func answer(_ request: GameRequest) async throws(GameError) -> Answer {
        switch request {
        case .fetchNewSecretWord(let userID):
            return .word(try await game.dealWord(to: User.ID(userID)))
        case .updateUserPlayedWordsList(let userID, let playedWord):
            guard GameRequest.couldBeWord(playedWord) else { throw .wordUnknown }
            try await game.recordPlayedWord(playedWord, by: User.ID(userID))
            return .done(request.type)
        default:
            return misplaced(request)
        }
    }
}
