import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// How a loop learns of ready sockets.
public enum PollingMechanism: Sendable, CaseIterable {
    #if os(Linux)
        /// One epoll set per loop behind one Dispatch source: a busy loop asks the kernel itself, once for all sockets.
        case epoll
    #endif
    /// One Dispatch source per socket and direction: works on every platform with Dispatch. It costs 5 to 9 µs of
    /// CPU more per wake-up than an epoll set, and a hang-up is reported only as readiness to read or write.
    case dispatchSources

    /// The cheapest mechanism of the platform.
    public static var platformDefault: PollingMechanism {
        #if os(Linux)
            .epoll
        #else
            .dispatchSources
        #endif
    }

    func makePoller(queue: DispatchQueue) throws(SystemError) -> any Poller {
        switch self {
        #if os(Linux)
            case .epoll: try EpollPoller(queue: queue)
        #endif
        case .dispatchSources: DispatchPoller(queue: queue)
        }
    }
}

/// The loop's interface to the kernel. All functions are called inside turns, except `wake`.
protocol Poller: AnyObject {
    /// Whether ``poll(timeoutMilliseconds:)`` can wait; if not, the loop ends its turn when it has nothing to do.
    var canWait: Bool { get }

    /// Starts to call `turn` on the queue whenever there is something to poll.
    func activate(turn: @escaping @Sendable () -> Void)

    /// Starts a turn, or wakes the waiting one. From any thread.
    func wake()

    /// Gathers what is ready, waiting for it at most so long.
    ///
    /// - Returns: How many events there are, with wake-ups and the timer.
    func poll(timeoutMilliseconds: Int32) -> Int

    /// Calls the handlers of what the last poll gathered.
    func dispatchEvents()

    /// Whether the armed timer has fired since the last call.
    func takeTimerExpiry() -> Bool

    /// Arms the one timer, replacing what was armed.
    func armTimer(after delay: Duration)

    func register(
        _ descriptor: Int32,
        interest: Interest,
        handler: any EventHandler
    ) throws(SystemError) -> Registration
    func update(_ registration: Registration)
    func remove(_ registration: Registration)

    /// Ends the poller: no handler is called any more, and all are released. It is called on the queue; later calls do nothing.
    func close()
}

/// `close(2)` under a name that a poller's own `close` does not hide.
func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }
