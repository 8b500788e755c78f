package import JulietAPI
package import Postgres

/// The nine requests of the app. Each is one statement, so it takes effect completely or not at all.
///
/// A change can have a name. Then it takes effect once, and a repeat gets the first answer, even a refusal
/// (``Answered/isReplay``).
///
/// Every function answers ``AppRefusal/userUnknown`` for a player we do not know, unless the settings register
/// such players, which takes two more statements, once. When one throws `outcomeUnknown`, it may have been done: ask
/// again under the same name.
package final class Game: Sendable {
    /// Settings of the game that may differ between services.
    package let settings: GameSettings
    /// The rules in the database.
    package let rules: RulesInForce
    /// The words to deal when the database cannot.
    package let secrets: SecretWords

    private let database: PostgresClient

    /// A game on this database.
    ///
    /// - Parameters:
    ///   - rules: The caller keeps them up to date.
    ///   - secrets: The caller keeps them up to date.
    package init(
        settings: GameSettings = GameSettings(), rules: RulesInForce, database: PostgresClient, secrets: SecretWords
    ) {
        self.settings = settings
        self.rules = rules
        self.secrets = secrets
        self.database = database
    }

    /// Creates the player with the starting energy; always done. A player who exists stays as they are.
    package func register(_ user: User.ID, as id: Operation.ID? = nil) async throws(PostgresError) -> AppAnswer {
        guard !user.isPlayers else { return .refused(.userUnknown) }
        let operation = id.map { Operation($0, .register) }
        let answer = try await database.ask(.registerUser(user: AppUser(user), operation: operation))
        guard answer.refusal == .userUnknown else { return answer }
        return try await askWhoClaimed(user) { (player) async throws(PostgresError) in
            try await database.ask(.registerUser(user: player, operation: operation))
        } ?? answer
    }

    /// Deals a word the player has not played. Free, and nothing is recorded. Refused: no words.
    package func dealWord(to user: User.ID) async throws(PostgresError) -> AppAnswer {
        dealt(
            try await knowing(user) { (user) async throws(PostgresError) in
                try await database.ask(.dealWord(user: user, list: secrets.list))
            })
    }

    /// A secret that is dealt without player and database; nil if none were read yet.
    package func wordFromMemory() -> String? { secrets.random().map(spelling.capitalizingOwnLetters) }

    /// How the words are written that the app plays.
    private var spelling: WordSpelling { WordSpelling(language: secrets.list.language) }

    /// Records a word as played. Refused: word unknown. It has no operation's name, because a repeat changes nothing.
    ///
    /// - Parameter word: In any letter case.
    package func recordPlayedWord(_ word: String, by user: User.ID) async throws(PostgresError) -> AppAnswer {
        // A text that cannot be a word becomes an empty one; an unknown player is still refused as unknown.
        let language = secrets.list.language
        let word = (try? WordSpelling(language: language).word(word)) ?? ""
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.ask(.recordPlayedWord(user: user, word: word, language: language))
        }
    }

    /// Takes over the energy a client reports, as far as the rules allow it. Refused: report refused.
    package func reportEnergy(
        _ reported: Energy, by user: User.ID, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { Operation($0, .reportEnergy, "\(reported)") }
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.ask(.reportEnergy(user: user, energy: reported, operation: operation))
        }
    }

    /// Pays for a game. Refused: energy insufficient.
    package func payForGame(_ user: User.ID, as id: Operation.ID? = nil) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { Operation($0, .payForGame) }
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.ask(.payForGame(user: user, operation: operation))
        }
    }

    /// Adds bought energy without the App Store's signature, if the rules allow it. Refused: product unknown, energy
    /// full, a purchase beyond the limit of the day, and any purchase if the rules require a signature.
    package func buyEnergy(
        _ amount: Energy, for user: User.ID, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { Operation($0, .buyEnergy, "\(amount)") }
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.ask(.buyEnergy(user: user, amount: amount, operation: operation))
        }
    }

    /// Credits a transaction of the App Store, once for all players; if the same player presents it again, it is
    /// done, and nothing changes. Refused: purchase refused.
    ///
    /// - Parameters:
    ///   - transaction: As it was verified.
    ///   - amount: The energy that the client expects for it.
    ///   - signed: The text that was sent, which is part of the operation's fingerprint.
    package func credit(
        _ transaction: StoreTransaction, worth amount: Energy, signed: String, to user: User.ID,
        as id: Operation.ID? = nil
    ) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { Operation($0, .buyEnergy, "\(amount)", signed) }
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.first(
                FunctionCall.creditPurchase(user: user, transaction: transaction, amount: amount, operation: operation)
            )?.app ?? .refused(.userUnknown)
        }
    }

    /// Refuses a purchase, with the current balance.
    ///
    /// - Parameter signed: The transaction that was sent; nil: none was.
    package func refusePurchase(
        _ reason: PurchaseReason, of amount: Energy, signed: String?, by user: User.ID, as id: Operation.ID? = nil
    ) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { id in
            signed.map { Operation(id, .buyEnergy, "\(amount)", $0) } ?? Operation(id, .buyEnergy, "\(amount)")
        }
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.ask(.refusePurchase(user: user, reason: reason, operation: operation))
        }
    }

    /// How often the player has won.
    package func wins(of user: User.ID) async throws(PostgresError) -> AppAnswer {
        try await knowing(user) { (user) async throws(PostgresError) in
            try await database.first(ReadWins(user: user.player)).map { .done(AppState(wins: $0)) }
                ?? .refused(.userUnknown)
        }
    }

    /// Counts a win. Refused: wins full.
    package func addWin(to user: User.ID, as id: Operation.ID? = nil) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { Operation($0, .addWin) }
        return try await knowing(user) { (user) async throws(PostgresError) in
            try await database.ask(.addWin(user: user, operation: operation))
        }
    }

    /// Pays for a game and deals a word the player has not played, both or neither. Refused: energy insufficient, no
    /// words.
    package func startGame(_ user: User.ID, as id: Operation.ID? = nil) async throws(PostgresError) -> AppAnswer {
        let operation = id.map { Operation($0, .startGame) }
        return dealt(
            try await knowing(user) { (user) async throws(PostgresError) in
                try await database.ask(.startGame(user: user, list: secrets.list, operation: operation))
            })
    }

    @inline(__always)
    private func dealt(_ answer: AppAnswer) -> AppAnswer {
        answer.map { state in
            var state = state
            state.word = state.word.map(spelling.capitalizingOwnLetters)
            return state
        }
    }

    /// Makes a request, and once more after registering the player if they are unknown and the settings say so.
    @inline(__always)
    private func knowing(
        _ user: User.ID, _ ask: (AppUser) async throws(PostgresError) -> AppAnswer
    ) async throws(PostgresError) -> AppAnswer {
        // Players of `/v2` need a token.
        guard !user.isPlayers else { return .refused(.userUnknown) }
        let answer = try await ask(AppUser(user))
        guard answer.refusal == .userUnknown else { return answer }
        return try await askAgain(user, ask, answer)
    }

    /// For an unknown player: if they were claimed, asks for the player who claimed them; if the settings say so, registers them.
    private func askAgain(
        _ user: User.ID, _ ask: (AppUser) async throws(PostgresError) -> AppAnswer, _ former: AppAnswer
    ) async throws(PostgresError) -> AppAnswer {
        if let answer = try await askWhoClaimed(user, ask) { return answer }
        guard settings.unknownUsers == .register else { return former }
        let registration = try await database.ask(.registerUser(user: AppUser(user), operation: nil))
        return registration.refusal == nil ? try await ask(AppUser(user)) : former
    }

    /// Asks for the player who claimed a player of the app, as far as the rules in the database accept it.
    ///
    /// - Returns: nil: nobody did, or the rules refuse it.
    private func askWhoClaimed(
        _ user: User.ID, _ ask: (AppUser) async throws(PostgresError) -> AppAnswer
    ) async throws(PostgresError) -> AppAnswer? {
        var asked: (player: User.ID, answer: AppAnswer)?
        while let player = try await player(whoClaimed: user), player != asked?.player {
            let answer = try await ask(AppUser(player, claimed: user))
            guard answer.refusal == .userUnknown else { return answer }
            // They were merged since, and have another id again.
            asked = (player, answer)
        }
        return asked?.answer
    }

    /// The id of the player who claimed a player of the app; nil: not claimed.
    private func player(whoClaimed user: User.ID) async throws(PostgresError) -> User.ID? {
        try await (database.first(FunctionCall.claimedUser(account: user)) ?? nil).map(User.ID.init)
    }
}
