import JulietAPI
import JulietGame

/// Requests that carry an `Idempotency-Key`: what they change, they change once, and every repeat gets the first answer.
struct IdempotentRequests: Sendable {
    /// The header that names an operation.
    static let headerName = "Idempotency-Key"
    /// The header that marks the answer to a repeat, with the value "true".
    static let replayHeaderName = "Idempotent-Replayed"

    let game: Game

    /// Asks the game.
    ///
    /// - Returns: nil for a request that changes nothing, to which a key has nothing to say.
    func answer(
        _ request: GameRequest,
        key: IdempotencyKey
    ) async throws(GameError) -> (answer: Answer, isReplay: Bool)? {
        guard let outcome = try await outcome(of: request, key: key) else { return nil }
        let answer =
            if outcome.isDone {
                Self.done(request.type, outcome)
            } else {
                Answer(Self.refusal(of: request, outcome), to: request.type)
            }
        return (answer, outcome.isReplay)
    }

    private func outcome(
        of request: GameRequest,
        key: IdempotencyKey
    ) async throws(GameError) -> OperationOutcome? {
        let id = Operation.ID(key.value)
        switch request {
        case .initialRegistration(let vendorID):
            return try await game.register(User.ID(vendorID), as: id)
        case .updateUserPlayedWordsList(let userID, let playedWord):
            // What cannot be a word is refused before it reaches the database, and always will be: nothing to store.
            guard GameRequest.couldBeWord(playedWord) else { throw .wordUnknown }
            return try await game.recordPlayedWord(playedWord, by: User.ID(userID), as: id)
        case .updateUserEnergy(let userID, let energy):
            return try await game.reportEnergy(energy, by: User.ID(userID), as: id)
        case .singleGameEnergyUpdate(let userID):
            return try await game.payForGame(User.ID(userID), as: id)
        case .handleEnergyPurchase(let userID, let amount):
            return try await game.buyEnergy(amount, for: User.ID(userID), as: id)
        case .updateUserWins(let userID):
            return try await game.addWin(to: User.ID(userID), as: id)
        case .statNewGameSession(let userID):
            return try await game.startGame(User.ID(userID), as: id)
        case .fetchNewSecretWord, .fetchUserWins:
            return nil
        }
    }

    private static func done(_ type: RequestType, _ outcome: OperationOutcome) -> Answer {
        switch type {
        case .updateUserEnergy, .singleGameEnergyUpdate, .handleEnergyPurchase:
            .energy(type, balance: outcome.energy)
        case .updateUserWins: .wins(type, count: outcome.wins)
        case .statNewGameSession: .game(balance: outcome.energy, word: outcome.word ?? "")
        case .initialRegistration, .updateUserPlayedWordsList, .fetchNewSecretWord, .fetchUserWins: .done(type)
        }
    }

    private static func refusal(of request: GameRequest, _ outcome: OperationOutcome) -> GameError {
        switch request {
        case .updateUserEnergy: .energyReportRefused(balance: outcome.energy)
        case .handleEnergyPurchase: .productUnknown(balance: outcome.energy)
        case .updateUserPlayedWordsList: .wordUnknown
        default: .energyInsufficient(balance: outcome.energy)
        }
    }
}
