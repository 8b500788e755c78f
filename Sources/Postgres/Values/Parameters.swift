/// The values of a statement's `$1`, `$2` ..., in PostgreSQL's binary formats.
///
/// A connection owns one and reuses it, so binding allocates nothing once its buffers have grown.
public struct Parameters: Sendable {
    /// The values one after the other. The first byte belongs to none, so that even an empty value has an address.
    @usableFromInline var writer = ParameterWriter()
    /// Where each value begins in the bytes; -1 is NULL.
    var offsets: [Int] = []
    /// The length of each value in bytes.
    var lengths: [Int32] = []
    /// The OID of each value's type.
    var types: [UInt32] = []

    /// Creates an empty list.
    public init() {}

    /// How many values there are. PostgreSQL takes at most 65,535.
    public var count: Int { offsets.count }

    /// Appends one value: an integer, `Bool`, `Double`, `String`, bytes (`[UInt8]`), ``PostgresUUID``,
    /// ``PostgresTimestamp``, ``PostgresJSON``, ``PostgresJSONB``, an array of these, or an optional.
    @inlinable
    public mutating func append<Value: PostgresEncodable>(_ value: Value) {
        guard !value.isPostgresNull else { return appendNull(Value.postgresType) }
        begin(Value.postgresType)
        value.encode(to: &writer)
        end()
    }

    @usableFromInline
    mutating func appendNull(_ type: PostgresType) {
        types.append(type.oid)
        offsets.append(-1)
        lengths.append(0)
    }

    /// Begins a value: what is written until ``end()`` is its binary form.
    @usableFromInline
    mutating func begin(_ type: PostgresType) {
        types.append(type.oid)
        offsets.append(writer.bytes.count)
    }

    @usableFromInline
    mutating func end() { lengths.append(Int32(writer.bytes.count - offsets[offsets.count - 1])) }

    /// Empties the list and keeps its buffers, unless one huge value has made them grow out of proportion.
    mutating func removeAll() {
        writer.reset()
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        types.removeAll(keepingCapacity: true)
    }
}

/// Where values write their binary form.
public struct ParameterWriter: Sendable {
    /// More than this is not kept for the next statement.
    private static let keptCapacity = 64 * 1024

    @usableFromInline var bytes: [UInt8] = [0]

    /// Appends an integer in network byte order.
    @inlinable
    public mutating func append<Integer: FixedWidthInteger>(_ integer: Integer) {
        var shift = Integer.bitWidth
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: integer >> Integer(truncatingIfNeeded: shift)))
        }
    }

    /// Appends raw bytes.
    public mutating func append(bytes more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Appends the UTF-8 form of a text, without a terminator.
    public mutating func append(utf8 text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends what `body` writes, preceded by its length as a 32-bit integer.
    @usableFromInline
    mutating func appendCounted(_ body: (inout ParameterWriter) -> Void) {
        let start = bytes.count
        append(Int32(0))
        body(&self)
        let length = UInt32(bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
    }

    mutating func reset() {
        if bytes.capacity > Self.keptCapacity { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        bytes.append(0)
    }
}
