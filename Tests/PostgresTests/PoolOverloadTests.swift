import Testing

@testable import Postgres

/// Callers who come at a rate of their own, whatever becomes of them, and a server whose batches take 10 ms and 1 ms a
/// statement: 865 a second at most, with batches of 64.
@Suite("A pool that is asked too much")
struct PoolOverloadTests {
    private struct Load {
        var state: PoolState
        let connection: PoolState.ConnectionID
        var now = Duration.zero
        var batchEnd: Duration?
        var isPaused = false
        /// When each statement came.
        var came: [StatementID: Duration] = [:]
        /// How long those waited that were answered, and those that were refused.
        var answered: [Duration] = []
        var refused: [(wait: Duration, code: PostgresError.Code)] = []
        var mostWaiting = 0
        private var number = 0
        private var due = 0.0

        init(limit: Duration? = .seconds(1)) {
            var configuration = PostgresConfiguration()
            configuration.readConnectionsPerLoop = 0
            configuration.expectedWaitLimit = limit
            state = PoolState(configuration: configuration, now: .zero, seed: 1)
            var opened: PoolState.ConnectionID?
            for case .open(let id, _, _) in state.handle(.started, at: .zero) { opened = id }
            connection = opened ?? .init(number: 0)
            handle(.opened(connection))
        }

        mutating func handle(_ event: PoolState.Event) {
            for action in state.handle(event, at: now) {
                switch action {
                case .send(_, let statements, _):
                    batchEnd = now + .milliseconds(10 + statements.count)
                case .answer(let ids):
                    for id in ids { answered.append(now - (came.removeValue(forKey: id) ?? now)) }
                case .fail(let id, let error):
                    refused.append((now - (came.removeValue(forKey: id) ?? now), error.code))
                default: break
                }
            }
        }

        mutating func run(for seconds: Int, perSecond rate: Double) {
            (answered, refused) = ([], [])
            let end = now + .seconds(seconds)
            while now < end {
                now += .milliseconds(1)
                if !isPaused, let end = batchEnd, end <= now {
                    batchEnd = nil
                    handle(.batchEnded(connection, .committed, isFree: true))
                }
                due += rate / 1000
                while due >= 1 {
                    due -= 1
                    number += 1
                    let id = StatementID(place: Int32(number), generation: 1)
                    came[id] = now
                    handle(.submitted(id, .init()))
                }
                handle(.turnEnded)
                if now.components.attoseconds % 50_000_000_000_000_000 == 0 { handle(.ticked) }
                mostWaiting = max(mostWaiting, state.waitingCount)
            }
        }
    }

    @Test("what it can do it does, and refuses nobody", arguments: [100, 500, 800] as [Double])
    func sustainable(rate: Double) {
        var load = Load()
        load.run(for: 10, perSecond: rate)
        #expect(load.refused.isEmpty)
        #expect(load.answered.allSatisfy { $0 < .milliseconds(200) })
    }

    @Test("three times as much: it does as much as it can, in bounded time, and refuses the rest at once")
    func overload() {
        var load = Load()
        load.run(for: 10, perSecond: 800)
        load.run(for: 20, perSecond: 3 * 865)
        #expect(load.answered.count > 20 * 865 * 9 / 10)
        #expect(load.answered.allSatisfy { $0 < .milliseconds(1200) })
        #expect(load.refused.count > 20 * 865)
        #expect(load.refused.allSatisfy { $0.wait == .zero && $0.code == .queueFull })
        load.run(for: 10, perSecond: 500)
        load.run(for: 10, perSecond: 500)
        #expect(load.refused.isEmpty, "all is well after it")
        #expect(load.answered.allSatisfy { $0 < .milliseconds(200) })
    }

    @Test("without the limit everybody waits for seconds: it is what keeps time bounded")
    func unlimited() {
        var load = Load(limit: nil)
        load.run(for: 20, perSecond: 3 * 865)
        #expect(load.answered.contains { $0 > .seconds(4) })
    }

    @Test("a server that stands still: one second's worth is taken, then one batch waits and all others are refused")
    func standstill() {
        var load = Load()
        load.run(for: 10, perSecond: 800)
        load.isPaused = true
        load.mostWaiting = 0
        load.run(for: 4, perSecond: 800)
        #expect(load.mostWaiting <= 800)
        let atOnce = load.refused.filter { $0.wait == .zero && $0.code == .queueFull }
        #expect(atOnce.count >= 3 * 800)
        load.isPaused = false
        load.run(for: 3, perSecond: 800)
        load.run(for: 10, perSecond: 800)
        #expect(load.refused.isEmpty, "all is well after it")
        #expect(load.answered.allSatisfy { $0 < .milliseconds(200) })
    }

    @Test("one batch that takes seconds refuses nobody who fits into the next, nor anybody after it")
    func slowBatch() {
        var load = Load()
        load.run(for: 2, perSecond: 20)
        load.isPaused = true
        load.run(for: 3, perSecond: 20)
        #expect(load.refused.isEmpty)
        load.isPaused = false
        load.run(for: 2, perSecond: 800)
        #expect(load.refused.isEmpty)
    }
}
