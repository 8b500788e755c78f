import JulietAPI
import JulietGame
import Postgres

/// `/Juliet_WordManager`: free words and the words that were played.
struct WordManagerHandler: EndpointHandler {
    let game: Game

    let endpoint = Endpoint.wordManager

    func answer(to request: GameRequest, as operation: Operation.ID?) async throws(PostgresError) -> AppAnswer? {
        switch request {
        case .fetchNewSecretWord(let userID):
            return try await game.dealWord(to: User.ID(userID))
        case .updateUserPlayedWordsList(let userID, let playedWord):
            // A text that cannot be a word is not looked up, but an unknown player is still refused as unknown.
            let word = GameRequest.couldBeWord(playedWord) ? playedWord : ""
            return try await game.recordPlayedWord(word, by: User.ID(userID))
        default:
            return nil
        }
    }
}
