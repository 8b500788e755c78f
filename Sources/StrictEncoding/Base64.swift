/// RFC 4648 §5 without padding, read strictly: bytes have one spelling, and no other is accepted. So a text that is
/// signed or stored cannot be written in a second way.
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Reads a text; nil: it is not the one spelling of any bytes. The empty text is no bytes.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        Base64.decode(text, UInt8(ascii: "-"), UInt8(ascii: "_"))
    }

    /// The same for a string.
    package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// Writes bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}

/// RFC 4648 §4 with padding, read as strictly.
package enum Base64 {
    /// Reads a text; nil: it is not the one spelling of any bytes. The empty text is no bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8
        guard characters.count.isMultiple(of: 4) else { return nil }
        var digits = characters[...]
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        return decode(digits, UInt8(ascii: "+"), UInt8(ascii: "/"))
    }

    /// Reads digits without padding in one of the two alphabets.
    fileprivate static func decode(
        _ text: some Collection<UInt8>, _ digit62: UInt8, _ digit63: UInt8
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
            case digit62: digit = 62
            case digit63: digit = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(digit)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        // Six bits do not make a byte, and the bits after the last byte are 0.
        return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
    }
}
