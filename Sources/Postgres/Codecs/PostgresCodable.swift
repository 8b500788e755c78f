/// A value that can be a parameter.
public protocol PostgresEncodable: Sendable {
    /// The type that the parameter is declared with.
    static var postgresType: PostgresType { get }

    /// The type of an array of these. Default: PostgreSQL's array over ``postgresType``.
    static var postgresArrayType: PostgresType { get }

    /// Whether the value is NULL. Default: `false`.
    var isPostgresNull: Bool { get }

    /// Writes the binary form (what the type's `…recv` function reads). Not called for NULL.
    func encode(to writer: inout ParameterWriter)

    /// Writes an array of these. Default: a one-dimensional PostgreSQL array.
    static func encodeArray(_ values: [Self], to writer: inout ParameterWriter)
}

/// A value that a column can become.
public protocol PostgresDecodable: Sendable {
    /// Reads the binary form (what the type's `…send` function writes).
    ///
    /// - Throws: `.type` for a column of another type, `.malformed` or `.outOfRange` for its bytes.
    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason)

    /// What NULL becomes; `nil`, the default, refuses it.
    static var postgresNull: Self? { get }

    /// Reads an array of these. Default: a one-dimensional PostgreSQL array.
    static func decodeArray(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) -> [Self]
}

extension PostgresEncodable {
    /// Whether the value is NULL.
    @inlinable public var isPostgresNull: Bool { false }

    /// The type of an array of these.
    public static var postgresArrayType: PostgresType {
        guard let array = postgresType.array else { preconditionFailure("no array type over \(postgresType)") }
        return array
    }

    /// Writes an array of these.
    @inlinable
    public static func encodeArray(_ values: [Self], to writer: inout ParameterWriter) {
        writer.append(Int32(values.isEmpty ? 0 : 1))
        writer.append(Int32(values.contains { $0.isPostgresNull } ? 1 : 0))
        writer.append(postgresType.oid)
        guard !values.isEmpty else { return }
        writer.append(Int32(values.count))
        writer.append(Int32(1))
        for value in values {
            if value.isPostgresNull {
                writer.append(Int32(-1))
            } else {
                writer.appendCounted { value.encode(to: &$0) }
            }
        }
    }
}

extension PostgresDecodable {
    /// What NULL becomes.
    @inlinable public static var postgresNull: Self? { nil }

    /// Reads an array of these.
    public static func decodeArray(
        _ bytes: Span<UInt8>, type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> [Self] {
        guard bytes.count >= 12 else { throw .malformed }
        let dimensions = bytes.integer(at: 0, as: Int32.self)
        let element = PostgresType(oid: bytes.integer(at: 8, as: UInt32.self))
        if dimensions == 0 { return [] }
        guard dimensions == 1, bytes.count >= 20 else { throw .malformed }
        let count = Int(bytes.integer(at: 12, as: Int32.self))
        guard count >= 0, count <= (bytes.count - 20) / 4 else { throw .malformed }
        var values: [Self] = []
        values.reserveCapacity(count)
        var position = 20
        for _ in 0..<count {
            guard bytes.count - position >= 4 else { throw .malformed }
            let length = Int(bytes.integer(at: position, as: Int32.self))
            position += 4
            if length < 0 {
                guard let null = Self.postgresNull else { throw .null }
                values.append(null)
                continue
            }
            guard bytes.count - position >= length else { throw .malformed }
            values.append(try Self(binary: bytes.extracting(position..<position + length), type: element))
            position += length
        }
        guard position == bytes.count else { throw .malformed }
        return values
    }
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
}
