import EventLoop

/// The turnstile of the pools of all loops that go to one server, and the way to each pool.
final class Turns: Sendable {
    private struct Door {
        weak var pool: LoopPool?
    }

    let turnstile: Locked<Turnstile>
    private let doors = Locked<[Confined<Door>]>([])
    private let origin = ContinuousClock.now

    init(_ configuration: PostgresConfiguration) { turnstile = Locked(Turnstile(configuration)) }

    /// The time that all pools share.
    var now: Duration { origin.duration(to: .now) }

    /// Takes a pool in, under the number that it was made with.
    func add(_ pool: LoopPool, on loop: EventLoop) {
        doors.withLock { $0.append(Confined(Door(pool: pool), to: loop)) }
    }

    /// The number of the pool that is added next.
    func makeNumber() -> Int { doors.withLock { $0.count } }

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
    init(_ configuration: PostgresConfiguration) {
        self.init(batchLimit: max(2, EventLoop.coreCount), patience: configuration.lockTimeout)
    }
}
