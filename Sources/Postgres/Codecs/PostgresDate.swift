/// A `date`: a day, from 4714-11-24 BC to 5874897-12-31.
public struct PostgresDate: Hashable, Sendable, Comparable, PostgresEncodable, PostgresDecodable {
    /// PostgreSQL counts from 2000-01-01, this many days after 1970-01-01.
    private static let epochDifference: Int32 = 10_957

    /// Days since 1970-01-01.
    public let daysSince1970: Int32

    /// A day by its distance from 1970-01-01. The server refuses one out of its range (SQLSTATE 22008).
    public init(daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

    /// PostgreSQL's `infinity`: later than every day.
    public static let infinity = PostgresDate(daysSince1970: .max)
    /// PostgreSQL's `-infinity`: earlier than every day.
    public static let negativeInfinity = PostgresDate(daysSince1970: .min)

    /// Orders by value.
    public static func < (left: PostgresDate, right: PostgresDate) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .date }

    /// Writes the binary form. A day before what 32 bits count from 2000 makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        let (value, overflow) = daysSince1970.subtractingReportingOverflow(Self.epochDifference)
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
            let (shifted, overflow) = value.addingReportingOverflow(Self.epochDifference)
            guard !overflow, shifted != .max else { throw .outOfRange }
            self.init(daysSince1970: shifted)
        }
    }
}
