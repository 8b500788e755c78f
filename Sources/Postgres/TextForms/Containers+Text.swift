extension Optional where Wrapped: PostgresEncodable {
    /// Writes the text form.
    public func encodeText(to writer: inout ParameterWriter) { self?.encodeText(to: &writer) }
}

extension Optional where Wrapped: PostgresDecodable {
    /// Reads the text form.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        self = .some(try Wrapped(postgresText: text))
    }
}

extension Array where Element: PostgresEncodable {
    /// Writes the text form: `{…}`, for `bytea` `\x…`.
    public func encodeText(to writer: inout ParameterWriter) { Element.encodeTextArray(self, to: &writer) }
}

extension Array where Element: PostgresDecodable {
    /// Reads the text form.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        self = try Element.decodeTextArray(text)
    }
}

/// What may be an array in an array.
protocol TextArray {}
extension Array: TextArray where Element: PostgresDecodable {}
extension Optional: TextArray where Wrapped: TextArray {}

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    /// Writes the raw value.
    public func encodeText(to writer: inout ParameterWriter) { rawValue.encodeText(to: &writer) }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    /// Reads the raw value.
    ///
    /// - Throws: As the raw value, and `.outOfRange` for one that the type does not have.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        guard let value = Self(rawValue: try RawValue(postgresText: text)) else { throw .outOfRange }
        self = value
    }
}

extension PostgresCodec {
    /// Makes the writer fail.
    public static func encodeText(_ value: Value, to writer: inout ParameterWriter) {
        writer.fail("\(Self.self) has no text form")
    }

    /// Refuses every text.
    public static func decode(postgresText text: String) throws(PostgresDecodingError.Reason) -> Value {
        throw .malformed
    }
}

extension PostgresCoded {
    /// Writes the text form by the codec.
    public func encodeText(to writer: inout ParameterWriter) { Codec.encodeText(value, to: &writer) }

    /// Reads the text form by the codec.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) {
        value = try Codec.decode(postgresText: text)
    }
}

extension PostgresJSONValue where Value: Encodable {
    /// Writes the value as JSON. One that has no JSON, such as a number that is infinite, makes the writer fail.
    public func encodeText(to writer: inout ParameterWriter) {
        if let text = jsonText(value, &writer) { writer.append(utf8: text) }
    }
}

extension PostgresJSONValue where Value: Decodable {
    /// Reads JSON.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { value = try decodeValue(text) }
}

extension PostgresJSONBValue where Value: Encodable {
    /// Writes the value as JSON. One that has no JSON, such as a number that is infinite, makes the writer fail.
    public func encodeText(to writer: inout ParameterWriter) {
        if let text = jsonText(value, &writer) { writer.append(utf8: text) }
    }
}

extension PostgresJSONBValue where Value: Decodable {
    /// Reads JSON.
    public init(postgresText text: String) throws(PostgresDecodingError.Reason) { value = try decodeValue(text) }
}
