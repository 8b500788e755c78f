import Testing

@testable import Postgres

@Suite("The rules of the pool")
struct PoolStateTests {
    /// Pools of several shapes.
    static let shapes: [@Sendable (inout PostgresConfiguration) -> Void] = [
        { _ in },
        { $0.readConnectionsPerLoop = 0 },
        {
            $0.connectionsPerLoop = 3
            $0.leasedConnectionsPerLoop = 1
            $0.batchSize = 2
        },
        {
            $0.waitingLimit = 5
            $0.queueTimeout = .milliseconds(200)
            $0.connectionLifetime = .milliseconds(300)
            $0.keepAliveInterval = .milliseconds(100)
        },
        { $0.route = .transactionPooler },
    ]

    @Test(
        "whatever happens, and whenever it stops: everybody is told once and the truth, and no write runs twice",
        arguments: shapes.indices)
    func anythingHappens(shape: Int) {
        for seed in 0..<200 {
            var world = PoolWorld(seed: UInt64(seed), Self.shapes[shape])
            let length = Int.random(in: 0..<400, using: &world.random)
            for _ in 0..<length { world.somethingHappens() }
            world.stop()
            for _ in 0..<length / 4 { world.somethingHappens() }
            for _ in 0..<2000 where !world.isFinished {
                world.calm()
                world.pass(.milliseconds(100))
            }
            #expect(world.isFinished, "seed \(seed): it never ends")
            #expect(world.truths.values.allSatisfy { $0.answers == 1 }, "seed \(seed)")
        }
    }

    @Test("when the trouble is over everybody is served at once, not by a deadline", arguments: shapes.indices)
    func nobodyIsForgotten(shape: Int) {
        for seed in 1000..<1200 {
            var world = PoolWorld(seed: UInt64(seed)) {
                Self.shapes[shape](&$0)
                $0.queueTimeout = .seconds(1000)
                $0.statementTimeout = .seconds(1000)
            }
            for _ in 0..<200 { world.somethingHappens() }
            for _ in 0..<40 {
                world.calm()
                world.pass(.milliseconds(20))
            }
            // Back-offs are 500 ms at most.
            #expect(world.live.isEmpty && world.requests.isEmpty, "seed \(seed): somebody still waits")
            world.stop()
        }
    }

    // MARK: One rule each

    private func firstSend(_ actions: [PoolState.Action]) -> (PoolState.ConnectionID, [StatementID])? {
        for case .send(let id, let statements, _) in actions { return (id, statements) }
        return nil
    }

    /// A pool of one open connection.
    private func pool(
        _ configure: (inout PostgresConfiguration) -> Void = { _ in }
    ) -> (PoolState, PoolState.ConnectionID) {
        var configuration = PostgresConfiguration()
        configuration.readConnectionsPerLoop = 0
        configuration.keepAliveInterval = nil
        configure(&configuration)
        var state = PoolState(configuration: configuration, now: .seconds(1000), seed: 1)
        var id = PoolState.ConnectionID(number: 0)
        for case .open(let opened, _, _) in state.handle(.started, at: state.now) { id = opened }
        _ = state.handle(.opened(id), at: state.now)
        return (state, id)
    }

    private func statement(_ number: Int) -> StatementID {
        StatementID(place: Int32(number), generation: UInt32(number) + 1)
    }

    @Test("an idle pool wants no tick but for its connections' age")
    func idle() {
        var (state, _) = pool()
        let tick = state.nextTick(after: state.now)
        #expect(tick.map { $0 - state.now > .seconds(3000) } == true)
        _ = state.handle(.submitted(statement(0), .init()), at: state.now)
        #expect(state.nextTick(after: state.now) == state.now + PoolState.tickInterval)
    }

    @Test("statements that have expired in an outage make room for others")
    func expiredMakeRoom() {
        var (state, id) = pool { $0.waitingLimit = 2 }
        _ = state.handle(.lost(id), at: state.now)
        for number in 0..<2 { _ = state.handle(.submitted(statement(number), .init()), at: state.now) }
        let refused = state.handle(.submitted(statement(2), .init()), at: state.now)
        guard case .fail(_, let full)? = refused.first else { return #expect(Bool(false)) }
        #expect(full.code == .queueFull)
        #expect(state.handle(.ticked, at: state.now + .seconds(6)).count >= 2)
        #expect(state.handle(.submitted(statement(3), .init()), at: state.now).isEmpty)
    }

    @Test("a connection that never served is replaced after a wait, one that did at once")
    func backoff() {
        var (state, id) = pool()
        func delay(_ actions: [PoolState.Action]) -> Duration? {
            for case .open(_, _, let delay) in actions { return delay }
            return nil
        }
        let unproven = delay(state.handle(.lost(id), at: state.now))
        #expect(unproven.map { $0 >= .milliseconds(25) } == true)
        (state, id) = pool()
        _ = state.handle(.submitted(statement(0), .init()), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.0 == id)
        _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        #expect(delay(state.handle(.lost(id), at: state.now)) == .zero)
    }

    @Test("a connection that does not answer a probe is given up")
    func probe() {
        var (state, id) = pool { $0.keepAliveInterval = .seconds(60) }
        let later = state.now + .seconds(61)
        #expect(firstSend(state.handle(.ticked, at: later))?.1.isEmpty == true)
        let actions = state.handle(.ticked, at: later + .seconds(6))
        guard case .drop(id)? = actions.first else { return #expect(Bool(false), "\(actions)") }
        let loss = state.handle(.batchEnded(id, .lost(PostgresError(.outcomeUnknown)), isFree: false), at: state.now)
        guard case .open? = loss.last else { return #expect(Bool(false), "\(loss)") }
    }

    @Test("statements of one key keep their order through losses and refusals")
    func order() {
        var (state, id) = pool()
        for number in 0..<3 {
            _ = state.handle(.submitted(statement(number), .init(key: OrderingKey("a"))), at: state.now)
        }
        let sent = firstSend(state.handle(.turnEnded, at: state.now))?.1
        #expect(sent == (0..<3).map(statement))
        let loss = PostgresError(.outcomeUnknown)
        for number in 0..<3 {
            _ = state.handle(.settled(id, statement(number), .rolledBack(loss, isOwn: false)), at: state.now)
        }
        _ = state.handle(.submitted(statement(3), .init(key: OrderingKey("a"))), at: state.now)
        for case .open(let next, _, _) in state.handle(.batchEnded(id, .lost(loss), isFree: false), at: state.now) {
            id = next
        }
        _ = state.handle(.opened(id), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == (0..<4).map(statement))
    }
}
