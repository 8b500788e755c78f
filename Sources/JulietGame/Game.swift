package import Postgres

/// The nine things the app can ask for. Each is one statement, so it happens wholly or not at all.
///
/// Every function throws ``GameError/userUnknown`` for a player we do not know, unless the rules have such players
/// registered, which takes a statement more, once.
package final class Game: Sendable {
    /// What a started game leaves the player with.
    package struct Started: Sendable, Equatable {
        /// What is left after paying.
        package let balance: Energy
        /// The secret word, in lower case but for letters whose upper case is the language's own.
        package let word: String
    }

    /// What the game charges, grants and allows.
    package let rules: GameRules

    private let users: UserRepository
    private let energy: EnergyRepository
    private let words: WordRepository
    private let wins: WinRepository
    /// For requests that carry a name of their own: `Game+Operations.swift`.
    let operations: OperationRepository
    /// The words to deal.
    var secrets: SecretWords { words.secrets }
    let spelling: WordSpelling

    /// A game on this database.
    ///
    /// - Parameter secrets: The words to deal; whoever makes it refreshes it.
    package init(rules: GameRules, database: PostgresClient, secrets: SecretWords) {
        self.rules = rules
        users = UserRepository(database: database)
        energy = EnergyRepository(database: database)
        words = WordRepository(database: database, secrets: secrets)
        wins = WinRepository(database: database)
        operations = OperationRepository(database: database)
        spelling = WordSpelling(language: rules.language)
    }

    /// Creates the player with the starting energy. Does nothing when the player exists.
    package func register(_ user: User.ID) async throws(GameError) {
        try await inDatabase { () async throws(PostgresError) in
            try await users.register(user, energy: rules.startingEnergy)
        }
    }

    /// Deals a word the player has not played. Free, and nothing is recorded.
    ///
    /// - Returns: The word, in lower case but for letters whose upper case is the language's own.
    /// - Throws: ``GameError/noWords`` when none have been imported.
    package func dealWord(to user: User.ID) async throws(GameError) -> String {
        guard words.secrets.count > 0 else { throw .noWords }
        let word = try await forKnown(user) { () async throws(PostgresError) in try await words.deal(to: user) }
        return spelling.capitalizingOwnLetters(word)
    }

    /// Records a word as played.
    ///
    /// - Parameter word: In any letter case.
    /// - Throws: ``GameError/wordUnknown`` when it is none of ours.
    package func recordPlayedWord(_ word: String, by user: User.ID) async throws(GameError) {
        // What cannot be a word of ours is none; an unknown player is told so all the same.
        let word = (try? spelling.word(word)) ?? ""
        let record = try await forKnown(user) { () async throws(PostgresError) in
            let record = try await words.record(word, playedBy: user)
            return record == .userUnknown ? nil : record
        }
        guard record == .recorded else { throw .wordUnknown }
    }

    /// Takes over the energy a client reports, as far as the rules let it.
    ///
    /// - Returns: The balance that now holds.
    /// - Throws: ``GameError/energyReportRefused(balance:)`` when the rules refuse reports.
    package func reportEnergy(_ reported: Energy, by user: User.ID) async throws(GameError) -> Energy {
        guard rules.clientUpdates != .refuse else { throw .energyReportRefused(balance: try await balance(of: user)) }
        let maximum = rules.clientUpdates == .accept ? rules.maximumReportedEnergy : 0
        return try await forKnown(user) { () async throws(PostgresError) in
            try await energy.report(reported, by: user, maximum: maximum)
        }
    }

    /// Pays for a game.
    ///
    /// - Returns: What is left.
    /// - Throws: ``GameError/energyInsufficient(balance:)``, nothing taken.
    package func payForGame(_ user: User.ID) async throws(GameError) -> Energy {
        let payment = try await forKnown(user) { () async throws(PostgresError) in
            try await energy.payForGame(user, price: rules.gamePrice)
        }
        switch payment {
        case .paid(let balance): return balance
        case .refused(let balance): throw .energyInsufficient(balance: balance)
        }
    }

    /// Adds bought energy.
    ///
    /// - Returns: The balance that now holds.
    /// - Throws: ``GameError/productUnknown(balance:)`` when the amount is not on sale.
    package func buyEnergy(_ amount: Energy, for user: User.ID) async throws(GameError) -> Energy {
        guard rules.products.contains(amount) else { throw .productUnknown(balance: try await balance(of: user)) }
        return try await forKnown(user) { () async throws(PostgresError) in
            try await energy.add(purchase: amount, to: user)
        }
    }

    /// How often the player has won.
    package func wins(of user: User.ID) async throws(GameError) -> Int {
        try await forKnown(user) { () async throws(PostgresError) in try await wins.wins(of: user) }
    }

    /// Counts a win.
    ///
    /// - Returns: The wins that now count.
    package func addWin(to user: User.ID) async throws(GameError) -> Int {
        try await forKnown(user) { () async throws(PostgresError) in try await wins.addWin(to: user) }
    }

    /// Pays for a game and deals a word the player has not played, both or neither.
    ///
    /// - Throws: ``GameError/energyInsufficient(balance:)`` or ``GameError/noWords``, nothing taken.
    package func startGame(_ user: User.ID) async throws(GameError) -> Started {
        guard words.secrets.count > 0 else { throw .noWords }
        let start = try await forKnown(user) { () async throws(PostgresError) in
            try await words.startGame(user, price: rules.gamePrice)
        }
        switch start {
        case .started(let balance, let word):
            return Started(balance: balance, word: spelling.capitalizingOwnLetters(word))
        case .refused(let balance): throw .energyInsufficient(balance: balance)
        }
    }

    private func balance(of user: User.ID) async throws(GameError) -> Energy {
        try await forKnown(user) { () async throws(PostgresError) in try await energy.balance(of: user) }
    }

    /// Runs a statement that finds nothing for an unknown player, and once more after registering them if the rules say so.
    @inline(__always)
    func forKnown<Result: Sendable>(
        _ user: User.ID,
        _ statement: () async throws(PostgresError) -> Result?
    ) async throws(GameError) -> Result {
        if let result = try await inDatabase(statement) { return result }
        guard rules.unknownUsers == .register else { throw .userUnknown }
        try await register(user)
        guard let result = try await inDatabase(statement) else { throw .userUnknown }
        return result
    }

    @inline(__always)
    private func inDatabase<Result>(
        _ statement: () async throws(PostgresError) -> Result
    ) async throws(GameError) -> Result {
        do { return try await statement() } catch { throw .database(error) }
    }
}
