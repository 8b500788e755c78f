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
    ///
    /// An event names its registration by a slot and the slot's generation, never by address: the kernel may report a
    /// descriptor whose registration is gone. A library such as libpq closes its socket by itself when the peer hangs
    /// up, so that nothing can take it out of the set any more, and while a process that was just forked holds a copy
    /// the socket lives on.
    final class EpollPoller: Poller {
        private static let wakeTag = UInt64.max
        private static let timerTag = UInt64.max - 1
        private static let capacity = 256

        let descriptors: Descriptors
        private let source: any DispatchSourceRead
        private let events: UnsafeMutableBufferPointer<epoll_event>
        private var ready = 0
        private var timerExpired = false
        private var isClosed = false
        private var slots: [Slot] = []
        private var freeSlots: [Int] = []

        let canWait = true

        init(queue: DispatchQueue) throws(SystemError) {
            descriptors = try Descriptors()
            for (descriptor, tag) in [(descriptors.wakeup, Self.wakeTag), (descriptors.timer, Self.timerTag)] {
                var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data_t(u64: tag))
                guard epoll_ctl(descriptors.epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                    throw SystemError.last("epoll_ctl")
                }
            }
            events = .allocate(capacity: Self.capacity)
            source = DispatchSource.makeReadSource(fileDescriptor: descriptors.epoll, queue: queue)
        }

        deinit { events.deallocate() }

        func activate(turn: @escaping @Sendable () -> Void) {
            source.setEventHandler(handler: turn)
            // Keeps them open for as long as Dispatch watches the set.
            source.setCancelHandler { [descriptors] in _ = descriptors }
            source.activate()
        }

        func wake() {
            // Fails only when the counter is full, and then the loop has been woken already.
            var one: UInt64 = 1
            _ = write(descriptors.wakeup, &one, 8)
        }

        func poll(timeoutMilliseconds: Int32) -> Int {
            // A signal that interrupts the wait counts as nothing ready.
            let count = epoll_wait(descriptors.epoll, events.baseAddress, Int32(Self.capacity), timeoutMilliseconds)
            ready = max(0, Int(count))
            return ready
        }

        func dispatchEvents() {
            for index in 0..<ready {
                let event = events[index]
                switch event.data.u64 {
                case Self.wakeTag: break
                case Self.timerTag: timerExpired = true
                default:
                    let slot = slots[Self.slot(of: event.data.u64)]
                    guard slot.tag == event.data.u64 else { break }
                    slot.registration?.handler?.handle(Readiness(epoll: event.events))
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
            timerfd_settime(descriptors.timer, 0, &setting, nil)
        }

        func register(
            _ descriptor: Int32,
            interest: Interest,
            handler: any EventHandler
        ) throws(SystemError) -> Registration {
            guard !isClosed else { throw SystemError(code: EBADF, call: "epoll_ctl") }
            let registration = Registration(descriptor: descriptor, interest: interest, handler: handler, poller: self)
            let slot = freeSlots.popLast() ?? slots.count
            if slot == slots.count { slots.append(Slot(tag: UInt64(slot))) }
            registration.tag = slots[slot].tag
            guard control(EPOLL_CTL_ADD, registration) == 0 else {
                let error = SystemError.last("epoll_ctl")
                registration.handler = nil
                freeSlots.append(slot)
                throw error
            }
            slots[slot].registration = registration
            return registration
        }

        func update(_ registration: Registration) {
            guard !isClosed else { return }
            _ = control(EPOLL_CTL_MOD, registration)
        }

        func remove(_ registration: Registration) {
            guard !isClosed else { return }
            _ = control(EPOLL_CTL_DEL, registration)
            let slot = Self.slot(of: registration.tag)
            slots[slot] = Slot(tag: registration.tag &+ Self.generation)
            freeSlots.append(slot)
        }

        func close() {
            guard !isClosed else { return }
            isClosed = true
            source.cancel()
            ready = 0
            let ended = slots
            slots = []
            for slot in ended { slot.registration?.handler = nil }
        }

        private func control(_ operation: Int32, _ registration: Registration) -> Int32 {
            var event = epoll_event(
                events: registration.interest.epoll,
                data: epoll_data_t(u64: registration.tag)
            )
            return epoll_ctl(descriptors.epoll, operation, registration.descriptor, &event)
        }

        /// A place for one registration at a time.
        private struct Slot {
            /// The slot's number in the low half, in the high half how many registrations it has had.
            let tag: UInt64
            var registration: Registration?
        }

        private static let generation: UInt64 = 1 << 32

        private static func slot(of tag: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: tag)) }

        /// The poller's own descriptors, closed with the last reference: a thread that wakes the loop just when it ends
        /// must not write to whatever has their numbers next.
        final class Descriptors: Sendable {
            let epoll: Int32
            let wakeup: Int32
            let timer: Int32

            init() throws(SystemError) {
                epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
                guard epoll >= 0 else { throw SystemError.last("epoll_create1") }
                wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
                guard wakeup >= 0 else {
                    let error = SystemError.last("eventfd")
                    closeDescriptor(epoll)
                    throw error
                }
                timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
                guard timer >= 0 else {
                    let error = SystemError.last("timerfd_create")
                    closeDescriptor(epoll)
                    closeDescriptor(wakeup)
                    throw error
                }
            }

            deinit {
                closeDescriptor(epoll)
                closeDescriptor(wakeup)
                closeDescriptor(timer)
            }
        }
    }

    extension Interest {
        var epoll: UInt32 {
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
