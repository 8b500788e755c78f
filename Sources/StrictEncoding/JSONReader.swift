extension JSON {
    /// How many arrays and objects may be open at once, the outermost included.
    package static let maximumDepth = 32

    /// Reads a whole text (RFC 8259).
    ///
    /// Stricter than the grammar, so that two readers cannot read two things: well-formed UTF-8 without a byte order
    /// mark, no name twice in one object, no U+0000 and no lone surrogate even when escaped, at most ``maximumDepth``
    /// levels.
    ///
    /// - Throws: ``JSONError``.
    package init(_ bytes: [UInt8]) throws(JSONError) {
        var reader = JSONReader(bytes)
        self = try reader.value(depth: 0)
        try reader.finish()
    }
}

/// One pass over a text.
private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func finish() throws(JSONError) {
        skipBlanks()
        guard position == bytes.count else { throw unexpected }
    }

    /// Reads a value inside so many arrays and objects.
    mutating func value(depth: Int) throws(JSONError) -> JSON {
        skipBlanks()
        guard let first = next else { throw unexpected }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw unexpected
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSON {
        var members: [ExactText: JSON] = [:]
        try open(depth)
        var isFirst = true
        while try isAnother(before: UInt8(ascii: "}"), &isFirst) {
            skipBlanks()
            let start = position
            let name = try string()
            skipBlanks()
            try pass(UInt8(ascii: ":"))
            guard members.updateValue(try value(depth: depth), forKey: name) == nil else {
                throw JSONError(offset: start)
            }
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSON {
        var elements: [JSON] = []
        try open(depth)
        var isFirst = true
        while try isAnother(before: UInt8(ascii: "]"), &isFirst) {
            elements.append(try value(depth: depth))
        }
        return .array(elements)
    }

    private mutating func open(_ depth: Int) throws(JSONError) {
        guard depth <= JSON.maximumDepth else { throw unexpected }
        position += 1
    }

    /// Passes the comma that is due, or the closing bracket and answers false.
    private mutating func isAnother(before closing: UInt8, _ isFirst: inout Bool) throws(JSONError) -> Bool {
        skipBlanks()
        if skip(closing) { return false }
        if !isFirst { try pass(UInt8(ascii: ",")) }
        isFirst = false
        return true
    }

    // MARK: Strings

    private mutating func string() throws(JSONError) -> ExactText {
        let start = position
        try pass(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = ExactText(validating: text) else { throw JSONError(offset: start) }
                return text
            case UInt8(ascii: "\\"): text.append(contentsOf: try escaped().utf8)
            case 0..<0x20: throw JSONError(offset: position - 1)
            default: text.append(byte)
            }
        }
        throw unexpected
    }

    /// Reads what follows a backslash; a surrogate pair is one.
    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        let start = position - 1
        let first = try escapedUnit()
        if let scalar = Unicode.Scalar(first) {
            guard scalar.value != 0 else { throw JSONError(offset: start) }
            return scalar
        }
        guard UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")) else { throw JSONError(offset: start) }
        let second = try escapedUnit()
        let pair = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(pair) else {
            throw JSONError(offset: start)
        }
        return scalar
    }

    private mutating func escapedUnit() throws(JSONError) -> UInt16 {
        guard let byte = next else { throw unexpected }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0C
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            var unit: UInt16 = 0
            for _ in 0..<4 {
                guard let byte = next, let digit = Self.hexDigit(byte) else { throw unexpected }
                unit = unit << 4 | digit
                position += 1
            }
            return unit
        default: throw JSONError(offset: position - 1)
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> ExactText {
        let start = position
        skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "-")) { skip(UInt8(ascii: "+")) }
            try digits()
        }
        return ExactText(wellFormed: Array(bytes[start..<position]))
    }

    /// Passes one digit or more.
    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw unexpected }
    }

    // MARK: Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var unexpected: JSONError { JSONError(offset: position) }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    @discardableResult
    private mutating func skip(_ expected: UInt8) -> Bool {
        guard next == expected else { return false }
        position += 1
        return true
    }

    private mutating func pass(_ expected: UInt8) throws(JSONError) {
        guard skip(expected) else { throw unexpected }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
        for letter in word.utf8 { try pass(letter) }
        return value
    }
}
