import CEventLoop
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One Dispatch source per socket and direction, for platforms without epoll.
///
/// Each source watches a descriptor of its own, which its cancel handler closes: Dispatch goes on with a source for a
/// moment after it was cancelled, and a number that was closed and given out again meanwhile would lose events, this
/// loop's or any other's. The descriptor is a copy of the socket's (dup).
///
/// On Linux, where this poller is tested, it is an epoll set with the socket in it. There libdispatch must not see a
/// socket itself: when the peer resets it (EPOLLHUP), libdispatch takes the source out of its lists on the source's queue
/// (`_dispatch_source_invoke2`) instead of on its manager's thread, and the lists have no lock. Then events of other
/// sources are lost, or the manager reads freed memory (`_dispatch_event_loop_drain`). A set is never hung up.
final class DispatchPoller: Poller {
    private let queue: DispatchQueue
    private var timer: (any DispatchSourceTimer)?
    private var watches: [ObjectIdentifier: Watch] = [:]
    private var gathered: [(registration: Registration, readiness: Readiness)] = []
    private var timerExpired = false
    private let wakeSource: any DispatchSourceUserDataOr
    private var turn: (@Sendable () -> Void)?

    let canWait = false

    init(queue: DispatchQueue) {
        self.queue = queue
        wakeSource = DispatchSource.makeUserDataOrSource(queue: queue)
    }

    func activate(turn: @escaping @Sendable () -> Void) {
        self.turn = turn
        wakeSource.setEventHandler(handler: turn)
        wakeSource.activate()
    }

    func wake() { wakeSource.or(data: 1) }

    func poll(timeoutMilliseconds: Int32) -> Int { gathered.count }

    func dispatchEvents() {
        let events = gathered
        gathered = []
        for event in events { event.registration.handler?.handle(event.readiness) }
    }

    func takeTimerExpiry() -> Bool {
        defer { timerExpired = false }
        return timerExpired
    }

    func armTimer(after delay: Duration) {
        guard turn != nil else { return }
        timer?.cancel()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let (seconds, attoseconds) = max(delay, .zero).components
        let nanoseconds = Int(clamping: min(seconds, 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000)
        timer.schedule(deadline: .now() + .nanoseconds(nanoseconds))
        let poller = Unchecked(self)
        timer.setEventHandler {
            poller.value.timerExpired = true
            poller.value.turn?()
        }
        timer.activate()
        self.timer = timer
    }

    func register(
        _ descriptor: Int32,
        interest: Interest,
        handler: any EventHandler
    ) throws(SystemError) -> Registration {
        guard turn != nil else { throw SystemError(code: EBADF, call: "register") }
        let registration = Registration(descriptor: descriptor, interest: interest, handler: handler, poller: self)
        let watch = Watch(registration)
        do throws(SystemError) {
            try follow(watch)
        } catch {
            watch.cancel()
            throw error
        }
        watches[ObjectIdentifier(registration)] = watch
        return registration
    }

    func update(_ registration: Registration) {
        guard let watch = watches[ObjectIdentifier(registration)] else { return }
        do throws(SystemError) {
            try follow(watch)
        } catch {
            // No descriptor is free. The handler must not wait for events that are not watched.
            gathered.append((registration, .error))
            wake()
        }
    }

    func remove(_ registration: Registration) {
        watches.removeValue(forKey: ObjectIdentifier(registration))?.cancel()
    }

    func close() {
        timer?.cancel()
        wakeSource.cancel()
        let ended = watches.values
        watches = [:]
        gathered = []
        turn = nil
        for watch in ended {
            watch.cancel()
            watch.registration.handler = nil
        }
    }

    /// Makes the sources for the registration's interest, and cancels the others.
    private func follow(_ watch: Watch) throws(SystemError) {
        let registration = watch.registration
        if !registration.interest.contains(.read) {
            watch.read?.cancel()
            watch.read = nil
        } else if watch.read == nil {
            let watched = try Self.watched(registration.descriptor, for: .read)
            let source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: queue)
            watch.read = activated(source, on: watched, reporting: .readable, of: registration)
        }
        if !registration.interest.contains(.write) {
            watch.write?.cancel()
            watch.write = nil
        } else if watch.write == nil {
            let watched = try Self.watched(registration.descriptor, for: .write)
            #if os(Linux)
                let source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: queue)
            #else
                let source = DispatchSource.makeWriteSource(fileDescriptor: watched, queue: queue)
            #endif
            watch.write = activated(source, on: watched, reporting: .writable, of: registration)
        }
    }

    #if os(Linux)
        /// A descriptor for one source: an epoll set, readable when the socket is ready.
        private static func watched(_ descriptor: Int32, for interest: Interest) throws(SystemError) -> Int32 {
            let set = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard set >= 0 else { throw SystemError.last("epoll_create1") }
            var event = epoll_event()
            event.events = interest.epoll
            guard epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                let error = SystemError.last("epoll_ctl")
                closeDescriptor(set)
                throw error
            }
            return set
        }
    #else
        /// A descriptor for one source: a copy of the socket's.
        private static func watched(_ descriptor: Int32, for interest: Interest) throws(SystemError) -> Int32 {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw SystemError.last("dup") }
            return copy
        }
    #endif

    private func activated<Source: DispatchSourceProtocol>(
        _ source: Source, on watched: Int32, reporting readiness: Readiness, of registration: Registration
    ) -> Source {
        let poller = Unchecked(self)
        let registration = Unchecked(registration)
        source.setCancelHandler { closeDescriptor(watched) }
        source.setEventHandler {
            poller.value.gathered.append((registration.value, readiness))
            poller.value.turn?()
        }
        source.activate()
        return source
    }

    private final class Watch {
        let registration: Registration
        var read: (any DispatchSourceProtocol)?
        var write: (any DispatchSourceProtocol)?

        init(_ registration: Registration) { self.registration = registration }

        func cancel() {
            read?.cancel()
            write?.cancel()
        }
    }

    private struct Unchecked<Value>: @unchecked Sendable {
        // Invariant: source handlers run on the loop's serial queue, like the turns that made them.
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
