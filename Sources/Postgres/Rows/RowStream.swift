import EventLoop

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

/// One statement whose rows are gathered up to a limit; while they wait to be taken nothing more is read, so that the
/// server waits, too.
///
/// libpq hands over row by row, and each row is appended to the first one's result: a result of its own for each takes
/// 2 KiB at least.
final class RowStream: Exchange {
    /// Hears of the next rows; `nil` after the last.
    typealias Waiter = (Result<RowChunk?, PostgresError>) -> Void

    /// How many bytes are gathered before the server has to wait; a single row may be larger.
    static let limit = 64 * 1024

    private let sql: String
    private let parameters: Parameters
    private var gathered: ResultHandle?
    /// How many rows that is: libpq keeps none that have no columns.
    private var count = 0
    private var waiter: Waiter?
    private var failure: PostgresError?
    private var isPaused = false
    private var isDiscarding = false
    /// Whether the server has run the statement to its end.
    private var isDone = false
    private var isOver = false
    /// Whether the session had a transaction open when it began: then it must not be cancelled without need.
    private(set) var isInTransaction = false
    /// The most bytes that were gathered at a time.
    private(set) var largestBuffer = 0
    private weak var connection: Connection?

    var abandonment: PostgresError.Code? {
        didSet {
            guard let connection else { return }
            // Later: the request to cancel is sent first, for it is meant for this statement.
            let me = Confined(self, to: connection.loop)
            connection.loop.execute { me.value.discard() }
        }
    }
    let usesPipeline = false

    init(_ sql: String, _ parameters: Parameters) {
        self.sql = sql
        self.parameters = parameters
    }

    /// How many bytes wait to be taken.
    var bufferedBytes: Int { gathered?.memorySize ?? 0 }

    func send(on connection: Connection) -> Bool {
        self.connection = connection
        isInTransaction = !connection.handle.isOutsideTransaction
        connection.onInput = { [weak self] in self?.handOver() }
        return connection.handle.sendUnnamed(sql: sql, parameters) && connection.handle.enterSingleRowMode()
    }

    var takesResults: Bool { !isPaused }

    /// Asks for the next rows. One waiter at a time.
    func next(_ waiter: @escaping Waiter) {
        self.waiter = waiter
        handOver()
        resume()
    }

    /// Drops what is gathered and what is still to come.
    func discard() {
        isDiscarding = true
        gathered = nil
        resume()
    }

    private func resume() {
        guard isPaused else { return }
        isPaused = false
        connection?.setReading(true)
        connection?.resumeReceiving()
    }

    private func handOver() {
        guard let waiting = waiter else { return }
        if let rows = gathered.take() {
            waiter = nil
            waiting(.success(RowChunk(rows, count: count)))
        } else if isOver {
            waiter = nil
            waiting(failure.map { .failure($0) } ?? .success(nil))
        }
    }

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .row: gather(result, on: connection)
        case .done:
            isDone = true
            if result.hasDroppedStatements { connection.prepared.forgetAll() }
        case .failed: failure = failure ?? result.error
        case .sync, .aborted: break
        case .copyIn:
            failure = failure ?? PostgresError(.misuse, reason: "COPY … FROM STDIN has no rows")
            connection.refuseCopy()
        case .copyOut, .unexpected:
            failure = failure ?? PostgresError(.misuse, reason: "a result that has no rows")
            connection.drop()
        }
        return false
    }

    private func gather(_ row: consuming ResultHandle, on connection: Connection) {
        guard !isDiscarding else { return }
        if let rows = gathered.take() {
            let isAppended = rows.append(row)
            gathered = consume rows
            guard isAppended else { return connection.drop() }
            count += 1
        } else {
            gathered = consume row
            count = 1
        }
        largestBuffer = max(largestBuffer, bufferedBytes)
        guard bufferedBytes >= Self.limit else { return }
        handOver()
        if gathered != nil {
            isPaused = true
            connection.setReading(false)
        }
    }

    func receiveEnd(on connection: Connection) -> Bool { true }

    func finish(on connection: Connection) {
        connection.onInput = nil
        // What came after that was dropped. The other codes would say that nothing was done.
        if failure == nil, let abandonment { failure = PostgresError(isDone ? .outcomeUnknown : abandonment) }
        failure = failure?.explained(by: abandonment)
        isOver = true
        handOver()
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        failure = failure ?? (wasSent ? error : error.beforeSending)
        isOver = true
        handOver()
    }
}
