/// A value that can be a parameter. ``PostgresDecodable`` has a table of the types.
///
/// A parameter for an enum needs no cast. An array of an enum does, `$1::mood[]`, because its elements are texts. A value that
/// cannot be sent, such as an array of arrays of different lengths, fails its statement with ``PostgresError/Code/misuse``,
/// and nothing is sent.
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
///
/// Values travel in PostgreSQL's binary formats, both ways. A column of another type is refused by its name, never converted
/// by chance. An array or an optional of each of these is a value, too; `[[Int]]` is a `bigint[]` of two dimensions. Cast
/// what is not in the table, in SQL: `sum(points)::bigint`, `price::text`.
///
/// | PostgreSQL | Swift | read from |
/// |---|---|---|
/// | `boolean` | `Bool` | |
/// | `smallint`, `integer` | `Int16`, `Int32` | that type or a narrower one |
/// | `bigint` | `Int`, `Int64` | any integer type, and `oid` |
/// | `real` | `Float` | |
/// | `double precision` | `Double` | `real`, too |
/// | `text` | `String` | every type that is text in its binary form, such as `varchar`, an enum, `citext`, `json` |
/// | `bytea` | `[UInt8]` | |
/// | `"char"` | `UInt8` | |
/// | `uuid` | ``PostgresUUID`` | |
/// | `date` | ``PostgresDate`` | |
/// | `timestamptz` | ``PostgresTimestamp`` | |
/// | `jsonb` | ``PostgresJSONBValue``, a `Codable` value | `json`, too |
/// | an enum | a type whose raw value is a `String`, declared ``PostgresEncodable`` and ``PostgresDecodable`` | |
/// | any of these | a type whose raw value is one of these, declared likewise | |
/// | a composite | a type of yours that reads itself by a ``CompositeReader`` | |
/// | anything | a type of yours, declared ``PostgresEncodable`` and ``PostgresDecodable`` | |
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
