import JulietAPI

/// A JSON value of an item of the old table.
enum LegacyValue {
    case text(String)
    case object([String: LegacyValue])
    case list([LegacyValue])
    case number(Double)
    case flag(Bool)
    case null

    /// Reads one document, as strictly as the contract's.
    init(json: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner()
        self = try Self.read(&scanner, in: json.span)
        try scanner.finish(in: json.span)
    }

    private static func read(_ scanner: inout JSONScanner, in bytes: Span<UInt8>) throws(JSONError) -> LegacyValue {
        switch scanner.peek(in: bytes) {
        case UInt8(ascii: "{"):
            var members: [String: LegacyValue] = [:]
            try scanner.openObject(in: bytes)
            while let name = try scanner.nextName(in: bytes) {
                let value = try read(&scanner, in: bytes)
                guard members.updateValue(value, forKey: try name.string(in: bytes)) == nil else {
                    throw JSONError(.duplicateName, at: name.range.lowerBound)
                }
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [LegacyValue] = []
            try scanner.openArray(in: bytes)
            while try scanner.nextElement(in: bytes) { elements.append(try read(&scanner, in: bytes)) }
            return .list(elements)
        default: break
        }
        switch try scanner.value(in: bytes) {
        case .string(let text): return .text(try text.string(in: bytes))
        case .number(let number):
            // Never nil, because Swift reads all numbers of JSON.
            let digits = number.range.map { Unicode.Scalar(bytes[$0]) }
            return .number(Double(String(String.UnicodeScalarView(digits))) ?? .nan)
        case .boolean(let flag): return .flag(flag)
        // What is nested was read above.
        case .null, .nested: return .null
        }
    }

    /// The attributes of an item, which may be in an object under `Item`, as in exports to S3; nil if this is not an
    /// object.
    var item: [String: LegacyValue]? {
        guard case .object(let object) = self else { return nil }
        return if case .object(let item) = object["Item"] { item } else { object }
    }

    /// Whether DynamoDB's type around the value is this one; nil where there is none.
    func hasType(_ name: String) -> Bool? {
        guard case .object(let typed) = self, typed.count == 1, let type = typed.keys.first else { return nil }
        return type == name
    }

    /// The value without DynamoDB's type around it; nil for null.
    var plain: LegacyValue? {
        if case .null = self { return nil }
        guard case .object(let typed) = self, typed.count == 1, let (type, content) = typed.first else { return self }
        return switch type {
        case "S", "N", "BOOL", "L", "SS", "NS", "M": content
        case "NULL": nil
        default: self
        }
    }
}
