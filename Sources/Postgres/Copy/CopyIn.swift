import EventLoop

/// `COPY … FROM STDIN`: the server is told, then fed as fast as the socket takes it, then asked how it went.
final class CopyIn: Exchange {
    typealias Completion = (Result<Void, PostgresError>) -> Void

    private enum Phase { case starting, copying, ending, over }

    private let sql: String
    private var phase = Phase.starting
    private var failure: PostgresError?
    /// Whether the server was told that the data is complete: only then can it count.
    private var isComplete = false
    /// What the socket has not taken yet.
    private var rest: ArraySlice<UInt8> = []
    /// Ends the copy some time after the server has said something that is no notice.
    private var refusal: ScheduledTimer?
    /// How many notices there had been when the server spoke last.
    private var notices = 0
    /// Hears that the next data can come, or that there is no use in it.
    private var ready: Completion?
    private var completion: ((Result<Int, PostgresError>) -> Void)?
    private var count = 0
    private weak var connection: Connection?
    private var isDiscarding = false

    /// How much is given to libpq at a time, which copies it; the server takes no message of 1 GiB.
    private static let sliceSize = 1 << 20
    /// How long the rest of a notice may take to come. libpq keeps an error to itself until the copy has ended.
    private static let noticeTime = Duration.seconds(1)
    private static let refused = "the server has ended the copy"

    var abandonment: PostgresError.Code? {
        didSet {
            guard let connection else { return }
            // Later: the request to cancel, which stops a server at work, is sent first. One that waits for data does
            // not hear it.
            let me = Confined(self, to: connection.loop)
            connection.loop.execute { me.value.finishCopying(failure: "the client gave up") }
        }
    }
    let usesPipeline = false

    init(_ sql: String) { self.sql = sql }

    /// Before it is submitted.
    ///
    /// - Parameter ready: Hears when the server waits for data, or why it does not.
    func whenStarted(_ ready: @escaping Completion) { self.ready = ready }

    func send(on connection: Connection) -> Bool {
        self.connection = connection
        return connection.handle.sendScript(sql)
    }

    var takesResults: Bool { phase != .copying && !isDiscarding }

    /// Sends data. `ready` hears when the socket has taken it.
    func put(_ bytes: [UInt8], ready: @escaping Completion) {
        guard abandonment == nil, phase == .copying || phase == .ending, let connection else {
            ready(.failure(abandonment.map { PostgresError($0) } ?? failure ?? PostgresError(.misuse)))
            return
        }
        self.ready = ready
        // The server has refused the copy: its reason is on its way.
        guard phase == .copying else { return }
        rest = bytes[...]
        putNext(on: connection)
    }

    private func putNext(on connection: Connection) {
        let slice = rest.prefix(Self.sliceSize)
        rest = rest.dropFirst(Self.sliceSize)
        connection.lookForInput()
        guard connection.handle.putCopyData(slice) else { return connection.drop() }
        connection.flush()
    }

    /// The server waits for the next statement: it has ended the copy, whatever it said before.
    func inputWaits(on connection: Connection) {
        guard phase == .copying, connection.handle.isReadyForQueryWaiting else { return }
        // Later: who calls may be about to write.
        let me = Confined(self, to: connection.loop)
        connection.loop.execute { me.value.finishCopying(failure: Self.refused) }
    }

    /// The server has nothing to say to a copy but notices, and that it has failed. An error that comes together with a
    /// notice is not seen here, but what follows it is.
    func inputArrived(on connection: Connection) {
        guard phase == .copying else { return }
        if hasNewNotice(connection) {
            refusal?.cancel()
            refusal = nil
        } else if refusal == nil {
            refusal = connection.loop.schedule(after: Self.noticeTime) { [weak self, weak connection] in
                guard let self, let connection else { return }
                refusal = nil
                if !hasNewNotice(connection) { finishCopying(failure: Self.refused) }
            }
        }
    }

    private func hasNewNotice(_ connection: Connection) -> Bool {
        defer { notices = connection.handle.noticeCount }
        return connection.handle.noticeCount != notices
    }

    /// Ends the copy, or makes it fail. `completion` hears how many rows were copied.
    func end(failure reason: String?, completion: @escaping (Result<Int, PostgresError>) -> Void) {
        self.completion = completion
        if phase == .over { return settle() }
        finishCopying(failure: abandonment == nil ? reason : "the client gave up")
    }

    private func finishCopying(failure reason: String?) {
        guard phase == .copying, let connection else { return }
        phase = .ending
        refusal?.cancel()
        rest = []
        isComplete = reason == nil
        guard connection.handle.putCopyEnd(failure: reason) else { return connection.drop() }
        connection.flush()
        connection.resumeReceiving()
    }

    func flushed(on connection: Connection) {
        guard phase == .copying else { return }
        // In a turn of its own: a socket that takes everything must not make the stack grow.
        guard rest.isEmpty else {
            let (me, connection) = (Confined(self, to: connection.loop), Confined(connection, to: connection.loop))
            return me.loop.execute {
                if me.value.phase == .copying { me.value.putNext(on: connection.value) }
            }
        }
        tell(.success(()))
    }

    func receive(_ result: consuming ResultHandle, on connection: Connection) -> Bool {
        switch result.status {
        case .copyIn:
            phase = .copying
            notices = connection.handle.noticeCount
            if abandonment == nil {
                tell(.success(()))
            } else {
                // The answer was on its way when the request to cancel was sent.
                let me = Confined(self, to: connection.loop)
                connection.loop.execute { me.value.finishCopying(failure: "the client gave up") }
            }
        case .failed: failure = failure ?? result.error
        case .done: count = result.affectedRows
        case .sync, .aborted: break
        case .copyOut:
            isDiscarding = true
            connection.discardCopy { [weak self] in self?.isDiscarding = false }
        case .row, .unexpected:
            failure = PostgresError(.misuse, reason: "not a COPY … FROM STDIN")
            connection.drop()
        }
        return false
    }

    func receiveEnd(on connection: Connection) -> Bool { true }

    func finish(on connection: Connection) {
        if phase != .ending, failure == nil { failure = PostgresError(.misuse, reason: "not a COPY … FROM STDIN") }
        phase = .over
        refusal?.cancel()
        failure = failure?.explained(by: abandonment)
        settle()
    }

    func lose(_ error: PostgresError, wasSent: Bool) {
        phase = .over
        refusal?.cancel()
        if failure == nil {
            // Only the end of complete data can have made it count.
            let mayCount = isComplete && wasSent
            let certain = abandonment.map { PostgresError($0) } ?? error.beforeSending
            failure = error.code != .outcomeUnknown || mayCount ? error : certain
        }
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
