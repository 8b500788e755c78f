/// How values of a type travel, apart from the type: for a type that is not yours, or that travels in several ways.
///
/// A type of your own declares ``PostgresEncodable`` and ``PostgresDecodable`` itself.
///
/// ```swift
/// /// Seconds since 1970 as a `timestamptz`.
/// enum UnixTime: PostgresCodec {
///     static var postgresType: PostgresType { .timestamptz }
///     static func encode(_ seconds: Double, to writer: inout ParameterWriter) {
///         PostgresTimestamp(microsecondsSince1970: Int64(seconds * 1_000_000)).encode(to: &writer)
///     }
///     static func decode(
///         _ bytes: Span<UInt8>, type: PostgresType
///     ) throws(PostgresDecodingError.Reason) -> Double {
///         Double(try PostgresTimestamp(binary: bytes, type: type).microsecondsSince1970) / 1_000_000
///     }
/// }
///
/// parameters.append(1_700_000_000, by: UnixTime.self)
/// let seconds = try row.next(by: UnixTime.self)
/// ```
public protocol PostgresCodec: Sendable {
    /// What is written and read.
    associatedtype Value: Sendable

    /// The type that a parameter is declared with; ``PostgresType/unspecified`` leaves it to the server.
    static var postgresType: PostgresType { get }

    /// The name of a type made in the database, as ``PostgresEncodable/postgresTypeName``. Default: `nil`.
    static var postgresTypeName: String? { get }

    /// Writes the binary form (what the type's `…recv` function reads).
    static func encode(_ value: Value, to writer: inout ParameterWriter)

    /// Reads the binary form (what the type's `…send` function writes), whatever the bytes are.
    ///
    /// - Throws: `.type` for a column of another type, `.malformed` or `.outOfRange` for its bytes.
    static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) -> Value

    /// Writes the text form (what the type's input function reads), for `COPY` in text. Default: the writer fails.
    static func encodeText(_ value: Value, to writer: inout ParameterWriter)

    /// Reads the text form (what the type's output function writes), from `COPY` in text. Default: refuses it.
    ///
    /// - Throws: `.malformed` or `.outOfRange`.
    static func decode(postgresText text: String) throws(PostgresDecodingError.Reason) -> Value
}

extension PostgresCodec {
    /// None.
    @inlinable public static var postgresTypeName: String? { nil }
}

/// A value that travels by a codec: for arrays and optionals of such values.
public struct PostgresCoded<Codec: PostgresCodec>: PostgresEncodable, PostgresDecodable {
    /// The value.
    public var value: Codec.Value

    /// A value that travels by the codec.
    @inlinable public init(_ value: Codec.Value) { self.value = value }

    /// The codec's type.
    @inlinable public static var postgresType: PostgresType { Codec.postgresType }

    /// The codec's name of the type.
    @inlinable public static var postgresTypeName: String? { Codec.postgresTypeName }

    /// Writes by the codec.
    @inlinable public func encode(to writer: inout ParameterWriter) { Codec.encode(value, to: &writer) }

    /// Reads by the codec.
    @inlinable
    public init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        value = try Codec.decode(bytes, type: type)
    }
}

extension PostgresCoded: Equatable where Codec.Value: Equatable {}
extension PostgresCoded: Hashable where Codec.Value: Hashable {}

extension Parameters {
    /// Appends a value by a codec.
    @inlinable
    public mutating func append<Codec: PostgresCodec>(_ value: Codec.Value, by _: Codec.Type) {
        append(PostgresCoded<Codec>(value))
    }
}

extension RowDecoder {
    /// Reads the next column by a codec.
    ///
    /// - Throws: As ``next(_:)``.
    @inlinable
    public mutating func next<Codec: PostgresCodec>(
        by _: Codec.Type
    ) throws(PostgresDecodingError) -> Codec.Value {
        try next(PostgresCoded<Codec>.self).value
    }
}
