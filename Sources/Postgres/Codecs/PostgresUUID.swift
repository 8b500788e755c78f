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
        PostgresUUID(
            high: .random(in: .min ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
            low: .random(in: .min ... .max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
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
            guard let value = Self.value(of: byte), digits < 32 else { return nil }
            if digits < 16 {
                halves.high = halves.high << 4 | value
            } else {
                halves.low = halves.low << 4 | value
            }
            digits += 1
        }
        guard digits == 32 else { return nil }
        self.init(high: halves.high, low: halves.low)
    }

    private static func value(of digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A")) + 10
        default: nil
        }
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
        unsafe String(unsafeUninitializedCapacity: 36) { text in
            var length = 0
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
                    unsafe text[length] = UInt8(ascii: "-")
                    length += 1
                }
                let value = UInt8((digit < 16 ? high : low) >> UInt64(60 - digit % 16 * 4) & 0xF)
                unsafe text[length] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                length += 1
            }
            return length
        }
    }
}
