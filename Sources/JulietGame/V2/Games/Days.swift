import EventLoop
package import JulietAPI
package import Postgres
import StrictEncoding

/// The word of the day, one for all, from midnight in the time zone of the rules on. It is chosen thirty days
/// ahead, or planned by an operator, and committed to on the day before.
package struct Days: Sendable {
    private let database: PostgresClient
    private let missing = MissingWords()

    /// Days on this database.
    package init(database: PostgresClient) {
        self.database = database
    }

    /// Makes sure that it is known when the coming days begin, and that today and they have a word.
    package func choose() async throws(PostgresError) {
        _ = try await database.execute(ChooseDailyWords())
    }

    /// The same in a session of its own: at the start, which can be cancelled.
    package func choose(on connection: PostgresConnection, timeout: Duration) async throws(PostgresError) {
        _ = try await connection.execute(ChooseDailyWords(), timeout: timeout)
    }

    /// Today, with the calling player's game. Refused: unauthorized, no words.
    package func today(for session: Credential?) async throws(PostgresError) -> V2Answer<V2.DailyWord> {
        let read = FunctionCall.readToday(session: session)
        let answer = try await database.ask(read)
        guard answer.refusal == .noWords, await chooseMissing() else { return answer.map(\.current) }
        return try await database.ask(read).map(\.current)
    }

    /// Begins today's game, which is free, or returns the one that was begun, in its own mode. Refused: no words.
    package func startGame(by session: Credential, isHard: Bool) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        let start = FunctionCall.startDailyGame(session: session, isHard: isHard)
        let answer = try await database.ask(start)
        guard answer.refusal == .noWords, await chooseMissing() else { return answer }
        return try await database.ask(start)
    }

    /// Chooses the words that are missing, as after a clock has jumped. Those who ask at the same time wait for the same choice.
    ///
    /// - Returns: Whether that worked; the words may still be missing when there are none to choose from.
    private func chooseMissing() async -> Bool {
        await missing.choice { () async throws(PostgresError) in try await choose() }.value
    }

    /// Begins the game of a past day, which is free and does not count, or returns the player's game of that day.
    /// Refused: not found, also for today and future days; too many.
    package func startGame(
        of day: V2.Day, by session: Credential, isHard: Bool
    ) async throws(PostgresError) -> V2Answer<AnsweredGame> {
        try await database.ask(.startArchiveGame(session: session, day: day.date, isHard: isHard))
    }

    /// Today and the past days that had a word, newest first, with the calling player's games. Refused:
    /// unauthorized.
    ///
    /// - Parameters:
    ///   - before: Those before this day; nil: from today on.
    ///   - limit: How many at most, from 1 on.
    package func list(
        before: V2.Day?, limit: Int, for session: Credential?
    ) async throws(PostgresError) -> V2Answer<V2.DayList> {
        let list = FunctionCall.listDays(session: session, before: before?.date, limit: limit + 1)
        return try await database.list(list).map { days in
            let page = days.prefix(limit).map(\.listed)
            return V2.DayList(days: page, next: days.count > limit ? page.last?.day : nil)
        }
    }

    /// A day that is over. Refused: unauthorized; not found, also for a future day.
    package func past(_ day: V2.Day, for session: Credential?) async throws(PostgresError) -> V2Answer<V2.PastDay> {
        try await database.ask(.readPastDay(session: session, day: day.date)).map(\.past)
    }
}

/// The last choice of words that were missing when somebody asked for them.
private final class MissingWords: Sendable {
    private struct Choice {
        let task: Task<Bool, Never>
        var ended: ContinuousClock.Instant?
    }

    private let last = Locked<Choice?>(nil)

    /// A choice that goes on, or ended less than a second ago: where there is nothing to choose from, requests do not make the
    /// database search all the time. Else a new one.
    func choice(_ choose: @escaping @Sendable () async throws(PostgresError) -> Void) -> Task<Bool, Never> {
        last.withLock { last in
            if let last, last.ended.map({ ContinuousClock.now - $0 < .seconds(1) }) ?? true { return last.task }
            let task = Task {
                let isChosen = (try? await choose()) != nil
                self.last.withLock { $0?.ended = .now }
                return isChosen
            }
            last = Choice(task: task, ended: nil)
            return task
        }
    }
}

/// A word of a day (`daily_answer`), with what its reader may see of it.
struct AnsweredDay: AnswerValue {
    let day: V2.Day
    let list: WordList
    let commitment: String
    let nextCommitment: String?
    /// The list of the word of the day after; without meaning if it has none.
    let nextList: WordList
    let secret: String
    let salt: String
    let meaning: String?
    let isPlanned: Bool
    let isNextPlanned: Bool
    /// When the day is over, and the day after.
    let endsAt: V2.Timestamp
    let nextEndsAt: V2.Timestamp
    /// How many won with one guess to six, and how many lost.
    let figures: [Int]
    let game: V2.Game?

