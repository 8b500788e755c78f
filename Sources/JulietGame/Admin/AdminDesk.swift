package import JulietAPI
package import Postgres

/// What operators ask on the admin page. Each function is one statement, the check of the key included, and answers the
/// JSON that the page shows.
///
/// Changes have a name: the same again, of a button pressed twice or an answer that was lost, happens once. When one throws
/// `outcomeUnknown`, it may have been done: ask again under the same name.
package struct AdminDesk: Sendable {
    /// What is done with a word.
    package enum WordChange: String, Sendable, CaseIterable {
        case retire, restore, secret, guessable, addSecret, addGuessable
    }

    /// What players share.
    package enum Shared: Sendable {
        /// A league, by its id.
        case league(PostgresUUID)
        /// A challenge, by its code.
        case challenge(V2.ShareCode)

        /// Names it in an operation's fingerprint.
        var name: String {
            switch self {
            case .league(let id): "league \(id)"
            case .challenge(let code): "challenge \(code)"
            }
        }
    }

    private let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Whether anybody has a key. All that is told without one.
    package func hasKeys() async throws(PostgresError) -> Bool {
        try await database.first(FunctionCall.hasAdminKeys()) ?? false
    }

    /// Whose key it is, and what it may do: `name`, `role`.
    package func signIn(with key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.signIn(key: key))
    }

    /// The players with an id, an account of the app, or names that begin so in any letter case; twenty at most.
    package func search(_ text: String, by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.search(key: key, text: text))
    }

    /// A player. Refused: not found; so with ledger and games.
    package func player(_ player: User.ID, by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.player(key: key, player: player))
    }

    /// A page of the changes of a balance, newest first.
    ///
    /// - Parameter before: Those before the entry of this number; nil: from the newest on.
    package func ledger(
        of player: User.ID, before: Int?, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(.ledger(key: key, player: player, before: before))
    }

    /// A page of the games the service judged, newest first; of one that runs not the word.
    ///
    /// - Parameter before: Those before this game; nil: from the newest on.
    package func games(
        of player: User.ID, before: PostgresUUID?, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(.games(key: key, player: player, before: before))
    }

    /// Gives a player energy, as `juliet energy grant` does. Refused: not found, energy full, operation reused.
    ///
    /// - Parameters:
    ///   - amount: Within ``EnergyLedger/grants``.
    ///   - reason: One that ``EnergyLedger/isReason(_:)`` accepts.
    package func grant(
        _ amount: Energy, to player: User.ID, reason: String, as id: Operation.ID, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(
            .grant(
                key: key, player: player, amount: amount, reason: reason,
                operation: Operation(id, .grantEnergy, "\(amount)", reason)))
    }

    /// The words counted by language and length.
    package func wordLists(by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.wordLists(key: key))
    }

    /// A word and how it stands. Refused: not found.
    ///
    /// - Parameter word: As `WordSpelling` spells it.
    package func word(
        _ word: String, language: String, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(.word(key: key, language: language, word: word))
    }

    /// Changes a word, or adds one. Refused: not found, word known, words busy, promotion slow, operation reused.
    package func change(
        _ word: String, language: String, _ change: WordChange, reason: String, as id: Operation.ID, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(
            .changeWord(
                key: key, language: language, word: word, change: change, reason: reason,
                operation: Operation(id, .changeWord, language, word, change.rawValue, reason)))
    }

    /// Leagues and challenges, the newest first, twenty of each at most: `leagues`, `challenges`, `hasMore`.
    ///
    /// - Parameter text: A league's id, invite, part of its name, or a member's id; a challenge's code, or its maker's
    ///   id; nil: all.
    package func together(_ text: String?, by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.together(key: key, text: text))
    }

    /// A league and its members. Refused: not found.
    package func league(_ league: PostgresUUID, by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.league(key: key, league: league))
    }

    /// Ends a league or a challenge. Refused: not found, operation reused.
    ///
    /// - Parameter reason: One that ``EnergyLedger/isReason(_:)`` accepts.
    package func end(
        _ one: Shared, reason: String, as id: Operation.ID, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(
            .end(key: key, one, reason: reason, operation: Operation(id, .endTogether, one.name, reason)))
    }

    /// What was counted of days (UTC): `days`, `left`, and `weeks` and `months` of the year before. It costs a row a day.
    package func figures(
        from first: V2.Day, to last: V2.Day, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        guard let first = first.date, let last = last.date else { return .refused(.notFound) }
        return try await ask(.readFigures(key: key, first: first, last: last))
    }

    /// Counts what happened on a day (UTC) that may not be over. It costs what the ledger's rows of the day cost.
    package func count(_ day: V2.Day, by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        guard let date = day.date else { return .refused(.notFound) }
        return try await ask(.countDay(key: key, day: date))
    }

    /// What goes on at this moment, as far as the database knows: `services`, `lastHour`, `postgres`, `warnings`.
    package func live(by key: AdminKey) async throws(PostgresError) -> AdminOutcome {
        try await ask(.live(key: key))
    }

    /// A page of what operators did, newest first.
    ///
    /// - Parameters:
    ///   - player: To whom; nil: to anybody and anything.
    ///   - before: Before the action of this number; nil: from the newest on.
    package func trail(
        of player: User.ID?, before: Int?, by key: AdminKey
    ) async throws(PostgresError) -> AdminOutcome {
        try await ask(.trail(key: key, player: player, before: before))
    }

    private func ask(_ call: FunctionCall<AdminAnswer>) async throws(PostgresError) -> AdminOutcome {
        try await database.first(call)?.outcome ?? .refused(.unauthorized)
    }
}
