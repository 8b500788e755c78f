import JulietAPI

/// The last read figures of days whose final figures may still be missing. They are read again after a minute. A value
/// without a clock.
struct DayFigures {
    /// How many days can be shown.
    static let ranges = [7, 30, 90, 365]

    private struct Entry {
        let json: String
        let readAt: V2.Timestamp
    }

    private static let minute: Int64 = 60_000_000
    private var entries: [V2.Day: Entry] = [:]

    /// The first and the last of the days that are shown at a moment.
    static func days(_ count: Int, at now: V2.Timestamp) -> (first: V2.Day, last: V2.Day) {
        let today = V2.Day(of: now)
        return (V2.Day(daysSince1970: today.daysSince1970 - count + 1), today)
    }

    /// Today, and yesterday until it is surely counted: a service counts a day some minutes after its end.
    static func open(at now: V2.Timestamp) -> [V2.Day] {
        let today = V2.Day(of: now)
        return [V2.Day(daysSince1970: today.daysSince1970 - 1), today]
    }

    /// A day's figures as JSON, and when they were read; nil: read them.
    func known(_ day: V2.Day, at now: V2.Timestamp) -> (json: String, readAt: V2.Timestamp)? {
        guard let entry = entries[day] else { return nil }
        let age = now.microsecondsSince1970 - entry.readAt.microsecondsSince1970
        return (0..<Self.minute).contains(age) ? (entry.json, entry.readAt) : nil
    }

    /// Keeps what was read at a moment, and forgets other days than yesterday and today.
    mutating func keep(_ json: String, of day: V2.Day, at now: V2.Timestamp) {
        entries[day] = Entry(json: json, readAt: now)
        let open = Self.open(at: now)
        entries = entries.filter { open.contains($0.key) }
    }
}
