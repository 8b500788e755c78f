/// A `timestamptz`: an instant, to the microsecond.
public struct PostgresTimestamp: Hashable, Sendable, Comparable, PostgresEncodable, PostgresDecodable {
    /// PostgreSQL counts from 2000-01-01, this many microseconds after 1970-01-01.
    private static let epochDifference: Int64 = 946_684_800_000_000

    /// Microseconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
    public let microsecondsSince1970: Int64

    /// An instant by its distance from 1970-01-01 00:00:00 UTC.
    public init(microsecondsSince1970: Int64) { self.microsecondsSince1970 = microsecondsSince1970 }

    /// PostgreSQL's `infinity`: later than every instant.
    public static let infinity = PostgresTimestamp(microsecondsSince1970: .max)
    /// PostgreSQL's `-infinity`: earlier than every instant.
    public static let negativeInfinity = PostgresTimestamp(microsecondsSince1970: .min)

    /// Orders by value.
    public static func < (left: PostgresTimestamp, right: PostgresTimestamp) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .timestamptz }

    /// An instant beyond what 64 bits count from 2000 becomes an infinity.
    public func encode(to writer: inout ParameterWriter) {
        let (value, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.epochDifference)
        switch self {
        case .infinity: writer.append(Int64.max)
        default: writer.append(overflow ? Int64.min : value)
        }
    }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .timestamptz else { throw .type(type) }
        guard bytes.count == 8 else { throw .malformed }
        let value = bytes.integer(at: 0, as: Int64.self)
        let (shifted, overflow) = value.addingReportingOverflow(Self.epochDifference)
        guard value != .min else { self = .negativeInfinity; return }
        self.init(microsecondsSince1970: overflow ? .max : shifted)
    }
}

extension PostgresTimestamp: CustomStringConvertible {
    /// RFC 3339 in UTC, to the microsecond: `2026-11-21T09:30:00.000000Z`.
    public var description: String {
        switch self {
        case .infinity: return "infinity"
        case .negativeInfinity: return "-infinity"
        default: break
        }
        let day: Int64 = 86_400_000_000
        let days = (microsecondsSince1970 - (microsecondsSince1970 < 0 ? day - 1 : 0)) / day
        let rest = microsecondsSince1970 - days * day
        let (year, month, dayOfMonth) = Self.civil(days)
        let clock = [rest / 3_600_000_000, rest / 60_000_000 % 60, rest / 1_000_000 % 60].map { Self.padded($0, 2) }
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))"
            + "T\(clock[0]):\(clock[1]):\(clock[2]).\(Self.padded(rest % 1_000_000, 6))Z"
    }

    /// The Gregorian date of a day counted from 1970-01-01 (Howard Hinnant, "chrono-compatible low-level date
    /// algorithms", `civil_from_days`).
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        let zeros = String(repeating: "0", count: max(0, width - digits.count))
        return (number < 0 ? "-" : "") + zeros + digits
    }
}
