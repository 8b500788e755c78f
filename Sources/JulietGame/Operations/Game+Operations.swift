import Postgres

/// What changes something can be asked for as an operation with a name: then it happens once, and whoever repeats the
/// request is told what became of it the first time, refusals included.
///
/// Every function throws ``GameError/userUnknown``, ``GameError/operationReused`` when the name was used for another
/// request, ``GameError/noWords`` and ``GameError/database(_:)``. None of these is remembered.
extension Game {
    /// Creates the player with the starting energy; always done. A player who exists stays as they are.
    package func register(_ user: User.ID, as id: Operation.ID) async throws(GameError) -> OperationOutcome {
        try await perform(RegisterOnce(user: user, operation: Operation(id, .register), energy: rules.startingEnergy))
    }

    /// Records a word as played. Refused when it is none of ours.
    ///
    /// - Parameter word: In any letter case.
    package func recordPlayedWord(
        _ word: String,
        by user: User.ID,
        as id: Operation.ID
    ) async throws(GameError) -> OperationOutcome {
        try await perform(
            RecordPlayedWordOnce(
                user: user, operation: Operation(id, .recordPlayedWord, word), word: (try? spelling.word(word)) ?? "",
                language: rules.language))
    }

    /// Takes over the energy a client reports, as far as the rules let it.
    package func reportEnergy(
        _ reported: Energy,
        by user: User.ID,
        as id: Operation.ID
    ) async throws(GameError) -> OperationOutcome {
        let operation = Operation(id, .reportEnergy, "\(reported)")
        return switch rules.clientUpdates {
        case .refuse: try await perform(RefuseOnce(user: user, operation: operation))
        case .accept, .lowerOnly:
            try await perform(
                ReportEnergyOnce(
                    user: user, operation: operation, energy: reported,
                    maximum: rules.clientUpdates == .accept ? rules.maximumReportedEnergy : 0))
        }
    }

    /// Pays for a game. Refused when there is not enough energy.
    package func payForGame(_ user: User.ID, as id: Operation.ID) async throws(GameError) -> OperationOutcome {
        try await perform(PayForGameOnce(user: user, operation: Operation(id, .payForGame), price: rules.gamePrice))
    }

    /// Adds bought energy. Refused when the amount is not on sale.
    package func buyEnergy(
        _ amount: Energy,
        for user: User.ID,
        as id: Operation.ID
    ) async throws(GameError) -> OperationOutcome {
        let operation = Operation(id, .buyEnergy, "\(amount)")
        guard rules.products.contains(amount) else {
            return try await perform(RefuseOnce(user: user, operation: operation))
        }
        return try await perform(BuyEnergyOnce(user: user, operation: operation, amount: amount))
    }

    /// Counts a win; always done.
    package func addWin(to user: User.ID, as id: Operation.ID) async throws(GameError) -> OperationOutcome {
        try await perform(AddWinOnce(user: user, operation: Operation(id, .addWin)))
    }

    /// Pays for a game and deals a word the player has not played. Refused when there is not enough energy.
    package func startGame(_ user: User.ID, as id: Operation.ID) async throws(GameError) -> OperationOutcome {
        guard let proposal = secrets.propose() else { throw .noWords }
        var outcome = try await perform(
            StartGameOnce(user: user, operation: Operation(id, .startGame), price: rules.gamePrice, proposal: proposal))
        outcome.word = outcome.word.map(spelling.capitalizingOwnLetters)
        return outcome
    }

    private func perform(_ statement: some OperationStatement) async throws(GameError) -> OperationOutcome {
        let answer = try await forKnown(statement.user) { () async throws(PostgresError) in
            try await operations.perform(statement)
        }
        if let first = answer.firstRequest, first != statement.operation.request { throw .operationReused }
        return answer.outcome
    }
}
