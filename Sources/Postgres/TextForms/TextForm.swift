// Besides its binary form a value has a text form: what the type's input function reads and its output function writes.
// It travels only in `COPY` in text. The server reads it for whatever type the column has, so no type goes with it.

extension PostgresEncodable {
    /// Makes the writer fail.
    public func encodeText(to writer: inout ParameterWriter) { writer.fail("\(Self.self) has no text form") }

    /// Writes an array of these as `{…}`, each element in quotes.
    ///
    /// Arrays in an array must be of the same lengths, or the server refuses them, and cannot be NULL: the writer fails
    /// else.
    public static func encodeTextArray(_ values: [Self], to writer: inout ParameterWriter) {
        let isNested = postgresTypeName?.hasSuffix("[]") ?? (postgresType.element != nil)
        let parts = values.map { value in
            if value.isPostgresNull {
                if isNested { writer.fail("NULL in the place of an array in an array") }
                return Array("NULL".utf8)
            }
            let text = writer.written { value.encodeText(to: &$0) }
            return isNested ? text : text.quoted(escape: UInt8(ascii: "\\"))
        }
        // Arrays without elements have no dimensions, and so neither has an array of them.
        let isEmpty = isNested && parts.allSatisfy { $0.elementsEqual("{}".utf8) }
        writer.append(utf8: "{")
        if !isEmpty { writer.append(bytes: Array(parts.joined(separator: [UInt8(ascii: ",")]))) }
        writer.append(utf8: "}")
    }
}

extension PostgresDecodable {
    /// Refuses every text.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { throw .malformed }

    /// Reads `{…}`.
    ///
    /// - Throws: `.malformed`, `.null` for NULL in an array of values that are not optional, or what an element throws.
    public static func decodeTextArray(_ text: String) throws(PostgresDecodingError.Reason) -> [Self] {
        guard let parts = ArrayText.parts(of: text) else { throw .malformed }
        var values: [Self] = []
        values.reserveCapacity(parts.count)
        for part in parts {
            switch part {
            case .null:
                guard let null = postgresNull else { throw .null }
                values.append(null)
            case .element(let text): values.append(try Self(postgresText: text))
            case .array(let text):
                guard Self.self is any TextArray.Type else { throw .malformed }
                values.append(try Self(postgresText: text))
            }
        }
        return values
    }
}

extension ParameterWriter {
    /// What `body` writes, which is not kept.
    mutating func written(_ body: (inout ParameterWriter) -> Void) -> [UInt8] {
        let start = bytes.count
        body(&self)
        defer { bytes.removeSubrange(start...) }
        return Array(bytes[start...])
    }
}

extension [UInt8] {
    /// The text in quotes, with a character before each quote and backslash: for a quote `escape`, for a backslash
    /// another one.
    func quoted(escape: UInt8) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "\"")]
        text.reserveCapacity(count + 2)
        for byte in self {
            if byte == UInt8(ascii: "\"") { text.append(escape) }
            if byte == UInt8(ascii: "\\") { text.append(byte) }
            text.append(byte)
        }
        text.append(UInt8(ascii: "\""))
        return text
    }
}

/// Reads a value of a type that writes itself as the server does.
func value<Value: LosslessStringConvertible>(ofText text: String) throws(PostgresDecodingError.Reason) -> Value {
    guard let value = Value(text) else { throw .malformed }
    return value
}
