/// An `interval`: months, days and microseconds, which PostgreSQL keeps apart, for months and days differ in length.
///
/// Two are equal if all three are: not so in PostgreSQL, to which a month is 30 days and a day is 24 hours when it
/// compares.
public struct PostgresInterval: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// Months; a year is twelve.
    public var months: Int32
    /// Days.
    public var days: Int32
    /// Microseconds.
    public var microseconds: Int64

    /// An interval of three parts, each of either sign.
    public init(months: Int32 = 0, days: Int32 = 0, microseconds: Int64 = 0) {
        self.months = months
        self.days = days
        self.microseconds = microseconds
    }

    /// PostgreSQL's `infinity`, from version 17 on; a long interval before.
    public static let infinity = PostgresInterval(months: .max, days: .max, microseconds: .max)
    /// PostgreSQL's `-infinity`, from version 17 on; a long interval before.
    public static let negativeInfinity = PostgresInterval(months: .min, days: .min, microseconds: .min)

    /// Whether it is neither infinity.
    public var isFinite: Bool { self != .infinity && self != .negativeInfinity }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .interval }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(microseconds)
        writer.append(days)
        writer.append(months)
    }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .interval else { throw .type(type) }
        guard bytes.count == 16 else { throw .malformed }
        microseconds = bytes.integer(at: 0, as: Int64.self)
        days = bytes.integer(at: 8, as: Int32.self)
        months = bytes.integer(at: 12, as: Int32.self)
    }
}

extension PostgresInterval: CustomStringConvertible {
    /// As PostgreSQL writes it in its own style (`intervalstyle`): `1 year 2 mons -3 days +04:05:06.7`.
    public var description: String {
        switch self {
        case .infinity: return "infinity"
        case .negativeInfinity: return "-infinity"
        default: break
        }
        var parts: [String] = []
        var followsNegative = false
        for (count, unit) in [(months / 12, "year"), (months % 12, "mon"), (days, "day")] where count != 0 {
            parts.append("\(followsNegative && count > 0 ? "+" : "")\(count) \(unit)\(count == 1 ? "" : "s")")
            followsNegative = count < 0
        }
        if parts.isEmpty || microseconds != 0 {
            let sign = microseconds < 0 ? "-" : followsNegative ? "+" : ""
            parts.append(sign + Self.clock(microseconds.magnitude))
        }
        return parts.joined(separator: " ")
    }

    private static func clock(_ microseconds: UInt64) -> String {
        let hours = microseconds / 3_600_000_000
        // The hours, which may be many, and an hour of the clock's.
        let rest = GregorianCalendar.text(microsecondOfDay: Int64(microseconds % 3_600_000_000))
        return GregorianCalendar.padded(Int64(hours), 2) + rest.dropFirst(2)
    }
}
