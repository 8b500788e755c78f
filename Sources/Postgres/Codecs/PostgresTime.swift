/// A `time`: a time of day without a time zone, to the microsecond, from 00:00:00 to 24:00:00.
public struct PostgresTime: Hashable, Sendable, Comparable, PostgresEncodable, PostgresDecodable {
    /// Microseconds since midnight, 0...86,400,000,000.
    public let microsecondsSinceMidnight: Int64

    /// A time by its distance from midnight; `nil` unless it is in 0...86,400,000,000.
    public init?(microsecondsSinceMidnight: Int64) {
        guard 0...GregorianCalendar.microsecondsPerDay ~= microsecondsSinceMidnight else { return nil }
        self.microsecondsSinceMidnight = microsecondsSinceMidnight
    }

    /// A time of the clock; `nil` if there is no such time. 24:00:00 is one, a second 60 is none.
    public init?(hour: Int, minute: Int, second: Int = 0, microsecond: Int = 0) {
        guard 0...24 ~= hour, 0..<60 ~= minute, 0..<60 ~= second, 0..<1_000_000 ~= microsecond else { return nil }
        let seconds = Int64((hour * 60 + minute) * 60 + second)
        self.init(microsecondsSinceMidnight: seconds * 1_000_000 + Int64(microsecond))
    }

    /// 00:00:00.
    public static let midnight = PostgresTime(inRange: 0)

    /// A time that is known to be one.
    init(inRange microseconds: Int64) { microsecondsSinceMidnight = microseconds }

    /// The hour, 0...24.
    public var hour: Int { Int(microsecondsSinceMidnight / 3_600_000_000) }
    /// The minute, 0...59.
    public var minute: Int { Int(microsecondsSinceMidnight / 60_000_000 % 60) }
    /// The second, 0...59.
    public var second: Int { Int(microsecondsSinceMidnight / 1_000_000 % 60) }
    /// The microsecond, 0...999,999.
    public var microsecond: Int { Int(microsecondsSinceMidnight % 1_000_000) }

    /// Orders by value.
    public static func < (left: PostgresTime, right: PostgresTime) -> Bool {
        left.microsecondsSinceMidnight < right.microsecondsSinceMidnight
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .time }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(microsecondsSinceMidnight) }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .time else { throw .type(type) }
        guard bytes.count == 8, let time = Self(microsecondsSinceMidnight: bytes.integer(at: 0, as: Int64.self)) else {
            throw .malformed
        }
        self = time
    }
}

extension PostgresTime: CustomStringConvertible {
    /// As PostgreSQL writes it: `09:30:00`, `23:59:59.999999`.
    public var description: String { GregorianCalendar.text(microsecondOfDay: microsecondsSinceMidnight) }
}
