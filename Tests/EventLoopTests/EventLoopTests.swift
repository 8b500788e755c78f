import Testing

@testable import EventLoop

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("An event loop", .timeLimit(.minutes(1)))
struct EventLoopTests {
    @Test("is current inside its turns and nowhere else", arguments: PollingMechanism.allCases)
    func current(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        #expect(!loop.isCurrent)
        #expect(EventLoop.current == nil)
        let isInside = try await loop.run { loop.isCurrent && EventLoop.current === loop }
        #expect(isInside)
    }

    @Test("resumes a task's continuation inside a turn, whoever resumes it", arguments: PollingMechanism.allCases)
    func continuations(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        let other = try EventLoop(label: "other", mechanism: mechanism)
        defer {
            loop.shutdown()
            other.shutdown()
        }
        let wasInside = try await loop.run {
            var inside = true
            for _ in 0..<1000 {
                await withCheckedContinuation { continuation in other.execute { continuation.resume() } }
                inside = inside && loop.isCurrent
            }
            return inside
        }
        #expect(wasInside)
    }

    @Test("runs foreign work in the order in which one thread gave it", arguments: PollingMechanism.allCases)
    func order(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let seen = Locked<[Int]>([])
        for number in 0..<10_000 { loop.execute { seen.withLock { $0.append(number) } } }
        try await loop.run {}
        #expect(seen.withLock { $0 } == Array(0..<10_000))
    }

    @Test("loses no wake-up while many threads give it work", arguments: PollingMechanism.allCases)
    func wakeups(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        await withCheckedContinuation { continuation in
                            loop.execute {
                                count.withLock { $0 += 1 }
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
        #expect(count.withLock { $0 } == 8000)
    }

    @Test("fires timers in the order of their deadlines, not of their making", arguments: PollingMechanism.allCases)
    func timers(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let fired = Locked<[Int]>([])
        try await loop.run {
            await withCheckedContinuation { continuation in
                for milliseconds in [30, 10, 20, 0] {
                    loop.schedule(after: .milliseconds(milliseconds)) { fired.withLock { $0.append(milliseconds) } }
                }
                loop.schedule(after: .milliseconds(40)) { continuation.resume() }
            }
        }
        #expect(fired.withLock { $0 } == [0, 10, 20, 30])
    }

    @Test("does not fire a timer that was cancelled", arguments: PollingMechanism.allCases)
    func cancelledTimer(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let fired = Locked(false)
        try await loop.run {
            await withCheckedContinuation { continuation in
                let timer = loop.schedule(after: .milliseconds(5)) { fired.withLock { $0 = true } }
                timer.cancel()
                timer.cancel()
                loop.schedule(after: .milliseconds(20)) { continuation.resume() }
            }
        }
        #expect(!fired.withLock { $0 })
    }

    @Test(
        "reports a readable descriptor until it is read, and nothing once it is cancelled",
        arguments: PollingMechanism.allCases)
    func levelTriggered(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let pair = try SocketPair()
        pair.write([1, 2, 3])
        let reported = try await loop.run {
            let reader = Reader()
            reader.registration = try loop.register(pair.left, interest: .read, handler: reader)
            while reader.bytes.count < 3 { try await Task.sleep(for: .milliseconds(1)) }
            reader.registration?.cancel()
            pair.write([4])
            try await Task.sleep(for: .milliseconds(20))
            return reader.bytes
        }
        #expect(reported == [1, 2, 3])
    }

    @Test("reports nothing that is not of interest", arguments: PollingMechanism.allCases)
    func interest(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let pair = try SocketPair()
        let counts = try await loop.run {
            let counter = Counter()
            let registration = try loop.register(pair.left, interest: [], handler: counter)
            pair.write([1])
            try await Task.sleep(for: .milliseconds(20))
            let before = counter.readiness.count
            registration.setInterest(.write)
            while counter.readiness.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            registration.cancel()
            return (before, counter.readiness.first)
        }
        #expect(counts.0 == 0)
        #expect(counts.1 == .writable)
    }

    @Test("reports reading, also when there was an interest in writing before", arguments: PollingMechanism.allCases)
    func bothDirections(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let pair = try SocketPair()
        let isReadable = try await loop.run {
            let counter = Counter()
            pair.fill()
            let registration = try loop.register(pair.left, interest: .write, handler: counter)
            // Dispatch takes it to the kernel on a thread of its own, and tells nobody.
            try await Task.sleep(for: .milliseconds(20))
            registration.setInterest([.read, .write])
            pair.write([1])
            while !counter.readiness.contains(where: { $0.contains(.readable) }) {
                try await Task.sleep(for: .milliseconds(1))
            }
            registration.cancel()
            return true
        }
        #expect(isReadable)
    }

    @Test("one handler may cancel another whose event was gathered already", arguments: PollingMechanism.allCases)
    func cancelInsideTurn(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let pairs = try [SocketPair(), SocketPair()]
        let calls = try await loop.run {
            let first = Canceller()
            let second = Canceller()
            first.registration = try loop.register(pairs[0].left, interest: .read, handler: first)
            second.registration = try loop.register(pairs[1].left, interest: .read, handler: second)
            first.other = second
            second.other = first
            for pair in pairs { pair.write([1]) }
            try await Task.sleep(for: .milliseconds(30))
            return first.calls + second.calls
        }
        #expect(calls == 1)
    }

    @Test("calls its hooks after the jobs of the turn", arguments: PollingMechanism.allCases)
    func hooks(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        defer { loop.shutdown() }
        let order = try await loop.run {
            let hook = Hook()
            loop.addTurnEndHook(hook)
            hook.entries.append("job")
            await withCheckedContinuation { hook.continuation = $0 }
            loop.removeTurnEndHook(hook)
            return hook.entries
        }
        #expect(order == ["job", "hook"])
    }

    @Test("runs what is enqueued after its shutdown, so no task hangs", arguments: PollingMechanism.allCases)
    func afterShutdown(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        try await loop.run {}
        loop.shutdown()
        loop.shutdown()
        let answer = try await loop.run {
            await Task.yield()
            return loop.isCurrent
        }
        #expect(answer)
    }

    @Test(
        "releases timers and registrations when it ends, and cancelling them later does nothing",
        arguments: PollingMechanism.allCases, [true, false])
    func release(mechanism: PollingMechanism, shutsDown: Bool) async throws {
        let pair = try SocketPair()
        let alive = Locked(0)
        let ran = Locked(0)
        let kept = Locked<(timers: [ScheduledTimer], registrations: [Registration])>(([], []))
        for round in 0..<300 {
            let loop = try EventLoop(label: "test", mechanism: mechanism)
            loop.execute {
                guard let loop = EventLoop.current else { return }
                // Some fire about when the loop ends.
                let delays: [Duration] = [.microseconds(round), .seconds(3600)]
                let timers = delays.map { [witness = Witness(alive)] delay in
                    loop.schedule(after: delay) { _ = witness }
                }
                let registration = try? loop.register(pair.left, interest: .read, handler: Witness(alive))
                kept.withLock {
                    $0.timers += timers
                    if let registration { $0.registrations.append(registration) }
                }
            }
            // Half of them end while that waits or runs, half of them idle.
            if round.isMultiple(of: 2) { try await loop.run {} }
            loop.execute { ran.withLock { $0 += 1 } }
            if shutsDown { loop.shutdown() }
        }
        while alive.withLock({ $0 }) > 0 || ran.withLock({ $0 }) < 300 { await Task.yield() }
        let (timers, registrations) = kept.withLock { $0 }
        #expect(timers.count == 600)
        #expect(registrations.count == 300)
        for timer in timers { timer.cancel() }
        for registration in registrations {
            registration.setInterest(.write)
            registration.cancel()
        }
    }

    @Test("registers nothing after its shutdown", arguments: PollingMechanism.allCases)
    func registrationAfterShutdown(mechanism: PollingMechanism) async throws {
        let loop = try EventLoop(label: "test", mechanism: mechanism)
        let pair = try SocketPair()
        loop.shutdown()
        let error = await #expect(throws: SystemError.self) {
            try await loop.run { _ = try loop.register(pair.left, interest: .read, handler: Counter()) }
        }
        #expect(error?.code == EBADF)
    }

    #if os(Linux)
        @Test("a descriptor that a library closed before its watch ended reports nothing, though a child holds a copy")
        func closedBeforeCancelled() async throws {
            let loop = try EventLoop(label: "test")
            defer { loop.shutdown() }
            let calls = try await loop.run {
                var calls = 0
                for _ in 0..<100 {
                    var pair: [Int32] = [-1, -1]
                    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return -1 }
                    // What a process that was just forked holds until it becomes another program.
                    let copy = dup(pair[0])
                    let handler = Counter()
                    do {
                        let registration = try loop.register(pair[0], interest: .read, handler: handler)
                        close(pair[0])
                        registration.cancel()
                    }
                    try await Task.sleep(for: .milliseconds(1))
                    // What was freed is used again.
                    let others = (0..<100).map { [UInt64](repeating: .max, count: $0 % 8) }
                    close(pair[1])
                    try await Task.sleep(for: .milliseconds(1))
                    calls += handler.readiness.count + others.count - 100
                    close(copy)
                }
                return calls
            }
            #expect(calls == 0)
        }

