public import EventLoop
import Synchronization

/// An HTTP/1.1 server on a set of event loops.
///
/// One socket listens, or several; each connection is handed to a loop and stays there. Handlers run on the loop of their
/// connection. Few connections keep one loop awake, and more of them wake the others one by one
/// (``HTTPServerConfiguration/connectionsPerLoop``).
///
/// ```swift
/// let server = HTTPServer(loops: [loop]) { request in .text("You asked for \(request.path)\n") }
/// print(try await server.start())
/// try await server.run()
/// ```
public final class HTTPServer: Sendable {
    private enum State {
        case idle
        case starting
        case running(Running)
        case stopped
    }

    private struct Running: Sendable {
        let sockets: [ListeningSocket]
        let acceptors: [Confined<Acceptor>]
        let contexts: [Confined<LoopContext>]
        let admission: Admission
        let budget: BufferBudget
        let traffic: [LoopTraffic]
    }

    /// The server's configuration.
    public let configuration: HTTPServerConfiguration

    private let loops: [EventLoop]
    private let handler: Handler
    private let errorRenderer: ErrorRenderer
    private let state = Locked(State.idle)
    private let shuttingDown = Atomic(false)
    private let stopped = Gate()

    /// A server that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: Address, limits and deadlines.
    ///   - loops: At least one; the first accepts the connections. They stay the caller's: shut them down after the
    ///     server.
    ///   - middleware: Called around the handler, the first outermost.
    ///   - errorRenderer: Shapes the answers the server makes by itself. Called on the loops.
    ///   - handler: Answers the requests; `Router.respond(to:)` for one.
    public init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        loops: [EventLoop],
        middleware: [Middleware] = [],
        errorRenderer: @escaping ErrorRenderer = HTTPFailure.plainTextRenderer,
        handler: @escaping Handler
    ) {
        precondition(!loops.isEmpty, "a server needs a loop")
        self.configuration = configuration
        self.loops = loops
        self.errorRenderer = errorRenderer
        // Not with `reduce`, which would add a thunk to every call.
        var handler = handler
        for middleware in middleware.reversed() {
            let inner = handler
            handler = { request in await middleware(request, inner) }
        }
        self.handler = handler
    }

    /// A server that answers by a router and shapes its own answers as the router does.
    ///
    /// - Parameters:
    ///   - configuration: Address, limits and deadlines.
    ///   - loops: At least one; the first accepts the connections. They stay the caller's: shut them down after the
    ///     server.
    ///   - middleware: Called around the router, the first outermost.
    ///   - router: Answers the requests.
    public convenience init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        loops: [EventLoop],
        middleware: [Middleware] = [],
        router: Router
    ) {
        var configuration = configuration
        if configuration.streamedBody == nil, router.hasStreamedBodies {
            configuration.streamedBody = { request in router.streamedBodySize(of: request) }
        }
        self.init(
            configuration: configuration, loops: loops, middleware: middleware, errorRenderer: router.errorRenderer,
            handler: { request in await router.respond(to: request) })
    }

    /// Whether a shutdown has begun, so that a readiness probe should fail.
    public var isShuttingDown: Bool { shuttingDown.load(ordering: .relaxed) }

    /// Where the server listens, in the order of the configuration's listeners, with the ports that the system chose;
    /// nothing before it listens and after its shutdown.
    public var addresses: [SocketAddress] {
        state.withLock { state in
            if case .running(let running) = state { running.sockets.map(\.address) } else { [] }
        }
    }

    /// The number of open connections.
    public var connectionCount: Int {
        state.withLock { state in
            if case .running(let running) = state { running.admission.total } else { 0 }
        }
    }

    /// What it has done so far; nothing before it listens and after its shutdown.
    public var statistics: HTTPServerStatistics {
        guard case .running(let running) = state.withLock({ $0 }) else { return HTTPServerStatistics() }
        var statistics = HTTPServerStatistics()
        statistics.connections = running.admission.total
        (statistics.bytesBuffered, statistics.connectionsCutOff) = running.budget.figures
        for traffic in running.traffic {
            statistics.connectionsAccepted += traffic.accepted.load(ordering: .relaxed)
            statistics.connectionsRefused += traffic.refused.load(ordering: .relaxed)
            statistics.bytesReceived += traffic.received.load(ordering: .relaxed)
            statistics.bytesSent += traffic.sent.load(ordering: .relaxed)
        }
        return statistics
    }

    /// Listens and serves from now on. Raises the process's soft limit of open files to the hard one.
    ///
    /// - Returns: The first address, with the port the system chose if none was configured; ``addresses`` has all.
    /// - Throws: `HTTPServerError`, nothing left open.
    @discardableResult
    public func start() async throws(HTTPServerError) -> SocketAddress {
        let isFirst = state.withLock { state in
            guard case .idle = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        let running: Running
        do {
            running = try await listen()
        } catch {
            state.withLock { $0 = .stopped }
            stopped.open()
            throw error
        }
        let isStopped = state.withLock { state in
            guard case .starting = state else { return true }
            state = .running(running)
            return false
        }
        if isStopped {
            await stopListening(running)
            stopped.open()
            throw .alreadyStarted
        }
        return running.sockets[0].address
    }

    /// Serves until the task is cancelled or `shutdown` is called; returns when the shutdown is complete.
    ///
    /// Starts the server unless that was done. Cancelling shuts down gracefully, within the configured deadline.
    ///
    /// - Throws: `HTTPServerError` when it cannot start.
    public func run() async throws {
        let isIdle = state.withLock { if case .idle = $0 { true } else { false } }
        if isIdle { try await start() }
        await withTaskCancellationHandler {
            await stopped.wait()
        } onCancel: {
            Task { await shutdown() }
        }
    }

    /// Stops accepting, answers the requests under way with `Connection: close`, closes idle connections, and cuts off
    /// what is left after the deadline. Returns when all connections are closed. A second call waits for the first.
    ///
    /// - Parameter deadline: How long to wait; default the configuration's `shutdownDeadline`.
    public func shutdown(deadline: Duration? = nil) async {
        shuttingDown.store(true, ordering: .relaxed)
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        guard case .running(let running) = before else {
            // A start under way sees the shutdown, and opens the gate itself.
            if case .idle = before { stopped.open() }
            await stopped.wait()
            return
        }
        await stopListening(running)
        let duration = deadline ?? configuration.clamped.shutdownDeadline
        await withTaskGroup(of: Void.self) { group in
            for context in running.contexts {
                group.addTask {
                    let guillotine = Task {
                        try await Task.sleep(for: duration)
                        context.loop.execute { context.value.abort() }
                    }
                    try? await context.loop.run { await context.value.drain() }
                    guillotine.cancel()
                }
            }
        }
        stopped.open()
    }

    /// Accepts the connections that wait already and closes the listening sockets.
    private func stopListening(_ running: Running) async {
        for socket in running.sockets { socket.removeFile() }
        try? await loops[0].run { for acceptor in running.acceptors { acceptor.value.stop() } }
    }

    /// Opens the listening sockets and accepts from now on.
    private func listen() async throws(HTTPServerError) -> Running {
        let descriptors = Sockets.raiseDescriptorLimit()
        let sockets = try openSockets()
        let admission = Admission(
            loops: loops.count, connectionsPerLoop: configuration.clamped.connectionsPerLoop,
            limit: configuration.maximumConnections,
            limitPerAddress: configuration.maximumConnectionsPerAddress,
            unlimited: configuration.addressesWithoutLimit, descriptors: descriptors)
        let budget = BufferBudget(limit: configuration.clamped.maximumBufferSize)
        let traffic = loops.map { _ in LoopTraffic() }
        let contexts = loops.enumerated().map { number, loop in
            Confined(
                LoopContext(
                    loop: loop, number: number, admission: admission, budget: budget, configuration: configuration,
                    handler: handler, errorRenderer: errorRenderer, traffic: traffic[number]),
                to: loop)
        }
        let acceptors = sockets.map { socket in
            Confined(
                Acceptor(descriptor: socket.descriptor, loop: loops[0], admission: admission) { socket, peer, verdict in
                    Self.adopt(socket, from: peer, verdict, contexts: contexts)
                }, to: loops[0])
        }
        let running = Running(
            sockets: sockets, acceptors: acceptors, contexts: contexts, admission: admission, budget: budget,
            traffic: traffic)
        do {
            try await loops[0].run { for acceptor in acceptors { try acceptor.value.start() } }
            return running
        } catch {
            // Those that have started close their sockets themselves.
            let begun = (try? await loops[0].run { acceptors.map { $0.value.abandon() } }) ?? []
            for (socket, hasBegun) in zip(sockets, begun) {
                socket.removeFile()
                if !hasBegun { Sockets.close(socket.descriptor) }
            }
            throw .system(error as? SystemError ?? SystemError(code: 0, call: "start"))
        }
    }

    private func openSockets() throws(HTTPServerError) -> [ListeningSocket] {
        let listeners =
            configuration.listeners.isEmpty
            ? [.tcp(host: configuration.host, port: configuration.port)] : configuration.listeners
        var sockets: [ListeningSocket] = []
        do throws(HTTPServerError) {
            for listener in listeners { sockets += try ListeningSocket.open(listener, backlog: configuration.backlog) }
        } catch {
            for socket in sockets {
                socket.removeFile()
                Sockets.close(socket.descriptor)
            }
            throw error
        }
        return sockets
    }

    /// Puts an accepted socket on the loop it was given to.
    private static func adopt(
        _ descriptor: Int32, from address: SocketAddress, _ verdict: Admission.Verdict,
        contexts: [Confined<LoopContext>]
    ) {
        let context =
            switch verdict {
            case .serve(let loop), .replace(let loop), .refuse(let loop): contexts[loop]
            }
        if context.loop.isCurrent {
            context.value.adopt(descriptor, from: address, verdict)
        } else {
            context.loop.execute { context.value.adopt(descriptor, from: address, verdict) }
        }
    }
}

extension LoopContext {
    /// Serves an accepted socket.
    func adopt(_ descriptor: Int32, from address: SocketAddress, _ verdict: Admission.Verdict) {
        traffic.accepted.add(1)
        let isOverload =
            switch verdict {
            case .serve: false
            case .replace: !makeRoom()
            case .refuse: true
            }
        if isOverload { traffic.refused.add(1) }
        let socket = Socket(descriptor)
        let connection = HTTPConnection(
            transport: socket, remoteAddress: address, isOverload: isOverload, context: self)
        do {
            try socket.register(on: loop, handler: connection)
        } catch {
            Sockets.close(descriptor, abort: true)
            connection.close(abort: true)
        }
    }
}

/// Lets all pass once it is open.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}
