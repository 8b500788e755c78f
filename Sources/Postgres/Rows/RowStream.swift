import EventLoop

/// One statement whose rows are gathered up to a limit; while they wait to be taken nothing more is read, so that the
/// server waits, too.
///
/// libpq hands over row by row, and each row is appended to the first one's result: a result of its own for each takes
/// 2 KiB at least.
final class RowStream: Exchange {
    /// Hears of the next rows; `nil` after the last.
    typealias Waiter = (Result<RowChunk?, PostgresError>) -> Void

    private let sql: String
    private let parameters: Parameters
    private var buffer = RowBuffer()
    private var waiter: Waiter?
    private var failure: PostgresError?
    private var isPaused = false
    private var isDiscarding = false
    /// Whether the server has run the statement to its end.
    private var isDone = false
    private var isOver = false
    /// Whether the session had a transaction open when it began: then it must not be cancelled without need.
    private(set) var isInTransaction = false
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
    /// How many bytes wait to be taken.
    var bufferedBytes: Int { buffer.byteCount }
    /// The most bytes that were gathered at a time.
    var largestBuffer: Int { buffer.largest }

    /// - Throws: `.misuse` for parameters that cannot be sent.
    init(_ sql: String, bind: (inout Parameters) -> Void) throws(PostgresError) {
        var parameters = Parameters()
        bind(&parameters)
        if let failure = parameters.failure { throw failure }
        guard parameters.count <= 65_535 else { throw PostgresError(.misuse, reason: "more than 65,535 parameters") }
        self.sql = sql
        self.parameters = parameters
    }

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
        buffer.removeAll()
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
        if let rows = buffer.take() {
            waiter = nil
            waiting(.success(rows))
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
            connection.heed(result)
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
        guard buffer.append(row) else { return connection.drop() }
        guard buffer.isFull else { return }
        handOver()
        if buffer.isFull {
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
