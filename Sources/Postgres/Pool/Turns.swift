import EventLoop

/// The turnstile of the pools of all loops that go to one server, and the way to each pool.
final class Turns: Sendable {
    private struct Door {
        weak var pool: LoopPool?
    }

    let turnstile: Locked<Turnstile>
    private let doors = Locked<[Confined<Door>]>([])

    init(_ configuration: PostgresConfiguration) { turnstile = Locked(Turnstile(configuration)) }

    /// Takes pools in, in the order of their numbers.
    func open(to pools: [(pool: LoopPool, loop: EventLoop)]) {
        doors.withLock { $0 = pools.map { Confined(Door(pool: $0.pool), to: $0.loop) } }
    }

    /// Tells pools that the turnstile has opened.
    func wake(_ pools: Set<Int>) {
        for pool in pools {
            let door = doors.withLock { $0[pool] }
            door.loop.execute { door.value.pool?.turnstileOpened() }
        }
    }
}

extension Turnstile {
    /// For pools of such a configuration, on this machine.
    ///
    /// The server reports that a lock was not had in time later than `lockTimeout` after the batch was sent: until then
    /// the statement keeps its key.
    init(_ configuration: PostgresConfiguration) {
        self.init(batchLimit: max(2, EventLoop.coreCount), patience: configuration.lockTimeout * 2)
    }
}
