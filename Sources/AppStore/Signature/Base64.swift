/// The two alphabets of RFC 4648, read strictly: bytes have only one valid spelling, so a signature's text cannot be changed
/// either.
enum Base64 {
    /// Reads RFC 4648 §5 without padding, as RFC 7515 §2 has it; nil: it is not.
    static func decodeURL(_ text: some Collection<UInt8>) -> [UInt8]? {
        decode(text, UInt8(ascii: "-"), UInt8(ascii: "_"))
    }

    /// Reads RFC 4648 §4 with padding; nil: it is not.
    static func decode(_ text: String) -> [UInt8]? {
        let characters = text.utf8
        guard characters.count.isMultiple(of: 4) else { return nil }
        var digits = characters[...]
        for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        return decode(digits, UInt8(ascii: "+"), UInt8(ascii: "/"))
    }

    private static func decode(_ text: some Collection<UInt8>, _ digit62: UInt8, _ digit63: UInt8) -> [UInt8]? {
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
        // Six bits are no byte, and those behind the last byte are 0.
        return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
    }
}
