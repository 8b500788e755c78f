/// Field lines in their order, looked up by name without regard to case (RFC 9110 §5).
///
/// All names and values lie in one array of bytes, so the headers of a request cost two allocations and become
/// strings only when they are asked for.
public struct Headers: Sendable {
    /// Where one field line lies in `bytes`.
    struct Field: Sendable {
        var nameStart: UInt32
        var nameEnd: UInt32 = 0
        var valueStart: UInt32 = 0
        var valueEnd: UInt32 = 0

        var nameCount: Int { Int(nameEnd - nameStart) }
        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// For a parsed request the whole head as received; otherwise names and values one after the other.
    private(set) var bytes: [UInt8]
    private(set) var fields: [Field]

    /// No field lines.
    public init() {
        bytes = []
        fields = []
    }

    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// No field lines yet, but room for so many, and for so many bytes of their names and values together.
    package init(lines: Int, bytes size: Int) {
        self.init()
        fields.reserveCapacity(lines)
        bytes.reserveCapacity(size)
    }

    /// The number of field lines.
    public var count: Int { fields.count }

    /// Whether there is no field line.
    public var isEmpty: Bool { fields.isEmpty }

    /// The value of a field; several lines of one name are joined by a comma and a blank (RFC 9110 §5.3).
    ///
    /// Setting replaces all lines of that name; `nil` removes them. See ``values(of:)`` for what is not ASCII.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            for field in fields where matches(field, name) {
                let value = value(of: field)
                joined = joined.map { $0 + ", " + value } ?? value
            }
            return joined
        }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// The values of all lines of this name, in their order.
    ///
    /// Each byte that is not ASCII is one character, U+0080 to U+00FF: such bytes are opaque (RFC 9110 §5.5). Read as UTF-8 they
    /// could be thousands of combining marks, and comparing those takes time that grows as the square of their number.
    public func values(of name: String) -> [String] {
        fields.compactMap { field in matches(field, name) ? value(of: field) : nil }
    }

    private func value(of field: Field) -> String {
        let value = bytes[field.value]
        if value.allSatisfy({ $0 < 0x80 }) { return String(decoding: value, as: UTF8.self) }
        return String(String.UnicodeScalarView(value.lazy.map { Unicode.Scalar($0) }))
    }

    /// Whether there is a line of this name.
    public func contains(_ name: String) -> Bool {
        fields.contains { matches($0, name) }
    }

    /// Adds a field line at the end.
    ///
    /// A name that is no token is a programmer's mistake and traps. Control characters in the value become blanks
    /// (RFC 9110 §5.5), so that no value can end the line and start another.
    public mutating func append(_ name: String, _ value: String) {
        let isToken = append(name, value.utf8.span)
        precondition(isToken, "a field name is a token")
    }

    /// The same for bytes, which need not be UTF-8.
    ///
    /// - Returns: False, and nothing is added, if the name is no token.
    package mutating func append(_ name: String, _ value: Span<UInt8>) -> Bool {
        let name = name.utf8.span
        guard !name.isEmpty else { return false }
        for index in name.indices where !CharacterClass.isToken(name[index]) { return false }
        let nameStart = bytes.count
        bytes.append(copying: name, name.indices)
        let valueStart = bytes.count
        bytes.append(copying: value, value.indices)
        for index in valueStart..<bytes.count where !CharacterClass.isFieldContent(bytes[index]) {
            bytes[index] = 0x20
        }
        fields.append(
            Field(
                nameStart: UInt32(nameStart), nameEnd: UInt32(valueStart),
                valueStart: UInt32(valueStart), valueEnd: UInt32(bytes.count)))
        return true
    }

    /// Calls the function for each field line, in order, with the bytes of its value as they came.
    package func forEachLine<Failure: Error>(
        _ body: (_ name: String, _ value: ArraySlice<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for field in fields { try body(String(decoding: bytes[field.name], as: UTF8.self), bytes[field.value]) }
    }

    /// Removes all lines of this name.
    public mutating func remove(_ name: String) {
        guard contains(name) else { return }
        fields = fields.filter { !matches($0, name) }
    }

    /// Whether the server sets this field itself, so that a handler's value is ignored.
    static func isServersOwn(_ bytes: [UInt8], _ field: Field) -> Bool {
        switch field.nameCount {
        case 4: equals(bytes, field.name, "date")
        case 10: equals(bytes, field.name, "connection") || equals(bytes, field.name, "keep-alive")
        case 14: equals(bytes, field.name, "content-length")
        case 17: equals(bytes, field.name, "transfer-encoding")
        default: false
        }
    }

    private static func equals(_ bytes: [UInt8], _ range: Range<Int>, _ lowercase: StaticString) -> Bool {
        bytes.span.equalsIgnoringCase(range, lowercase)
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        guard name.utf8.count == field.nameCount else { return false }
        let (name, bytes) = (name.utf8.span, bytes.span)
        for index in name.indices {
            let byte = bytes[Int(field.nameStart) + index]
            guard CharacterClass.lowercased(byte) == CharacterClass.lowercased(name[index]) else { return false }
        }
        return true
    }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Field lines in the literal's order; a name may come more than once.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}

extension Headers: Sequence {
    /// One field line.
    public typealias Element = (name: String, value: String)

    /// The field lines in their order.
    public func makeIterator() -> AnyIterator<Element> {
        var index = 0
        return AnyIterator {
            guard index < fields.count else { return nil }
            let field = fields[index]
            index += 1
            return (String(decoding: bytes[field.name], as: UTF8.self), value(of: field))
        }
    }
}

extension Headers: Equatable {
    /// Equal if the same lines come in the same order; names are compared without regard to case.
    public static func == (left: Headers, right: Headers) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { $0.name.lowercased() == $1.name.lowercased() && $0.value == $1.value }
    }
}
