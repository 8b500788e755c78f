/// The values of a statement's `$1`, `$2` ..., in PostgreSQL's binary formats.
///
/// A connection owns one and reuses it, so binding allocates nothing once its buffers have grown.
public struct Parameters: Sendable {
    /// The most that the values of one statement may take together, in bytes: a `Bind` message beyond 1 GiB makes the
    /// server end the session (`PQ_LARGE_MESSAGE_LIMIT`), and up to 1 MiB of it is for what is not values.
    static let defaultSizeLimit = 1_073_741_824 - 1_048_576

    private let sizeLimit: Int
    /// The values one after the other. The first byte belongs to none, so that even an empty value has an address.
    @usableFromInline var writer = ParameterWriter()
    /// Where each value begins in the bytes; -1 is NULL.
    var offsets: [Int] = []
    /// The length of each value in bytes.
    var lengths: [Int32] = []
    /// The OID of each value's type.
    var types: [UInt32] = []

    /// Creates an empty list.
    public init() { sizeLimit = Self.defaultSizeLimit }

    /// Creates an empty list that takes fewer bytes.
    init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

    /// Why the statement cannot be sent: the first value that has no binary form, or ``PostgresError/Code/misuse`` for
    /// more bytes than a statement may have. `nil`, as nearly always, if it can.
    public var failure: PostgresError? { writer.failure }

    /// How many values there are. PostgreSQL takes at most 65,535.
    public var count: Int { offsets.count }

    /// Appends one value. ``PostgresDecodable`` has a table of the types; an array or an optional of a type that
    /// is there can be appended, too.
    ///
    /// A value that cannot be sent is noted in ``failure``, and the statement is then not sent.
    @inlinable
    public mutating func append<Value: PostgresEncodable>(_ value: Value) {
        guard !value.isPostgresNull else { return appendNull(Value.postgresType) }
        begin(Value.postgresType)
        value.encode(to: &writer)
        end()
    }

    /// Appends several values, in order.
    @inlinable
    public mutating func append<First: PostgresEncodable, Second: PostgresEncodable, each Value: PostgresEncodable>(
        _ first: First, _ second: Second, _ more: repeat each Value
    ) {
        append(first)
        append(second)
        repeat append(each more)
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
    mutating func end() {
        if writer.bytes.count - 1 > sizeLimit { writer.fail("parameters of more than \(sizeLimit) bytes") }
        // What does not fit 32 bits is beyond the limit, and so not sent.
        lengths.append(Int32(truncatingIfNeeded: writer.bytes.count - offsets[offsets.count - 1]))
    }

    /// Makes room for so many executions like those whose values are here.
    mutating func reserve(_ executions: Int) {
        offsets.reserveCapacity(executions * offsets.count)
        lengths.reserveCapacity(executions * lengths.count)
        types.reserveCapacity(executions * types.count)
        // One long value says nothing of the others.
        writer.bytes.reserveCapacity(min(executions * writer.bytes.count, 64 * 1024))
    }

    /// Makes arrays of the values of several executions, which lie one behind the other: one array of what each has for `$1`,
    /// one of what each has for `$2`, and so on (the binary form that `array_recv` reads).
    ///
    /// There is no ``failure``, and each execution has as many values.
    ///
    /// - Returns: `false`, and nothing is changed: the executions have no values, or not of the same types, or there is a
    ///   type whose array is not known.
    mutating func gather(_ executions: Int) -> Bool {
        let width = types.count / executions
        guard width > 0, types.count == width * executions else { return false }
        let arrays = types[..<width].compactMap { PostgresType(oid: $0).array?.oid }
        guard arrays.count == width, types.indices.allSatisfy({ types[$0] == types[$0 % width] }) else { return false }
        let (elements, starts, sizes, bytes) = (types, offsets, lengths, writer.bytes)
        removeAll()
        types = arrays
        for column in 0..<width {
            let values = stride(from: column, to: starts.count, by: width)
            offsets.append(writer.bytes.count)
            // One dimension, whether there are NULLs, the type, how many there are, and the first one's number.
            writer.append(Int32(1))
            writer.append(Int32(values.contains { starts[$0] < 0 } ? 1 : 0))
            writer.append(elements[column])
            writer.append(Int32(executions))
            writer.append(Int32(1))
            for value in values {
                guard starts[value] >= 0 else {
                    writer.append(Int32(-1))
                    continue
                }
                writer.append(sizes[value])
                writer.bytes.append(contentsOf: bytes[starts[value]..<starts[value] + Int(sizes[value])])
            }
            end()
        }
        return true
    }

    /// Empties the list and keeps its buffers, unless one huge value has made them grow out of proportion. What failed
    /// is forgotten.
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
    /// Why the first value that has no binary form has none.
    private(set) var failure: PostgresError?

    /// Says that a value has no binary form: its statement is not sent and fails with ``PostgresError/Code/misuse``.
    ///
    /// - Parameter reason: What is wrong, without the value: it may be logged. Only the first one counts.
    public mutating func fail(_ reason: String) {
        if failure == nil { failure = PostgresError(.misuse, reason: reason) }
    }

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
        // What does not fit 32 bits is beyond the limit of parameters, and so not sent.
        replace(at: start, with: Int32(truncatingIfNeeded: bytes.count - start - 4))
    }

    /// Overwrites four bytes with an integer in network byte order.
    @usableFromInline
    mutating func replace(at offset: Int, with integer: Int32) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: integer >> Int32(24 - 8 * index)) }
    }

    mutating func reset() {
        failure = nil
        if bytes.capacity > Self.keptCapacity { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        bytes.append(0)
    }
}
