/// Rows that came together. It knows nothing of their type.
@safe final class RowChunk: @unchecked Sendable {
    // Invariant: the loop hands it over and forgets it; from then on the result is only read.
    private let result: ResultHandle
    let count: Int

    init(_ result: consuming ResultHandle, count: Int) {
        self.count = count
        self.result = result
    }

    /// Decodes one row.
    func decode<Row>(
        _ row: Int, _ decode: (inout RowDecoder) throws(PostgresDecodingError) -> Row
    ) throws(PostgresDecodingError) -> Row {
        var decoder = result.makeDecoder()
        decoder.move(to: row)
        return try decode(&decoder)
    }
}

/// The rows that have come and were not taken yet.
struct RowBuffer: ~Copyable {
    /// How many bytes are gathered before the server has to wait; a single row may be larger.
    static let limit = 64 * 1024

    private var rows: ResultHandle?
    /// How many rows that is: libpq keeps none that have no columns.
    private var count = 0
    /// The most bytes that were gathered at a time.
    private(set) var largest = 0

    /// How many bytes they take.
    private(set) var byteCount = 0

    /// Whether no more rows are to be gathered.
    var isFull: Bool { byteCount >= Self.limit }

    /// Appends the row of a result with the same columns, which it may keep. `false`: no memory.
    mutating func append(_ row: consuming ResultHandle) -> Bool {
        guard let gathered = rows.take() else {
            keep(row)
            return true
        }
        let isAppended = gathered.append(row)
        keep(gathered)
        return isAppended
    }

    private mutating func keep(_ gathered: consuming ResultHandle) {
        byteCount = gathered.memorySize
        largest = max(largest, byteCount)
        count += 1
        rows = consume gathered
    }

    /// Takes the rows; `nil`: there are none.
    mutating func take() -> RowChunk? {
        guard let gathered = rows.take() else { return nil }
        defer { (byteCount, count) = (0, 0) }
        return RowChunk(gathered, count: count)
    }

    mutating func removeAll() {
        rows = nil
        (byteCount, count) = (0, 0)
    }
}
