package import JulietAPI
package import Postgres

/// The words that operators plan for days.
package struct DayPlan {
    /// A day and the word it is to have.
    package struct Entry: Sendable, Hashable {
        /// The day, as 2026-12-24.
        let day: String
        /// The word, as lists spell it.
        let word: String
    }

    /// Its days and words, in the order of the lines.
    package let entries: [Entry]
    /// Where the entries are: the file's name and the line's number.
    private let places: [String]

    /// Reads a plan to its end: lines of a day and a word, `2026-12-24 frost`. Blank lines are ignored, and everything after
    /// a `#`.
    ///
    /// - Parameters:
    ///   - source: Its name, and what reads its next piece, UTF-8; nil at the end.
    ///   - spelling: How words are written.
    /// - Throws: `WordListImport.Refusal` with the lines that are wrong, or what reading threw.
    package init(reading source: WordMeanings.Source, spelling: WordSpelling) throws {
        var entries: [Entry] = []
        var places: [String] = []
        var refusal = WordListImport.Refusal()
        func take(number: Int, line: ArraySlice<UInt8>) {
            let place = "\(source.name):\(number)"
            let parts = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
            guard parts.count == 2, let day = V2.Day(parts[0]) else {
                return refusal.add("\(place): is not a day and a word, such as 2026-12-24 frost")
            }
            do {
                entries.append(Entry(day: "\(day)", word: try spelling.word(parts[1])))
                places.append(place)
            } catch {
                refusal.add("\(place): \(parts[1].quoted) \(error)")
            }
        }
        var lines = WordListLines()
        while let bytes = try source.read() { lines.consume(bytes, word: take) }
        lines.finish(word: take)
        guard refusal.count == 0 else { throw refusal }
        self.entries = entries
        self.places = places
    }

    /// The lines that the database refused.
    func refusal(
        _ faults: [(place: Int, fault: DayPlanRecords.Fault)], in range: DayPlanRecords.Range
    ) -> WordListImport.Refusal {
        var refusal = WordListImport.Refusal()
        for (place, fault) in faults {
            let entry = entries[place - 1]
            refusal.add("\(places[place - 1]): \(fault.description(of: entry.day, entry.word, in: range))")
        }
        return refusal
    }
}

