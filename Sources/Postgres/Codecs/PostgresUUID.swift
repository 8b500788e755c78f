/// A `uuid`: 128 bits, most significant first.
public struct PostgresUUID: Hashable, Sendable, Comparable, PostgresEncodable, PostgresDecodable {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// A value from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A random one (version 4, RFC 9562 §5.4).
    public static func random() -> PostgresUUID {
        var generator = SystemRandomNumberGenerator()
        return PostgresUUID(
            high: generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// Reads 32 hexadecimal digits of either case, grouped 8-4-4-4-12 by hyphens. `nil` for anything else.
    public init?(_ text: String) {
        var digits = 0
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        for (position, byte) in text.utf8.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let value = Character(UnicodeScalar(byte)).hexDigitValue, digits < 32 else { return nil }
            if digits < 16 {
                halves.high = halves.high << 4 | UInt64(value)
            } else {
                halves.low = halves.low << 4 | UInt64(value)
            }
            digits += 1
        }
        guard digits == 32 else { return nil }
        self.init(high: halves.high, low: halves.low)
    }

    /// Orders by value.
    public static func < (left: PostgresUUID, right: PostgresUUID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .uuid }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(high)
        writer.append(low)
    }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .uuid else { throw .type(type) }
        guard bytes.count == 16 else { throw .malformed }
        self.init(high: bytes.integer(at: 0, as: UInt64.self), low: bytes.integer(at: 8, as: UInt64.self))
    }
}

extension PostgresUUID: CustomStringConvertible {
    /// Lowercase, grouped 8-4-4-4-12.
    public var description: String {
        var text = ""
        text.reserveCapacity(36)
        for (index, half) in [high, low].enumerated() {
            for digit in 0..<16 {
                let position = index * 16 + digit
                if position == 8 || position == 12 || position == 16 || position == 20 { text.append("-") }
                text += String(half >> UInt64(60 - digit * 4) & 0xF, radix: 16)
            }
        }
        return text
    }
}
