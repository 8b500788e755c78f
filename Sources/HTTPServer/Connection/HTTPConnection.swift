package import EventLoop

/// One connection: reads requests, has them answered one at a time and in order, keeps its deadlines. Inside turns of its
/// loop only.
///
/// While a request is under way nothing more is read: what the peer sends on waits in the kernel, whose window then closes.
/// So a connection holds one request, at most one read buffer of bytes behind it, and one response.
package final class HTTPConnection: EventHandler {
    private enum Phase {
        /// Waits for a request or the rest of one.
        case reading
        /// A worker has the request.
        case handling
        /// A worker writes the response's body.
        case streaming
        /// The response is whole and waits for the peer to take it.
        case flushing
        /// All is said; the peer's bytes are thrown away until it closes.
        case lingering
        case closed
    }

    /// What ends when the time is up.
    private enum Deadline {
        case idle
        case head
        case body
        case refusal
        case write
        case linger
        case drain
    }

    let remoteAddress: SocketAddress
    /// The place in the context's list.
    var index = 0

    private let context: LoopContext
    private let transport: any Transport
    private let isOverload: Bool

    private var phase = Phase.reading
    private var parser = RequestParser()
    /// Bytes behind the request under way, and how many of them are done with.
    private var leftover: [UInt8] = []
    private var leftoverStart = 0
    private var output = OutputQueue()

    // About the request under way.
    private var isHead = false
    private var version = HTTPVersion.http11
    private var closesAfterResponse = false
    private var hasSentContinue = false
    /// When its body has to be there.
    private var bodyEnd: ContinuousClock.Instant?

    private var peerEnded = false
    private var lingered = 0
    private var interest = Interest.read
    /// Writers of a streaming body that wait for the peer.
    private var flushWaiters: [UnsafeContinuation<Void, Never>] = []

    private var deadline: (kind: Deadline, instant: ContinuousClock.Instant)?
    private var timer: ScheduledTimer?

    /// What a peer may send into a connection that only lingers, before it is cut off.
    private static let longestLinger = 16 << 20
    /// Bodies up to this size are copied behind their head, to leave with it in one system call.
    private static let largestCopiedBody = 16384
    /// How long a refused body may pause before it is answered with what has come of it.
    private static let refusalPause = Duration.milliseconds(500)
    /// How long a connection over the limit may take for its request.
    private static let overloadDeadline = Duration.seconds(1)

    /// - Parameter isOverload: Whether the connection is over a limit: its request is read, answered 503 and not served.
    init(
        transport: any Transport, remoteAddress: SocketAddress, isOverload: Bool, context: LoopContext
    ) {
        self.transport = transport
        self.remoteAddress = remoteAddress
        self.isOverload = isOverload
        self.context = context
        context.add(self)
        if isOverload {
            arm(.refusal, Self.overloadDeadline)
        } else if context.isDraining {
            arm(.drain, context.configuration.shutdownGrace)
        } else {
            arm(.idle, context.configuration.keepAliveDeadline)
        }
    }

    // MARK: Events

    /// Called by the loop, or by a test's transport, when the peer has sent bytes, has room for some, or has gone.
    package func handle(_ readiness: Readiness) {
        if readiness.contains(.hangUp) || readiness.contains(.error) {
            close()
            return
        }
        if readiness.contains(.writable) { flush() }
        if readiness.contains(.readable) || readiness.contains(.readHangUp) { readable() }
    }

    private func readable() {
        switch phase {
        case .reading:
            switch transport.receive(into: &context.input) {
            case .bytes(let count):
                let input = context.input
                let end = process(input.span.extracting(first: count))
                if end < count {
                    leftover = Array(input[end..<count])
                    leftoverStart = 0
                }
            case .wouldBlock: break
            case .ended: inputEnded()
            case .failed: close()
            }
        case .lingering:
            switch transport.receive(into: &context.input) {
            case .bytes(let count):
                lingered += count
                if lingered > Self.longestLinger { close(abort: true) }
            case .wouldBlock: break
            case .ended, .failed: close()
            }
        case .handling, .streaming, .flushing:
            setInterest(interest.subtracting(.read))
        case .closed:
            break
        }
    }

    // MARK: Requests

    /// Parses on.
    ///
    /// - Returns: How far the bytes were taken; the rest is behind a complete request.
    private func process(_ input: Span<UInt8>) -> Int {
        var position = 0
        do {
            try parser.consume(input, &position, limits: context.limits)
        } catch {
            var failure = HTTPFailure(error)
            parser.describe(in: &failure, rest: Array(copying: input, position..<input.count))
            refuse(failure)
            return input.count
        }
        if parser.isComplete {
            dispatch()
        } else {
            awaitMore()
        }
        return position
    }

    /// Has a worker take the complete request out of the parser: it is moved once, not copied from hand to hand.
    private func dispatch() {
        phase = .handling
        deadline = nil
        bodyEnd = nil
        hasSentContinue = false
        context.workers.submit(WorkerPool.Job(connection: self))
    }

    /// The request is not whole: says 100 where that is waited for, and sees to the deadline.
    private func awaitMore() {
        guard parser.hasHead else {
            if parser.hasBegun, deadline?.kind != .head, !isOverload {
                arm(.head, context.configuration.headDeadline)
            }
            return
        }
        let bodyEnd = bodyEnd ?? context.loop.now.advanced(by: context.configuration.bodyDeadline)
        self.bodyEnd = bodyEnd
        let isOversized = parser.isOversized(context.limits)
        if parser.awaitsContinue {
            guard !isOversized else { return refuse(.bodyTooLarge) }
            if !hasSentContinue {
                hasSentContinue = true
                send(ResponseEncoder.continueResponse)
                guard phase == .reading else { return }
            }
        }
        guard !isOverload, deadline?.kind != .write else { return }
        if isOversized {
            arm(.refusal, min(Self.refusalPause, context.loop.now.duration(to: bodyEnd)))
        } else if deadline?.kind != .body {
            arm(.body, context.loop.now.duration(to: bodyEnd))
        }
    }

    private func inputEnded() {
        peerEnded = true
        if parser.hasBegun {
            refuseIncomplete()
        } else {
            close()
        }
    }

    /// The next request, when the response to the last one has gone.
    private func nextRequest() {
        phase = .reading
        if !leftover.isEmpty {
            let bytes = leftover
            let end = leftoverStart + process(bytes.span.extracting(leftoverStart..<bytes.count))
            leftover = end == bytes.count ? [] : bytes
            leftoverStart = end == bytes.count ? 0 : end
            guard phase == .reading else { return }
        }
        setInterest(.read)
        guard !parser.hasBegun else { return }
        if context.isDraining {
            arm(.drain, context.configuration.shutdownGrace)
        } else {
            arm(.idle, context.configuration.keepAliveDeadline)
        }
    }

    // MARK: Responses

    // Asynchronous functions that are inlined where they are called save the runtime a look at the task's executor
    // each: 70 ns (Swift 6.3).

    /// Has the request answered and sends the response. Called by a worker.
    @inline(__always)
    func answer() async {
        guard let request = parser.takeRequest(from: remoteAddress) else { return }
        isHead = request.method == .head
        version = request.version
        closesAfterResponse = !request.isKeepAlive || request.method == .connect || isOverload
        var response = await respond(to: request)
        if response.status.code < 200 {
            // A handler's mistake that would break the framing: interim responses are the server's business.
            response = HTTPFailure(
                code: .internalError, status: .internalServerError, message: "The handler gave no final status.",
                request: request
            ).response(by: context.errorRenderer)
        }
        guard phase == .handling else { return }
        guard case .stream(let body) = response.body, response.status.allowsBody, !isHead else {
            send(response)
            return
        }
        if version == .http10 { closesAfterResponse = true }
        phase = .streaming
        sendHead(response, framing: version == .http10 ? .unknown : .chunked)
        let writer = ResponseWriter(Confined(self, to: context.loop))
        do {
            try await body(writer)
            guard phase == .streaming else { return }
            if version == .http11 { send(ResponseEncoder.lastChunk) }
            responseEnded()
        } catch {
            // Without the last chunk the client knows that the content is not whole (RFC 9112 §8).
            closesAfterResponse = true
            if version == .http10 { close(abort: true) } else { responseEnded() }
        }
    }

    @inline(__always)
    private func respond(to request: Request) async -> Response {
        if isOverload { return overloaded(request).response(by: context.errorRenderer) }
        if let failure = context.refusal(of: request) { return failure.response(by: context.errorRenderer) }
        return await context.handler(request)
    }

    /// Sends a response whose body is at hand.
    private func send(_ response: Response) {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        let framing: ResponseEncoder.Framing
        if !response.status.allowsBody {
            // 205 says that there is nothing, where the others say nothing (RFC 9110 §15.3.6, §8.6).
            framing = response.status.code == 205 ? .length(0) : .none
        } else if case .stream = response.body {
            framing = .unknown
        } else {
            framing = .length(body.count)
        }
        if isHead || !response.status.allowsBody { body = [] }
        sendHead(response, framing: framing, body: body)
        responseEnded()
    }

    private func sendHead(_ response: Response, framing: ResponseEncoder.Framing, body: [UInt8] = []) {
        if response.wantsClose { closesAfterResponse = true }
        // While draining, requests that have come already are still answered; the last one says that it is the last.
        if context.isDraining, leftover.isEmpty { closesAfterResponse = true }
        let persistence: ResponseEncoder.Persistence =
            closesAfterResponse ? .close : version == .http10 ? .keepAliveAnnounced : .keepAlive
        context.resetOutput()
        context.encoder.appendHead(response, framing: framing, persistence: persistence, to: &context.output)
        if body.count <= Self.largestCopiedBody {
            context.output += body
            send(context.output)
        } else {
            send(context.output, more: true)
            send(body)
        }
    }

    private func responseEnded() {
        guard phase != .closed else { return }
        phase = .flushing
        if output.isEmpty { flushed() }
    }

    /// Sends one piece of a streaming body and waits until the peer has room again.
    fileprivate func stream(_ bytes: [UInt8]) async throws(ResponseStreamError) {
        guard phase == .streaming else { throw .connectionClosed }
        guard !bytes.isEmpty else { return }
        if version == .http11 {
            context.resetOutput()
            ResponseEncoder.appendChunk(bytes, to: &context.output)
            send(context.output)
        } else {
            send(bytes)
        }
        if phase == .streaming, !output.isEmpty {
            await withUnsafeContinuation { flushWaiters.append($0) }
        }
        guard phase == .streaming else { throw .connectionClosed }
    }

    // MARK: Refusals

    private func refuse(_ error: HTTPParseError) {
        var failure = HTTPFailure(error)
        parser.describe(in: &failure)
        refuse(failure)
    }

    private func refuseIncomplete() {
        if isOverload { refuseOverload() } else { refuse(.incomplete) }
    }

    private func refuseOverload() {
        var failure = overloaded(nil)
        parser.describe(in: &failure)
        refuse(failure)
    }

    private func refuseLate() {
        var failure = HTTPFailure(
            code: .timeout, status: .requestTimeout, message: "The request did not arrive in time.")
        parser.describe(in: &failure)
        refuse(failure)
    }

    /// Answers by itself and closes: behind a request that was not read to its end no other can be found.
    private func refuse(_ failure: HTTPFailure) {
        deadline = nil
        isHead = failure.method == .head
        version = .http11
        closesAfterResponse = true
        parser = RequestParser()
        leftover = []
        leftoverStart = 0
        var response = failure.response(by: context.errorRenderer)
        if case .stream = response.body { response.body = .none }
        send(response)
    }

    private func overloaded(_ request: Request?) -> HTTPFailure {
        let headers: Headers = ["Retry-After": String(context.configuration.retryAfterSeconds)]
        let message = "The server has as many connections as it can serve."
        guard let request else {
            return HTTPFailure(code: .overloaded, status: .serviceUnavailable, message: message, headers: headers)
        }
        return HTTPFailure(
            code: .overloaded, status: .serviceUnavailable, message: message, headers: headers, request: request)
    }

    // MARK: Output

    /// Sends what it can at once, behind what waits already; the rest waits for the peer.
    private func send(_ bytes: [UInt8], more: Bool = false) {
        guard phase != .closed else { return }
        var sent = 0
        if output.isEmpty {
            guard let count = transport.send(bytes.span, more: more) else {
                close()
                return
            }
            sent = count
        }
        guard sent < bytes.count else { return }
        output.append(bytes, from: sent)
        setInterest(interest.union(.write))
        if deadline?.kind != .write { arm(.write, context.configuration.writeDeadline) }
    }

    private func flush() {
        guard let progress = output.send(to: transport) else {
            close()
            return
        }
        guard output.isEmpty else {
            if progress > 0 { arm(.write, context.configuration.writeDeadline) }
            return
        }
        setInterest(interest.subtracting(.write))
        if deadline?.kind == .write { deadline = nil }
        resumeWriters()
        if phase == .flushing { flushed() }
        if phase == .reading, deadline == nil { awaitMore() }
    }

    private func resumeWriters() {
        let waiters = flushWaiters
        flushWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func flushed() {
        guard closesAfterResponse else {
            nextRequest()
            return
        }
        leftover = []
        leftoverStart = 0
        guard !peerEnded else {
            close()
            return
        }
        // Closing with unread bytes would reset the connection, and the peer might never see the response.
        transport.endOutput()
        phase = .lingering
        setInterest(.read)
        arm(.linger, context.configuration.lingerDeadline)
    }

    private func setInterest(_ interest: Interest) {
        guard interest != self.interest, phase != .closed else { return }
        self.interest = interest
        transport.setInterest(interest)
    }

    // MARK: End

    /// Answers what is under way with `Connection: close`; without a request waits a little for one that is on its way.
    func beginDraining() {
        guard phase == .reading, !parser.hasBegun, leftover.isEmpty else { return }
        arm(.drain, context.configuration.shutdownGrace)
    }

    /// Closes the connection, with `abort` by a reset; nothing happens if that was done before.
    package func close(abort: Bool = false) {
        guard phase != .closed else { return }
        phase = .closed
        transport.close(abort: abort)
        timer?.cancel()
        timer = nil
        deadline = nil
        leftover = []
        output = OutputQueue()
        parser = RequestParser()
        resumeWriters()
        context.remove(self)
        context.admission.release(remoteAddress, on: context.number)
    }

    // MARK: Deadlines

    /// Sets the deadline. The timer that is armed already is kept unless it would be late: most deadlines never pass, and
    /// an early timer only looks and is armed anew.
    private func arm(_ kind: Deadline, _ duration: Duration) {
        guard phase != .closed else { return }
        let instant = context.loop.now.advanced(by: duration)
        deadline = (kind, instant)
        if let timer, timer.deadline <= instant { return }
        timer?.cancel()
        timer = context.loop.schedule(after: duration) { [unowned self] in timerFired() }
    }

    private func timerFired() {
        timer = nil
        guard let deadline else { return }
        guard deadline.instant <= context.loop.now else {
            timer = context.loop.schedule(after: context.loop.now.duration(to: deadline.instant)) { [unowned self] in
                timerFired()
            }
            return
        }
        self.deadline = nil
        switch deadline.kind {
        case .idle: close()
        case .head, .body: refuseLate()
        case .refusal: if isOverload { refuseOverload() } else { refuse(.bodyTooLarge) }
        case .write: close(abort: true)
        // Not by a reset: the peer may still have the response to read.
        case .linger: close()
        case .drain:
            // What arrived in this very moment is still served.
            readable()
            if phase == .reading, !parser.hasBegun { close() }
        }
    }
}

extension HTTPConnection {
    /// A connection without a server, for tests. Inside turns of the loop only.
    ///
    /// - Parameters:
    ///   - transport: What it reads from and writes to; calls `handle` when there is something to read or room to
    ///     write.
    ///   - isOverload: Whether to play a connection over the limit, which is answered 503.
    ///   - configuration: Limits and deadlines; address and connection limits have no meaning here.
    ///   - errorRenderer: Shapes the server's own answers.
    ///   - loop: Where it runs.
    ///   - handler: Answers the requests.
    package convenience init(
        transport: any Transport, isOverload: Bool, configuration: HTTPServerConfiguration,
        errorRenderer: @escaping ErrorRenderer, on loop: EventLoop, handler: @escaping Handler
    ) {
        let context = LoopContext(
            loop: loop, number: 0, admission: Admission(loops: 1, limit: .max, limitPerAddress: nil),
            configuration: configuration, handler: handler, errorRenderer: errorRenderer)
        self.init(
            transport: transport, remoteAddress: SocketAddress(127, 0, 0, 1, port: 0), isOverload: isOverload,
            context: context)
    }
}

extension ResponseWriter {
    fileprivate init(_ connection: Confined<HTTPConnection>) {
        self.init { bytes throws(ResponseStreamError) in
            if connection.loop.isCurrent {
                try await connection.value.stream(bytes)
                return
            }
            // The caller is an actor, or a task of its own.
            let task = Task(executorPreference: connection.loop) { () -> Bool in
                do {
                    try await connection.value.stream(bytes)
                    return true
                } catch {
                    return false
                }
            }
            guard await task.value else { throw .connectionClosed }
        }
    }
}
