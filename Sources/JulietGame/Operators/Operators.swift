package import JulietAPI
package import Postgres

/// The requests of the admin page. Each function is one statement, which also checks the session and its key, and answers
/// the JSON that the page shows.
///
/// Changes have a name, so that a repeat, after a second click or a lost answer, takes effect once. When one throws
/// `outcomeUnknown`, it may have been done: ask again under the same name.
package struct Operators: Sendable {
    /// What is done with a word.
    package enum WordChange: String, Sendable, CaseIterable {
        case retire, restore, secret, guessable, addSecret, addGuessable
    }

    /// What is done with a player's name.
    package enum NameChange: String, Sendable, CaseIterable {
        case rename, hide, show
    }

    /// The end of a page of players. Only the database reads it.
    package struct PageCursor: Sendable {
        /// As the database wrote it.
        let text: String

        /// Reads one; nil if the text is not a cursor.
        package init?(_ text: String) {
            guard text.wholeMatch(of: #/b\/(?:[0-9a-f]{2})*\/.{1,128}|c\/.{0,128}|n\/[0-9]{1,18}\/.{1,128}/#) != nil
            else { return nil }
            self.text = text
        }
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

    let database: PostgresClient

    /// Works on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Whether anybody has a key. This is all that is answered without a session.
    package func hasKeys() async throws(PostgresError) -> Bool {
        try await database.first(FunctionCall.hasAdminKeys()) ?? false
    }

    /// Opens a session with a key, for twelve hours: `name`, `role`.
    package func signIn(
        with key: AdminKey, as session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.signIn(key: key, session: session))
    }

    /// Ends a session. Refused: unauthorized, if it is over already.
    package func signOut(of session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.signOut(session: session))
    }

    /// Whose session it is, and what the key may do: `name`, `role`.
    ///
    /// - Parameter role: What the key must be allowed, else refused: forbidden; nil: nothing.
    package func show(
        _ session: AdminSession, needing role: AdminRole? = nil
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.showSession(session: session, needed: role))
    }

    /// The players with this id, account of the app, transaction, game or challenge, or with names that contain it,
    /// twenty at most: `players`, `next`. For a deleted player `former`, what operators had done.
    ///
    /// - Parameters:
    ///   - text: What to find; empty: all players, the newest first.
    ///   - before: The `next` of the page before; nil: the first page.
    package func find(
        _ text: String, before: PageCursor?, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.find(session: session, text: text, after: before?.text))
    }

    /// A player. Refused: not found; so with ledger and games.
    package func player(_ player: User.ID, by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.player(session: session, player: player))
    }

    /// A page of the changes of a balance, newest first.
    ///
    /// - Parameter before: Those before the entry of this number; nil: from the newest on.
    package func ledger(
        of player: User.ID, before: Int?, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.ledger(session: session, player: player, before: before))
    }

    /// A page of the games that the service judged, newest first, without the words of running games.
    ///
    /// - Parameter before: Those before this game; nil: from the newest on.
    package func games(
        of player: User.ID, before: PostgresUUID?, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.games(session: session, player: player, before: before))
    }

    /// Changes a player's name, hides it or shows it again. Refused: not found, name refused, name unchanged, operation
    /// reused.
    ///
    /// - Parameters:
    ///   - name: The new one, to rename.
    ///   - reason: One that ``EnergyLedger/isReason(_:)`` accepts.
    package func change(
        nameOf player: User.ID, _ change: NameChange, to name: String?, reason: String, as id: Operation.ID,
        by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .changeName(
                session: session, player: player, change: change, name: name, reason: reason,
                operation: Operation(
                    id, .changeName, player.rawValue, change.rawValue, name ?? "", reason)))
    }

    /// A page of the texts that no name may contain: `parts`, `next`.
    ///
    /// - Parameter after: Those after this one; nil: from the first on.
    package func parts(after part: String?, by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.parts(session: session, after: part))
    }

    /// Refuses names that contain a text, or allows them again; names that players already have stay. Refused: part refused,
    /// name unchanged, operation reused.
    package func change(
        part: String, isRefused: Bool, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .changePart(
                session: session, part: part, isRefused: isRefused, reason: reason,
                operation: Operation(id, .changePart, part, "\(isRefused)", reason)))
    }

    /// The words counted by language and length.
    package func wordLists(by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.wordLists(session: session))
    }

    /// A word and its state. Refused: not found.
    ///
    /// - Parameter word: As `WordSpelling` spells it.
    package func word(
        _ word: String, language: String, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.word(session: session, language: language, word: word))
    }

    /// Changes a word, or adds one. Refused: not found, word known, words busy, promotion slow, operation reused.
    package func change(
        _ word: String, language: String, _ change: WordChange, reason: String, as id: Operation.ID,
        by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .changeWord(
                session: session, language: language, word: word, change: change, reason: reason,
                operation: Operation(id, .changeWord, language, word, change.rawValue, reason)))
    }

    /// The planned days, and which days can be planned.
    package func plannedDays(by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.plannedDays(session: session))
    }

    /// Plans the word of a day. Refused: day early, day late, word unknown, word retired, word repeated, words busy.
    ///
    /// - Parameters:
    ///   - word: As `WordSpelling` spells it.
    ///   - mayRepeat: Whether it may be the word of another day within a year.
    package func plan(
        _ word: String, for day: V2.Day, mayRepeat: Bool, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        guard let date = day.date else { return .refused(.dayLate) }
        return try await database.ask(.planDay(session: session, day: date, word: word, mayRepeat: mayRepeat))
    }

    /// Gives a planned day back to chance. Refused: day early, words busy.
    package func clear(_ day: V2.Day, reason: String, by session: AdminSession) async throws(PostgresError)
        -> AdminAnswer
    {
        guard let date = day.date else { return .refused(.dayLate) }
        return try await database.ask(.clearDay(session: session, day: date, reason: reason))
    }

    /// Leagues and challenges, the newest first, twenty of each at most: `leagues`, `challenges`, `hasMore`.
    ///
    /// - Parameter text: A league's id, invite, part of its name, or a member's id; a challenge's code, or its maker's
    ///   id; nil: all.
    package func together(_ text: String?, by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.together(session: session, text: text))
    }

    /// A league and its members. Refused: not found.
    package func league(_ league: PostgresUUID, by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.league(session: session, league: league))
    }

    /// Ends a league or a challenge. Refused: not found, operation reused.
    ///
    /// - Parameter reason: One that ``EnergyLedger/isReason(_:)`` accepts.
    package func end(
        _ one: Shared, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .end(session: session, one, reason: reason, operation: Operation(id, .endTogether, one.name, reason)))
    }

    /// Takes the hint of a challenge away, from its games too: `isChanged`. Refused: not found, operation reused.
    ///
    /// - Parameter reason: One that ``EnergyLedger/isReason(_:)`` accepts.
    package func hideHint(
        of code: V2.ShareCode, reason: String, as id: Operation.ID, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(
            .hideHint(
                session: session, of: code, reason: reason, operation: Operation(id, .hideHint, "\(code)", reason)))
    }

    /// The figures of counted days (UTC): `days`, `left`, and `weeks` and `months` of the year before. It reads one row a day.
    package func figures(
        from first: V2.Day, to last: V2.Day, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        guard let first = first.date, let last = last.date else { return .refused(.notFound) }
        return try await database.ask(.readFigures(session: session, first: first, last: last))
    }

    /// Counts what happened on a day (UTC) that may not be over. It reads the ledger's rows of the day.
    package func count(_ day: V2.Day, by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        guard let date = day.date else { return .refused(.notFound) }
        return try await database.ask(.countDay(session: session, day: date))
    }

    /// The current state of the service in the database: `services`, `lastHour`, `postgres`, `warnings`.
    package func live(by session: AdminSession) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.live(session: session))
    }

    /// A page of what operators did, newest first.
    ///
    /// - Parameters:
    ///   - player: Only actions about this player; nil: all.
    ///   - before: Only actions before this number; nil: from the newest on.
    package func trail(
        of player: User.ID?, before: Int?, by session: AdminSession
    ) async throws(PostgresError) -> AdminAnswer {
        try await database.ask(.trail(session: session, player: player, before: before))
    }
}
