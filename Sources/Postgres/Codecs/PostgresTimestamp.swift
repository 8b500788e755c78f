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

    /// Writes the binary form. An instant before what 64 bits count from 2000, in 290279 BC, makes the writer fail.
    public func encode(to writer: inout ParameterWriter) {
        let (value, overflow) = microsecondsSince1970.subtractingReportingOverflow(Self.epochDifference)
        switch self {
        case .infinity: writer.append(Int64.max)
        case .negativeInfinity: writer.append(Int64.min)
        // The smallest value is taken for minus infinity.
        default:
            if overflow || value == .min {
                writer.fail("an instant that is out of range")
            } else {
                writer.append(value)
            }
        }
    }

    /// Reads the binary form.
    ///
    /// - Throws: `.type`, `.malformed`, and `.outOfRange` for an instant after what 64 bits count from 1970, in 294247:
    ///   PostgreSQL's last ones are in 294276.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .timestamptz else { throw .type(type) }
        guard bytes.count == 8 else { throw .malformed }
        let value = bytes.integer(at: 0, as: Int64.self)
        switch value {
        case .max: self = .infinity
        case .min: self = .negativeInfinity
        default:
            let (shifted, overflow) = value.addingReportingOverflow(Self.epochDifference)
            guard !overflow, shifted != .max else { throw .outOfRange }
            self.init(microsecondsSince1970: shifted)
        }
    }
}
