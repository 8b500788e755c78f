import EventLoop

/// Takes a session's notifications from libpq as they come, and hands them to one who waits. Inside turns of its loop
/// only.
final class NotificationInbox {
    /// Why a wait ended.
    enum Wake: Sendable {
        case event(PostgresNotificationEvent)
        /// The session is lost, and everything that came from it has been taken.
        case lost
        /// Nothing came for as long as was to be waited.
        case idle
        case cancelled
    }

    private var buffer: NotificationBuffer
    private var connection: Connection?
    private var waiter: ((Wake) -> Void)?
    private var timer: ScheduledTimer?
    private var isCancelled = false

    init(limit: Int) { buffer = NotificationBuffer(limit: limit) }

    /// Takes from this session from now on.
    func attach(_ connection: Connection) {
        self.connection = connection
        connection.onInput = { [weak self] in self?.take() }
        take()
    }

    /// Says that everything that comes from now on is heard.
    func announce(_ cause: PostgresNotificationEvent.Cause) { buffer.mayHaveMissed(cause) }

    /// Waits for the next event. One waiter at a time.
    func wait(atMost limit: Duration, _ waiter: @escaping (Wake) -> Void) {
        self.waiter = waiter
        wake()
        guard self.waiter != nil, let loop = connection?.loop else { return }
        timer = loop.schedule(after: limit) { [weak self] in self?.end(.idle) }
    }

    /// Ends the wait, and every later one.
    func cancel() {
        isCancelled = true
        wake()
    }

    private func take() {
        while let notification = connection?.handle.nextNotification() { buffer.append(notification) }
        wake()
    }

    private func wake() {
        guard waiter != nil else { return }
        if isCancelled {
            end(.cancelled)
        } else if let event = buffer.next() {
            end(.event(event))
        } else if connection?.isClosed != false {
            end(.lost)
        }
    }

    private func end(_ wake: Wake) {
        timer?.cancel()
        timer = nil
        let waiting = waiter
        waiter = nil
        waiting?(wake)
    }
}
