import EventLoop
import Testing

@testable import Postgres

/// A transaction elsewhere holds the rows of thousands. How much is done is counted by how often the pool asks whether somebody
/// still waits for a statement: once whenever it looks at one that waits.
@Suite("Thousands of statements that wait for locks held elsewhere")
struct LoneLinesTests {
    private final class Counter { var count = 0 }

    /// A pool with one connection, whose batches leave everything out.
    private struct Crowd {
        var state: PoolState
        let keys: [OrderingKey]
        let looks = Counter()
        /// The further connections that are being made.
        var attempts: [PoolState.ConnectionID] = []
        /// What was sent on them and has not ended.
        var sent: [(connection: PoolState.ConnectionID, statement: StatementID)] = []
        var answered: [StatementID] = []
        var failed: [PostgresError.Code] = []
        var wakes = 0
        private var connection = PoolState.ConnectionID(number: 0)

        init(_ count: Int, leases: Int, _ turnstile: Locked<Turnstile>? = nil) {
            keys = (0..<count).map { OrderingKey("p\($0)") }
            var configuration = PostgresConfiguration()
            configuration.readConnectionsPerLoop = 0
            configuration.leasedConnectionsPerLoop = leases
            configuration.keepAliveInterval = nil
            configuration.waitingLimit = 2 * count
            configuration.queueTimeout = .seconds(1000)
            configuration.statementTimeout = .seconds(1000)
            state = PoolState(configuration: configuration, now: .seconds(1000), seed: 1, turnstile: turnstile)
            state.isAbandoned = { [looks] _ in
                looks.count += 1
                return false
            }
            handle(.started)
            connection = attempts.removeFirst()
            handle(.opened(connection))
            submit(from: 0)
            handle(.turnEnded)
            while let batch = nextBatch() {
                for id in batch { handle(.settled(connection, id, .leftOut)) }
                handle(.batchEnded(connection, .committed, isFree: true))
                handle(.turnEnded)
            }
        }

        func statement(_ number: Int) -> StatementID {
            StatementID(place: Int32(number), generation: UInt32(number) + 1)
        }

        /// Hands in one statement of each key.
        mutating func submit(from number: Int) {
            for (index, key) in keys.enumerated() {
                handle(.submitted(statement(number + index), .init(key: key)))
            }
        }

        private mutating func nextBatch() -> [StatementID]? {
            let batch = sent.filter { $0.connection == connection }.map(\.statement)
            sent.removeAll { $0.connection == connection }
            return batch.isEmpty ? nil : batch
        }

        mutating func handle(_ event: PoolState.Event, after pause: Duration = .zero) {
            for action in state.handle(event, at: state.now + pause) {
                switch action {
                case .open(let id, _, _): attempts.append(id)
                case .send(let id, let statements, _): sent += statements.map { (id, $0) }
                case .answer(let ids): answered += ids
                case .fail(_, let error): failed.append(error.code)
                case .wake: wakes += 1
                default: break
                }
            }
        }

        /// The locks are free: all that runs is committed, until nothing does.
        mutating func drain() {
            for id in attempts { handle(.opened(id)) }
            attempts = []
            while let next = sent.popLast() { handle(.batchEnded(next.connection, .committed, isFree: true)) }
        }

        var hasEnded: Bool {
            state.table.count == 0 && state.lines.isEmpty && state.leases.isUnused
                && state.lanes.allSatisfy { $0.waiting == 0 && $0.waitingInLines == 0 }
        }
    }

    @Test("a tick looks at each once, an ending only at its own line; all are answered, those of one key in order")
    func work() {
        let (count, ticks) = (5000, 200)
        let turnstile = Locked(Turnstile(batchLimit: 2, patience: .seconds(1)))
        var crowd = Crowd(count, leases: 2, turnstile)
        #expect(crowd.state.lines.count == count && crowd.attempts.count == 2 && crowd.sent.isEmpty)
        #expect(crowd.looks.count <= 3 * count)
        // The next ones of the same keys join them.
        crowd.submit(from: count)
        crowd.looks.count = 0
        crowd.handle(.turnEnded)
        #expect(crowd.state.lines.count == count && crowd.state.waitingCount == 0 && crowd.sent.isEmpty)
        #expect(crowd.looks.count == count)

        crowd.looks.count = 0
        for _ in 0..<ticks { crowd.handle(.ticked, after: PoolState.tickInterval) }
        #expect(crowd.looks.count == ticks * 2 * count)
        // The ticks have taken much longer than the turnstile is patient.
        let now = crowd.state.now
        let other = turnstile.withLock { $0.enter(1, .write, at: now) }
        let taken = crowd.keys.filter { key in
            turnstile.withLock { $0.admit(key.fingerprint, to: other, at: now) }
        }
        #expect(taken.isEmpty && turnstile.withLock { $0.hasRoom(for: .write, at: now) })

        crowd.looks.count = 0
        crowd.drain()
        #expect(crowd.looks.count <= 4 * count)
        #expect(crowd.hasEnded && crowd.failed.isEmpty && crowd.wakes == count)
        #expect(crowd.answered.count == 2 * count && Set(crowd.answered).count == 2 * count)
        let places = Dictionary(uniqueKeysWithValues: crowd.answered.enumerated().map { ($0.element, $0.offset) })
        let overtaken = (0..<count).filter { number in
            guard let first = places[crowd.statement(number)], let second = places[crowd.statement(count + number)]
            else { return true }
            return first > second
        }
        #expect(overtaken.isEmpty)
    }

    @Test("those that wait in lines count against the limit of the queue, until they leave")
    func limit() {
        var crowd = Crowd(10, leases: 1)
        crowd.submit(from: 10)
        crowd.handle(.submitted(crowd.statement(20), .init()))
        #expect(crowd.failed == [.queueFull])
        crowd.handle(.turnEnded)
        crowd.handle(.submitted(crowd.statement(21), .init()))
        #expect(crowd.failed == [.queueFull, .queueFull])
        crowd.handle(.cancelled(crowd.statement(3)))
        crowd.handle(.submitted(crowd.statement(22), .init()))
        #expect(crowd.failed == [.queueFull, .queueFull, .cancelled])
        for id in crowd.attempts { crowd.handle(.opened(id)) }
        crowd.attempts = []
        crowd.handle(.submitted(crowd.statement(23), .init()))
        crowd.handle(.submitted(crowd.statement(24), .init()))
        #expect(crowd.failed == [.queueFull, .queueFull, .cancelled, .queueFull])
        crowd.handle(.turnEnded)
        crowd.drain()
        #expect(crowd.hasEnded && crowd.answered.count == 21)
    }

    @Test("lines for which nobody waits any more end, however many, when it is their turn with a connection")
    func abandoned() {
        let count = 5000
        var crowd = Crowd(count, leases: 1)
        for id in crowd.attempts { crowd.handle(.opened(id)) }
        crowd.attempts = []
        #expect(crowd.sent.map(\.statement) == [crowd.statement(0)])
        for number in 1..<count { crowd.handle(.cancelled(crowd.statement(number))) }
        #expect(crowd.failed.count == count - 1 && crowd.state.lines.count == count)
        crowd.drain()
        #expect(crowd.hasEnded && crowd.answered == [crowd.statement(0)])
    }
}
