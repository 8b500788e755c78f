/// Escaped octets of a path or a query: "%61" (RFC 3986 §2.1).
enum PercentEncoding {
    /// The text with escaped unreserved characters as themselves, which changes nothing of its meaning (RFC 3986
    /// §6.2.2.2).
    static func normalized(_ text: String) -> String {
        guard text.utf8.contains(ASCII.percent) else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if let octet = octet(bytes, at: index), CharacterClass.isUnreserved(octet) {
                result.append(octet)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text that the octets spell; nil for an incomplete escape, and for octets that are not UTF-8.
    static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(ASCII.percent) else { return String(text) }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == ASCII.percent {
                guard let octet = octet(bytes, at: index) else { return nil }
                result.append(octet)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    /// The octet of the escape at an index, if there is one.
    private static func octet(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard bytes[index] == ASCII.percent, index + 2 < bytes.count,
            let high = CharacterClass.hexValue(bytes[index + 1]), let low = CharacterClass.hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }
}
