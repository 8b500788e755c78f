import EventLoop

/// The servers that a client's router names: a client for each, made when the first statement goes there, and kept.
@usableFromInline
final class RoutedServers: Sendable {
    private struct State {
        var clients: [PostgresServer: PostgresClient] = [:]
        /// Hears of clients that are to run; nil before and after that.
        var runner: AsyncStream<PostgresClient>.Continuation?
        var isClosed = false
    }

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
            if let client = state.clients[server] { return client }
            guard !state.isClosed else { return nil }
            let client = PostgresClient(configuration: configuration.routed(to: server), loops: loops)
            state.clients[server] = client
            state.runner?.yield(client)
            return client
        }
        guard let client else { throw PostgresError(.closed) }
        return client
    }

    /// Those there are.
    var clients: [PostgresClient] { state.withLock { Array($0.clients.values) } }

    /// Runs all clients, also those that are made meanwhile, until the task is cancelled.
    func run() async throws {
        let (added, runner) = AsyncStream.makeStream(of: PostgresClient.self)
        state.withLock { state in
            state.runner = runner
            for client in state.clients.values { runner.yield(client) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Ends when the task is cancelled.
            for await client in added { group.addTask { try await client.run() } }
            state.withLock { state in
                state.runner = nil
                state.isClosed = true
            }
            try await group.waitForAll()
        }
    }
}
