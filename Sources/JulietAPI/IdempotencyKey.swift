/// The value of an `Idempotency-Key` header: names one operation of one player, however often it is sent.
package struct IdempotencyKey: Hashable, Sendable {
    /// 1...255 visible ASCII characters, unquoted; letter case matters.
    package let value: String

    /// Reads a field value, bare (`op-17`) or quoted (`"op-17"`): both are the same key.
    ///
    /// Quoted is an RFC 8941 §3.3.3 string: a quote or backslash in it is escaped by a backslash. A bare key has no
    /// quotes, so that a missing quote is noticed.
    /// - Parameter fieldValue: Without blanks around it.
    /// - Returns: nil for anything else; the request is then to be refused, not served without a key.
    package init?(fieldValue: String) {
        let quote = UInt8(ascii: "\"")
        let isQuoted = fieldValue.utf8.first == quote
        guard let key = isQuoted ? Self.unquoted(fieldValue) : fieldValue, (1...255).contains(key.utf8.count),
            key.isVisibleASCII(except: isQuoted ? nil : quote)
        else { return nil }
        value = key
    }

    private static func unquoted(_ text: String) -> String? {
        var result: [UInt8] = []
        var rest = text.utf8.dropFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                return rest.isEmpty ? String(decoding: result, as: UTF8.self) : nil
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(escaped) else {
                    return nil
                }
                result.append(escaped)
            default:
                result.append(byte)
            }
        }
        return nil
    }
}
