extension String: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .text }

    /// Writes UTF-8. PostgreSQL stores no zero character: such a text is refused by the server (SQLSTATE 22021).
    public func encode(to writer: inout ParameterWriter) { writer.append(utf8: self) }

    /// Reads the text types, enums and other types made in the database whose binary form is text.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type.isTextual || type == .char else { throw .type(type) }
        self = try String(postgresUTF8: bytes)
    }

    /// A connection always speaks UTF-8, so invalid bytes mean a column that is not text.
    init(postgresUTF8 bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) {
        guard let text = try? UTF8Span(validating: bytes) else { throw .malformed }
        self = String(copying: text)
    }
}

/// A `json` value as text. The database keeps the text as it is.
public struct PostgresJSON: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// The JSON text.
    public var text: String

    /// A value from JSON text; the server checks it.
    public init(_ text: String) { self.text = text }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .json }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(utf8: text) }

    /// Reads `json` and `jsonb`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self.text = try decodeJSON(bytes, type)
    }
}

/// A `jsonb` value as text. The database keeps it in its own form: blanks and the order of keys are lost.
public struct PostgresJSONB: Hashable, Sendable, PostgresEncodable, PostgresDecodable {
    /// The version byte that begins the binary form (`jsonb_recv`).
    fileprivate static let version: UInt8 = 1

    /// The JSON text.
    public var text: String

    /// A value from JSON text; the server checks it.
    public init(_ text: String) { self.text = text }

    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .jsonb }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) {
        writer.append(Self.version)
        writer.append(utf8: text)
    }

    /// Reads `json` and `jsonb`.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self.text = try decodeJSON(bytes, type)
    }
}

private func decodeJSON(_ bytes: Span<UInt8>, _ type: PostgresType) throws(PostgresDecodingError.Reason) -> String {
    switch type {
    case .json:
        return try String(postgresUTF8: bytes)
    case .jsonb:
        guard bytes.count > 1, bytes[0] == PostgresJSONB.version else { throw .malformed }
        return try String(postgresUTF8: bytes.extracting(1..<bytes.count))
    default:
        throw .type(type)
    }
}