        @Test("closes its descriptors when it is released, shut down before or not", arguments: [true, false])
        func descriptors(shutsDown: Bool) async throws {
            for _ in 0..<500 {
                weak var descriptors: EpollPoller.Descriptors?
                do {
                    let loop = try EventLoop(label: "test")
                    descriptors = (loop.poller as? EpollPoller)?.descriptors
                    #expect(descriptors != nil)
                    try await loop.run {}
                    if shutsDown { loop.shutdown() }
                }
                while descriptors != nil { await Task.yield() }
            }
        }
    #endif

    @Test("an error names the call and the reason")
    func systemError() {
        #expect(SystemError(code: EMFILE, call: "accept4").description == "accept4: Too many open files (errno 24)")
    }
}

@Suite("A timer heap")
struct TimerHeapTests {
    @Test("gives the earliest first, whatever is inserted and removed", arguments: 1...20)
    func order(seed: UInt64) throws {
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        var generator = SplitMix64(state: seed)
        var heap = TimerHeap()
        var model: [ScheduledTimer] = []
        let start = Duration.zero
        for _ in 0..<500 {
            if Int.random(in: 0..<3, using: &generator) > 0 || model.isEmpty {
                let delay = Duration.milliseconds(Int.random(in: 0..<100, using: &generator))
                let timer = ScheduledTimer(deadline: start + delay, loop: loop) {}
                heap.insert(timer)
                model.append(timer)
            } else if Bool.random(using: &generator) {
                heap.remove(model.remove(at: Int.random(in: 0..<model.count, using: &generator)))
            } else {
                let removed = heap.removeFirst(ifDueAt: start + .seconds(1))
                let first = try #require(removed)
                #expect(first.deadline == model.map(\.deadline).min())
                model.removeAll { $0 === first }
            }
            #expect(heap.earliest == model.map(\.deadline).min())
        }
    }
}

/// A generator whose seed reproduces a run (Steele, Lea and Flood, 2014).
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

private final class SocketPair: Sendable {
    let left: Int32
    let right: Int32

    init() throws {
        var descriptors: [Int32] = [-1, -1]
        #if canImport(Darwin)
            let type = SOCK_STREAM
        #else
            let type = Int32(SOCK_STREAM.rawValue)
        #endif
        guard socketpair(AF_UNIX, type, 0, &descriptors) == 0 else { throw SystemError.last("socketpair") }
        left = descriptors[0]
        right = descriptors[1]
        _ = fcntl(left, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(left)
        close(right)
    }

    /// Sends from the left side until there is no room.
    func fill() {
        let bytes = [UInt8](repeating: 0, count: 4096)
        while send(left, bytes, bytes.count, 0) > 0 {}
    }

    func write(_ bytes: [UInt8]) {
        #expect(send(right, bytes, bytes.count, 0) == bytes.count)
    }
}

private final class Reader: EventHandler {
    var registration: Registration?
    var bytes: [UInt8] = []

    func handle(_ readiness: Readiness) {
        var byte: UInt8 = 0
        if let registration, recv(registration.descriptor, &byte, 1, 0) == 1 { bytes.append(byte) }
    }
}

/// Counts how many of its kind there are.
private final class Witness: EventHandler {
    private let alive: Locked<Int>

    init(_ alive: Locked<Int>) {
        self.alive = alive
        alive.withLock { $0 += 1 }
    }

    deinit { alive.withLock { $0 -= 1 } }

    func handle(_ readiness: Readiness) {}
}

private final class Counter: EventHandler {
    var readiness: [Readiness] = []
    func handle(_ readiness: Readiness) { self.readiness.append(readiness) }
}

private final class Canceller: EventHandler {
    var registration: Registration?
    weak var other: Canceller?
    var calls = 0

    func handle(_ readiness: Readiness) {
        calls += 1
        other?.registration?.cancel()
        registration?.cancel()
    }
}

private final class Hook: TurnEndHook {
    var entries: [String] = []
    var continuation: CheckedContinuation<Void, Never>?

    func turnEnded() {
        guard let continuation else { return }
        entries.append("hook")
        self.continuation = nil
        continuation.resume()
    }
}
