import EventLoop
import Testing

@testable import Postgres

@Suite("The rules of the pool")
struct PoolStateTests {
    /// Pools of several shapes.
    static let shapes: [@Sendable (inout PostgresConfiguration) -> Void] = [
        { _ in },
        {
            $0.connectionsPerLoop = 1
            $0.readConnectionsPerLoop = 1
        },
        {
            $0.connectionsPerLoop = 1
            $0.readConnectionsPerLoop = 0
        },
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
        {
            $0.batchSize = 2
            $0.expectedWaitLimit = .milliseconds(100)
        },
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
            let isEmpty = world.state.lanes.allSatisfy { $0.waiting == 0 && $0.waitingInLines == 0 }
            #expect(isEmpty && world.state.lines.isEmpty, "seed \(seed): it has miscounted")
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

    @Test("of several connections and pools one statement of a key is under way, and none overtakes another")
    func oneBatchPerKey() {
        for seed in 2000..<2200 {
            let turnstile = Locked(Turnstile(batchLimit: 2, patience: .milliseconds(250)))
            var worlds = (0..<3).map { number in
                PoolWorld(seed: UInt64(seed * 10 + number), turnstile: turnstile, number: number, isHasty: true) {
                    $0.connectionsPerLoop = 1 + number
                    $0.queueTimeout = .seconds(1000)
                    $0.statementTimeout = .seconds(1000)
                }
            }
            var random = Jitter(seed: UInt64(seed))
            func wake() {
                for number in worlds.indices {
                    let wakes = worlds[number].wakes
                    worlds[number].wakes = []
                    for woken in wakes { worlds[woken].handle(.turnstileOpened) }
                }
            }
            for _ in 0..<300 {
                worlds[Int.random(in: 0..<3, using: &random)].somethingHappens()
                wake()
                let keys = worlds.flatMap(\.keysUnderWay)
                #expect(Set(keys).count == keys.count, "seed \(seed): a key is under way twice")
            }
            // Who waits for a batch of another pool is woken by its end; only if that is of no use to it, others wait for a tick.
            for round in 0..<60 {
                for number in worlds.indices {
                    worlds[number].calm()
                    if round >= 50 { worlds[number].pass(.milliseconds(50)) }
                }
                wake()
            }
            for world in worlds { #expect(world.live.isEmpty, "seed \(seed): somebody still waits") }
        }
    }

    // MARK: One rule each

    private func firstSend(_ actions: [PoolState.Action]) -> (PoolState.ConnectionID, [StatementID])? {
        for case .send(let id, let statements, _) in actions { return (id, statements) }
        return nil
    }

    /// A pool of one open connection.
    private func pool(
        _ turnstile: Locked<Turnstile>? = nil, _ configure: (inout PostgresConfiguration) -> Void = { _ in }
    ) -> (PoolState, PoolState.ConnectionID) {
        var configuration = PostgresConfiguration()
        configuration.readConnectionsPerLoop = 0
        configuration.keepAliveInterval = nil
        configure(&configuration)
        var state = PoolState(configuration: configuration, now: .seconds(1000), seed: 1, turnstile: turnstile)
        var id = PoolState.ConnectionID(number: 0)
        for case .open(let opened, _, _) in state.handle(.started, at: state.now) { id = opened }
        _ = state.handle(.opened(id), at: state.now)
        return (state, id)
    }

    private func statement(_ number: Int) -> StatementID {
        StatementID(place: Int32(number), generation: UInt32(number) + 1)
    }

    @Test("a further connection is made when it could be used, and closed when it has not been for long")
    func furtherConnections() {
        var (state, first) = pool { $0.connectionsPerLoop = 2 }
        func submit(_ number: Int, _ key: String) -> [PoolState.Action] {
            _ = state.handle(.submitted(statement(number), .init(key: OrderingKey(key))), at: state.now)
            return state.handle(.turnEnded, at: state.now)
        }
        #expect(firstSend(submit(0, "a"))?.0 == first)
        let opened = opens(submit(1, "b"))
        #expect(opened.count == 1)
        #expect(submit(2, "a").isEmpty, "one at a time")
        _ = state.handle(.opened(opened[0]), at: state.now)
        let sent = firstSend(state.handle(.turnEnded, at: state.now))
        #expect(sent?.0 == opened[0] && sent?.1 == [statement(1)], "the other one has its key under way")
        _ = state.handle(.batchEnded(first, .committed, isFree: true), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(2)])
        for id in [first, opened[0]] { _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now) }
        let end = state.now + .seconds(60)
        #expect(state.nextTick(after: state.now) == end)
        let closed = state.handle(.ticked, at: end)
        guard case .close(opened[0])? = closed.first else { return #expect(Bool(false), "\(closed)") }
        #expect(closed.count == 1)
    }

    @Test("where the server refuses a further connection, the next attempt waits, and so does nobody")
    func noFurtherConnection() {
        var (state, first) = pool { $0.connectionsPerLoop = 2 }
        for number in 0..<2 {
            let request = PoolState.Request(key: OrderingKey("\(number)"))
            _ = state.handle(.submitted(statement(number), request), at: state.now)
            let actions = state.handle(.turnEnded, at: state.now)
            for id in opens(actions) {
                let error = PostgresError(.connectionFailed)
                #expect(opens(state.handle(.failedToOpen(id, error), at: state.now)).isEmpty)
            }
        }
        #expect(state.handle(.turnEnded, at: state.now).isEmpty)
        _ = state.handle(.batchEnded(first, .committed, isFree: true), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(1)])
    }

