import CLibPQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One row of a result, read column by column from the left.
///
/// It exists only while a ``Statement`` decodes: it cannot be copied nor kept, and what it hands out is a copy.
@safe public struct RowDecoder: ~Copyable {
    /// Invariant: the `PGresult` outlives the decoder. Only `Submission` has decoders made, hands them out `inout` and
    /// clears the result afterwards.
    private let result: OpaquePointer
    private var row: Int32 = 0
    /// How many columns the row has.
    public let columnCount: Int
    private var column: Int32 = 0

    init(result: OpaquePointer, hiddenColumns: Int) {
        unsafe self.result = unsafe result
        self.columnCount = Int(unsafe PQnfields(result)) - hiddenColumns
    }

    /// Goes to the first column of a row.
    @usableFromInline
    mutating func move(to row: Int) {
        self.row = Int32(row)
        column = 0
    }

    /// Reads the next column.
    ///
    /// - Throws: ``PostgresDecodingError`` naming the column: NULL for a value that is not optional, another type,
    ///   a value that does not fit, or no column left.
    @inlinable
    public mutating func next<Value: PostgresDecodable>(
        _: Value.Type = Value.self
    ) throws(PostgresDecodingError) -> Value {
        do throws(PostgresDecodingError.Reason) {
            guard let column = try unsafe nextColumn() else {
                guard let null = Value.postgresNull else { throw .null }
                return null
            }
            return try unsafe Value(binary: column.bytes.span, type: column.type)
        } catch {
            throw lastColumnError("\(Value.self)", error)
        }
    }

    /// Passes to the next column: its bytes, valid as long as the decoder, and its type; `nil` is NULL.
    @unsafe @usableFromInline
    mutating func nextColumn() throws(PostgresDecodingError.Reason) -> (
        bytes: UnsafeBufferPointer<UInt8>, type: PostgresType
    )? {
        let index = column
        column += 1
        guard index < columnCount else { throw .missingColumn }
        guard unsafe PQgetisnull(result, row, index) == 0 else { return nil }
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(PQgetvalue(result, row, index)).assumingMemoryBound(to: UInt8.self),
            count: Int(PQgetlength(result, row, index)))
        return unsafe (bytes, PostgresType(oid: PQftype(result, index)))
    }

    /// Reads the column of a name, as the server reports it; the leftmost, if several have it.
    ///
    /// For one-off queries: it compares the names of the columns at each call, where ``next(_:)`` only counts. Which
    /// column ``next(_:)`` reads stays as it was.
    ///
    /// ```swift
    /// let energy = try row.value("energy", as: Int.self)
    /// ```
    ///
    /// - Throws: ``PostgresDecodingError`` as ``next(_:)``; `.missingColumn`, with the name and the position -1, if no
    ///   column has it.
    @inlinable
    public mutating func value<Value: PostgresDecodable>(
        _ name: String, as _: Value.Type = Value.self
    ) throws(PostgresDecodingError) -> Value {
        guard let index = index(of: name) else {
            throw PostgresDecodingError(column: name, index: -1, expected: "\(Value.self)", reason: .missingColumn)
        }
        let next = exchangeColumn(index)
        defer { _ = exchangeColumn(next) }
        return try self.next(Value.self)
    }

    /// Makes another column the next one, and says which one was.
    @usableFromInline
    mutating func exchangeColumn(_ index: Int) -> Int {
        defer { column = Int32(truncatingIfNeeded: index) }
        return Int(column)
    }

    /// The position of the leftmost column of a name, 0 is the leftmost of the row; `nil` if there is none.
    public func index(of name: String) -> Int? {
        // Not `PQfnumber`, which takes an unquoted name for its lower case.
        for index in 0..<columnCount {
            guard let other = unsafe PQfname(result, Int32(index)) else { continue }
            if unsafe strcmp(other, name) == 0 { return index }
        }
        return nil
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

    /// An error about the column that was read last.
    @usableFromInline
    func lastColumnError(_ expected: String, _ reason: PostgresDecodingError.Reason) -> PostgresDecodingError {
        let index = Int(column) - 1
        return PostgresDecodingError(column: name(of: index), index: index, expected: expected, reason: reason)
    }
}
