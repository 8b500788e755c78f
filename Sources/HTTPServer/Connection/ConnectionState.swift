/// One connection as a value: it reads requests, decides what to do next, and knows which deadline applies. It has no
/// I/O and no clock, so every order of events can be tested.
///
/// `HTTPConnection` does the I/O. It reports an event by one call, takes the step that the call returns, and then
/// updates three things from the state: the events it watches (`takesInput`, `outputWaits`), its timer
/// (`deadline`), and the writers of a stream, who wait as long as `outputWaits`.
///
/// Moments are durations since the loop's context was made: a `ContinuousClock.Instant` in a structure has it copied
/// by the runtime, which does not know its layout before (Swift 6.3).
///
/// While a request is under way nothing more is read, unless its body is handed over as it comes: what the peer sends
/// waits in the kernel, whose window then closes. So a connection holds one request, at most one read of bytes behind it,
/// and one response.
struct ConnectionState {
    /// The phase of the connection; `row(at:)` says which deadline belongs to it.
    enum Phase {
        /// Nothing of the first request has come.
        case opened
        /// Nothing of the next request has come.
        case idle
        /// A head has begun.
        case head
        /// A head is whole, its body is not.
        case body
        /// The same, and the body is announced to be over the limit.
        case oversizedBody
        /// A worker has the request, or a refusal is being made.
        case handling
        /// A worker writes the response's body.
        case streaming
        /// The response is whole and waits for the peer to take it.
        case flushing
        /// The response has gone; the rest of an unread body is discarded, to reach the next request.
        case skipping
        /// The last response was sent; the peer's bytes are discarded until it closes.
        case lingering
        case closed
    }

    /// What the shell does next.
    enum Step: Equatable {
        /// Nothing, until the next event.
        case wait
        /// Sends `100 Continue`.
        case sendContinue
        /// Has a worker take the request and answer it.
        case handle
        /// Answers by itself a request of which a part was read.
        case refuse(Refusal)
        /// Reads what may have arrived in this moment, then calls `looked`.
        case look
        /// Tells the peer that no more will be sent.
        case endOutput
        /// Closes the transport, with `abort` by a reset; nothing comes after this step.
        case close(abort: Bool)
    }

    private(set) var phase = Phase.opened
    /// What ends the phase if no event does.
    private(set) var deadline: Deadline?
    /// Whether bytes wait for the peer to take them.
    private(set) var outputWaits = false
    /// The number of the request that is or was handled last, so that a writer knows its own response.
    private(set) var requestNumber = 0

    let limits: ConnectionLimits
    /// Whether the connection is over a limit: its request is read and answered 503.
    let isOverload: Bool
    private(set) var isDraining: Bool

    private var parser = RequestParser()
    /// Bytes after the current request, and how many of them have been processed.
    private var leftover: [UInt8] = []
    private var leftoverStart = 0
    private var peerEnded = false
    /// How many bytes were discarded of an unread body, or after the last response.
    private var skipped = 0

    /// A body that is handed over as it comes.
    private enum StreamedBody: UInt8 {
        /// There is none.
        case none
        /// For the handler, until it is whole.
        case wanted
        /// For nobody, because the response is complete.
        case unwanted
        /// It broke off, see `bodyFailure`.
        case failed
    }

    // About the request under way.
    private var streamedBody = StreamedBody.none
    private var bodyFailure = RequestContentError.connectionClosed
    /// Whether more of it is to be read while its request is handled. Stored, because computing it would cost requests
    /// that have no such body.
    private var takesBody = false
    /// Whether the handler waits for more of it.
    private(set) var readerWaits = false
    /// Whether the handler has the request already.
    private var isTaken = false
    private var isHead = false
    private var version = HTTPVersion.http11
    private var closesAfterResponse = false
    private var hasSentContinue = false
    /// When its body has to be there.
    private(set) var bodyEnd: Duration

    /// How many bytes a peer may send to a lingering connection before it is cut off.
    static let longestLinger = 16 << 20

    /// A connection that has just been accepted.
    init(limits: ConnectionLimits, isOverload: Bool, isDraining: Bool, now: Duration) {
        self.limits = limits
        self.isOverload = isOverload
        self.isDraining = isDraining
        bodyEnd = now
        setDeadline(now)
    }

    @inline(__always) var isOpen: Bool { phase != .closed }

    /// Since when the connection waits for the beginning of a request; nil: it does not, or is to be closed soon anyway.
    var idleSince: Duration? {
        switch deadline?.kind {
        case .firstByte: deadline.map { $0.end - limits.firstByte }
        case .keepAlive: deadline.map { $0.end - limits.keepAlive }
        default: nil
        }
    }