    @Test("however many statements of one key wait, others do not wait with them, and each has its turn")
    func busyKey() {
        var (state, id) = pool()
        for number in 0..<200 {
            _ = state.handle(.submitted(statement(number), .init(key: OrderingKey("a"))), at: state.now)
        }
        for number in 200..<210 {
            _ = state.handle(.submitted(statement(number), .init(key: OrderingKey("b\(number)"))), at: state.now)
        }
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(0)] + (200..<210).map(statement))
        for number in 1..<200 {
            _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
            #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(number)])
        }
        _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        #expect(state.table.count == 0 && state.waitingCount == 0)
    }

    @Test("of a flood of one key who would wait too long is refused at once, and who has waited is not")
    func flood() {
        let turnstile = Locked(Turnstile(batchLimit: 2, patience: .seconds(1000)))
        var (state, id) = pool(turnstile) { $0.expectedWaitLimit = .seconds(1) }
        let (key, begin) = (OrderingKey("a"), state.now)
        // Another loop has the key all the while.
        let others = turnstile.withLock { turnstile in
            let ticket = turnstile.enter(1, .write, at: begin)
            _ = turnstile.admit(key.fingerprint, to: ticket, at: begin)
            return ticket
        }
        func handle(_ event: PoolState.Event, after pause: Duration = .zero) -> [PoolState.Action] {
            let actions = state.handle(event, at: state.now + pause)
            return actions + state.handle(.turnEnded, at: state.now)
        }
        func refused(_ actions: [PoolState.Action]) -> [StatementID] {
            actions.compactMap { if case .fail(let id, let error) = $0, error.code == .queueFull { id } else { nil } }
        }
        for number in 0..<5 { #expect(handle(.submitted(statement(number), .init(key: key))).isEmpty) }
        for number in 5..<7 {
            let sent = handle(.submitted(statement(number), .init(key: OrderingKey("b"))))
            #expect(firstSend(sent)?.1 == [statement(number)])
            // The first of those that wait asks again, in vain.
            let ended = handle(.batchEnded(id, .committed, isFree: true), after: .milliseconds(400))
            #expect(refused(ended).isEmpty)
        }
        #expect(refused(handle(.submitted(statement(7), .init(key: key)))) == [statement(7)])
        #expect(turnstile.withLock { $0.leave(others, at: begin) } == [0])
        #expect(firstSend(handle(.turnstileOpened))?.1 == [statement(0)])
        #expect(state.table.count == 5 && state.waitingCount == 4)
    }

    @Test("of a key that many share statements travel together")
    func sharedKey() {
        var (state, _) = pool()
        for number in 0..<3 {
            let request = PoolState.Request(key: OrderingKey("a", isShared: true))
            _ = state.handle(.submitted(statement(number), request), at: state.now)
        }
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == (0..<3).map(statement))
    }

    @Test("before its start a pool makes no connection")
    func notStarted() {
        var state = PoolState(configuration: PostgresConfiguration(), now: .seconds(1000), seed: 1)
        _ = state.handle(.submitted(statement(0), .init()), at: state.now)
        #expect(opens(state.handle(.ticked, at: state.now + .milliseconds(50))).isEmpty)
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

    @Test("a statement that nobody waits for any more is not sent")
    func abandoned() {
        var (state, _) = pool()
        state.isAbandoned = { $0.place == 1 }
        for number in 0..<3 { _ = state.handle(.submitted(statement(number), .init()), at: state.now) }
        let actions = state.handle(.turnEnded, at: state.now)
        #expect(firstSend(actions)?.1 == [statement(0), statement(2)])
        guard case .fail(statement(1), let error)? = actions.first else { return #expect(Bool(false), "\(actions)") }
        #expect(error.code == .cancelled)
        #expect(state.waitingCount == 0 && state.table.count == 2)
    }

    private func stops(_ actions: [PoolState.Action], _ id: PoolState.ConnectionID) -> Bool {
        actions.contains { if case .cancelBatch(id) = $0 { true } else { false } }
    }

    @Test(
        "a batch is stopped when nobody waits for any of its statements, and not as long as somebody does",
        arguments: [(1, [0]), (2, [0]), (2, [1]), (2, [0, 1]), (6, [0, 1, 2, 4, 5]), (6, [0, 1, 2, 3, 4, 5])])
    func stopped(count: Int, cancelled: [Int]) {
        let (pool, id) = pool()
        var state = pool
        for number in 0..<count { _ = state.handle(.submitted(statement(number), .init()), at: state.now) }
        _ = state.handle(.turnEnded, at: state.now)
        for number in cancelled { _ = state.handle(.cancelled(statement(number)), at: state.now) }
        #expect(!stops(state.handle(.ticked, at: state.now + .milliseconds(40)), id), "within the grace")
        #expect(stops(state.handle(.ticked, at: state.now + .milliseconds(20)), id) == (cancelled.count == count))
        // With the deadline of one of them all are stopped: they run again without it. Once is enough.
        let late = state.handle(.ticked, at: state.now + .seconds(10))
        #expect(stops(late, id) == (cancelled.count < count))
    }

    @Test("the grace is that of the last one whose caller has gone")
    func graceOfLast() {
        var (state, id) = pool()
        for number in 0..<2 { _ = state.handle(.submitted(statement(number), .init()), at: state.now) }
        _ = state.handle(.turnEnded, at: state.now)
        _ = state.handle(.cancelled(statement(0)), at: state.now)
        _ = state.handle(.cancelled(statement(1)), at: state.now + .milliseconds(40))
        #expect(!stops(state.handle(.ticked, at: state.now + .milliseconds(30)), id))
        #expect(stops(state.handle(.ticked, at: state.now + .milliseconds(30)), id))
        let error = error(.queryCanceled)
        let ended = state.handle(.batchEnded(id, .rolledBack(culprit: nil, error), isFree: true), at: state.now)
        #expect(ended.count == 2 && state.table.count == 0)
        for case .fail(_, let error) in ended { #expect(error.code == .cancelled) }
    }

    @Test("of statements that run again one by one only those count that have not ended")
    func stoppedOneByOne() {
        var (state, id) = pool()
        rollBack(&state, on: id, [.init(), .init(), .init()])
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1.count == 3)
        for number in 1..<3 { _ = state.handle(.cancelled(statement(number)), at: state.now) }
        #expect(!stops(state.handle(.ticked, at: state.now + .milliseconds(100)), id))
        _ = state.handle(.settled(id, statement(0), .done), at: state.now)
        #expect(stops(state.handle(.ticked, at: state.now + .milliseconds(50)), id))
        // The request has met the second one; the third is stopped by another.
        let stopped = Verdict.rolledBack(error(.queryCanceled), isOwn: true)
        _ = state.handle(.settled(id, statement(1), stopped), at: state.now)
        #expect(stops(state.handle(.ticked, at: state.now + .milliseconds(50)), id))
        _ = state.handle(.settled(id, statement(2), stopped), at: state.now)
        #expect(state.table.count == 0)
    }

    @Test("of a batch that is committed the others are answered, and those that were left out run by themselves")
    func leftOut() {
        var (state, id) = pool()
        for (number, key) in ["a", "b", "c", nil].enumerated() {
            let request = PoolState.Request(key: key.map { OrderingKey($0) })
            _ = state.handle(.submitted(statement(number), request), at: state.now)
        }
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [3, 0, 1, 2].map(statement))
        let lines = [1, 3].flatMap { opens(state.handle(.settled(id, statement($0), .leftOut), at: state.now)) }
        guard lines.count == 2 else { return #expect(Bool(false), "no connections for the lines") }
        // Of the key of one of them.
        _ = state.handle(.submitted(statement(4), .init(key: OrderingKey("b"))), at: state.now)
        let ended = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        #expect(answers(ended) == [0, 2].map(statement))
        #expect(firstSend(state.handle(.turnEnded, at: state.now)) == nil, "the later one waits with it")
        guard case .send(lines[0], [statement(1)], .patient)? = state.handle(.opened(lines[0]), at: state.now).last
        else { return #expect(Bool(false), "it does not run by itself") }
        #expect(firstSend(state.handle(.opened(lines[1]), at: state.now))?.1 == [statement(3)])
        let next = state.handle(.batchEnded(lines[0], .committed, isFree: true), at: state.now)
        #expect(answers(next) == [statement(1)] && firstSend(next)?.1 == [statement(4)])
        for line in lines { _ = state.handle(.batchEnded(line, .committed, isFree: true), at: state.now) }
        #expect(state.table.count == 0 && state.lines.isEmpty && state.leases.isUnused)
    }

    @Test(
        "what comes for the key of one that runs by itself waits behind those of its key that have waited longer",
        arguments: [false, true])
    func orderOfLine(isLeftOut: Bool) {
        var (state, id) = pool()
        let request = PoolState.Request(key: OrderingKey("a"))
        for number in 0..<3 { _ = state.handle(.submitted(statement(number), request), at: state.now) }
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(0)])
        var actions: [PoolState.Action] = []
        if isLeftOut { actions = state.handle(.settled(id, statement(0), .leftOut), at: state.now) }
        let ending = isLeftOut ? .committed : BatchEnding.rolledBack(culprit: 0, error(.lockNotAvailable))
        actions += state.handle(.batchEnded(id, ending, isFree: true), at: state.now)
        _ = state.handle(.submitted(statement(3), request), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now)) == nil)
        guard let line = opens(actions).first else { return #expect(Bool(false), "no connection for the line") }
        var sent = firstSend(state.handle(.opened(line), at: state.now))
        for number in 0..<4 {
            #expect(sent?.1 == [statement(number)])
            let actions = state.handle(.batchEnded(line, .committed, isFree: true), at: state.now)
            sent = firstSend(actions + state.handle(.turnEnded, at: state.now))
        }
        #expect(sent == nil && state.table.count == 0 && state.waitingCount == 0)
    }

    @Test("one that was left out when nobody waited for it any more does not run", arguments: [false, true])
    func leftOutAndAbandoned(hasDeadline: Bool) {
        var (state, id) = pool()
        for number in 0..<2 {
            let request = PoolState.Request(timeout: hasDeadline && number == 1 ? .seconds(1) : nil)
            _ = state.handle(.submitted(statement(number), request), at: state.now)
        }
        _ = state.handle(.turnEnded, at: state.now)
        if hasDeadline {
            // The server is asked to stop, but has just committed.
            #expect(stops(state.handle(.ticked, at: state.now + .seconds(1)), id))
        } else {
            _ = state.handle(.cancelled(statement(1)), at: state.now)
        }
        let actions = state.handle(.settled(id, statement(1), .leftOut), at: state.now)
        guard case .fail(statement(1), let error)? = actions.first, actions.count == 1
        else { return #expect(Bool(false), "\(actions)") }
        #expect(error.code == (hasDeadline ? .deadlineExceeded : .cancelled))
        #expect(answers(state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)) == [statement(0)])
        #expect(state.table.count == 0 && state.lines.isEmpty)
    }

    @Test("one that was left out keeps its key, so that no other loop waits for the same lock")
    func leftOutKeepsKey() {
        let turnstile = Locked(Turnstile(batchLimit: 2, patience: .seconds(1000)))
        var (state, id) = pool(turnstile)
        let keys = ["a", "b"].map { OrderingKey($0) }
        for (number, key) in keys.enumerated() {
            _ = state.handle(.submitted(statement(number), .init(key: key)), at: state.now)
        }
        _ = state.handle(.turnEnded, at: state.now)
        let line = opens(state.handle(.settled(id, statement(0), .leftOut), at: state.now))
        _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        guard line.count == 1 else { return #expect(Bool(false), "no connection for the line") }
        let now = state.now
        let other = turnstile.withLock { $0.enter(1, .write, at: now) }
        func mayEnter(_ key: OrderingKey) -> Bool {
            turnstile.withLock { $0.admit(key.fingerprint, to: other, at: now) }
        }
        #expect(!mayEnter(keys[0]) && mayEnter(keys[1]))
        _ = state.handle(.opened(line[0]), at: now)
        let ended = state.handle(.batchEnded(line[0], .committed, isFree: true), at: now)
        #expect(ended.contains { if case .wake([1]) = $0 { true } else { false } })
        #expect(mayEnter(keys[0]))
    }

    private func answers(_ actions: [PoolState.Action]) -> [StatementID] {
        actions.flatMap { if case .answer(let ids) = $0 { ids } else { [StatementID]() } }
    }

    /// A pool with a connection for reads, too.
    private func poolWithReads() -> (PoolState, reads: PoolState.ConnectionID) {
        var configuration = PostgresConfiguration()
        configuration.keepAliveInterval = nil
        configuration.readConnectionsPerLoop = 1
        configuration.slowReadTime = .milliseconds(250)
        var state = PoolState(configuration: configuration, now: .seconds(1000), seed: 1)
        let ids = opens(state.handle(.started, at: state.now))
        for id in ids { _ = state.handle(.opened(id), at: state.now) }
        return (state, ids[1])
    }

    @Test("a slow read goes on where it is, and another connection takes those that wait")
    func slowRead() {
        var (state, reads) = poolWithReads()
        _ = state.handle(.submitted(statement(0), .init(access: .read)), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.0 == reads)
        _ = state.handle(.submitted(statement(1), .init(access: .read)), at: state.now)
        #expect(state.handle(.ticked, at: state.now + .milliseconds(200)).isEmpty)
        let second = opens(state.handle(.ticked, at: state.now + .milliseconds(50)))
        #expect(second.count == 1)
        _ = state.handle(.opened(second[0]), at: state.now)
        let sent = firstSend(state.handle(.turnEnded, at: state.now))
        #expect(sent?.0 == second[0] && sent?.1 == [statement(1)])
        let end = state.handle(.batchEnded(reads, .committed, isFree: true), at: state.now)
        guard case .answer([statement(0)])? = end.first, case .close(reads)? = end.last else {
            return #expect(Bool(false), "\(end)")
        }
        _ = state.handle(.batchEnded(second[0], .committed, isFree: true), at: state.now)
        #expect(state.table.count == 0 && state.lines.isEmpty && state.leases.isUnused)
    }

    @Test("of several reads the slow one is found, and goes on by itself")
    func slowReadAmongOthers() {
        var (state, reads) = poolWithReads()
        for number in 0..<3 { _ = state.handle(.submitted(statement(number), .init(access: .read)), at: state.now) }
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1.count == 3)
        func isStopped(_ actions: [PoolState.Action]) -> Bool {
            actions.contains { if case .cancelBatch(reads) = $0 { true } else { false } }
        }
        #expect(isStopped(state.handle(.ticked, at: state.now + .milliseconds(250))))
        let stopped = BatchEnding.rolledBack(culprit: nil, error(.queryCanceled))
        _ = state.handle(.batchEnded(reads, stopped, isFree: true), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1.count == 3)
        _ = state.handle(.settled(reads, statement(0), .done), at: state.now)
        #expect(isStopped(state.handle(.ticked, at: state.now + .milliseconds(250))))
        let slow = state.handle(
            .settled(reads, statement(1), .rolledBack(error(.queryCanceled), isOwn: true)), at: state.now)
        let own = opens(slow)
        #expect(own.count == 1)
        _ = state.handle(.settled(reads, statement(2), .done), at: state.now)
        _ = state.handle(.batchEnded(reads, .committed, isFree: true), at: state.now)
        #expect(firstSend(state.handle(.opened(own[0]), at: state.now))?.1 == [statement(1)])
        _ = state.handle(.batchEnded(own[0], .committed, isFree: true), at: state.now)
        #expect(state.table.count == 0)
    }

    @Test("statements of one key keep their order through losses and refusals")
    func order() {
        var (state, id) = pool()
        for number in 0..<3 {
            _ = state.handle(.submitted(statement(number), .init(key: OrderingKey("a"))), at: state.now)
        }
        let sent = firstSend(state.handle(.turnEnded, at: state.now))?.1
        #expect(sent == [statement(0)])
        let loss = PostgresError(.outcomeUnknown)
        _ = state.handle(.settled(id, statement(0), .rolledBack(loss, isOwn: false)), at: state.now)
        _ = state.handle(.submitted(statement(3), .init(key: OrderingKey("a"))), at: state.now)
        for case .open(let next, _, _) in state.handle(.batchEnded(id, .lost(loss), isFree: false), at: state.now) {
            id = next
        }
        _ = state.handle(.opened(id), at: state.now)
        for number in 0..<4 {
            #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(number)])
            _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        }
    }

    /// What a server says when it ends a statement.
    private func error(_ sqlState: SQLState) -> PostgresError {
        var error = PostgresError(.server)
        error.sqlState = sqlState
        error.severity = "ERROR"
        return error
    }

    private func opens(_ actions: [PoolState.Action]) -> [PoolState.ConnectionID] {
        actions.compactMap { if case .open(let id, _, _) = $0 { id } else { nil } }
    }

    /// Submits statements, sends them as one batch and has it rolled back, nobody knows because of which.
    private func rollBack(
        _ state: inout PoolState, on id: PoolState.ConnectionID, _ requests: [PoolState.Request]
    ) {
        for (number, request) in requests.enumerated() {
            _ = state.handle(.submitted(statement(number), request), at: state.now)
        }
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1.count == requests.count)
        let ending = BatchEnding.rolledBack(culprit: nil, error(.uniqueViolation))
        _ = state.handle(.batchEnded(id, ending, isFree: true), at: state.now)
    }

    @Test("what runs again runs before later ones of its key")
    func runsAgainFirst() {
        var (state, id) = pool()
        let keys = ["a", "b"].map { PoolState.Request(key: OrderingKey($0), attempts: 2) }
        rollBack(&state, on: id, keys)
        _ = state.handle(.submitted(statement(2), keys[0]), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(0), statement(1)])
        let conflict = Verdict.rolledBack(error(.serializationFailure), isOwn: true)
        _ = state.handle(.settled(id, statement(0), conflict), at: state.now)
        _ = state.handle(.settled(id, statement(1), .done), at: state.now)
        _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        for number in [0, 2] {
            #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(number)])
            _ = state.handle(.settled(id, statement(number), .done), at: state.now)
            _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        }
        #expect(state.table.count == 0)
    }

    @Test("a statement that runs again waits for its lock before later ones of its key, and with them")
    func lockOfOneThatRunsAgain() {
        var (state, id) = pool()
        let request = PoolState.Request(key: OrderingKey("a"))
        rollBack(&state, on: id, [request, .init()])
        _ = state.handle(.submitted(statement(2), request), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(1), statement(0)])
        _ = state.handle(.settled(id, statement(1), .done), at: state.now)
        let wait = Verdict.rolledBack(error(.lockNotAvailable), isOwn: true)
        let lease = opens(state.handle(.settled(id, statement(0), wait), at: state.now))
        _ = state.handle(.batchEnded(id, .committed, isFree: true), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now)) == nil)
        guard let line = lease.first else { return #expect(Bool(false), "no connection for the line") }
        #expect(firstSend(state.handle(.opened(line), at: state.now))?.1 == [statement(0)])
        let next = firstSend(state.handle(.batchEnded(line, .committed, isFree: true), at: state.now))
        #expect(next?.0 == line)
        #expect(next?.1 == [statement(2)])
    }

    @Test("a line that loses its connection goes on with the same statement, and reads of the key do not wait for it")
    func lostLine() {
        var (state, id) = pool()
        let write = PoolState.Request(key: OrderingKey("a"))
        _ = state.handle(.submitted(statement(0), write), at: state.now)
        _ = state.handle(.turnEnded, at: state.now)
        let wait = BatchEnding.rolledBack(culprit: 0, error(.lockNotAvailable))
        guard let first = opens(state.handle(.batchEnded(id, wait, isFree: true), at: state.now)).first
        else { return #expect(Bool(false), "no connection for the line") }
        #expect(firstSend(state.handle(.opened(first), at: state.now))?.1 == [statement(0)])
        _ = state.handle(.submitted(statement(1), write), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now)) == nil)

        let loss = PostgresError(.outcomeUnknown)
        let verdict = Verdict.rolledBack(loss, isOwn: false)
        _ = state.handle(.settled(first, statement(0), verdict), at: state.now)
        let actions = state.handle(.batchEnded(first, .lost(loss), isFree: false), at: state.now)
        var read = write
        read.access = .read
        _ = state.handle(.submitted(statement(2), read), at: state.now)
        #expect(firstSend(state.handle(.turnEnded, at: state.now))?.1 == [statement(2)])
        guard let second = opens(actions).first else { return #expect(Bool(false), "no connection for the line") }
        #expect(firstSend(state.handle(.opened(second), at: state.now))?.1 == [statement(0)])
        let next = firstSend(state.handle(.batchEnded(second, .committed, isFree: true), at: state.now))
        #expect(next?.1 == [statement(1)])
    }

    @Test("a batch whose statements are all settled, but which does not end, is given up")
    func settledBatch() {
        func drops(_ actions: [PoolState.Action], _ id: PoolState.ConnectionID) -> Bool {
            if case .drop(id)? = actions.first { true } else { false }
        }
        var (state, id) = pool()
        let begin = state.now
        rollBack(&state, on: id, [.init(), .init()])
        _ = state.handle(.turnEnded, at: begin)
        _ = state.handle(.settled(id, statement(0), .done), at: begin)
        // One is still to come, which has a deadline of its own.
        #expect(!drops(state.handle(.ticked, at: begin + .seconds(6)), id))
        _ = state.handle(.settled(id, statement(1), .done), at: begin + .seconds(6))
        #expect(!drops(state.handle(.ticked, at: begin + .seconds(10)), id))
        #expect(drops(state.handle(.ticked, at: begin + .seconds(12)), id))
        // Likewise on a line.
        (state, id) = pool()
        _ = state.handle(.submitted(statement(0), .init()), at: begin)
        _ = state.handle(.turnEnded, at: begin)
        let wait = BatchEnding.rolledBack(culprit: 0, error(.lockNotAvailable))
        guard let line = opens(state.handle(.batchEnded(id, wait, isFree: true), at: begin)).first
        else { return #expect(Bool(false), "no connection for the line") }
        _ = state.handle(.opened(line), at: begin)
        _ = state.handle(.settled(line, statement(0), .done), at: begin)
        #expect(!drops(state.handle(.ticked, at: begin + .seconds(4)), line))
        #expect(drops(state.handle(.ticked, at: begin + .seconds(6)), line))
    }

    @Test("a connection that is past its lifetime is not lent, though nobody has looked after it since")
    func oldConnection() {
        var (state, _) = pool { $0.connectionLifetime = .seconds(30) }
        let leases = (0..<2).map { PoolState.LeaseID(number: $0) }
        guard let id = opens(state.handle(.leaseRequested(leases[0]), at: state.now)).first
        else { return #expect(Bool(false), "no connection is made") }
        guard case .lend(id, leases[0])? = state.handle(.opened(id), at: state.now).first
        else { return #expect(Bool(false), "it is not lent") }
        _ = state.handle(.released(id, isUsable: true), at: state.now)
        let actions = state.handle(.leaseRequested(leases[1]), at: state.now + .seconds(31))
        guard case .close(id)? = actions.first else { return #expect(Bool(false), "\(actions)") }
        #expect(opens(actions).count == 1)
    }
}
