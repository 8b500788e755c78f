/// A value that can be a parameter.
public protocol PostgresEncodable: Sendable {
    /// The type that the parameter is declared with; ``PostgresType/unspecified`` leaves it to the server.
    static var postgresType: PostgresType { get }

    /// The type of an array of these. Default: PostgreSQL's array over ``postgresType``, left to the server where it is
    /// not built in.
    ///
    /// It is ``postgresType`` itself where that is an array: to PostgreSQL `int[][]` is `int[]`.
    static var postgresArrayType: PostgresType { get }

    /// Whether the value is NULL. Default: `false`.
    var isPostgresNull: Bool { get }

    /// Writes the binary form (what the type's `…recv` function reads). Not called for NULL.
    ///
    /// A value that has none says so by ``ParameterWriter/fail(_:)``.
    func encode(to writer: inout ParameterWriter)

    /// Writes an array of these. Default: PostgreSQL's, with one more dimension than the values have.
    static func encodeArray(_ values: [Self], to writer: inout ParameterWriter)
}

/// A value that a column can become.
public protocol PostgresDecodable: Sendable {
    /// Reads the binary form (what the type's `…send` function writes), whatever the bytes are.
    ///
    /// - Throws: `.type` for a column of another type, `.malformed` or `.outOfRange` for its bytes.
    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason)

    /// What NULL becomes; `nil`, the default, refuses it.
    static var postgresNull: Self? { get }

    /// Reads an array of these. Default: PostgreSQL's, with one more dimension than the values have.
    static func decodeArray(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) -> [Self]
}

extension PostgresEncodable {
    /// Whether the value is NULL.
    @inlinable public var isPostgresNull: Bool { false }

    /// The type of an array of these.
    @inlinable public static var postgresArrayType: PostgresType { postgresType.array ?? .unspecified }
}

extension PostgresDecodable {
    /// What NULL becomes.
    @inlinable public static var postgresNull: Self? { nil }
}

extension Span where Element == UInt8 {
    /// The integer in network byte order at an offset. Traps beyond the end, as every subscript does.
    @inlinable
    func integer<Integer: FixedWidthInteger>(at offset: Int, as _: Integer.Type) -> Integer {
        var value: Integer = 0
        for index in 0..<(Integer.bitWidth / 8) {
            value = value << 8 | Integer(truncatingIfNeeded: self[offset + index])
        }
        return value
    }

    /// The bytes as an array.
    var copied: [UInt8] { unsafe withUnsafeBufferPointer { unsafe Array($0) } }
}
