/// A string of bits: `bit(n)` or `bit varying(n)`.
///
/// A parameter is a `bit varying`, which PostgreSQL makes a `bit(n)` where one of its length is stored.
public struct PostgresBitString: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// How many bits it has.
    public let count: Int
    /// The bits, eight a byte, the first the most significant; those behind the last are zero.
    public let bytes: [UInt8]

    /// Bits in order.
    public init(_ bits: some Sequence<Bool>) {
        var bytes: [UInt8] = []
        var count = 0
        for bit in bits {
            if count % 8 == 0 { bytes.append(0) }
            if bit { bytes[count / 8] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
        self.count = count
        self.bytes = bytes
    }

    /// The bit at a position, 0 is the first. Traps beyond the end.
    public subscript(_ index: Int) -> Bool {
        precondition(0..<count ~= index, "a bit beyond the end")
        return bytes[index / 8] & 0x80 >> UInt8(index % 8) != 0
    }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .varbit }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(Int32(truncatingIfNeeded: count))
        writer.append(bytes: bytes)
    }

    /// Reads `bit` and `bit varying`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .bit || type == .varbit else { throw .type(type) }
        guard bytes.count >= 4 else { throw .malformed }
        let count = Int(bytes.integer(at: 0, as: Int32.self))
        guard count >= 0, (count + 7) / 8 == bytes.count - 4 else { throw .malformed }
        var bits = bytes.extracting(4..<bytes.count).copied
        if count % 8 != 0 { bits[bits.count - 1] &= 0xFF << UInt8(8 - count % 8) }
        self.count = count
        self.bytes = bits
    }
}

extension PostgresBitString: LosslessStringConvertible {
    /// Reads zeros and ones. `nil` for any other text.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 == 0x30 || $0 == 0x31 }) else { return nil }
        self.init(text.utf8.map { $0 == 0x31 })
    }

    /// Zeros and ones.
    public var description: String { (0..<count).map { self[$0] ? "1" : "0" }.joined() }
}
