import EventLoop

/// `COPY … TO STDOUT` whose data become rows with the columns' names and types.
///
/// The data tell neither, so the server is asked first, by a query for none of the rows. Within a transaction the tables
/// are locked from then on against changes of their columns.
final class CopyRowStream: RowSource {
    private enum Phase { case describing, copying, ending, over }

    private static let (describeStart, describeEnd) = ("SELECT * FROM (", "\n) AS copied LIMIT 0")

    private let query: String
    private let format: PostgresCopyFormat
    private var phase = Phase.describing
    /// A result without rows that has the columns.
    private var shape: ResultHandle?
    private var reader: CopyRowReader
    private var buffer = RowBuffer()
    private var waiter: Waiter?
    private var failure: PostgresError?
    private var isPaused = false
    private var isDiscarding = false
    private var isDone = false
    private(set) var isInTransaction = false
    private weak var connection: Connection?

    var abandonment: PostgresError.Code? {
        didSet {
            guard let connection else { return }
            // Later: the request to cancel is sent first, for it is meant for this copy.
            let me = Confined(self, to: connection.loop)
            connection.loop.execute { me.value.discard() }
        }
    }
    let usesPipeline = false
    var bufferedBytes: Int { buffer.byteCount + reader.bytes.count }
    var largestBuffer: Int { buffer.largest }

    init(_ query: String, format: PostgresCopyFormat) {
        self.query = query
        self.format = format
        reader = CopyRowReader(format: format, columnCount: 0)
    }

    func send(on connection: Connection) -> Bool {
        self.connection = connection
        isInTransaction = !connection.handle.isOutsideTransaction
        connection.onInput = { [weak self] in self?.take() }
        return connection.handle.sendUnnamed(
            sql: Self.describeStart + query + Self.describeEnd, Parameters(), wantsText: format == .text)
    }

    var takesResults: Bool { phase != .copying }

    func next(_ waiter: @escaping Waiter) {
        self.waiter = waiter
        handOver()
        resume()
    }

    func discard() {
        isDiscarding = true
        buffer.removeAll()
        resume()
    }

    private func resume() {
        if isPaused {
            isPaused = false
            connection?.setReading(true)
        }
        take()
    }

    // MARK: Data

    /// Takes what has come.
    private func take() {
        guard phase == .copying, !isPaused, let connection, !connection.isClosed else { return }
        while !connection.isClosed {
            guard gather() else {
                isPaused = true
                return connection.setReading(false)
            }
            switch connection.handle.takeCopyData(into: &reader.bytes) {
            case .data: continue
            case .pending: return handOver()
            case .ended:
                phase = .ending
                handOver()
                return connection.resumeReceiving()
            case .failed: return connection.drop()
            }
        }
    }

    /// Makes rows of what has been read.
    ///
    /// - Returns: Whether there is room for more.
    private func gather() -> Bool {
        do throws(CopyRowReader.Problem) {
            while !isDiscarding, try reader.next() {
                guard let shape = shape.take() else { break }
                let isAppended = buffer.append(reader.fields, in: reader.bytes, as: shape)
                self.shape = consume shape
                guard isAppended else {
                    connection?.drop()
                    return true
                }
                if buffer.isFull { handOver() }
                if buffer.isFull { return false }
            }
        } catch {
            failure = failure ?? PostgresError(.misuse, reason: error.reason)
            isDiscarding = true
            // The rest is not wanted. Within a transaction it is read, for the request would end that.
            if !isInTransaction { connection?.cancelExchange() }
        }
        if isDiscarding { reader.bytes.removeAll(keepingCapacity: true) } else { reader.removeRead() }
        return true
    }

    private func handOver() {
        guard let waiting = waiter else { return }
        if let rows = buffer.take() {
            waiter = nil
            waiting(.success(rows))
        } else if phase == .over {
            waiter = nil
            waiting(failure.map { .failure($0) } ?? .success(nil))
        }
    }

    // MARK: Results

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .done where phase == .describing:
            reader = CopyRowReader(format: format, columnCount: result.columnCount)
            shape = consume result
        case .done: isDone = true
        // The data that came with it is taken when the results before it are dealt with.
        case .copyOut: phase = .copying
        case .failed: failure = failure ?? error(of: result)
        case .sync, .aborted: break
        case .copyIn, .row, .unexpected:
            failure = failure ?? PostgresError(.misuse, reason: "a result that has no rows")
            connection.drop()
        }
        return false
    }

    /// The server's error, which counts the characters of the query alone.
    private func error(of result: borrowing ResultHandle) -> PostgresError {
        var error = result.error
        let before = phase == .describing ? Self.describeStart.count : 0
        error.position = error.position.flatMap { $0 > before ? $0 - before : nil }
        return error
    }

    func receiveEnd(on connection: Connection) -> Bool {
        guard phase == .describing, failure == nil, abandonment == nil, !isDiscarding else { return true }
        phase = .ending
        guard connection.handle.sendScript("COPY (\(query)\n) TO STDOUT \(format.option)") else {
            connection.drop()
            return false
        }
        connection.flush()
        return false
    }

    func finish(on connection: Connection) {
        connection.onInput = nil
        // What came after that was dropped. The other codes would say that nothing was done.
        if failure == nil, let abandonment { failure = PostgresError(isDone ? .outcomeUnknown : abandonment) }
        failure = failure?.explained(by: abandonment)
        phase = .over
        handOver()
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        failure = failure ?? (wasSent ? error : error.beforeSending)
        phase = .over
        handOver()
    }
}

extension CopyRowReader.Problem {
    fileprivate var reason: String {
        switch self {
        case .malformed: "a copy that cannot be read"
        case .columnCount(let count): "a row of \(count) values: the columns have changed since the copy began"
        }
    }
}
