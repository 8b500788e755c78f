/// A value that a `JSONScanner` has found: its place, not yet its content.
package enum JSONToken {
    /// A string.
    case string(JSONText)
    /// A number.
    case number(JSONNumber)
    /// `true` or `false`.
    case boolean(Bool)
    /// `null`.
    case null
    /// An array or an object.
    case nested

    /// The text of a string; nil for anything else.
    func text(in bytes: Span<UInt8>) throws(JSONError) -> String? {
        guard case .string(let text) = self else { return nil }
        return try text.string(in: bytes)
    }

    /// The value of a number that is an integer within `Int`; nil for anything else.
    func integer(in bytes: Span<UInt8>) -> Int? {
        guard case .number(let number) = self else { return nil }
        return number.integer(in: bytes)
    }
}

/// The contents of a JSON string, between its quotes.
package struct JSONText {
    /// Where it lies.
    package let range: Range<Int>
    let isEscaped: Bool

    /// Whether the text, unescaped, is exactly `other`.
    func equals(_ other: String, in bytes: Span<UInt8>) -> Bool {
        if isEscaped {
            return (try? utf8(in: bytes))?.elementsEqual(other.utf8) ?? false
        }
        guard range.count == other.utf8.count else { return false }
        return bytes.extracting(range).withUnsafeBufferPointer { text in
            // By index: iterators, and a string byte by byte, cost some times as much.
            other.utf8.withContiguousStorageIfAvailable { other in
                for index in text.indices where text[index] != other[index] { return false }
                return true
            } ?? text.elementsEqual(other.utf8)
        }
    }

    /// The text, unescaped.
    package func string(in bytes: Span<UInt8>) throws(JSONError) -> String {
        if isEscaped {
            return String(decoding: try utf8(in: bytes), as: UTF8.self)
        }
        return bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// The text, unescaped, as UTF-8.
    func utf8(in bytes: Span<UInt8>) throws(JSONError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            if bytes[position] == UInt8(ascii: "\\") {
                result.append(contentsOf: try Self.unescape(in: bytes, at: &position).utf8)
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return result
    }

    /// Refuses what is not well-formed UTF-8 (Unicode §3.9, table 3-7).
    ///
    /// `UTF8Span` would do, but apps run on systems that are older than it.
    func checkUTF8(in bytes: Span<UInt8>) throws(JSONError) {
        var position = range.lowerBound
        while position < range.upperBound {
            guard let length = Self.lengthOfScalar(in: bytes.extracting(position..<range.upperBound)) else {
                throw JSONError(.invalidUTF8, at: position)
            }
            position += length
        }
    }

    /// How many bytes the first scalar has; nil if it is not valid.
    private static func lengthOfScalar(in bytes: Span<UInt8>) -> Int? {
        let length: Int
        let second: ClosedRange<UInt8>
        switch bytes[0] {
        case 0...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        default: return nil
        }
        guard bytes.count >= length, second.contains(bytes[1]) else { return nil }
        for index in 2..<length where !(0x80...0xBF).contains(bytes[index]) { return nil }
        return length
    }

    /// Reads the escape whose backslash is at `position` and moves past it; a surrogate pair counts as one.
    static func unescape(in bytes: Span<UInt8>, at position: inout Int) throws(JSONError) -> Unicode.Scalar {
        let start = position
        let first = try escapedUnit(in: bytes, at: &position)
        if let scalar = Unicode.Scalar(first) {
            guard scalar.value != 0 else { throw JSONError(.nullCharacter, at: start) }
            return scalar
        }
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
        guard UTF16.isLeadSurrogate(first), bytes[position] == UInt8(ascii: "\\") else {
            throw JSONError(.loneSurrogate, at: start)
        }
        let second = try escapedUnit(in: bytes, at: &position)
        let pair = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(pair) else {
            throw JSONError(.loneSurrogate, at: start)
        }
        return scalar
    }

    private static func escapedUnit(in bytes: Span<UInt8>, at position: inout Int) throws(JSONError) -> UInt16 {
        let start = position
        guard position + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        position += 2
        switch bytes[position - 1] {
        case UInt8(ascii: "\""): return 0x22
        case UInt8(ascii: "\\"): return 0x5C
        case UInt8(ascii: "/"): return 0x2F
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            var unit: UInt16 = 0
            for _ in 0..<4 {
                guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
                guard let digit = HexDigit.value(bytes[position]) else { throw JSONError(.invalidEscape, at: start) }
                unit = unit << 4 | UInt16(digit)
                position += 1
            }
            return unit
        default:
            throw JSONError(.invalidEscape, at: start)
        }
    }
}
