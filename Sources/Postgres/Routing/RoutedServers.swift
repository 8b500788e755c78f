import EventLoop

/// The servers that a client's router names: a client for each, made when the first statement goes there, and kept as long
/// as the router may name it.
@usableFromInline
final class RoutedServers: Sendable {
    /// A client, and the stream that ends when nobody is to be sent there any more.
    private struct Routed: Sendable {
        let client: PostgresClient
        let use: AsyncStream<Never>
        let retire: AsyncStream<Never>.Continuation

        init(_ client: PostgresClient) {
            self.client = client
            (use, retire) = AsyncStream.makeStream()
        }

        /// Runs the client until it is retired and has answered those who had come before, or the task is cancelled.
        func run() async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                group.addTask {
                    for await _ in use {}
                    repeat { try await Task.sleep(for: RoutedServers.drainInterval) } while await isBusy
                }
                // Whichever ends first ends the other.
                do { try await group.next() } catch is CancellationError {}
                group.cancelAll()
                while let result = await group.nextResult() {
                    if case .failure(let error) = result, !(error is CancellationError) { throw error }
                }
            }
        }

        private var isBusy: Bool {
            get async {
                let statistics = await client.statistics()
                return statistics.statementsWaiting > 0 || statistics.connectionsInUse > 0
            }
        }
    }

    private struct State {
        var clients: [PostgresServer: Routed] = [:]
        /// Hears of clients that are to run; nil before and after that.
        var runner: AsyncStream<Routed>.Continuation?
        var isClosed = false
    }

    /// How often a retired client is asked whether anybody still waits for it; whoever had chosen it just before gets in.
    private static let drainInterval: Duration = .milliseconds(100)

    private let router: any PostgresRouter
    private let configuration: PostgresConfiguration
    private let loops: [EventLoop]
    private let state = Locked(State())

    init(router: any PostgresRouter, configuration: PostgresConfiguration, loops: [EventLoop]) {
        self.router = router
        self.configuration = configuration
        self.loops = loops
    }

    /// The client of the server that has a key's rows; nil: the router names none.
    ///
    /// - Throws: `.closed`: nobody runs a client for a server that is new now.
    @usableFromInline
    func client(of key: String) throws(PostgresError) -> PostgresClient? {
        guard let server = router.server(of: key) else { return nil }
        let client = state.withLock { state -> PostgresClient? in
            if let routed = state.clients[server] { return routed.client }
            guard !state.isClosed else { return nil }
            let routed = Routed(PostgresClient(configuration: configuration.routed(to: server), loops: loops))
            state.clients[server] = routed
            state.runner?.yield(routed)
            return routed.client
        }
        guard let client else { throw PostgresError(.closed) }
        return client
    }

    /// Those there are.
    var clients: [PostgresClient] { state.withLock { $0.clients.values.map(\.client) } }

    /// Lets go of all servers but these: what was sent to the others is answered, then their connections are closed.
    func keep(only servers: Set<PostgresServer>) {
        let retired = state.withLock { state in
            let retired = state.clients.filter { !servers.contains($0.key) }
            for server in retired.keys { state.clients[server] = nil }
            return retired.values
        }
        for routed in retired { routed.retire.finish() }
    }

    /// Runs all clients, also those that are made meanwhile, until the task is cancelled.
    func run() async throws {
        let (added, runner) = AsyncStream.makeStream(of: Routed.self)
        state.withLock { state in
            state.runner = runner
            for routed in state.clients.values { runner.yield(routed) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Ends when the task is cancelled.
            for await routed in added { group.addTask { try await routed.run() } }
            state.withLock { state in
                state.runner = nil
                state.isClosed = true
            }
            try await group.waitForAll()
        }
    }
}
