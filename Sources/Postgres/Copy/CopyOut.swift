import EventLoop

/// `COPY … TO STDOUT`: what comes is gathered up to a limit; while it waits to be taken nothing more is read, so that
/// the server waits too.
final class CopyOut: Exchange {
    /// Hears of the next data; `nil` after the last.
    typealias Waiter = (Result<[UInt8]?, PostgresError>) -> Void

    private enum Phase { case starting, copying, ending, over }

    /// How many bytes are gathered before the server has to wait; a single row may be larger.
    private static let limit = 64 * 1024

    private let sql: String
    private var phase = Phase.starting
    private var wasCopying = false
    private var failure: PostgresError?
    private var waiter: Waiter?
    private var gathered: [UInt8] = []
    private var isPaused = false
    /// How many rows were copied, once all have come.
    private(set) var count = 0
    private weak var connection: Connection?

    var abandonment: PostgresError.Code? {
        didSet {
            guard let connection else { return }
            // Later: the request to cancel is sent first, for it is meant for this copy.
            let me = Confined(self, to: connection.loop)
            connection.loop.execute { me.value.resume() }
        }
    }
    let usesPipeline = false

    init(_ sql: String) { self.sql = sql }

    func send(on connection: Connection) -> Bool {
        self.connection = connection
        connection.onInput = { [weak self] in self?.take() }
        return connection.handle.sendScript(sql)
    }

    var takesResults: Bool { phase != .copying }

    /// Asks for the next data. One waiter at a time.
    func next(_ waiter: @escaping Waiter) {
        self.waiter = waiter
        handOver()
        resume()
    }

    private func resume() {
        if isPaused {
            isPaused = false
            connection?.setReading(true)
        }
        take()
    }

    /// Takes what has come.
    private func take() {
        guard phase == .copying, !isPaused, let connection, !connection.isClosed else { return }
        while true {
            if abandonment != nil {
                gathered.removeAll(keepingCapacity: true)
            } else if gathered.count >= Self.limit {
                handOver()
                guard gathered.isEmpty else {
                    isPaused = true
                    return connection.setReading(false)
                }
            }
            switch connection.handle.takeCopyData(into: &gathered) {
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

    private func handOver() {
        guard let waiting = waiter, abandonment == nil || phase == .over else { return }
        if !gathered.isEmpty {
            waiter = nil
            let data = gathered
            gathered = []
            waiting(.success(data))
        } else if phase == .over {
            waiter = nil
            waiting(failure.map { .failure($0) } ?? .success(nil))
        }
    }

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .copyOut:
            // The data that came with it is taken when the results before it are dealt with.
            phase = .copying
            wasCopying = true
        case .failed: failure = failure ?? result.error
        case .done: count = result.affectedRows
        case .sync, .aborted: break
        case .copyIn:
            failure = failure ?? PostgresError(.misuse, reason: "not a COPY … TO STDOUT")
            connection.refuseCopy()
        case .row, .unexpected:
            failure = PostgresError(.misuse, reason: "not a COPY … TO STDOUT")
            connection.drop()
        }
        return false
    }

    func receiveEnd(on connection: Connection) -> Bool { true }

    func finish(on connection: Connection) {
        connection.onInput = nil
        if !wasCopying, failure == nil { failure = PostgresError(.misuse, reason: "not a COPY … TO STDOUT") }
        // What came after that was dropped.
        if failure == nil, let abandonment { failure = PostgresError(abandonment) }
        failure = failure?.explained(by: abandonment)
        end()
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        failure = failure ?? (wasSent ? error : error.beforeSending)
        end()
    }

    private func end() {
        phase = .over
        if abandonment != nil { gathered = [] }
        handOver()
    }
}
