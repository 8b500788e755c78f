/// Statements by the simple protocol. Their rows are not looked at, nor is what a `COPY … TO STDOUT` sends.
final class Script: Exchange {
    /// Whether it only begins or ends a transaction, and so leaves nothing behind in the session.
    let isTransactionControl: Bool
    private let sql: String
    private let completion: (Result<Void, PostgresError>) -> Void
    private var failure: PostgresError?
    private var isCopying = false
    private var isDone = false

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

    var takesResults: Bool { !isCopying }

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .done:
            isDone = true
            connection.heed(result)
        case .sync, .aborted: break
        case .failed: failure = failure ?? result.error
        case .copyIn:
            failure = failure ?? PostgresError(.misuse, reason: "COPY … FROM STDIN in a script")
            connection.refuseCopy()
        case .copyOut:
            isCopying = true
            connection.discardCopy { [weak self] in self?.isCopying = false }
        case .row, .unexpected:
            failure = failure ?? PostgresError(.misuse, reason: "a result that a script cannot take")
            connection.drop()
        }
        return false
    }

    func receiveEnd(on connection: Connection) -> Bool { true }

    func finish(on connection: Connection) {
        completion(failure.map { .failure($0.explained(by: abandonment)) } ?? .success(()))
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        guard let failure else { return completion(.failure(wasSent ? error : error.beforeSending)) }
        guard isTransactionControl, !failure.leavesSessionAlive else { return completion(.failure(failure)) }
        // The server has ended the session instead of the transaction, or behind it.
        completion(.failure(isDone ? error : failure.beforeSending))
    }
}

extension Connection {
    /// Ends a `COPY … FROM STDIN` that there is no data for; the server answers that it failed.
    func refuseCopy() {
        _ = handle.putCopyEnd(failure: "no data")
        flush()
    }

    /// Drops the data of a `COPY … TO STDOUT` as it comes. The exchange takes no results until the closure is called.
    func discardCopy(_ ended: @escaping () -> Void) {
        onInput = { [unowned self] in
            var data: [UInt8] = []
            while !isClosed {
                data.removeAll(keepingCapacity: true)
                switch handle.takeCopyData(into: &data) {
                case .data: continue
                case .pending: return
                case .ended:
                    onInput = nil
                    ended()
                    return resumeReceiving()
                case .failed: return drop()
                }
            }
        }
    }
}
