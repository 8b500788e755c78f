extension V2 {
    /// An instant, to the microsecond: RFC 3339 in UTC, `2026-11-21T12:00:00.123456Z`.
    public struct Timestamp: Hashable, Sendable {
        static let microsecondsPerDay: Int64 = 86_400_000_000

        /// Microseconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
        public let microsecondsSince1970: Int64

        /// An instant by its distance from 1970-01-01 00:00:00 UTC.
        public init(microsecondsSince1970: Int64) {
            self.microsecondsSince1970 = microsecondsSince1970
        }

        /// Reads what the contract writes, `2026-11-21T12:00:00.123456Z`, with 0 to 9 digits of fraction; digits beyond
        /// microseconds are cut off. Nil for anything else.
        public init?(_ text: String) {
            let bytes = Array(text.utf8)
            guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
                bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
                let day = GregorianCalendar.day(bytes[..<10]),
                let hour = GregorianCalendar.number(bytes[11..<13]), hour < 24,
                let minute = GregorianCalendar.number(bytes[14..<16]), minute < 60,
                let second = GregorianCalendar.number(bytes[17..<19]), second < 60,
                let fraction = Self.microseconds(bytes[19..<bytes.count - 1])
            else { return nil }
            let seconds = (hour * 60 + minute) * 60 + second
            microsecondsSince1970 = Int64(day) * Self.microsecondsPerDay + Int64(seconds * 1_000_000 + fraction)
        }

        /// The microseconds of a fraction with its point; 0 if it is empty.
        private static func microseconds(_ text: ArraySlice<UInt8>) -> Int? {
            guard let point = text.first else { return 0 }
            guard point == UInt8(ascii: "."), 2...10 ~= text.count,
                let nanoseconds = GregorianCalendar.number(
                    text.dropFirst() + repeatElement(UInt8(ascii: "0"), count: 10 - text.count))
            else { return nil }
            return nanoseconds / 1000
        }
    }
}

extension V2.Timestamp: Comparable {
    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }
}

extension V2.Timestamp: CustomStringConvertible {
    /// As the contract writes it, always with six digits of fraction: `2026-11-21T12:00:00.123456Z`.
    public var description: String {
        let day = V2.Day(of: self)
        // Wrapping, because the first day begins before the range of 64 bits.
        let time = Int(microsecondsSince1970 &- Int64(day.daysSince1970) &* Self.microsecondsPerDay)
        var text: [UInt8] = []
        text.reserveCapacity(27)
        GregorianCalendar.append(day: day.daysSince1970, to: &text)
        text.append(UInt8(ascii: "T"))
        GregorianCalendar.append(time / 3_600_000_000, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        GregorianCalendar.append(time / 60_000_000 % 60, width: 2, to: &text)
        text.append(UInt8(ascii: ":"))
        GregorianCalendar.append(time / 1_000_000 % 60, width: 2, to: &text)
        text.append(UInt8(ascii: "."))
        GregorianCalendar.append(time % 1_000_000, width: 6, to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }
}

extension V2.Timestamp: Codable {
    /// Reads `"2026-11-21T12:00:00.123456Z"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let timestamp = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a time.")
        }
        self = timestamp
    }

    /// Writes `"2026-11-21T12:00:00.123456Z"`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension V2.Timestamp: JSONWritable {
    /// An RFC 3339 time.
    package static let schema = Schema(.string, [.format("date-time")])

    /// Writes `"2026-11-21T12:00:00.123456Z"`.
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
