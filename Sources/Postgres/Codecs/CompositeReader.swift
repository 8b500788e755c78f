/// Reads the fields of a composite value (a row in one column), one after the other, from its binary form
/// (`record_send`).
///
/// A type that stands for a composite reads itself so:
///
/// ```swift
/// struct Place: PostgresDecodable {
///     let name: String
///     let rank: Int32
///
///     init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
///         var fields = CompositeReader()
///         name = try fields.next(in: bytes)
///         rank = try fields.next(in: bytes)
///     }
/// }
/// ```
public struct CompositeReader: Sendable {
    @usableFromInline var position = 0

    /// Before the first field.
    @inlinable public init() {}

    /// Reads the next field.
    ///
    /// - Parameter _: The value's type.
    /// - Parameter bytes: The composite's binary form, the same for every field.
    /// - Throws: `.missingColumn` after the last field, `.null` for NULL in a field that is not optional, `.malformed`
    ///   for bytes that are no composite, or what the value throws.
    @inlinable
    public mutating func next<Value: PostgresDecodable>(
        _: Value.Type = Value.self, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> Value {
        if position == 0 {
            guard bytes.count >= 4 else { throw .malformed }
            position = 4
        }
        guard position < bytes.count else { throw .missingColumn }
        guard bytes.count - position >= 8 else { throw .malformed }
        let type = PostgresType(oid: bytes.integer(at: position, as: UInt32.self))
        let length = Int(bytes.integer(at: position + 4, as: Int32.self))
        position += 8
        guard length >= 0 else {
            guard let null = Value.postgresNull else { throw .null }
            return null
        }
        guard bytes.count - position >= length else { throw .malformed }
        let field = bytes.extracting(position..<position + length)
        position += length
        return try Value(binary: field, type: type)
    }
}
