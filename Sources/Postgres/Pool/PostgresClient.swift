public import EventLoop

/// The database as a service sees it: a pool of sessions per loop, and statements that share transactions.
public final class PostgresClient: Sendable {
    private let configuration: PostgresConfiguration
    private let loops: [EventLoop]
    private let pools = Locked<[(EventLoop, Confined<LoopPool>)]>([])
    private let next = Locked(0)

    /// A client that is not connected yet: ``run()`` connects it.
    public init(configuration: PostgresConfiguration, loops: [EventLoop]) {
        precondition(!loops.isEmpty, "a client needs a loop")
        self.configuration = configuration
        self.loops = loops
        pools.withLock { pools in
            guard let settings = try? ConnectionSettings(configuration, sessionSettings: []) else { return }
            for loop in loops {
                pools.append(
                    (loop, Confined(LoopPool(loop: loop, configuration: configuration, settings: settings), to: loop)))
            }
        }
    }

    /// Connects and keeps the connections alive until the task is cancelled.
    public func run() async throws {
        _ = try ConnectionSettings(configuration, sessionSettings: [])
        for (loop, pool) in pools.withLock({ $0 }) { loop.execute { pool.value.start() } }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        for (loop, pool) in pools.withLock({ $0 }) { loop.execute { pool.value.close() } }
    }

    /// Runs a statement and gives its rows.
    public func execute<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
        let pools = pools.withLock { $0 }
        let result: Result<[S.Row], PostgresError>
        if let current = EventLoop.current, let own = pools.first(where: { $0.0 === current }) {
            result = await withCheckedContinuation { own.1.value.submit(Pending(statement, since: current.now, $0)) }
        } else {
            guard !pools.isEmpty else { throw PostgresError(.configuration) }
            let index = next.withLock { next in
                next = (next + 1) % pools.count
                return next
            }
            let (loop, pool) = pools[index]
            result = await withCheckedContinuation { continuation in
                loop.execute { pool.value.submit(Pending(statement, since: loop.now, continuation)) }
            }
        }
        return try result.get()
    }

    /// Runs a statement and gives its first row.
    public func first<S: Statement>(_ statement: S) async throws(PostgresError) -> S.Row? {
        try await execute(statement).first
    }
}
