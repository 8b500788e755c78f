extension RequestType {
    /// Guesses the request type of a body that is broken, too long or cut short.
    ///
    /// For answers to requests that cannot be decoded, which still need every key of their type. Uses the object's
    /// own `requestType` as far as the body is valid, and otherwise the first `"requestType": "..."` in it.
    /// - Parameter bytes: Whatever has arrived of the body; may be empty.
    /// - Returns: nil if the type is not known.
    package static func peek(in bytes: Span<UInt8>) -> RequestType? {
        var members = RequestMembers()
        try? members.read(bytes)
        return peek(in: bytes, after: members)
    }

    /// The same, with what a reading of `bytes` has found before it ended or failed.
    static func peek(in bytes: Span<UInt8>, after members: RequestMembers) -> RequestType? {
        switch members.requestType {
        case nil: search(in: bytes)
        case .string(let text): RequestType(text, in: bytes)
        case .number, .boolean, .null, .nested: nil
        }
    }

    /// Finds the type a value of `requestType` names.
    init?(_ text: JSONText, in bytes: Span<UInt8>) {
        guard let type = Self.allCases.first(where: { text.equals($0.name, in: bytes) }) else { return nil }
        self = type
    }

    private static func search(in bytes: Span<UInt8>) -> RequestType? {
        for start in bytes.indices {
            guard var position = end(of: "requestType", in: bytes, at: start) else { continue }
            skipBlanks(in: bytes, at: &position)
            guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { continue }
            position += 1
            skipBlanks(in: bytes, at: &position)
            if let type = allCases.first(where: { end(of: $0.name, in: bytes, at: position) != nil }) {
                return type
            }
        }
        return nil
    }

    /// The offset after `text` in quotes, if that is at `start`.
    private static func end(of text: String, in bytes: Span<UInt8>, at start: Int) -> Int? {
        let end = start + text.utf8.count + 2
        guard end <= bytes.count, bytes[start] == UInt8(ascii: "\""), bytes[end - 1] == UInt8(ascii: "\"") else {
            return nil
        }
        var position = start + 1
        for byte in text.utf8 {
            guard bytes[position] == byte else { return nil }
            position += 1
        }
        return end
    }

    private static func skipBlanks(in bytes: Span<UInt8>, at position: inout Int) {
        while position < bytes.count, JSONScanner.isBlank(bytes[position]) {
            position += 1
        }
    }
}
