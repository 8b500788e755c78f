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
/// Each source watches a descriptor of its own, a copy (dup), which its cancel handler closes: Dispatch goes on with a source
/// for a moment after it was cancelled, and a number that was closed and given out again meanwhile would lose events, this
/// loop's or any other's. Of its own, because libdispatch on Linux keeps one note for each descriptor, and puts a source to
/// read that joins one to write among the writers.
///
/// On Linux libdispatch itself is not safe here, which is one more reason for ``EpollPoller``. When a peer resets a
/// connection that a source watches (EPOLLHUP), libdispatch takes the source out of its lists on the queue of the source
/// (`_dispatch_source_invoke2`, at `_dispatch_unote_needs_delete`) instead of on its manager's thread, and these lists have
/// no lock. Then events of other sources are lost, or the manager reads what was freed (`_dispatch_event_loop_drain`).
/// Nothing that is done to a source prevents it.
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
            // No descriptor is free: the handler must not wait for what nobody watches.
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

    /// Makes the sources that the registration's interest wants, and cancels the others.
    private func follow(_ watch: Watch) throws(SystemError) {
        let registration = watch.registration
        if !registration.interest.contains(.read) {
            watch.read?.cancel()
            watch.read = nil
        } else if watch.read == nil {
            let copy = try Self.copy(of: registration)
            let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
            watch.read = activated(source, on: copy, reporting: .readable, of: registration)
        }
        if !registration.interest.contains(.write) {
            watch.write?.cancel()
            watch.write = nil
        } else if watch.write == nil {
            let copy = try Self.copy(of: registration)
            let source = DispatchSource.makeWriteSource(fileDescriptor: copy, queue: queue)
            watch.write = activated(source, on: copy, reporting: .writable, of: registration)
        }
    }

    /// A descriptor of the same socket, for one source.
    private static func copy(of registration: Registration) throws(SystemError) -> Int32 {
        let copy = fcntl(registration.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError.last("dup") }
        return copy
    }

    private func activated<Source: DispatchSourceProtocol>(
        _ source: Source, on copy: Int32, reporting readiness: Readiness, of registration: Registration
    ) -> Source {
        let poller = Unchecked(self)
        let registration = Unchecked(registration)
        source.setCancelHandler { closeDescriptor(copy) }
        source.setEventHandler {
            poller.value.gathered.append((registration.value, readiness))
            poller.value.turn?()
        }
        source.activate()
        return source
    }

    private final class Watch {
        let registration: Registration
        var read: (any DispatchSourceRead)?
        var write: (any DispatchSourceWrite)?

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
