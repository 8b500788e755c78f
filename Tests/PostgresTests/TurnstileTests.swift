import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Changes a player's counter, and takes a while.
private struct SlowBump: Statement {
    var sql: StaticString { "UPDATE players SET n = n + 1 WHERE id = $1 AND pg_sleep($2) IS NOT NULL RETURNING n" }
    let id: String
    let seconds: Double
    var orderingKey: String? { id }
    func bind(to parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(seconds)
    }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

@Suite("The turnstile of a process's batches")
struct TurnstileTests {
    private var turnstile = Turnstile(batchLimit: 2, fewStatements: 4, patience: .milliseconds(250))

    private func enter(
        _ pool: Int, _ keys: [UInt64], _ access: StatementAccess = .write, in turnstile: inout Turnstile,
        at now: Duration = .zero
    ) -> (Turnstile.Ticket, [Bool]) {
        let ticket = turnstile.enter(pool, access, at: now)
        return (ticket, keys.map { turnstile.admit($0, to: ticket, at: now) })
    }

    @Test("a statement whose player has a batch under way on another loop waits here, not in the server")
    func noLockIsWaitedFor() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(10)
            let loops = try (0..<2).map { try EventLoop(label: "loop \($0)") }
            defer { for loop in loops { loop.shutdown() } }
            // Which is the turnstile's patience, too.
            try await fixture.withClient({ $0.lockTimeout = .seconds(60) }, loops: loops) { client in
                let isOver = Locked(false)
                let slow = Task(executorPreference: loops[0]) {
                    defer { isOver.withLock { $0 = true } }
                    return try await client.first(SlowBump(id: "p0", seconds: 3))
                }
                try await fixture.untilActive("pg_sleep(")
                let same = Task(executorPreference: loops[1]) { try await client.first(Bump(id: "p0")) }
                let others = (1..<10).map { number in
                    Task(executorPreference: loops[1]) { try await client.first(Bump(id: "p\(number)")) }
                }
                for other in others { #expect(try await other.value == 1) }
                let waits = try await fixture.psql(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = '\(fixture.database)'"
                )
                #expect(
                    waits == "0" && !isOver.withLock { $0 }, "the neighbours are done, and nobody waits for the player")
                #expect(try await slow.value == 1)
                #expect(try await same.value == 2)
            }
        }
    }

    @Test("few statements may be spread over many batches, many only over as many as there are processors")
    func room() {
        var turnstile = turnstile
        for number in 0..<3 {
            #expect(turnstile.hasRoom(for: .write, at: .zero))
            _ = enter(0, [UInt64(number)], in: &turnstile)
        }
        #expect(turnstile.hasRoom(for: .write, at: .zero))
        let (large, _) = enter(1, [10, 11, 12], in: &turnstile)
        #expect(!turnstile.hasRoom(for: .write, at: .zero))
        #expect(turnstile.hasRoom(for: .read, at: .zero))
        _ = turnstile.leave(large, at: .zero)
        #expect(turnstile.hasRoom(for: .write, at: .zero))
    }

    @Test("a loop at work keeps its place while it gathers its next batch")
    func gathering() {
        var turnstile = turnstile
        let (first, _) = enter(0, [1, 2, 3, 4], in: &turnstile)
        _ = enter(1, [5, 6, 7, 8], in: &turnstile)
        _ = turnstile.leave(first, at: .milliseconds(10))
        #expect(!turnstile.hasRoom(for: .write, at: .milliseconds(14)))
        #expect(turnstile.hasRoom(for: .read, at: .milliseconds(14)))
        #expect(turnstile.hasRoom(for: .write, at: .milliseconds(15)))
    }

    @Test("a batch that hangs counts no more")
    func hanging() {
        var turnstile = turnstile
        _ = enter(0, [1, 2, 3], in: &turnstile)
        _ = enter(1, [4, 5, 6], in: &turnstile)
        #expect(!turnstile.hasRoom(for: .write, at: .milliseconds(1999)))
        #expect(turnstile.hasRoom(for: .write, at: .seconds(2)))
    }

    @Test("a batch that gets on keeps its keys")
    func renewal() {
        var turnstile = turnstile
        let (first, _) = enter(0, [1], in: &turnstile)
        turnstile.renew(first, at: .milliseconds(200))
        let (_, refused) = enter(1, [1], in: &turnstile, at: .milliseconds(449))
        #expect(refused == [false])
        let (_, taken) = enter(1, [1], in: &turnstile, at: .milliseconds(450))
        #expect(taken == [true])
    }

    @Test("of a key one statement is under way, and whoever waits for it is named at the end of its batch")
    func keys() {
        var turnstile = turnstile
        let (first, taken) = enter(0, [1, 2, 1], in: &turnstile)
        #expect(taken == [true, true, false])
        let (second, refused) = enter(1, [2, 3], in: &turnstile)
        #expect(refused == [false, true])
        let (third, own) = enter(0, [1], in: &turnstile)
        #expect(own == [false])
        // Its own pool hears of the end by itself.
        let woken = turnstile.leave(first, at: .zero)
        #expect(woken == [1])
        let isFree = turnstile.admit(2, to: second, at: .zero)
        #expect(isFree)
        for ticket in [second, third, third] {
            let woken = turnstile.leave(ticket, at: .zero)
            #expect(woken.isEmpty)
        }
    }

    @Test("who waited for a key has it next, and then the one who had it before")
    func promises() {
        var turnstile = turnstile
        let (first, _) = enter(0, [1], in: &turnstile)
        let (second, refused) = enter(1, [1], in: &turnstile)
        #expect(refused == [false])
        let woken = turnstile.leave(first, at: .zero)
        #expect(woken == [1])
        let (third, early) = enter(0, [1], in: &turnstile, at: .milliseconds(4))
        #expect(early == [false], "it is promised to the other")
        let isFree = turnstile.admit(1, to: second, at: .milliseconds(4))
        #expect(isFree)
        let wokenThen = turnstile.leave(second, at: .milliseconds(4))
        #expect(wokenThen == [0])
        let isFreeThen = turnstile.admit(1, to: third, at: .milliseconds(4))
        #expect(isFreeThen)
    }

    @Test("a promise that nobody takes is none after five milliseconds")
    func promiseForgotten() {
        var turnstile = turnstile
        let (first, _) = enter(0, [1], in: &turnstile)
        _ = enter(1, [1], in: &turnstile)
        _ = turnstile.leave(first, at: .zero)
        let (_, taken) = enter(0, [1], in: &turnstile, at: .milliseconds(5))
        #expect(taken == [true])
    }

    @Test("a statement that runs by itself keeps its key while its line is alive, and takes no batch's place")
    func alone() {
        var turnstile = turnstile
        let (batch, _) = enter(0, [1, 2, 3, 4], in: &turnstile)
        let line = turnstile.enterAlone(0, 1, at: .zero)
        let woken = turnstile.leave(batch, at: .zero)
        #expect(woken.isEmpty)
        let (other, refused) = enter(1, [1, 2, 3, 4], in: &turnstile, at: .milliseconds(200))
        #expect(refused == [false, true, true, true])
        turnstile.renewLone(of: 0, at: .milliseconds(200))
        let isFree = turnstile.admit(1, to: other, at: .milliseconds(449))
        #expect(!isFree)
        #expect(turnstile.hasRoom(for: .write, at: .milliseconds(449)))
        let wokenThen = turnstile.leave(line, at: .milliseconds(449))
        #expect(wokenThen == [1])
        let isFreeThen = turnstile.admit(1, to: other, at: .milliseconds(449))
        #expect(isFreeThen)
    }

    @Test("thousands that run by themselves keep their keys by one call, and batches have as much room as without them")
    func thousandsAlone() {
        var turnstile = turnstile
        let keys = (1...5000).map { UInt64($0) }
        let lines = keys.map { turnstile.enterAlone(0, $0, at: .zero) }
        // Of another pool, which says nothing.
        let silent = turnstile.enterAlone(2, 5001, at: .zero)
        turnstile.renewLone(of: 0, at: .milliseconds(200))
        let (other, taken) = enter(1, keys + [5001], in: &turnstile, at: .milliseconds(449))
        #expect(taken == keys.map { _ in false } + [true])
        #expect(turnstile.hasRoom(for: .write, at: .milliseconds(449)))
        for line in lines {
            let woken = turnstile.leave(line, at: .milliseconds(449))
            #expect(woken == [1])
        }
        let areFree = keys.map { turnstile.admit($0, to: other, at: .milliseconds(449)) }
        #expect(!areFree.contains(false))
        let woken = turnstile.leave(silent, at: .milliseconds(449))
        #expect(woken.isEmpty)
        #expect(turnstile.hasRoom(for: .read, at: .milliseconds(449)))
    }

    @Test("the key of a batch that hangs goes to the next one, and stays with it when the first one ends")
    func inheritance() {
        var turnstile = turnstile
        let (first, _) = enter(0, [1], in: &turnstile)
        let (second, taken) = enter(1, [1], in: &turnstile, at: .milliseconds(250))
        #expect(taken == [true])
        _ = turnstile.leave(first, at: .zero)
        let (_, refused) = enter(2, [1], in: &turnstile, at: .milliseconds(251))
        #expect(refused == [false])
        let woken = turnstile.leave(second, at: .zero)
        #expect(woken == [2])
    }

    @Test("reads lock nothing")
    func reads() {
        var turnstile = turnstile
        let (ticket, _) = enter(0, [], .read, in: &turnstile)
        for _ in 0..<4 {
            let isFree = turnstile.admit(0, to: ticket, at: .zero)
            #expect(isFree)
        }
        _ = enter(1, [], .read, in: &turnstile)
        #expect(!turnstile.hasRoom(for: .read, at: .zero))
    }

    @Test("a key has one fingerprint, and other keys others")
    func fingerprints() {
        let keys = (0..<10_000).map { OrderingKey("00000000-0000-4000-8000-\($0)") }
        #expect(Set(keys.map(\.fingerprint)).count == keys.count)
        #expect(keys[7].fingerprint == OrderingKey("00000000-0000-4000-8000-7").fingerprint)
        #expect(OrderingKey("a", isShared: true).fingerprint == 0, "nobody waits for a key that many share")
    }
}
