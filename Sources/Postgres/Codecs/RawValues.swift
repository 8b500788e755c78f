// A type with a raw value, such as an enum, needs no more than the names of the protocols:
//
//     enum Level: Int, PostgresEncodable, PostgresDecodable { case easy = 1, hard }
//     enum Mood: String, PostgresEncodable, PostgresDecodable { case sad, happy }

extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    /// The type that the parameter is declared with: the raw value's.
    @inlinable public static var postgresType: PostgresType { RawValue.postgresType }

    /// The type of an array of these.
    @inlinable public static var postgresArrayType: PostgresType {
        RawValue.postgresType.array ?? RawValue.postgresArrayType
    }

    /// Whether the raw value is NULL.
    @inlinable public var isPostgresNull: Bool { rawValue.isPostgresNull }

    /// Writes the raw value.
    @inlinable public func encode(to writer: inout ParameterWriter) { rawValue.encode(to: &writer) }
}

/// A text that the server takes for whatever type stands where the parameter does: text, or an enum of the database.
extension PostgresEncodable where Self: RawRepresentable, RawValue == String {
    /// Left to the server: an enum's number differs from one database to the next.
    @inlinable public static var postgresType: PostgresType { .unspecified }

    /// `text[]`, for the elements of an array must have a number: an array of an enum takes a cast, `$1::mood[]`.
    @inlinable public static var postgresArrayType: PostgresType { String.postgresArrayType }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    /// Reads the raw value: of an enum of the database its label.
    ///
    /// - Throws: As the raw value, and `.outOfRange` for one that the type does not have.
    @inlinable
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard let value = Self(rawValue: try RawValue(binary: bytes, type: type)) else { throw .outOfRange }
        self = value
    }
}
