/// A `timestamp` without time zone (SQL's `LOCALTIMESTAMP`): a date and a time of day, to the microsecond, that are an
/// instant only together with a time zone. ``PostgresTimestamp`` is `timestamptz`.
public struct PostgresLocalTimestamp: Hashable, Sendable, Comparable, PostgresEncodable, PostgresDecodable {
    /// Microseconds since 2000-01-01 00:00:00 of the same clock, as PostgreSQL counts.
    public let microsecondsSince2000: Int64

    /// A timestamp by its distance from 2000-01-01 00:00:00. The server refuses one out of its range, from 4714-11-24
    /// BC to 294276-12-31 (SQLSTATE 22008).
    public init(microsecondsSince2000: Int64) { self.microsecondsSince2000 = microsecondsSince2000 }

    /// A day and a time of it; an infinite day is an infinite timestamp. `nil` beyond what 64 bits count.
    public init?(date: PostgresDate, time: PostgresTime = .midnight) {
        switch date {
        case .infinity: self = .infinity
        case .negativeInfinity: self = .negativeInfinity
        default:
            let (start, overflow) = (Int64(date.daysSince1970) - Int64(GregorianCalendar.epochDays))
                .multipliedReportingOverflow(by: GregorianCalendar.microsecondsPerDay)
            let (value, carries) = start.addingReportingOverflow(time.microsecondsSinceMidnight)
            guard !overflow, !carries else { return nil }
            self.init(microsecondsSince2000: value)
        }
    }

    /// PostgreSQL's `infinity`: later than every other.
    public static let infinity = PostgresLocalTimestamp(microsecondsSince2000: .max)
    /// PostgreSQL's `-infinity`: earlier than every other.
    public static let negativeInfinity = PostgresLocalTimestamp(microsecondsSince2000: .min)

    /// Whether it is a date and a time, not an infinity.
    public var isFinite: Bool { self != .infinity && self != .negativeInfinity }

    /// The day; of an infinity the infinite day.
    public var date: PostgresDate {
        switch self {
        case .infinity: .infinity
        case .negativeInfinity: .negativeInfinity
        default:
            // The days that 64 bits of microseconds reach are few for 32 bits.
            PostgresDate(
                daysSince1970: GregorianCalendar.epochDays
                    + Int32(truncatingIfNeeded: GregorianCalendar.split(microsecondsSince2000).day))
        }
    }

    /// The time of the day, before 24:00:00; of an infinity midnight.
    public var time: PostgresTime {
        isFinite ? PostgresTime(inRange: GregorianCalendar.split(microsecondsSince2000).microsecondOfDay) : .midnight
    }

    /// Orders by value.
    public static func < (left: PostgresLocalTimestamp, right: PostgresLocalTimestamp) -> Bool {
        left.microsecondsSince2000 < right.microsecondsSince2000
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .timestamp }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(microsecondsSince2000) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .timestamp else { throw .type(type) }
        guard bytes.count == 8 else { throw .malformed }
        self.init(microsecondsSince2000: bytes.integer(at: 0, as: Int64.self))
    }
}

extension PostgresLocalTimestamp: CustomStringConvertible {
    /// As PostgreSQL writes it in its ISO style: `2024-02-29 09:30:00.25`, `0044-03-15 12:00:00 BC`, `infinity`.
    public var description: String {
        guard isFinite else { return date.description }
        let day = date.description
        return day.hasSuffix(" BC") ? "\(day.dropLast(3)) \(time) BC" : "\(day) \(time)"
    }
}
