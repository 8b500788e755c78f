import CLibPQ

/// One row of a result, read column by column from the left.
///
/// It exists only while a ``Statement`` decodes: it cannot be copied nor kept, and what it hands out is a copy.
@safe public struct RowDecoder: ~Copyable {
    /// Invariant: the `PGresult` outlives the decoder. Only `ResultHandle` makes decoders, hands them out `inout` and
    /// clears the result afterwards.
    private let result: OpaquePointer
    private let row: Int32
    /// How many columns the row has.
    public let columnCount: Int
    private var column: Int32 = 0

    init(result: OpaquePointer, row: Int32) {
        unsafe self.result = unsafe result
        self.row = row
        self.columnCount = Int(unsafe PQnfields(result))
    }

    /// Reads the next column.
    ///
    /// - Throws: ``PostgresDecodingError`` naming the column: NULL for a value that is not optional, another type,
    ///   a value that does not fit, or no column left.
    public mutating func next<Value: PostgresDecodable>(
        _: Value.Type = Value.self
    ) throws(PostgresDecodingError) -> Value {
        let index = column
        column += 1
        guard index < columnCount else { throw error(Value.self, at: index, .missingColumn) }
        if unsafe PQgetisnull(result, row, index) != 0 {
            guard let null = Value.postgresNull else { throw error(Value.self, at: index, .null) }
            return null
        }
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(PQgetvalue(result, row, index)).assumingMemoryBound(to: UInt8.self),
            count: Int(PQgetlength(result, row, index)))
        let type = PostgresType(oid: unsafe PQftype(result, index))
        do {
            return try Value(binary: unsafe bytes.span, type: type)
        } catch {
            throw self.error(Value.self, at: index, error)
        }
    }

    /// Passes over the next column.
    public mutating func skip() { column += 1 }

    /// Whether every column has been read.
    public var isAtEnd: Bool { column >= columnCount }

    /// The name of a column, empty if there is no such column.
    public func name(of index: Int) -> String {
        guard let name = unsafe PQfname(result, Int32(index)) else { return "" }
        return unsafe String(cString: name)
    }

    private func error<Value>(
        _: Value.Type, at index: Int32, _ reason: PostgresDecodingError.Reason
    ) -> PostgresDecodingError {
        PostgresDecodingError(
            column: name(of: Int(index)), index: Int(index), expected: "\(Value.self)", reason: reason)
    }
}
