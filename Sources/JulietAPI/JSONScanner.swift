/// Reads JSON text (RFC 8259) strictly in one pass, building no tree.
///
/// A scanner is a position. Every call gets the same bytes, because a `Span` cannot be stored in a type that may
/// escape. Objects and arrays are read on demand: open one, then ask for the next name or element until there is
/// none.
///
/// Stricter than the grammar where the contract requires it: well-formed UTF-8 only and no byte order mark, no U+0000
/// and no lone surrogate even when escaped, at most `maximumDepth` levels of nesting.
package struct JSONScanner {
    /// How many arrays and objects may be open at once, the outermost included.
    static let maximumDepth = 32

    /// The offset of the next byte.
    private(set) var position = 0
    private var depth = 0
    /// Whether the innermost array or object has just been opened, so that no comma is due.
    private var isFirst = false

    /// A scanner at the beginning.
    package init() {}

    // MARK: Objects and arrays

    /// Skips the opening brace of a text that must be an object; its error is clear if it is something else.
    mutating func openOutermostObject(in bytes: Span<UInt8>) throws(JSONError) {
        skipBlanks(in: bytes)
        switch byte(in: bytes) {
        case UInt8(ascii: "{"):
            try openObject(in: bytes)
        case nil:
            throw JSONError(.empty, at: position)
        case 0xEF where position == 0:
            throw JSONError(.byteOrderMark, at: 0)
        default:
            let start = position
            _ = try value(in: bytes)
            try finish(in: bytes)
            throw JSONError(.notAnObject, at: start)
        }
    }

    /// Skips the opening brace.
    package mutating func openObject(in bytes: Span<UInt8>) throws(JSONError) {
        try open(UInt8(ascii: "{"), in: bytes)
    }

    /// Reads the next member's name and colon, or skips the closing brace and returns nil.
    package mutating func nextName(in bytes: Span<UInt8>) throws(JSONError) -> JSONText? {
        guard try advance(to: UInt8(ascii: "}"), in: bytes) else { return nil }
        skipBlanks(in: bytes)
        let name = try string(in: bytes)
        skipBlanks(in: bytes)
        try pass(UInt8(ascii: ":"), in: bytes)
        return name
    }

    /// Skips the opening bracket.
    package mutating func openArray(in bytes: Span<UInt8>) throws(JSONError) {
        try open(UInt8(ascii: "["), in: bytes)
    }

    /// Whether an element follows; if not, skips the closing bracket.
    package mutating func nextElement(in bytes: Span<UInt8>) throws(JSONError) -> Bool {
        try advance(to: UInt8(ascii: "]"), in: bytes)
    }

    /// Checks that only blanks are left.
    package mutating func finish(in bytes: Span<UInt8>) throws(JSONError) {
        skipBlanks(in: bytes)
        guard position == bytes.count else { throw JSONError(.trailingContent, at: position) }
    }

    // MARK: Values

    /// The first byte of the value that comes next, which determines its kind; nil at the end.
    package mutating func peek(in bytes: Span<UInt8>) -> UInt8? {
        skipBlanks(in: bytes)
        return byte(in: bytes)
    }

    /// Reads one value of any kind; arrays and objects are checked to their end and skipped.
    package mutating func value(in bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        skipBlanks(in: bytes)
        guard let first = byte(in: bytes) else { throw unexpected(in: bytes) }
        switch first {
        case UInt8(ascii: "\""):
            return .string(try string(in: bytes))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number(in: bytes))
        case UInt8(ascii: "{"):
            try skipObject(in: bytes)
            return .nested
        case UInt8(ascii: "["):
            try skipArray(in: bytes)
            return .nested
        case UInt8(ascii: "t"):
            try pass("true", in: bytes)
            return .boolean(true)
        case UInt8(ascii: "f"):
            try pass("false", in: bytes)
            return .boolean(false)
        case UInt8(ascii: "n"):
            try pass("null", in: bytes)
            return .null
        default:
            throw unexpected(in: bytes)
        }
    }

    private mutating func skipObject(in bytes: Span<UInt8>) throws(JSONError) {
        var names = JSONNames()
        try openObject(in: bytes)
        while let name = try nextName(in: bytes) {
            try names.insert(name, in: bytes)
            _ = try value(in: bytes)
        }
    }

    private mutating func skipArray(in bytes: Span<UInt8>) throws(JSONError) {
        try openArray(in: bytes)
        while try nextElement(in: bytes) {
            _ = try value(in: bytes)
        }
    }

    // MARK: Strings

    private mutating func string(in bytes: Span<UInt8>) throws(JSONError) -> JSONText {
        try pass(UInt8(ascii: "\""), in: bytes)
        let start = position
        var isEscaped = false
        var isASCII = true
        while let byte = byte(in: bytes) {
            switch byte {
            case UInt8(ascii: "\""):
                let text = JSONText(range: start..<position, isEscaped: isEscaped)
                if !isASCII {
                    try text.checkUTF8(in: bytes)
                }
                position += 1
                return text
            case UInt8(ascii: "\\"):
                isEscaped = true
                _ = try JSONText.unescape(in: bytes, at: &position)
            case 0..<0x20:
                throw JSONError(.controlCharacter, at: position)
            default:
                isASCII = isASCII && byte < 0x80
                position += 1
            }
        }
        throw unexpected(in: bytes)
    }

    // MARK: Numbers

    private mutating func number(in bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
        let start = position
        skip(UInt8(ascii: "-"), in: bytes)
        if !skip(UInt8(ascii: "0"), in: bytes) {
            try digits(in: bytes)
        }
        if skip(UInt8(ascii: "."), in: bytes) {
            try digits(in: bytes)
        }
        if skip(UInt8(ascii: "e"), in: bytes) || skip(UInt8(ascii: "E"), in: bytes) {
            if !skip(UInt8(ascii: "-"), in: bytes) {
                skip(UInt8(ascii: "+"), in: bytes)
            }
            try digits(in: bytes)
        }
        return JSONNumber(range: start..<position)
    }

    /// Skips one digit or more.
    private mutating func digits(in bytes: Span<UInt8>) throws(JSONError) {
        let start = position
        while let byte = byte(in: bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw unexpected(in: bytes) }
    }

    // MARK: Bytes

    private func byte(in bytes: Span<UInt8>) -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func unexpected(in bytes: Span<UInt8>) -> JSONError {
        JSONError(position < bytes.count ? .unexpectedCharacter : .unexpectedEnd, at: position)
    }

    /// Blank, tab or line end: the only white space JSON knows.
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func skipBlanks(in bytes: Span<UInt8>) {
        while let byte = byte(in: bytes), Self.isBlank(byte) {
            position += 1
        }
    }

    @discardableResult
    private mutating func skip(_ expected: UInt8, in bytes: Span<UInt8>) -> Bool {
        guard byte(in: bytes) == expected else { return false }
        position += 1
        return true
    }

    private mutating func pass(_ expected: UInt8, in bytes: Span<UInt8>) throws(JSONError) {
        guard skip(expected, in: bytes) else { throw unexpected(in: bytes) }
    }

    private mutating func pass(_ word: String, in bytes: Span<UInt8>) throws(JSONError) {
        for letter in word.utf8 {
            try pass(letter, in: bytes)
        }
    }

    private mutating func open(_ bracket: UInt8, in bytes: Span<UInt8>) throws(JSONError) {
        skipBlanks(in: bytes)
        guard depth < Self.maximumDepth || byte(in: bytes) != bracket else {
            throw JSONError(.tooDeep, at: position)
        }
        try pass(bracket, in: bytes)
        depth += 1
        isFirst = true
    }

    /// Skips the comma before the next member or element if one is required; returns false after the closing bracket.
    private mutating func advance(to closing: UInt8, in bytes: Span<UInt8>) throws(JSONError) -> Bool {
        skipBlanks(in: bytes)
        if skip(closing, in: bytes) {
            depth -= 1
            isFirst = false
            return false
        }
        if !isFirst {
            try pass(UInt8(ascii: ","), in: bytes)
        }
        isFirst = false
        return true
    }
}
