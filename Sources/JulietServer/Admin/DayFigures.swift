import JulietAPI

/// The figures of days as they were read last. A day that is over stays as it is; what may still change is read again after
/// a minute. A value without a clock.
struct DayFigures {
    /// How many days are shown, today the last of them.
    static let count = 31

    private struct Entry {
        let json: String
        let readAt: V2.Timestamp
        /// Transactions that began on the day may end after it.
        let isFinal: Bool
    }

    private static let minute: Int64 = 60_000_000
    private var entries: [V2.Day: Entry] = [:]

    /// The days that are shown at a moment, the oldest first.
    static func days(at now: V2.Timestamp) -> [V2.Day] {
        let today = V2.Day(of: now).daysSince1970
        return (today - count + 1...today).map(V2.Day.init)
    }

    /// A day's figures as JSON; nil: read them.
    func json(of day: V2.Day, at now: V2.Timestamp) -> String? {
        guard let entry = entries[day] else { return nil }
        let age = now.microsecondsSince1970 - entry.readAt.microsecondsSince1970
        return entry.isFinal || (0..<Self.minute).contains(age) ? entry.json : nil
    }

    /// When the youngest figures were read; nil: none were.
    var readAt: V2.Timestamp? { entries.values.map(\.readAt).max() }

    /// Keeps what was read at a moment, and forgets days that are not shown any more.
    mutating func keep(_ json: String, of day: V2.Day, at now: V2.Timestamp) {
        let isFinal = now.microsecondsSince1970 - day.end.microsecondsSince1970 > 10 * Self.minute
        entries[day] = Entry(json: json, readAt: now, isFinal: isFinal)
        let shown = Set(Self.days(at: now))
        entries = entries.filter { shown.contains($0.key) }
    }
}
