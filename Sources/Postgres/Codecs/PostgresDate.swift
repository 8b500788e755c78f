/// A `date`: a day, from 4714-11-24 BC to 5874897-12-31.
public struct PostgresDate: Hashable, Sendable, Comparable, PostgresEncodable, PostgresDecodable {
    /// Days since 1970-01-01.
    public let daysSince1970: Int32

    /// A day by its distance from 1970-01-01. The server refuses one out of its range (SQLSTATE 22008).
    public init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    /// A day of the Gregorian calendar; `nil` if there is no such day, or it is out of PostgreSQL's range.
    ///
    /// - Parameters:
    ///   - year: 0 is 1 BC, -1 is 2 BC.
    ///   - month: 1...12.
    ///   - day: 1...31.
    public init?(year: Int, month: Int, day: Int) {
        guard let days = GregorianCalendar.day(year: year, month: month, day: day) else { return nil }
        self.init(daysSince1970: days)
    }

    /// PostgreSQL's `infinity`: later than every day.
    public static let infinity = PostgresDate(daysSince1970: .max)
    /// PostgreSQL's `-infinity`: earlier than every day.
    public static let negativeInfinity = PostgresDate(daysSince1970: .min)

    /// Whether it is a day, not an infinity.
    public var isFinite: Bool { self != .infinity && self != .negativeInfinity }

    /// Year, month and day, the year 0 is 1 BC; `nil` for an infinity.
    public var components: (year: Int, month: Int, day: Int)? {
        guard isFinite else { return nil }
        let date = GregorianCalendar.date(ofDay: Int64(daysSince1970))
        return (Int(date.year), Int(date.month), Int(date.day))
    }

    /// Orders by value.
    public static func < (left: PostgresDate, right: PostgresDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .date }

    /// Writes the binary form. A day before what 32 bits count from 2000 makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        let (value, overflow) = daysSince1970.subtractingReportingOverflow(GregorianCalendar.epochDays)
        switch self {
        case .infinity: writer.append(Int32.max)
        case .negativeInfinity: writer.append(Int32.min)
        // The smallest value is taken for minus infinity.
        default:
            if overflow || value == .min { writer.fail("a date that is out of range") } else { writer.append(value) }
        }
    }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .date else { throw .type(type) }
        guard bytes.count == 4 else { throw .malformed }
        let value = bytes.integer(at: 0, as: Int32.self)
        switch value {
        case .max: self = .infinity
        case .min: self = .negativeInfinity
        default:
            let (shifted, overflow) = value.addingReportingOverflow(GregorianCalendar.epochDays)
            guard !overflow, shifted != .max else { throw .outOfRange }
            self.init(daysSince1970: shifted)
        }
    }
}

extension PostgresDate: CustomStringConvertible {
    /// As PostgreSQL writes it in its ISO style: `2024-02-29`, `0044-03-15 BC`, `infinity`.
    public var description: String {
        switch self {
        case .infinity: return "infinity"
        case .negativeInfinity: return "-infinity"
        default: break
        }
        let date = GregorianCalendar.date(ofDay: Int64(daysSince1970))
        let isBC = date.year <= 0
        return GregorianCalendar.text(year: isBC ? 1 - date.year : date.year, month: date.month, day: date.day)
            + (isBC ? " BC" : "")
    }
}
