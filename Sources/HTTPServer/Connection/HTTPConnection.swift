package import EventLoop
import Synchronization

/// Does the I/O of one connection; `ConnectionState` decides. Inside turns of its loop only.
package final class HTTPConnection: EventHandler {
    let remoteAddress: SocketAddress
    /// The place in the context's list.
    var index = 0

    private let context: LoopContext
    private let transport: any Transport
    private var state: ConnectionState
    private var output = OutputQueue()
    private var interest = Interest.read
    /// Writers of a streaming body that wait for the peer, and the request that they answer.
    private var writers: [(request: Int, continuation: UnsafeContinuation<Bool, Never>)] = []
    /// The reader that waits for more of a body.
    private var reader: BodyReader?
    /// Runs the handler, while nobody but the peer waits for it.
    private var worker: WorkerPool.Worker?
    /// What the handler was asked for, where it has a deadline.
    private var asked: (method: HTTPMethod, path: String)?
    /// Called when the peer of a streaming body has gone.
    private var onPeerGone: (@Sendable () -> Void)?
    private var timer: ScheduledTimer?
    private var timerEnd = Duration.zero
    /// The amount that the budget has been told.
    private var held = BufferBudget.Holding()
    private var budgetTicket: Int?

    /// Bodies up to this size are copied after their head, to be sent with it in one system call.
    private static let largestCopiedBody = 16384

    /// - Parameter isOverload: Whether the connection is over a limit: its request is read, answered 503 and not
    ///   served.
    init(
        transport: any Transport, remoteAddress: SocketAddress, isOverload: Bool, context: LoopContext
    ) {
        self.transport = transport
        self.remoteAddress = remoteAddress
        self.context = context
        state = ConnectionState(
            limits: context.limits, isOverload: isOverload, isDraining: context.isDraining, now: context.now)
        context.add(self)
        settle()
    }

    // MARK: Events

    /// Called by the loop, or by a test's transport, when the peer has sent bytes, has room for some, or has gone.
    package func handle(_ readiness: Readiness) {
        if readiness.contains(.hangUp) || readiness.contains(.error) {
            close()
            return
        }
        if readiness.contains(.writable) { flush() }
        if readiness.contains(.readable) || readiness.contains(.readHangUp) { read() }
    }

    private func read() {
        guard state.takesInput else {
            switch transport.peer {
            case .gone: return close()
            case .ended where onPeerGone != nil: return close()
            case .ended, .present: break
            }
            setInterest(interest.subtracting(.read))
            return
        }
        switch transport.receive(into: &context.input) {
        case .bytes(let count):
            context.traffic.received.add(count)
            let input = context.input
            take(state.received(input.span.extracting(first: count), now: context.now))
        case .wouldBlock: break
        case .ended: take(state.inputEnded(now: context.now))
        case .failed: close()
        }
    }

    private func flush() {
        guard let progress = output.send(to: transport) else {
            close()
            return
        }
        context.traffic.sent.add(progress)
        if output.isEmpty {
            take(state.outputEmptied(now: context.now))
        } else if progress > 0 {
            state.outputTaken(now: context.now)
            settle()
        }
    }

    private func timerFired() {
        timer = nil
        take(state.deadlinePassed(now: context.now))
    }

    /// Since when there is no request, not even the beginning of one; nil: there is one, or the connection is over a limit.
    var idleSince: Duration? { state.idleSince }

    /// Makes room for another connection, unless a request has arrived in this very moment.
    ///
    /// - Returns: Whether it has closed.
    func giveWay() -> Bool {
        take(.look)
        return !state.isOpen
    }

    /// The server shuts down.
    func beginDraining() {
        state.beginDraining(now: context.now)
        settle()
    }

    /// Closes the connection, with `abort` by a reset; nothing happens if that was done before.
    package func close(abort: Bool = false) {
        take(state.close(abort: abort))
    }

    // MARK: Steps

    private func take(_ step: ConnectionState.Step) {
        switch step {
        case .wait: break
        case .sendContinue: send(ResponseEncoder.continueResponse)
        case .handle: context.workers.submit(WorkerPool.Job(connection: self))
        case .refuse(let refusal): refuse(refusal)
        case .look:
            read()
            take(state.looked())
        case .endOutput: transport.endOutput()
        case .close(let abort):
            transport.close(abort: abort)
            timer?.cancel()
            timer = nil
            output = OutputQueue()
            context.remove(self)
            context.admission.release(remoteAddress, on: context.number)
            dismissWorker()
            let tell = onPeerGone
            onPeerGone = nil
            tell?()
        }
        settle()
    }

    /// Updates interest, timer and waiting writers from the state.
    private func settle() {
        if reader != nil { serveReader() }
        var interest = interest
        // Interest in reading ends when bytes come that are not wanted, so that most requests cost no system call for
        // it.
        if state.takesInput { interest.insert(.read) }
        if state.outputWaits { interest.insert(.write) } else { interest.remove(.write) }
        setInterest(interest)
        setTimer()
        account()
        if !writers.isEmpty, !state.outputWaits {
            let resumed = writers
            writers = []
            for writer in resumed { writer.continuation.resume(returning: state.isStreaming(writer.request)) }
        }
    }

    /// Gives the reader of a body the bytes that have come.
    private func serveReader() {
        guard let reader, let piece = state.takePiece(reader.request, now: context.now) else { return }
        self.reader = nil
        reader.resume(piece)
    }

    /// Tells the budget what is kept.
    private func account() {
        var holding = BufferBudget.Holding()
        if state.isOpen {
            holding.size = BufferBudget.Holding.counted(output.ownSize + state.inputSize)
            if !output.isEmpty { holding.shared = output.shared }
        }
        guard !holding.isSame(as: held) else { return }
        held = holding
        budgetTicket = context.budget.hold(holding, ticket: budgetTicket, cutOff: cutOff())
    }

    /// A closure that closes the connection from any thread, if it still exists.
    private func cutOff() -> @Sendable () -> Void {
        let me = Confined(Weak(self), to: context.loop)
        return { me.loop.execute { me.value.connection?.close(abort: true) } }
    }

    private func setInterest(_ interest: Interest) {
        guard interest != self.interest, state.isOpen else { return }
        self.interest = interest
        transport.setInterest(interest)
    }

    /// Arms the timer. One that is armed already is kept unless it would be late: most deadlines never pass, and a
    /// timer that fires early is only armed again.
    private func setTimer() {
        guard let deadline = state.deadline, timer == nil || deadline.end < timerEnd else { return }
        timer?.cancel()
        timerEnd = deadline.end
        timer = context.loop.schedule(after: timerEnd - context.now) { [unowned self] in timerFired() }
    }

    // MARK: Responses

    // Inlining asynchronous functions saves the runtime a check of the task's executor for each: 70 ns (Swift
    // 6.3).

    /// Has the request answered and sends the response. Called by a worker.
    @inline(__always)
    func answer(by worker: WorkerPool.Worker) async {
        guard let request = state.takeRequest(from: remoteAddress, content: content) else { return }
        let number = state.requestNumber
        self.worker = worker
        if state.limits.handler != nil { asked = (request.method, request.path) }
        var response = await respond(to: request)
        if response.status.code < 200 {
            // A handler's mistake that would break the framing: only the server sends interim responses.
            response = HTTPFailure(
                code: .internalError, status: .internalServerError, message: "The handler gave no final status.",
                request: request
            ).response(by: context.errorRenderer)
        }
        guard let plan = state.begin(response) else { return }
        if plan.content != .stream { self.worker = nil }
        guard plan.content == .stream, case .stream(let body) = response.body else {
            sendWhole(response, plan)
            return
        }
        sendHead(response, plan)
        do {
            try await body(ResponseWriter(Confined(self, to: context.loop), request: number))
            (onPeerGone, self.worker) = (nil, nil)
            if plan.framing == .chunked { send(ResponseEncoder.lastChunk) }
            take(state.responseEnded(now: context.now))
        } catch {
            (onPeerGone, self.worker) = (nil, nil)
            take(state.responseFailed(now: context.now))
        }
    }

    /// The body of a request that is handed over as it comes.
    private func content(of request: Int) -> RequestContent.Source {
        RequestContent.Source(Confined(self, to: context.loop), request: request)
    }

    @inline(__always)
    private func respond(to request: Request) async -> Response {
        if let failure = context.failure(for: request, isOverload: state.isOverload) {
            return failure.response(by: context.errorRenderer)
        }
        return await context.handler(request)
    }

    /// Cancels the task of the handler, whose answer nobody waits for.
    private func dismissWorker() {
        let dismissed = worker
        worker = nil
        dismissed?.cancel()
    }

    private func refuse(_ refusal: Refusal) {
        var failure = context.failure(for: refusal)
        if refusal == .unanswered {
            dismissWorker()
            (failure.method, failure.path) = (asked?.method, asked?.path)
        }
        state.describe(&failure)
        var response = failure.response(by: context.errorRenderer)
        // A renderer has no writer.
        if case .stream = response.body { response.body = .none }
        if let plan = state.begin(response) { sendWhole(response, plan) }
    }

    /// Sends a response whose body is in memory.
    private func sendWhole(_ response: Response, _ plan: ResponsePlan) {
        switch response.body {
        case .bytes(let body) where plan.content == .bytes: sendHead(response, plan, body: body)
        case .shared(let shared, let part) where plan.content == .bytes:
            sendHead(response, plan, body: shared.bytes, part, sharedAs: shared)
        default: sendHead(response, plan)
        }
        take(state.responseEnded(now: context.now))
    }

    private func sendHead(
        _ response: Response, _ plan: ResponsePlan, body: [UInt8] = [], _ part: Range<Int>? = nil,
        sharedAs shared: SharedBytes? = nil
    ) {
        let part = part ?? body.indices
        context.resetOutput()
        context.encoder.appendHead(
            response, framing: plan.framing, persistence: plan.persistence, to: &context.output)
        if part.count <= Self.largestCopiedBody {
            context.output.append(copying: body.span, part)
            send(context.output)
        } else {
            send(context.output, more: true)
            send(body, part, sharedAs: shared)
        }
    }

    /// Waits for more of the request's body.
    fileprivate func read(_ reader: BodyReader) {
        // A late call must not disturb the reader of the next request.
        guard reader.request == state.requestNumber else { return reader.resume(.failure(.connectionClosed)) }
        precondition(self.reader == nil, "two tasks read a request's content at the same time")
        self.reader = reader
        settle()
        if reader.isCancelled { return cancel(reader) }
        if state.takeContinue() {
            send(ResponseEncoder.continueResponse)
            settle()
        }
    }

    /// The task that waits for more of the request's body was cancelled.
    fileprivate func cancel(_ reader: BodyReader) {
        guard self.reader === reader else { return }
        self.reader = nil
        state.readerLeft(now: context.now)
        reader.resume(.failure(.cancelled))
        settle()
    }

    /// Sends one piece of a streaming body. The writer goes on when the peer has room again, and learns whether the
    /// response can.
    fileprivate func stream(_ bytes: [UInt8], request: Int, _ writer: UnsafeContinuation<Bool, Never>) {
        guard state.isStreaming(request), !bytes.isEmpty else {
            return writer.resume(returning: state.isStreaming(request))
        }
        if state.sendsChunks {
            context.resetOutput()
            ResponseEncoder.appendChunk(bytes, to: &context.output)
            send(context.output)
        } else {
            send(bytes)
        }
        if state.outputWaits {
            writers.append((request, writer))
        } else {
            writer.resume(returning: state.isStreaming(request))
        }
    }

    /// Has a function called when the peer goes before the end of the response.
    fileprivate func watch(request: Int, _ action: @escaping @Sendable () -> Void) {
        guard state.isStreaming(request) else { return action() }
        onPeerGone = action
        // It may have been given up for bytes behind the request.
        setInterest(interest.union(.read))
    }

    /// Sends as much as possible at once, after the bytes that wait already; the rest waits for the peer.
    ///
    /// - Parameters:
    ///   - part: Which of the bytes; default all.
    ///   - shared: The owner of the bytes, if other connections send them too.
    private func send(
        _ bytes: [UInt8], _ part: Range<Int>? = nil, sharedAs shared: SharedBytes? = nil, more: Bool = false
    ) {
        guard state.isOpen else { return }
        var rest = part ?? bytes.indices
        if output.isEmpty {
            let first = rest.prefix(OutputQueue.quantum)
            guard let count = transport.send(bytes.span.extracting(first), more: more || first.count < rest.count)
            else {
                close()
                return
            }
            context.traffic.sent.add(count)
            rest.removeFirst(count)
        }
        guard !rest.isEmpty else { return }
        output.append(OutputQueue.Piece(bytes: bytes, rest: rest, shared: shared))
        state.outputBlocked(now: context.now)
        settle()
    }
}