    var current: V2.DailyWord {
        V2.DailyWord(
            day: day, language: list.language, length: list.letters, commitment: commitment, endsAt: endsAt,
            isPlanned: isPlanned,
            tomorrow: V2.TomorrowsWord(
                language: nextList.language, length: nextList.letters, commitment: nextCommitment ?? "",
                endsAt: nextEndsAt, isPlanned: isNextPlanned),
            game: game)
    }

    var listed: V2.ListedDay {
        V2.ListedDay(
            day: day, language: list.language, length: list.letters, isPlanned: isPlanned,
            game: game.map { V2.ListedGame(id: $0.id, kind: $0.kind, state: $0.state, guesses: $0.guesses.count) })
    }

    var past: V2.PastDay {
        V2.PastDay(
            day: day, language: list.language, length: list.letters, commitment: commitment, endsAt: endsAt,
            isPlanned: isPlanned, tomorrow: nextCommitment.map { V2.CommittedWord(commitment: $0) }, game: game,
            secret: secret, salt: salt,
            meaning: meaning, players: figures.reduce(0, +), won: figures.dropLast().reduce(0, +),
            distribution: figures.dropLast())
    }

    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        if let refusal = try fields.refusal(in: bytes) { return answer(refusal, nil) }
        let day = V2.Day(try fields.next(PostgresDate.self, in: bytes))
        let letters = try fields.integer(in: bytes)
        let commitment = Hexadecimal.encode(try fields.next(in: bytes))
        let nextCommitment = try fields.next([UInt8]?.self, in: bytes).map(Hexadecimal.encode)
        let secret = try fields.next(String?.self, in: bytes) ?? ""
        let salt = try fields.next(PostgresUUID?.self, in: bytes)?.digits ?? ""
        let figures = try fields.next([Int64]?.self, in: bytes)?.map(Int.init) ?? []
        let game = try fields.next(ShownGame?.self, in: bytes)?.game
        let list = WordList(language: try fields.next(in: bytes), letters: letters)
        let nextList = WordList(
            language: try fields.next(String?.self, in: bytes) ?? "",
            letters: Int(try fields.next(Int32?.self, in: bytes) ?? 0))
        let meaning = try fields.next(String?.self, in: bytes)
        let isPlanned = try fields.next(Bool?.self, in: bytes) ?? false
        let isNextPlanned = try fields.next(Bool?.self, in: bytes) ?? false
        // A list of days has no ends.
        let endsAt = try fields.next(PostgresTimestamp?.self, in: bytes).map(V2.Timestamp.init)
        let nextEndsAt = try fields.next(PostgresTimestamp?.self, in: bytes).map(V2.Timestamp.init)
        return answer(
            nil,
            Self(
                day: day, list: list, commitment: commitment, nextCommitment: nextCommitment, nextList: nextList,
                secret: secret, salt: salt, meaning: meaning, isPlanned: isPlanned, isNextPlanned: isNextPlanned,
                endsAt: endsAt ?? day.next.start, nextEndsAt: nextEndsAt ?? day.next.next.start, figures: figures,
                game: game))
    }
}

struct ChooseDailyWords: Statement {
    typealias Row = NoRow
    var sql: StaticString { "SELECT juliet.choose_daily_words()" }
}

extension FunctionCall<AnswerRow<AnsweredDay>> {
    static func readToday(session: Credential?) -> Self {
        Self("SELECT juliet.read_today($1)", session: session, access: .read)
    }

    /// The figures are of all players.
    static func readPastDay(session: Credential?, day: PostgresDate?) -> Self {
        Self("SELECT juliet.read_past_day($1, $2)", session: session, access: .read, isSpread: false) { $0.append(day) }
    }

    static func listDays(session: Credential?, before: PostgresDate?, limit: Int) -> Self {
        Self("SELECT juliet.list_days($1, $2, $3)", session: session, access: .read) {
            $0.append(before, Int32(clamping: limit))
        }
    }
}

extension FunctionCall<AnswerRow<AnsweredGame>> {
    static func startDailyGame(session: Credential, isHard: Bool) -> Self {
        Self("SELECT juliet.start_daily_game($1, $2)", session: session) { $0.append(isHard) }
    }

    static func startArchiveGame(session: Credential, day: PostgresDate?, isHard: Bool) -> Self {
        Self("SELECT juliet.start_archive_game($1, $2, $3)", session: session) { $0.append(day, isHard) }
    }
}
