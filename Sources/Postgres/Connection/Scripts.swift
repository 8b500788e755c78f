/// Statements by the simple protocol. Their rows are not looked at.
final class Script: Exchange {
    /// Whether it only begins or ends a transaction, and so leaves nothing behind in the session.
    let isTransactionControl: Bool
    private let sql: String
    private let completion: (Result<Void, PostgresError>) -> Void
    private var failure: PostgresError?

    var abandonment: PostgresError.Code?
    let usesPipeline = false

    init(_ sql: String, isTransactionControl: Bool = false, completion: @escaping (Result<Void, PostgresError>) -> Void)
    {
        self.sql = sql
        self.isTransactionControl = isTransactionControl
        self.completion = completion
    }

    var leavesTraces: Bool { !isTransactionControl }

    func send(on connection: Connection) -> Bool { connection.handle.sendScript(sql) }

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .done, .sync, .aborted: break
        case .failed: failure = failure ?? result.error
        case .copyIn:
            // A script has no data: end the copy, and let the server say so.
            failure = failure ?? PostgresError(.misuse, reason: "COPY in a script")
            _ = connection.handle.putCopyEnd(failure: "no data")
            connection.flush()
        case .unexpected:
            failure = failure ?? PostgresError(.misuse, reason: "COPY in a script")
            connection.drop()
        }
        return false
    }

    func receiveEnd(on connection: Connection) -> Bool { true }

    func finish(on connection: Connection) {
        completion(failure.map { .failure($0.explained(by: abandonment)) } ?? .success(()))
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        completion(.failure(failure ?? (wasSent ? error : error.beforeSending)))
    }
}

/// `COPY … FROM STDIN`: the server is told, then fed as fast as the socket takes it, then asked how it went.
final class CopyIn: Exchange {
    typealias Completion = (Result<Void, PostgresError>) -> Void

    private enum Phase { case starting, copying, ending, over }

    private let sql: String
    private var phase = Phase.starting
    private var failure: PostgresError?
    /// Hears that the next data can come, or that there is no use in it.
    private var ready: Completion?
    private var completion: ((Result<Int, PostgresError>) -> Void)?
    private var count = 0
    private weak var connection: Connection?

    var abandonment: PostgresError.Code? {
        didSet { tell(.failure(PostgresError(abandonment ?? .cancelled))) }
    }
    let usesPipeline = false

    init(_ sql: String, ready: @escaping Completion) {
        self.sql = sql
        self.ready = ready
    }

    func send(on connection: Connection) -> Bool {
        self.connection = connection
        return connection.handle.sendScript(sql)
    }

    var takesResults: Bool { phase != .copying }

    /// Sends data. `ready` hears when the socket has taken it.
    func put(_ bytes: [UInt8], ready: @escaping Completion) {
        guard phase == .copying, abandonment == nil, let connection, connection.handle.putCopyData(bytes) else {
            ready(.failure(abandonment.map { PostgresError($0) } ?? failure ?? PostgresError(.misuse)))
            return
        }
        self.ready = ready
        connection.flush()
    }

    /// Ends the copy, or makes it fail. `completion` hears how many rows were copied.
    func end(failure reason: String?, completion: @escaping (Result<Int, PostgresError>) -> Void) {
        guard phase == .copying, let connection else {
            completion(.failure(failure ?? PostgresError(.misuse, reason: "not a COPY … FROM STDIN")))
            return
        }
        self.completion = completion
        phase = .ending
        _ = connection.handle.putCopyEnd(failure: reason)
        connection.flush()
        connection.resumeReceiving()
    }

    func flushed(on connection: Connection) {
        if phase == .copying { tell(.success(())) }
    }

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .copyIn:
            phase = .copying
            tell(abandonment.map { .failure(PostgresError($0)) } ?? .success(()))
        case .failed: failure = failure ?? result.error
        case .done: count = result.affectedRows
        case .sync, .aborted: break
        case .unexpected:
            failure = PostgresError(.misuse, reason: "not a COPY … FROM STDIN")
            connection.drop()
        }
        return false
    }

    func receiveEnd(on connection: Connection) -> Bool { true }

    func finish(on connection: Connection) {
        let wasCopying = phase == .ending
        phase = .over
        if !wasCopying, failure == nil { failure = PostgresError(.misuse, reason: "not a COPY … FROM STDIN") }
        failure = failure?.explained(by: abandonment)
        settle()
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        // Only the end of the copy can have made it count.
        failure = failure ?? (phase == .ending && wasSent ? error : error.beforeSending)
        phase = .over
        settle()
    }

    private func settle() {
        if let failure { tell(.failure(failure)) }
        completion?(failure.map { .failure($0) } ?? .success(count))
        completion = nil
    }

    private func tell(_ result: Result<Void, PostgresError>) {
        let waiting = ready
        ready = nil
        waiting?(result)
    }
}

extension PostgresError {
    /// A lost connection's error for something that cannot have taken effect.
    var beforeSending: PostgresError {
        var error = PostgresError(.notSent)
        error.serverMessage = serverMessage
        return error
    }
}