extension HTTPConnection {
    /// A connection without a server, for tests. Inside turns of the loop only.
    ///
    /// - Parameters:
    ///   - transport: What it reads from and writes to; calls `handle` when there is something to read or room to
    ///     write.
    ///   - isOverload: Whether to play a connection over the limit, which is answered 503.
    ///   - configuration: Limits and deadlines; address and connection limits have no effect here.
    ///   - errorRenderer: Shapes the server's own answers.
    ///   - loop: Where it runs.
    ///   - handler: Answers the requests.
    package convenience init(
        transport: any Transport, isOverload: Bool, configuration: HTTPServerConfiguration,
        errorRenderer: @escaping ErrorRenderer, on loop: EventLoop, handler: @escaping Handler
    ) {
        let context = LoopContext(
            loop: loop, number: 0, admission: Admission(loops: 1, limit: .max, limitPerAddress: nil),
            budget: BufferBudget(limit: configuration.maximumBufferSize), configuration: configuration,
            handler: handler, errorRenderer: errorRenderer)
        self.init(
            transport: transport, remoteAddress: SocketAddress(127, 0, 0, 1, port: 0), isOverload: isOverload,
            context: context)
    }
}

/// A weak reference to a connection.
private struct Weak {
    weak var connection: HTTPConnection?

