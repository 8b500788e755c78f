/// NULL is `nil`.
extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    /// The type that the parameter is declared with.
    @inlinable public static var postgresType: PostgresType { Wrapped.postgresType }

    /// The type of an array of these.
    @inlinable public static var postgresArrayType: PostgresType {
        // First what is built in: `[UInt8?]` is an array of `"char"`, while `[UInt8]` is `bytea`.
        Wrapped.postgresType.array ?? Wrapped.postgresArrayType
    }

    /// Whether the value is NULL.
    @inlinable public var isPostgresNull: Bool {
        switch self {
        case .none: true
        case .some(let value): value.isPostgresNull
        }
    }

    /// Writes the binary form.
    @inlinable public func encode(to writer: inout ParameterWriter) { self?.encode(to: &writer) }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    /// What NULL becomes.
    @inlinable public static var postgresNull: Wrapped?? { .some(.none) }

    /// Reads the binary form.
    @inlinable
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self = .some(try Wrapped(binary: bytes, type: type))
    }
}

/// An array; `[UInt8]` is `bytea`. Arrays in arrays are the dimensions of one, and so of the same lengths.
extension Array: PostgresEncodable where Element: PostgresEncodable {
    /// The type that the parameter is declared with.
    @inlinable public static var postgresType: PostgresType { Element.postgresArrayType }

    /// The type of an array of these: the same, unless this is `bytea`.
    @inlinable public static var postgresArrayType: PostgresType { postgresType.array ?? postgresType }

    /// Writes the binary form.
    @inlinable public func encode(to writer: inout ParameterWriter) { Element.encodeArray(self, to: &writer) }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        self = try Element.decodeArray(bytes, type: type)
    }
}

/// A sequence of bytes is `bytea`; a single byte is `"char"`.
extension UInt8: PostgresEncodable, PostgresDecodable {
    /// The type that the parameter is declared with.
    public static var postgresType: PostgresType { .char }
    /// The type of an array of these.
    public static var postgresArrayType: PostgresType { .bytea }

    /// Writes the binary form.
    public func encode(to writer: inout ParameterWriter) { writer.append(self) }

    /// Writes an array of these.
    public static func encodeArray(_ values: [UInt8], to writer: inout ParameterWriter) {
        writer.append(bytes: values)
    }

    /// Reads the binary form.
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard type == .char else { throw .type(type) }
        guard bytes.count == 1 else { throw .malformed }
        self = bytes[0]
    }

    /// Reads an array of these.
    public static func decodeArray(
        _ bytes: Span<UInt8>, type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> [UInt8] {
        guard type == .bytea else { throw .type(type) }
        return bytes.copied
    }
}
