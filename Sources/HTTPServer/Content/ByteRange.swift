/// What a request's `Range` asks for of some bytes (RFC 9110 §14.1.2, §14.2).
enum ByteRange: Equatable {
    /// All of it: the field breaks its grammar, has another unit than bytes, or more ranges than one.
    case whole
    case part(Range<Int>)
    /// Nothing that is there: 416.
    case unsatisfiable

    /// - Parameter size: How many bytes there are.
    init(_ field: String, size: Int) {
        self = .whole
        let bytes = Array(field.utf8)
        guard bytes.count > 6, bytes.span.equalsIgnoringCase(0..<6, "bytes=") else { return }
        let parts = bytes[6...].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Self.number(parts[0]), let last = Self.number(parts[1]) else { return }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let length?):
            self = length == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - length)..<size)
        case (let start?, let end):
            if let end, end < start { return }
            self = start >= size ? .unsatisfiable : .part(start..<min(size, (end ?? size - 1) + 1))
        }
    }

    /// Digits, blanks around them; nil inside for none, nil for anything else. Too many mean more than there is.
    private static func number(_ text: ArraySlice<UInt8>) -> Int?? {
        var text = text
        while let first = text.first, CharacterClass.isBlank(first) { text.removeFirst() }
        while let last = text.last, CharacterClass.isBlank(last) { text.removeLast() }
        guard !text.isEmpty else { return .some(nil) }
        var value = 0
        for byte in text {
            guard CharacterClass.isDigit(byte) else { return .none }
            value = min(value * 10 + Int(byte - ASCII.zero), 1 << 50)
        }
        return value
    }
}