    /// How many bytes of requests are kept.
    @inline(__always) var inputSize: Int { parser.size + leftover.count }

    /// Whether bytes that arrive are wanted now.
    @inline(__always) var takesInput: Bool {
        switch phase {
        case .opened, .idle, .head, .body, .oversizedBody, .skipping, .lingering: true
        case .handling, .streaming, .flushing: takesBody
        case .closed: false
        }
    }

    // MARK: Input

    /// Bytes have arrived. Only while `takesInput`.
    mutating func received(_ input: Span<UInt8>, now: Duration) -> Step {
        precondition(takesInput, "bytes nobody asked for")
        if phase == .lingering {
            skipped += input.count
            return skipped > Self.longestLinger ? close(abort: true) : .wait
        }
        if streamedBody != .none { return readOn(input, now) }
        var position = 0
        let step = read(input, &position, now)
        if position < input.count { leftover = Array(copying: input, position..<input.count) }
        return step
    }

    /// The peer sends no more. Only while `takesInput`.
    mutating func inputEnded(now: Duration) -> Step {
        precondition(takesInput, "an end nobody asked for")
        peerEnded = true
        if streamedBody != .none { return bodyFailed(.connectionClosed, now) }
        guard phase != .lingering, parser.hasBegun else { return close(abort: false) }
        return refuse(isOverload ? .overloaded : .broken(.incomplete))
    }

    /// What had arrived when the drain's deadline passed has been read.
    mutating func looked() -> Step {
        phase == .opened || phase == .idle ? close(abort: false) : .wait
    }

    /// Continues parsing. The bytes after `position` are left for later, or follow a fault.
    private mutating func read(
        _ input: Span<UInt8>, _ position: inout Int, _ now: Duration
    ) -> Step {
        do {
            try parser.consume(input, &position, limits: limits.parser)
        } catch {
            return refuse(.broken(error))
        }
        guard parser.isComplete || parser.isStreamed else { return awaitMore(now) }
        phase = .handling
        if parser.isStreamed {
            streamedBody = .wanted
            bodyChanged()
        }
        hasSentContinue = false
        isTaken = false
        requestNumber &+= 1
        setDeadline(now)
        return .handle
    }

    /// The request is not complete: sends 100 if the client waits for it.
    private mutating func awaitMore(_ now: Duration) -> Step {
        guard parser.hasHead else {
            if parser.hasBegun { phase = .head }
            setDeadline(now)
            return .wait
        }
        if phase != .body, phase != .oversizedBody { bodyEnd = now + limits.body }
        let isOversized = parser.isOversized(limits.parser)
        phase = isOversized ? .oversizedBody : .body
        setDeadline(now, restarting: .pause)
        guard parser.awaitsContinue, !hasSentContinue else { return .wait }
        guard !isOversized else { return refuse(.broken(.bodyTooLarge)) }
        hasSentContinue = true
        return .sendContinue
    }

    /// The next request, when the response to the last one has gone.
    private mutating func nextRequest(_ now: Duration) -> Step {
        phase = .idle
        // Bytes from here on belong to the next request, whose failure is reported for that request.
        isTaken = false
        guard !leftover.isEmpty else {
            setDeadline(now)
            return .wait
        }
        let bytes = leftover
        var position = leftoverStart
        let step = read(bytes.span, &position, now)
        (leftover, leftoverStart) = position == bytes.count ? ([], 0) : (bytes, position)
        return step
    }

    // MARK: Bodies that are handed over as they come

    /// The result for a handler that asks for more of its body.
    enum Piece: Equatable {
        case bytes([UInt8])
        case end
        case failure(RequestContentError)
    }

    /// Takes what has come of the body.
    ///
    /// - Parameter number: The request it belongs to.
    /// - Returns: nil when nothing has come yet. The reader then waits, until another call returns something.
    mutating func takePiece(_ number: Int, now: Duration) -> Piece? {
        guard requestNumber == number, isTaken, phase == .handling || phase == .streaming else {
            return .failure(.connectionClosed)
        }
        let bytes = parser.takeBody()
        let piece: Piece?
        if !bytes.isEmpty {
            piece = .bytes(bytes)
        } else if streamedBody == .failed {
            piece = .failure(bodyFailure)
        } else {
            piece = parser.isComplete ? .end : nil
        }
        readerWaits = piece == nil
        bodyChanged()
        setDeadline(now)
        return piece
    }

    /// Decides whether more of the body is read.
    private mutating func bodyChanged() {
        takesBody =
            switch streamedBody {
            case .wanted: !parser.isComplete && parser.body.count < ConnectionLimits.readAhead
            case .unwanted: !parser.isComplete
            case .none, .failed: false
            }
    }

