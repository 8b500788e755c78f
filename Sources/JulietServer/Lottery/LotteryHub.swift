import EventLoop
import HTTPServer
package import Lottery

/// Sends all viewers of the lottery the same states, as events: one presenter for all, which runs only while there is a
/// viewer.
///
/// Each viewer has a buffer of one event, the newest: a slow reader misses states, and nobody waits for anybody.
package final class LotteryHub: Sendable {
    /// How many viewers there can be at a time. A stream costs its connection and a few hundred bytes.
    static let maximumViewers = 2000
    /// How many of them from one address (IPv6: /64): so that one client leaves room for others.
    static let maximumViewersPerAddress = 100

    /// The presenter's states.
    package typealias States = any AsyncSequence<LotteryViewState, Never> & Sendable

    private struct Viewer {
        /// The address that they are counted under, if any.
        let address: SocketAddress.IP?
        /// The next event, if there is one.
        var event: [UInt8]?
        var waiter: CheckedContinuation<[UInt8]?, Never>?
    }

    private struct State {
        var viewers: [Int: Viewer] = [:]
        /// How many viewers each address has.
        var perAddress: [SocketAddress.IP: Int] = [:]
        var lastNumber = 0
        /// The current state; nil while there are no viewers, and until the presenter has sent the first state.
        var newest: [UInt8]?
        /// Whether there was no viewer for a moment: the next viewer gets a new presenter, which starts again.
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

    /// A hub without viewers. It sends states only during `run()`.
    ///
    /// - Parameters:
    ///   - capacity: How many viewers there can be at a time.
    ///   - capacityPerAddress: How many of them from one address.
    ///   - pulse: How often viewers get a comment, so that neither they nor proxies take the connection for dead.
    ///   - clock: What waits for the pulse.
    ///   - states: Begins with the current state each time it is called.
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

    /// The number of viewers.
    package var viewerCount: Int { state.withLock { $0.viewers.count } }

    // MARK: Looking

    /// A place for a viewer.
    ///
    /// - Parameter address: The viewer's address; nil: the viewer is not limited.
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

    /// Why a viewer gets no place.
    enum NoSeat: Error {
        /// All are taken, or the service stops.
        case allTaken
        /// This address has as many as it may have.
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

    /// Sends states while there are viewers, until the task is cancelled.
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

    /// Ends all streams, and refuses new ones.
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

    /// - Returns: The continuation that waits for the end of the show.
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

    /// Gives all viewers an event, which replaces one that they have not read. A comment does not replace one.
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

/// The place of one viewer. It becomes free when the value is released.
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

    /// Frees the place; a waiting call of `next()` ends.
    func leave() { hub.leave(number) }
}
