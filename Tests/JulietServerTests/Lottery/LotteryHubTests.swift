import EventLoop
import HTTPServer
import Lottery
import Synchronization
import Testing

@testable import JulietServer

@Suite("The lottery's hub", .timeLimit(.minutes(1)))
struct LotteryHubTests {
    @Test("one presenter runs for all subscribers, and none while there are no subscribers")
    func presenter() async throws {
        try await withHub { hub, presenter, _ in
            #expect(presenter.begun.count == 0)
            let first = try hub.seat()
            let second = try hub.seat()
            await presenter.show("one")
            #expect(await first.next() == event("one"))
            #expect(await second.next() == event("one"))
            let late = try hub.seat()
            #expect(await late.next() == event("one"), "who comes later sees at once what is so")
            #expect(presenter.begun.count == 1)
            for seat in [first, second, late] { seat.leave() }
            await presenter.waitForEnd()
            #expect(hub.viewerCount == 0)

            let next = try hub.seat()
            await presenter.show("two", run: 2)
            #expect(await next.next() == event("two"), "nothing of what was so before")
            #expect(presenter.begun.count == 2)
        }
    }

    @Test("a slow reader gets the newest state, and no queue of older ones")
    func slow() async throws {
        try await withHub { hub, presenter, _ in
            let slow = try hub.seat()
            let quick = try hub.seat()
            for number in 1...50 {
                await presenter.show("\(number)")
                #expect(await quick.next() == event("\(number)"))
            }
            #expect(await slow.next() == event("50"))
            async let next = slow.next()
            await presenter.show("51")
            #expect(await next == event("51"))
        }
    }

    @Test("a comment now and then, never in the place of a state")
    func pulse() async throws {
        try await withHub { hub, presenter, clock in
            let waiting = try hub.seat()
            let busy = try hub.seat()
            await presenter.show("one")
            #expect(await waiting.next() == event("one"))
            await clock.tick()
            #expect(await waiting.next() == Array(":\n\n".utf8))
            #expect(await busy.next() == event("one"))
            await clock.tick()
            #expect(await busy.next() == Array(":\n\n".utf8))
            #expect(clock.waited == .seconds(15))
        }
    }

    @Test("places are counted, given back, and all gone when the service stops")
    func places() async throws {
        try await withHub(capacity: 2) { hub, presenter, _ in
            var seats = [try hub.seat(), try hub.seat()]
            #expect(throws: LotteryHub.NoSeat.allTaken) { try hub.seat() }
            let refused = LotteryEvents(hub: hub).response(to: Request(method: .get, path: "/lottery/events"))
            #expect(refused.status == .serviceUnavailable && refused.headers["Retry-After"] == "10")
            let head = LotteryEvents(hub: hub).response(to: Request(method: .head, path: "/lottery/events"))
            #expect(head.status == .ok && hub.viewerCount == 2)
            seats.removeLast()
            #expect(hub.viewerCount == 1, "whoever lets go of a place gives it back")
            do {
                // The connection has gone before the response began: its body never runs.
                _ = LotteryEvents(hub: hub).response(to: Request(method: .get, path: "/lottery/events"))
            }
            #expect(hub.viewerCount == 1)
            await presenter.show("one")
            #expect(await seats[0].next() == event("one"))
            async let last = seats[0].next()
            hub.close()
            #expect(await last == nil)
            #expect(throws: LotteryHub.NoSeat.allTaken) { try hub.seat() }
            #expect(hub.viewerCount == 0)
            await presenter.waitForEnd()
        }
    }

    @Test("one address, a /64 of IPv6, gets so many places and no more; a network that is exempt gets all")
    func placesPerAddress() async throws {
        try await withHub(capacity: 6, capacityPerAddress: 2) { hub, _, _ in
            func ask(_ address: SocketAddress) -> Response {
                LotteryEvents(hub: hub).response(
                    to: Request(method: .get, path: "/lottery/events", remoteAddress: address))
            }
            func home(_ low: UInt64) -> SocketAddress.IP { SocketAddress.IP(ipv6High: 0x2001_0db8_0000_0001, low: low) }
            var seats = [try hub.seat(for: home(1)), try hub.seat(for: home(2))]
            #expect(throws: LotteryHub.NoSeat.addressHasEnough) { try hub.seat(for: home(3)) }
            seats.removeLast()
            seats.append(try hub.seat(for: home(3)))
            let (foreign, own) = (SocketAddress(192, 0, 2, 1, port: 1), SocketAddress(10, 0, 0, 1, port: 1))
            let streams = [ask(foreign), ask(foreign)]
            #expect(streams.allSatisfy { $0.status == .ok })
            let refused = ask(foreign)
            #expect(refused.status.code == 429 && refused.headers["Retry-After"] == "10")
            let others = [ask(own), ask(own)]
            #expect(others.allSatisfy { $0.status == .ok } && hub.viewerCount == 6)
            #expect(ask(own).status == .serviceUnavailable)
        }
    }

