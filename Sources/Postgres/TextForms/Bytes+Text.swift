extension UInt8 {
    /// Writes the character; nothing for 0. Above 127 the writer fails: how that is written depends on the server's version.
    public func encodeText(to writer: inout ParameterWriter) {
        switch self {
        case 0: break
        case 1...127: writer.append(self)
        default: writer.fail("a \"char\" above 127 has no text form")
        }
    }

    /// Reads one ASCII character, nothing, or `\ooo`.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        let bytes = Array(text.utf8)
        switch bytes.count {
        case 0: self = 0
        case 1: self = bytes[0]
        default:
            guard bytes.count == 4, let octal = octal(bytes[...]) else { throw .malformed }
            self = octal
        }
    }

    /// Writes `bytea`: `\x` and the hexadecimal digits.
    public static func encodeTextArray(_ values: [UInt8], to writer: inout ParameterWriter) {
        writer.append(utf8: "\\x")
        let digits = Array("0123456789abcdef".utf8)
        writer.bytes.reserveCapacity(writer.bytes.count + 2 * values.count)
        for value in values {
            writer.bytes.append(digits[Int(value >> 4)])
            writer.bytes.append(digits[Int(value & 0xF)])
        }
    }

    /// Reads `bytea` in either style (`bytea_output`).
    public static func decodeTextArray(_ text: String) throws(PostgresDecodingError.Reason) -> [UInt8] {
        var rest = Array(text.utf8)[...]
        var bytes: [UInt8] = []
        guard rest.starts(with: "\\x".utf8) else {
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "\\") else {
                    bytes.append(byte)
                    continue
                }
                if rest.first == UInt8(ascii: "\\") {
                    bytes.append(rest.removeFirst())
                } else {
                    guard rest.count >= 3, let octal = octal([byte] + rest.prefix(3)) else { throw .malformed }
                    bytes.append(octal)
                    rest.removeFirst(3)
                }
            }
            return bytes
        }
        rest.removeFirst(2)
        guard rest.count % 2 == 0 else { throw .malformed }
        bytes.reserveCapacity(rest.count / 2)
        for index in stride(from: rest.startIndex, to: rest.endIndex, by: 2) {
            guard let high = hexadecimal(rest[index]), let low = hexadecimal(rest[index + 1]) else { throw .malformed }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

private func hexadecimal(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
}

/// A backslash and three octal digits as a byte.
private func octal(_ text: ArraySlice<UInt8>) -> UInt8? {
    guard text.first == UInt8(ascii: "\\") else { return nil }
    var value: UInt = 0
    for digit in text.dropFirst() {
        guard UInt8(ascii: "0")...UInt8(ascii: "7") ~= digit else { return nil }
        value = value << 3 | UInt(digit - UInt8(ascii: "0"))
    }
    return UInt8(exactly: value)
}