/// The planned days in the database, over one session of the role that owns the tables.
package struct DayPlanRecords {
    /// A planned day.
    package struct Planned: Sendable, Hashable, Encodable {
        /// The day, as 2026-12-24.
        package let day: String
        /// As in `words.language`.
        package let language: String
        /// Its word; nil: it is today, tomorrow or the day after, whose words are not shown.
        package let word: String?
        /// Whether the word has been retired since.
        package let isRetired: Bool

        private enum CodingKeys: CodingKey { case day, word }
    }

    /// What a change did.
    package struct Change: Sendable, Hashable, Encodable {
        /// The days that changed, as 2026-12-24.
        package var changed: [String] = []
        /// The days that were so already: planned with this word, or not planned.
        package var unchanged: [String] = []
    }

    /// The days that can be planned, and the list that their words are of.
    struct Range: Sendable {
        let first: String
        let last: String
        let list: WordList
    }

    /// Why a day cannot be planned, or cleared (`plan_days`, `unplan_days`).
    enum Fault: String, Sendable {
        case dayEarly = "day-early"
        case dayLate = "day-late"
        case dayTwice = "day-twice"
        case wordUnknown = "word-unknown"
        case wordRetired = "word-retired"
        case wordRepeated = "word-repeated"
        case notPlanned = "not-planned"

        func description(of day: String, _ word: String, in range: Range) -> String {
            switch self {
            case .dayEarly: "\(day) is too early: days can be planned or cleared from \(range.first) on"
            case .dayLate: "\(day) is too far ahead: days can be planned up to \(range.last)"
            case .dayTwice: "\(day) is in an earlier line already"
            case .wordUnknown:
                "\"\(word)\" is not in the list \"\(range.list.language)\", \(range.list.letters) letters: plan another word, or add this one to the list first"
            case .wordRetired: "\"\(word)\" is retired; `juliet words restore \(word)` brings it back"
            case .wordRepeated: "\"\(word)\" is the word of another day within a year; --repeat allows it"
            case .notPlanned: "\(day) is not planned"
            }
        }
    }

    private let connection: PostgresConnection
    private let actor: String

    /// Works on this session.
    ///
    /// - Parameter actor: The name for the audit trail.
    package init(connection: PostgresConnection, actor: String) {
        self.connection = connection
        self.actor = actor
    }

    /// Plans days, all of them or none, and writes a line of the audit trail for each that changed.
    ///
    /// - Parameters:
    ///   - mayRepeat: Whether a word may be that of another day within a year.
    ///   - keeps: false: find out what would change, and change nothing.
    /// - Throws: `WordListImport.Refusal` with the lines at fault, or `PostgresError`; nothing is changed.
    package func plan(_ plan: DayPlan, mayRepeat: Bool, keeps: Bool = true) async throws -> Change {
        try await connection.inTransaction(keeps: keeps) {
            let results = try await connection.execute(
                PlanDays(actor: actor, entries: plan.entries, mayRepeat: mayRepeat))
            let faults = results.compactMap { result in result.fault.map { (result.place, $0) } }
            guard faults.isEmpty else { throw plan.refusal(faults, in: try await range()) }
            let places = Set(results.map(\.place))
            var change = Change()
            for (place, entry) in zip(1..., plan.entries) {
                if places.contains(place) {
                    change.changed.append(entry.day)
                } else {
                    change.unchanged.append(entry.day)
                }
            }
            return change
        }
    }

    /// Gives days back to chance, all of them or none, and writes a line of the audit trail for each that was planned.
    ///
    /// - Parameter keeps: false: find out what would change, and change nothing.
    /// - Throws: `WordListImport.Refusal` with the days that are over or too near, or `PostgresError`; nothing is changed.
    package func clear(_ days: [V2.Day], keeps: Bool = true) async throws -> Change {
        let days = days.map(\.description)
        return try await connection.inTransaction(keeps: keeps) {
            var (change, refusal) = (Change(), WordListImport.Refusal())
            for result in try await connection.execute(ClearDays(actor: actor, days: days)) {
                let day = days[result.place - 1]
                switch result.fault {
                case nil: change.changed.append(day)
                case .notPlanned: change.unchanged.append(day)
                case let fault?:
                    let range = try await range()
                    refusal.add(fault.description(of: day, "", in: range))
                }
            }
            guard refusal.count == 0 else { throw refusal }
            return change
        }
    }

    /// The planned days from today on.
    package func list() async throws(PostgresError) -> [Planned] { try await connection.execute(ListPlannedDays()) }

    private func range() async throws(PostgresError) -> Range {
        try await connection.first(ReadRange()) ?? Range(first: "", last: "", list: WordList(language: "", letters: 0))
    }
}

private typealias DayResult = (place: Int, fault: DayPlanRecords.Fault?)

private struct PlanDays: Statement {
    var sql: StaticString { "SELECT place, fault FROM juliet.plan_days($1, $2::text[]::date[], $3, $4, NULL)" }
    let actor: String
    let entries: [DayPlan.Entry]
    let mayRepeat: Bool

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(entries.map(\.day))
        parameters.append(entries.map(\.word))
        parameters.append(mayRepeat)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DayResult {
        (Int(try row.next(Int32.self)), try row.next(String?.self).flatMap(DayPlanRecords.Fault.init))
    }
}

private struct ClearDays: Statement {
    var sql: StaticString { "SELECT place, fault FROM juliet.unplan_days($1, $2::text[]::date[], NULL)" }
    let actor: String
    let days: [String]

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(days)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DayResult {
        try PlanDays.decode(&row)
    }
}

private struct ListPlannedDays: Statement {
    var sql: StaticString {
        """
        SELECT to_char(planned_day, 'YYYY-MM-DD'), planned_language, planned_word, coalesce(is_retired, false)
        FROM juliet.list_planned_days()
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DayPlanRecords.Planned {
        DayPlanRecords.Planned(
            day: try row.next(), language: try row.next(), word: try row.next(), isRetired: try row.next())
    }
}

private struct ReadRange: Statement {
    var sql: StaticString {
        """
        SELECT to_char(juliet.last_kept_day() + 1, 'YYYY-MM-DD'), to_char(juliet.last_kept_day() + 398, 'YYYY-MM-DD'),
            language, letters
        FROM juliet.rules ORDER BY since DESC LIMIT 1
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DayPlanRecords.Range {
        DayPlanRecords.Range(
            first: try row.next(), last: try row.next(),
            list: WordList(language: try row.next(), letters: Int(try row.next(Int32.self))))
    }
}
