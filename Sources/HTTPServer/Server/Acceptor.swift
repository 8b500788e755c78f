import EventLoop

/// Accepts connections on one loop and hands them out to all. Inside turns of its loop only.
final class Acceptor: EventHandler {
    private let descriptor: Int32
    private let loop: EventLoop
    private let admission: Admission
    private let acceptNext: (Int32) -> Sockets.Accepted
    private let adopt: (Int32, SocketAddress, Admission.Verdict) -> Void
    private var registration: Registration?
    private var timer: ScheduledTimer?

    /// How many connections are accepted at a time, so that a flood of new ones leaves the loop time for the others.
    private static let acceptsPerTurn = 64
    /// How long accepting pauses when there is no room: for connections, for descriptors, or in memory.
    private static let pause = Duration.milliseconds(50)

    /// - Parameters:
    ///   - acceptNext: The system call.
    ///   - adopt: Takes over an accepted socket.
    init(
        descriptor: Int32, loop: EventLoop, admission: Admission,
        acceptNext: @escaping (Int32) -> Sockets.Accepted = Sockets.accept,
        adopt: @escaping (Int32, SocketAddress, Admission.Verdict) -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.admission = admission
        self.acceptNext = acceptNext
        self.adopt = adopt
    }

    func start() throws(SystemError) {
        registration = try loop.register(descriptor, interest: .read, handler: self)
    }

    func handle(_ readiness: Readiness) {
        for _ in 0..<Self.acceptsPerTurn {
            guard !admission.isFull else { return pause() }
            guard accept() else { return }
        }
    }

    /// Accepts the connections that wait already, and stops listening.
    func stop() {
        guard let registration else { return }
        while accept() {}
        // Done after the last attempt, which arms the timer if there is no descriptor.
        timer?.cancel()
        registration.cancel()
        self.registration = nil
        Sockets.close(descriptor)
    }

    /// Gives up a start that failed elsewhere: connections that wait already are refused.
    ///
    /// - Returns: Whether it had started, and has closed its socket.
    func abandon() -> Bool {
        guard let registration else { return false }
        timer?.cancel()
        registration.cancel()
        self.registration = nil
        Sockets.close(descriptor)
        return true
    }

    /// Accepts one connection.
    ///
    /// - Returns: Whether there may be another.
    private func accept() -> Bool {
        switch acceptNext(descriptor) {
        case .connection(let connection, let address): adopt(connection, address, admission.admit(address))
        case .retry: break
        case .none: return false
        case .exhausted:
            pause()
            return false
        }
        return true
    }

    /// The listener stays readable while nobody can be accepted, so it is not watched for a while.
    private func pause() {
        registration?.setInterest([])
        timer?.cancel()
        timer = loop.schedule(after: Self.pause) { [unowned self] in
            registration?.setInterest(.read)
        }
    }
}