    /// The reader stops waiting, although nothing has come.
    mutating func readerLeft(now: Duration) {
        readerWaits = false
        setDeadline(now)
    }

    /// Whether the reader waits for something that its peer holds back until it is asked for: once, and not behind a
    /// response (RFC 9110 §10.1.1).
    mutating func takeContinue() -> Bool {
        guard readerWaits, phase == .handling, parser.awaitsContinue, !hasSentContinue else { return false }
        hasSentContinue = true
        return true
    }

    /// Reads on in the body.
    private mutating func readOn(_ input: Span<UInt8>, _ now: Duration) -> Step {
        var position = 0
        do {
            try parser.consume(input, &position, limits: limits.parser)
        } catch {
            return bodyFailed(error == .bodyTooLarge ? .tooLarge : .malformed, now)
        }
        if position < input.count { leftover = Array(copying: input, position..<input.count) }
        defer { bodyChanged() }
        guard streamedBody == .unwanted else { return .wait }
        skipped += parser.takeBody().count
        if skipped > ConnectionLimits.longestRest { closesAfterResponse = true }
        guard skipped <= Self.longestLinger else { return close(abort: true) }
        return phase == .skipping && (parser.isComplete || closesAfterResponse) ? responseSent(now) : .wait
    }

    /// No more of the body comes. The next request cannot be found after it, so the current response is the last.
    private mutating func bodyFailed(_ error: RequestContentError, _ now: Duration) -> Step {
        (streamedBody, bodyFailure) = (.failed, error)
        bodyChanged()
        closesAfterResponse = true
        (leftover, leftoverStart) = ([], 0)
        return phase == .skipping ? responseSent(now) : .wait
    }

    // MARK: Requests

    /// The complete request, moved out and not copied, or the head of one whose body is streamed;
    /// nil when the connection has been closed.
    ///
    /// - Parameter content: Makes what such a body is read from, for the request of this number.
    mutating func takeRequest(
        from remoteAddress: SocketAddress, content: (Int) -> RequestContent.Source
    ) -> Request? {
        guard phase == .handling else { return nil }
        guard streamedBody == .none else {
            guard let request = parser.takeHead(from: remoteAddress, content: content(requestNumber)) else {
                return nil
            }
            noteTaken(request)
            return request
        }
        guard let request = parser.takeRequest(from: remoteAddress) else { return nil }
        noteTaken(request)
        return request
    }

    @inline(__always)
    private mutating func noteTaken(_ request: borrowing Request) {
        isTaken = true
        isHead = request.method == .head
        version = request.version
        if !request.isKeepAlive || request.method == .connect || isOverload { closesAfterResponse = true }
    }

    private mutating func refuse(_ refusal: Refusal) -> Step {
        phase = .handling
        deadline = nil
        return .refuse(refusal)
    }

    /// Adds to a failure what was read of the request, which is then dropped: after a request that was not read to
    /// its end no other can be found, so the connection closes after the answer.
    mutating func describe(_ failure: inout HTTPFailure) {
        guard !isTaken else {
            closesAfterResponse = true
            (leftover, leftoverStart) = ([], 0)
            return
        }
        parser.describe(in: &failure, rest: Array(leftover[leftoverStart...]))
        isHead = failure.method == .head
        version = .http11
        closesAfterResponse = true
        parser = RequestParser()
        (leftover, leftoverStart) = ([], 0)
    }

    // MARK: Responses

    /// Begins the response to the request under way.
    ///
    /// - Returns: How to send it; nil when the connection has been closed.
    mutating func begin(_ response: Response) -> ResponsePlan? {
        guard phase == .handling else { return nil }
        var framing = ResponseEncoder.Framing.length(0)
        var content = ResponsePlan.Content.none
        switch response.body {
        case _ where !response.status.allowsBody:
            // 205 has a Content-Length of 0; the others have none (RFC 9110 §15.3.6, §8.6).
            if response.status.code != 205 { framing = .none }
        case .none:
            break
        case .bytes(let bytes):
            framing = .length(bytes.count)
            if !isHead { content = .bytes }
        case .shared(let shared, let part):
            framing = .length(part?.count ?? shared.bytes.count)
            if !isHead { content = .bytes }
        case .stream where isHead:
            framing = .unknown
        case .stream:
            framing = version == .http10 ? .unknown : .chunked
            content = .stream
            phase = .streaming
            if version == .http10 { closesAfterResponse = true }
        }
        if response.wantsClose || streamedBody == .wanted && leavesRest(content) { closesAfterResponse = true }
        // While draining, requests that have come already are still answered; the last one says that it is the last.
        if isDraining, leftover.isEmpty { closesAfterResponse = true }
        return ResponsePlan(
            framing: framing,
            persistence: closesAfterResponse ? .close : version == .http10 ? .keepAliveAnnounced : .keepAlive,
            content: content)
    }

