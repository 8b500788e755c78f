extension JSON {
    /// How many arrays and objects may be open at once, the outermost included.
    package static let maximumDepth = 32

    /// Reads a whole text (RFC 8259); nil: it is not what is taken here.
    ///
    /// Stricter than the grammar, so that two readers cannot read two things: well-formed UTF-8 without a byte order
    /// mark, no name twice in one object, no U+0000 and no lone surrogate even when escaped, at most ``maximumDepth``
    /// levels.
    package init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard let value = try? reader.value(depth: 0), (try? reader.finish()) != nil else { return nil }
        self = value
    }
}

/// One pass over a text.
private struct JSONReader {
    /// The text is not the JSON that is taken here.
    struct Fault: Error {}

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func finish() throws(Fault) {
        skipBlanks()
        guard position == bytes.count else { throw Fault() }
    }

    /// Reads a value inside so many arrays and objects.
    mutating func value(depth: Int) throws(Fault) -> JSON {
        skipBlanks()
        guard let first = next else { throw Fault() }
        switch first {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: throw Fault()
        }
    }

    private mutating func object(depth: Int) throws(Fault) -> JSON {
        var members: [ExactText: JSON] = [:]
        try open(depth)
        var isFirst = true
        while try isAnother(before: UInt8(ascii: "}"), &isFirst) {
            skipBlanks()
            let name = try string()
            skipBlanks()
            try pass(UInt8(ascii: ":"))
            guard members.updateValue(try value(depth: depth), forKey: name) == nil else { throw Fault() }
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Fault) -> JSON {
        var elements: [JSON] = []
        try open(depth)
        var isFirst = true
        while try isAnother(before: UInt8(ascii: "]"), &isFirst) {
            elements.append(try value(depth: depth))
        }
        return .array(elements)
    }

    private mutating func open(_ depth: Int) throws(Fault) {
        guard depth <= JSON.maximumDepth else { throw Fault() }
        position += 1
    }

    /// Passes the comma that is due, or the closing bracket and answers false.
    private mutating func isAnother(before closing: UInt8, _ isFirst: inout Bool) throws(Fault) -> Bool {
        skipBlanks()
        if skip(closing) { return false }
        if !isFirst { try pass(UInt8(ascii: ",")) }
        isFirst = false
        return true
    }

    // MARK: Strings

    private mutating func string() throws(Fault) -> ExactText {
        try pass(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = ExactText(validating: text) else { throw Fault() }
                return text
            case UInt8(ascii: "\\"): text.append(contentsOf: try escaped().utf8)
            case 0..<0x20: throw Fault()
            default: text.append(byte)
            }
        }
        throw Fault()
    }

    /// Reads what follows a backslash; a surrogate pair is one.
    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        let first = try escapedUnit()
        if let scalar = Unicode.Scalar(first) {
            guard scalar.value != 0 else { throw Fault() }
            return scalar
        }
        guard UTF16.isLeadSurrogate(first), skip(UInt8(ascii: "\\")) else { throw Fault() }
        let second = try escapedUnit()
        let pair = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
        guard UTF16.isTrailSurrogate(second), let scalar = Unicode.Scalar(pair) else { throw Fault() }
        return scalar
    }

    private mutating func escapedUnit() throws(Fault) -> UInt16 {
        guard let byte = next else { throw Fault() }
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
                guard let byte = next, let digit = Hexadecimal.value(of: byte) else { throw Fault() }
                unit = unit << 4 | UInt16(digit)
                position += 1
            }
            return unit
        default: throw Fault()
        }
    }

    // MARK: Numbers

    private mutating func number() throws(Fault) -> ExactText {
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
    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw Fault() }
    }

    // MARK: Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    @discardableResult
    private mutating func skip(_ expected: UInt8) -> Bool {
        guard next == expected else { return false }
        position += 1
        return true
    }

    private mutating func pass(_ expected: UInt8) throws(Fault) {
        guard skip(expected) else { throw Fault() }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(Fault) -> JSON {
        for letter in word.utf8 { try pass(letter) }
        return value
    }
}
