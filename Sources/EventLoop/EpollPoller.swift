#if os(Linux)
    import CEventLoop
    import Dispatch

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    /// An epoll set that holds the sockets, an eventfd for wake-ups and a timerfd, behind one Dispatch source.
    ///
    /// The eventfd and the timerfd are watched edge-triggered, so they are never read.
    final class EpollPoller: Poller {
        private static let wakeTag: UInt64 = 0
        private static let timerTag: UInt64 = 1
        private static let capacity = 256

        private let epoll: Int32
        private let wakeup: Int32
        private let timer: Int32
        private let source: any DispatchSourceRead
        private let events: UnsafeMutableBufferPointer<epoll_event>
        private var ready = 0
        private var timerExpired = false
        private var isClosed = false
        /// Cancelled registrations, which events of this turn may still point to.
        private var cancelled: [Unmanaged<Registration>] = []

        let canWait = true

        init(queue: DispatchQueue) throws(SystemError) {
            epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard epoll >= 0 else { throw SystemError.last("epoll_create1") }
            wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard wakeup >= 0 else {
                let error = SystemError.last("eventfd")
                Self.close([epoll])
                throw error
            }
            timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
            guard timer >= 0 else {
                let error = SystemError.last("timerfd_create")
                Self.close([epoll, wakeup])
                throw error
            }
            for (descriptor, tag) in [(wakeup, Self.wakeTag), (timer, Self.timerTag)] {
                var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data_t(u64: tag))
                guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                    let error = SystemError.last("epoll_ctl")
                    Self.close([epoll, wakeup, timer])
                    throw error
                }
            }
            events = .allocate(capacity: Self.capacity)
            source = DispatchSource.makeReadSource(fileDescriptor: epoll, queue: queue)
        }

        deinit {
            if !isClosed { close() }
            events.deallocate()
        }

        func activate(turn: @escaping @Sendable () -> Void) {
            source.setEventHandler(handler: turn)
            source.setCancelHandler { [epoll, wakeup, timer] in Self.close([epoll, wakeup, timer]) }
            source.activate()
        }

        func wake() {
            // Fails only when the counter is full, and then the loop has been woken already.
            var one: UInt64 = 1
            _ = write(wakeup, &one, 8)
        }

        func poll(timeoutMilliseconds: Int32) -> Int {
            // A signal that interrupts the wait counts as nothing ready.
            ready = max(0, Int(epoll_wait(epoll, events.baseAddress, Int32(Self.capacity), timeoutMilliseconds)))
            return ready
        }

        func dispatchEvents() {
            for index in 0..<ready {
                let event = events[index]
                switch event.data.u64 {
                case Self.wakeTag: break
                case Self.timerTag: timerExpired = true
                default:
                    guard let pointer = event.data.ptr else { break }
                    let registration = Unmanaged<Registration>.fromOpaque(pointer).takeUnretainedValue()
                    registration.handler?.handle(Readiness(epoll: event.events))
                }
            }
            ready = 0
        }

        func takeTimerExpiry() -> Bool {
            defer { timerExpired = false }
            return timerExpired
        }

        func armTimer(after delay: Duration) {
            // Zero would disarm the timer.
            let delay = max(delay, .nanoseconds(1)).components
            var setting = itimerspec()
            setting.it_value.tv_sec = Int(clamping: delay.seconds)
            setting.it_value.tv_nsec = Int((delay.attoseconds + 999_999_999) / 1_000_000_000)
            if setting.it_value.tv_nsec >= 1_000_000_000 {
                setting.it_value.tv_sec += 1
                setting.it_value.tv_nsec -= 1_000_000_000
            }
            timerfd_settime(timer, 0, &setting, nil)
        }

        func register(
            _ descriptor: Int32,
            interest: Interest,
            handler: any EventHandler
        ) throws(SystemError) -> Registration {
            let registration = Registration(descriptor: descriptor, interest: interest, handler: handler, poller: self)
            let unmanaged = Unmanaged.passRetained(registration)
            guard control(EPOLL_CTL_ADD, registration) == 0 else {
                let error = SystemError.last("epoll_ctl")
                registration.handler = nil
                unmanaged.release()
                throw error
            }
            return registration
        }

        func update(_ registration: Registration) {
            _ = control(EPOLL_CTL_MOD, registration)
        }

        func remove(_ registration: Registration) {
            if !isClosed { _ = control(EPOLL_CTL_DEL, registration) }
            cancelled.append(Unmanaged.passUnretained(registration))
        }

        func releaseCancelled() {
            guard !cancelled.isEmpty else { return }
            // Releasing may run a deinit that cancels more.
            let cancelled = cancelled
            self.cancelled = []
            for registration in cancelled { registration.release() }
        }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            source.cancel()
        }

        private func control(_ operation: Int32, _ registration: Registration) -> Int32 {
            var event = epoll_event(
                events: registration.interest.epoll,
                data: epoll_data_t(ptr: Unmanaged.passUnretained(registration).toOpaque())
            )
            return epoll_ctl(epoll, operation, registration.descriptor, &event)
        }

        private static func close(_ descriptors: [Int32]) {
            for descriptor in descriptors { closeDescriptor(descriptor) }
        }
    }

    /// `close(2)` under a name that the poller's own `close` does not hide.
    private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

    extension Interest {
        fileprivate var epoll: UInt32 {
            (contains(.read) ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0) | (contains(.write) ? EPOLLOUT.rawValue : 0)
        }
    }

    extension Readiness {
        fileprivate init(epoll events: UInt32) {
            var readiness: Readiness = []
            if events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
            if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
            if events & EPOLLRDHUP.rawValue != 0 { readiness.insert(.readHangUp) }
            if events & EPOLLHUP.rawValue != 0 { readiness.insert(.hangUp) }
            if events & EPOLLERR.rawValue != 0 { readiness.insert(.error) }
            self = readiness
        }
    }
#endif