    /// Whether the connection should close, because too much of the body is unread, or because the body may never
    /// come: its sender waits for a 100 that can no longer be sent.
    private func leavesRest(_ content: ResponsePlan.Content) -> Bool {
        if parser.awaitsContinue, !hasSentContinue { return true }
        // After the head of a stream the handler may continue reading.
        guard content != .stream, let rest = parser.remainingSize else { return content != .stream }
        return rest > ConnectionLimits.longestRest
    }

    /// Whether the response to this request is being streamed.
    @inline(__always) func isStreaming(_ number: Int) -> Bool { phase == .streaming && requestNumber == number }

    /// Whether a stream is sent in chunks, not until the connection closes.
    @inline(__always) var sendsChunks: Bool { version == .http11 }

    /// The last byte of the response has been handed over.
    mutating func responseEnded(now: Duration) -> Step {
        guard phase == .handling || phase == .streaming else { return .wait }
        if streamedBody != .none { leaveBody() }
        guard !outputWaits else {
            phase = .flushing
            return .wait
        }
        return responseSent(now)
    }

    /// The response ends before its content. Without the last chunk the client knows that it is not complete (RFC
    /// 9112 §8); an HTTP/1.0 client gets a reset.
    mutating func responseFailed(now: Duration) -> Step {
        guard phase == .streaming else { return .wait }
        closesAfterResponse = true
        return version == .http10 ? close(abort: true) : responseEnded(now: now)
    }

    /// The handler is done with the body.
    private mutating func leaveBody() {
        readerWaits = false
        guard streamedBody == .wanted else { return }
        streamedBody = .unwanted
        skipped = parser.takeBody().count
        bodyChanged()
    }

    private mutating func responseSent(_ now: Duration) -> Step {
        if streamedBody != .none {
            if !closesAfterResponse, !parser.isComplete {
                phase = .skipping
                setDeadline(now)
                return .wait
            }
            parser = RequestParser()
            (streamedBody, takesBody) = (.none, false)
        }
        guard closesAfterResponse else { return nextRequest(now) }
        (leftover, leftoverStart) = ([], 0)
        // Closing with unread bytes would reset the connection, and the peer might never see the response.
        guard !peerEnded else { return close(abort: false) }
        phase = .lingering
        skipped = 0
        setDeadline(now)
        return .endOutput
    }

    // MARK: Output

    /// Bytes have to wait for the peer.
    mutating func outputBlocked(now: Duration) {
        guard isOpen else { return }
        outputWaits = true
        setDeadline(now)
    }

    /// The peer has taken some of the bytes that wait.
    mutating func outputTaken(now: Duration) {
        setDeadline(now, restarting: .write)
    }

    /// The peer has taken all of the bytes that waited.
    mutating func outputEmptied(now: Duration) -> Step {
        outputWaits = false
        if phase == .flushing { return responseSent(now) }
        setDeadline(now)
        return .wait
    }

    // MARK: End

    /// The server shuts down: what is under way is answered with `Connection: close`, and a connection without a
    /// request waits a little for one that is on its way.
    mutating func beginDraining(now: Duration) {
        isDraining = true
        setDeadline(now)
    }

    /// The transport has failed, the server gives up, or the state requires it.
    mutating func close(abort: Bool) -> Step {
        guard isOpen else { return .wait }
        phase = .closed
        deadline = nil
        outputWaits = false
        parser = RequestParser()
        (leftover, leftoverStart) = ([], 0)
        (streamedBody, takesBody, readerWaits) = (.none, false, false)
        return .close(abort: abort)
    }

    // MARK: Deadlines

    /// The clock has advanced. Before the deadline nothing happens.
    mutating func deadlinePassed(now: Duration) -> Step {
        guard let passed = deadline, passed.end <= now else { return .wait }
        switch passed.outcome {
        case .close(let abort): return close(abort: abort)
        case .refuse(let refusal): return refuse(refusal)
        case .look: return .look
        case .starve: return bodyFailed(.timedOut, now)
        }
    }

    /// Updates the deadline for the phase. The current one is kept, unless this event restarts it.
    private mutating func setDeadline(_ now: Duration, restarting: Deadline.Kind? = nil) {
        let row = row(at: now)
        if let row, row.kind == deadline?.kind, row.kind != restarting { return }
        deadline = row
    }
}