    init(_ connection: HTTPConnection) { self.connection = connection }
}

/// A task that waits for a piece of a request's body.
private final class BodyReader: @unchecked Sendable {
    // Invariant: `continuation` is touched only inside turns of the connection's loop.
    let request: Int
    private var continuation: UnsafeContinuation<ConnectionState.Piece, Never>?
    private let wasCancelled = Atomic(false)

    init(request: Int) { self.request = request }

    /// Whether the task was cancelled, maybe before it waits.
    var isCancelled: Bool { wasCancelled.load(ordering: .relaxed) }

    func cancel() { wasCancelled.store(true, ordering: .relaxed) }

    func wait(_ continuation: UnsafeContinuation<ConnectionState.Piece, Never>, on connection: HTTPConnection) {
        self.continuation = continuation
        connection.read(self)
    }

    func resume(_ piece: ConnectionState.Piece) {
        continuation?.resume(returning: piece)
        continuation = nil
    }
}

extension RequestContent.Source {
    /// - Parameter request: The number of the request whose body is read: later there is nothing to read.
    fileprivate convenience init(_ connection: Confined<HTTPConnection>, request: Int) {
        self.init { () throws(RequestContentError) in
            let reader = BodyReader(request: request)
            let piece = await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    if connection.loop.isCurrent {
                        reader.wait(continuation, on: connection.value)
                    } else {
                        connection.loop.execute { reader.wait(continuation, on: connection.value) }
                    }
                }
            } onCancel: {
                // Whoever comes to the loop first: `read` sees the mark, or `cancel` the reader.
                reader.cancel()
                connection.loop.execute { connection.value.cancel(reader) }
            }
            switch piece {
            case .bytes(let bytes): return bytes
            case .end: return nil
            case .failure(let error): throw error
            }
        }
    }
}

extension ResponseWriter {
    /// - Parameter request: The number of the request whose response is written: later the writer writes nothing.
    fileprivate init(_ connection: Confined<HTTPConnection>, request: Int) {
        self.init(
            { bytes throws(ResponseStreamError) in
                let isOpen = await withUnsafeContinuation { writer in
                    if connection.loop.isCurrent {
                        connection.value.stream(bytes, request: request, writer)
                    } else {
                        // The caller is an actor, or a task of its own.
                        connection.loop.execute { connection.value.stream(bytes, request: request, writer) }
                    }
                }
                guard isOpen else { throw .connectionClosed }
            },
            onPeerGone: { action in
                if connection.loop.isCurrent {
                    connection.value.watch(request: request, action)
                } else {
                    connection.loop.execute { connection.value.watch(request: request, action) }
                }
            })
    }
}