    @Test("a stream begins with how soon to come again, goes on with the states, and ends when its reader goes")
    func stream() async throws {
        try await withHub { hub, presenter, _ in
            let response = LotteryEvents(hub: hub).response(to: Request(method: .get, path: "/lottery/events"))
            #expect(response.headers["Content-Type"] == "text/event-stream")
            guard case .stream(let body) = response.body else { return #expect(Bool(false), "no stream") }
            let (pieces, written) = AsyncStream<String>.makeStream()
            let goodbye = Locked<(@Sendable () -> Void)?>(nil)
            let writer = ResponseWriter(
                { bytes throws(ResponseStreamError) in written.yield(String(decoding: bytes, as: UTF8.self)) },
                onPeerGone: { action in goodbye.withLock { $0 = action } })
            async let end: Void = body(writer)
            var reading = pieces.makeAsyncIterator()
            #expect(await reading.next() == "retry: 2000\n\n")
            await presenter.show("gone \"soon\"\n")
            #expect(
                await reading.next() == "data: {\"message\":\"gone \\\"soon\\\"\\n\",\"state\":\"failure\"}\n\n")
            goodbye.withLock { $0 }?()
            try await end
            #expect(hub.viewerCount == 0)
            await presenter.waitForEnd()
        }
    }

    @Test("thousands come and go at once, and each that stays gets the last state")
    func crowd() async throws {
        try await withHub { hub, presenter, _ in
            let stays = try hub.seat()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<1000 {
                    group.addTask {
                        guard let seat = try? hub.seat() else { return }
                        if number.isMultiple(of: 2) { _ = await seat.next() }
                        seat.leave()
                        #expect(await seat.next() == nil)
                    }
                }
                for number in 0..<20 { await presenter.show("\(number)") }
                await group.waitForAll()
            }
            var text: [UInt8]? = nil
            repeat { text = await stays.next() } while text != event("19")
            #expect(hub.viewerCount == 1 && presenter.begun.count == 1)
        }
    }

    private func event(_ message: String) -> [UInt8] {
        Array("data: {\"message\":\"\(message)\",\"state\":\"failure\"}\n\n".utf8)
    }

    /// Runs a hub whose presenter and clock are the test's.
    private func withHub(
        capacity: Int = 2000, capacityPerAddress: Int = 100,
        _ body: (LotteryHub, FakePresenter, PulseClock) async throws -> Void
    ) async throws {
        let (presenter, clock) = (FakePresenter(), PulseClock())
        let hub = LotteryHub(capacity: capacity, capacityPerAddress: capacityPerAddress, clock: clock) {
            presenter.states()
        }
        let running = Task { await hub.run() }
        do {
            try await body(hub, presenter, clock)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }
}

/// Says what a test has it say.
private final class FakePresenter: Sendable {
    private let runs = Locked<[AsyncStream<LotteryViewState>.Continuation]>([])
    private let ended = Locked(0)
    /// How often it was begun.
    var begun: [AsyncStream<LotteryViewState>.Continuation] { runs.withLock { $0 } }

    func states() -> AsyncStream<LotteryViewState> {
        let (states, continuation) = AsyncStream<LotteryViewState>.makeStream()
        continuation.onTermination = { [ended] _ in ended.withLock { $0 += 1 } }
        runs.withLock { $0.append(continuation) }
        return states
    }

    /// Says something, as soon as it has been begun so often.
    func show(_ message: String, run: Int = 1) async {
        while begun.count < run { await Task.yield() }
        begun.last?.yield(.failure(message))
    }

    /// Waits until it has ended as often as it was begun.
    func waitForEnd() async {
        while ended.withLock({ $0 }) < begun.count { await Task.yield() }
    }
}

/// A clock whose sleepers wake when a test says so.
private final class PulseClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    let now = Instant(offset: .zero)
    let minimumResolution = Duration.zero
    private let sleeper = Locked<AsyncStream<Void>.Continuation?>(nil)
    private let last = Locked(Duration.zero)
    /// How long somebody last wanted to sleep.
    var waited: Duration { last.withLock { $0 } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (ticks, continuation) = AsyncStream<Void>.makeStream()
        last.withLock { $0 = deadline.offset }
        sleeper.withLock { $0 = continuation }
        for await _ in ticks { return }
        throw CancellationError()
    }

    /// Wakes who sleeps, or who is about to.
    func tick() async {
        while true {
            let sleeping = sleeper.withLock { sleeper in
                defer { sleeper = nil }
                return sleeper
            }
            if let sleeping {
                sleeping.yield()
                return
            }
            await Task.yield()
        }
    }
}
