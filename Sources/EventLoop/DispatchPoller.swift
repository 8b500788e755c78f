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
/// Sources watch a copy of the descriptor (dup) that is closed when the last of them is cancelled: Dispatch goes on with a
/// source for a moment after that, and a number that was closed and given out again meanwhile would lose events, this
/// loop's or any other's.
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
        let copy = try DescriptorCopy(of: descriptor)
        let registration = Registration(descriptor: descriptor, interest: interest, handler: handler, poller: self)
        watches[ObjectIdentifier(registration)] = Watch(registration, copy)
        update(registration)
        return registration
    }

    func update(_ registration: Registration) {
        guard let watch = watches[ObjectIdentifier(registration)] else { return }
        if registration.interest.contains(.read), watch.read == nil {
            let source = DispatchSource.makeReadSource(fileDescriptor: watch.copy.descriptor, queue: queue)
            watch.read = activated(source, reporting: .readable, of: watch)
        } else if !registration.interest.contains(.read) {
            watch.read?.cancel()
            watch.read = nil
        }
        if registration.interest.contains(.write), watch.write == nil {
            let source = DispatchSource.makeWriteSource(fileDescriptor: watch.copy.descriptor, queue: queue)
            watch.write = activated(source, reporting: .writable, of: watch)
        } else if !registration.interest.contains(.write) {
            watch.write?.cancel()
            watch.write = nil
        }
    }

    func remove(_ registration: Registration) {
        guard let watch = watches.removeValue(forKey: ObjectIdentifier(registration)) else { return }
        watch.read?.cancel()
        watch.write?.cancel()
    }

    func close() {
        timer?.cancel()
        wakeSource.cancel()
        let ended = watches.values
        watches = [:]
        gathered = []
        turn = nil
        for watch in ended {
            watch.read?.cancel()
            watch.write?.cancel()
            watch.registration.handler = nil
        }
    }

    private func activated<Source: DispatchSourceProtocol>(
        _ source: Source,
        reporting readiness: Readiness,
        of watch: Watch
    ) -> Source {
        let poller = Unchecked(self)
        let registration = Unchecked(watch.registration)
        source.setCancelHandler { [copy = watch.copy] in _ = copy }
        source.setEventHandler {
            poller.value.gathered.append((registration.value, readiness))
            poller.value.turn?()
        }
        source.activate()
        return source
    }

    private final class Watch {
        let registration: Registration
        let copy: DescriptorCopy
        var read: (any DispatchSourceRead)?
        var write: (any DispatchSourceWrite)?

        init(_ registration: Registration, _ copy: DescriptorCopy) {
            self.registration = registration
            self.copy = copy
        }
    }

    /// A descriptor of the same socket, closed with the last reference.
    private final class DescriptorCopy: Sendable {
        let descriptor: Int32

        init(of descriptor: Int32) throws(SystemError) {
            self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard self.descriptor >= 0 else { throw SystemError.last("dup") }
        }

        deinit { closeDescriptor(descriptor) }
    }

    private struct Unchecked<Value>: @unchecked Sendable {
        // Invariant: source handlers run on the loop's serial queue, like the turns that made them.
        let value: Value
        init(_ value: Value) { self.value = value }
    }
}
