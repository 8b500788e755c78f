extension V2 {
    /// A day of the calendar: `2026-11-21`. When a day of the game begins and ends is the service's business
    /// (``Service/timeZone``).
    public struct Day: Hashable, Sendable {
        /// The day of number 1: 2026-01-01.
        private static let first = 20_454

        /// Whole days since 1970-01-01.
        public let daysSince1970: Int

        /// Names a day by its distance from 1970-01-01.
        public init(daysSince1970: Int) {
            self.daysSince1970 = daysSince1970
        }

        /// Reads `2026-11-21`, these ten characters exactly, of the years 0 to 9999; nil for anything else, and for a day
        /// that no calendar has.
        public init?(_ text: String) {
            guard let day = GregorianCalendar.day(Array(text.utf8)[...]) else { return nil }
            daysSince1970 = day
        }

        /// The day of UTC that an instant falls on.
        public init(of instant: Timestamp) {
            let (days, rest) = instant.microsecondsSince1970.quotientAndRemainder(
                dividingBy: Timestamp.microsecondsPerDay)
            daysSince1970 = Int(rest < 0 ? days - 1 : days)
        }

        /// The number players know it by: 1 on 2026-01-01, one more each day.
        public var number: Int { daysSince1970 - Self.first + 1 }

        /// The first instant of the day in UTC. A day beyond the range of 64-bit microseconds becomes the last moment in that range.
        public var start: Timestamp {
            let (value, overflows) = Int64(daysSince1970).multipliedReportingOverflow(by: Timestamp.microsecondsPerDay)
            return Timestamp(microsecondsSince1970: overflows ? (daysSince1970 < 0 ? .min : .max) : value)
        }

        /// The day after.
        public var next: Day { Day(daysSince1970: daysSince1970 + 1) }

        /// The day before.
        public var previous: Day { Day(daysSince1970: daysSince1970 - 1) }
    }
}

extension V2.Day: Comparable {
    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}

extension V2.Day: CustomStringConvertible {
    /// As the contract writes it: `2026-11-21`.
    public var description: String {
        var text: [UInt8] = []
        GregorianCalendar.append(day: daysSince1970, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

extension V2.Day: Codable {
    /// Reads `"2026-11-21"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a day.")
        }
        self = day
    }

    /// Writes `"2026-11-21"`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension V2.Day: JSONWritable {
    /// An RFC 3339 date.
    package static let schema = Schema(.string, [.format("date")])

    /// Writes `"2026-11-21"`.
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
