import EventLoop
import HTTPServer
package import Lottery

/// Shows everybody who looks at the lottery the same states, as events: one presenter for all, which runs only while somebody
/// looks.
///
/// Each viewer has room for one event, the newest: who reads slowly misses states, and nobody waits for anybody.
package final class LotteryHub: Sendable {
    /// How many can look at a time. A stream costs its connection and a few hundred bytes.
    static let maximumViewers = 2000
    /// How many of them from one address (IPv6: /64): one client alone leaves room for others.
    static let maximumViewersPerAddress = 100

    /// What the presenter says.
    package typealias States = any AsyncSequence<LotteryViewState, Never> & Sendable

    private struct Viewer {
        /// Where they are counted, if anywhere.
        let address: SocketAddress.IP?
        /// What comes next, if anything does.
        var event: [UInt8]?
        var waiter: CheckedContinuation<[UInt8]?, Never>?
    }

    private struct State {
        var viewers: [Int: Viewer] = [:]
        /// How many look from each address.
        var perAddress: [SocketAddress.IP: Int] = [:]
        var lastNumber = 0
        /// What is true now; nil while nobody looks, and until the presenter has said something.
        var newest: [UInt8]?
        /// Whether nobody looked for a moment: who comes then gets a presenter of their own, which begins anew.
        var isOutdated = false
        var isClosed = false
        /// Waits for the first viewer to come, or for the last one to go.
        var keeper: CheckedContinuation<Void, Never>?
    }

    private let capacity: Int
    private let capacityPerAddress: Int
    private let pulse: Duration
    private let clock: any Clock<Duration>
    private let states: @Sendable () -> States
    private let state = Locked(State())

    /// A hub that nobody looks at. Nothing is shown but during `run()`.
    ///
    /// - Parameters:
    ///   - capacity: How many can look at a time.
    ///   - capacityPerAddress: How many of them from one address.
    ///   - pulse: How often viewers get a comment, so that neither they nor proxies think that they are forgotten.
    ///   - clock: What waits for the pulse.
    ///   - states: Begins with how things stand, each time it is called.
    package init(
        capacity: Int = LotteryHub.maximumViewers,
        capacityPerAddress: Int = LotteryHub.maximumViewersPerAddress, pulse: Duration = .seconds(15),
        clock: any Clock<Duration> = ContinuousClock(), states: @escaping @Sendable () -> States
    ) {
        self.capacity = capacity
        self.capacityPerAddress = capacityPerAddress
        self.pulse = pulse
        self.clock = clock
        self.states = states
    }

    /// How many look.
    package var viewerCount: Int { state.withLock { $0.viewers.count } }

    // MARK: Looking

    /// A place to look from.
    ///
    /// - Parameter address: Who looks; nil: somebody who is not limited.
    /// - Throws: `NoSeat`: none is free.
    func seat(for address: SocketAddress.IP? = nil) throws(NoSeat) -> LotterySeat {
        let address = address?.network
        let (taken, keeper) = state.withLock {
            state -> (Result<Int, NoSeat>, CheckedContinuation<Void, Never>?) in
            guard !state.isClosed, state.viewers.count < capacity else { return (.failure(.allTaken), nil) }
            if let address {
                let count = state.perAddress[address, default: 0]
                guard count < capacityPerAddress else { return (.failure(.addressHasEnough), nil) }
                state.perAddress[address] = count + 1
            }
            state.lastNumber += 1
            state.viewers[state.lastNumber] = Viewer(address: address, event: state.newest)
            return (.success(state.lastNumber), state.viewers.count == 1 ? Self.take(&state.keeper) : nil)
        }
        keeper?.resume()
        return LotterySeat(hub: self, number: try taken.get())
    }

    /// Why somebody gets no place.
    enum NoSeat: Error {
        /// All are taken, or the service stops.
        case allTaken
        /// As many as one address may have are taken from this one.
        case addressHasEnough
    }

    /// Waits for a viewer's next event; nil when there will be none.
    fileprivate func next(_ number: Int) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let (isDue, event) = state.withLock { state -> (Bool, [UInt8]?) in
                guard var viewer = state.viewers[number] else { return (true, nil) }
                let event = viewer.event
                viewer.event = nil
                if event == nil { viewer.waiter = continuation }
                state.viewers[number] = viewer
                return (event != nil, event)
            }
            if isDue { continuation.resume(returning: event) }
        }
    }

    fileprivate func leave(_ number: Int) {
        let (waiter, keeper) = state.withLock {
            state -> (CheckedContinuation<[UInt8]?, Never>?, CheckedContinuation<Void, Never>?) in
            guard let viewer = state.viewers.removeValue(forKey: number) else { return (nil, nil) }
            if let address = viewer.address, let count = state.perAddress[address] {
                state.perAddress[address] = count > 1 ? count - 1 : nil
            }
            return (viewer.waiter, state.viewers.isEmpty ? Self.endShow(&state) : nil)
        }
        waiter?.resume(returning: nil)
        keeper?.resume()
    }

    // MARK: Showing

    /// Shows what goes on, while somebody looks, until the task is cancelled.
    package func run() async {
        while await wait(until: { !$0.viewers.isEmpty }) {
            state.withLock { $0.isOutdated = $0.viewers.isEmpty }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await state in self.states() { self.send(state.event, isState: true) }
                }
                group.addTask { await self.keepAlive() }
                _ = await wait { $0.isOutdated }
                group.cancelAll()
            }
        }
    }

    /// Ends all streams, and lets nobody begin another.
    package func close() {
        let (waiters, keeper) = state.withLock { state in
            let waiters = state.viewers.values.compactMap(\.waiter)
            state.viewers = [:]
            state.perAddress = [:]
            state.isClosed = true
            return (waiters, Self.endShow(&state))
        }
        for waiter in waiters { waiter.resume(returning: nil) }
        keeper?.resume()
    }

    /// - Returns: Who waits for the end of the show.
    private static func endShow(_ state: inout State) -> CheckedContinuation<Void, Never>? {
        state.isOutdated = true
        state.newest = nil
        return take(&state.keeper)
    }

    /// Waits for a change of viewers after which something is true.
    ///
    /// - Returns: false when the task is cancelled.
    private func wait(until isSo: @Sendable (State) -> Bool) async -> Bool {
        while !Task.isCancelled, !state.withLock({ isSo($0) }) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isLate = state.withLock { state in
                        if isSo(state) || Task.isCancelled { return true }
                        state.keeper = continuation
                        return false
                    }
                    if isLate { continuation.resume() }
                }
            } onCancel: {
                state.withLock { Self.take(&$0.keeper) }?.resume()
            }
        }
        return !Task.isCancelled
    }

    private func keepAlive() async {
        while (try? await clock.sleep(for: pulse)) != nil { send(Self.comment, isState: false) }
    }

    /// Gives everybody an event, in the place of one that they have not read; a comment has no such claim.
    private func send(_ event: [UInt8], isState: Bool) {
        let waiters = state.withLock { state -> [CheckedContinuation<[UInt8]?, Never>] in
            guard !state.isOutdated else { return [] }
            if isState { state.newest = event }
            var waiters: [CheckedContinuation<[UInt8]?, Never>] = []
            for (number, viewer) in state.viewers {
                if let waiter = viewer.waiter {
                    waiters.append(waiter)
                    state.viewers[number] = Viewer(address: viewer.address)
                } else if isState || viewer.event == nil {
                    state.viewers[number]?.event = event
                }
            }
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: event) }
    }

    private static let comment = Array(":\n\n".utf8)

    private static func take<Value>(_ value: inout Value?) -> Value? {
        defer { value = nil }
        return value
    }
}

/// Where one viewer looks from. It is given back when it is let go of.
final class LotterySeat: Sendable {
    private let hub: LotteryHub
    private let number: Int

    fileprivate init(hub: LotteryHub, number: Int) {
        self.hub = hub
        self.number = number
    }

    deinit { leave() }

    /// Waits for the next event, the newest at that moment; nil when there will be none. One waits at a time.
    func next() async -> [UInt8]? { await hub.next(number) }

    /// Goes away; who waits for an event waits no longer.
    func leave() { hub.leave(number) }
}
