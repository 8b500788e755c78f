/// The client's end of a connection. Inside turns of its loop only.
class ClientLink {
    private(set) var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var wasReset = false
    private var waiter: UnsafeContinuation<Void, Never>?

    func send(_ bytes: [UInt8]) {}
    func endOutput() {}
    func close(abort: Bool) {}

    /// What has been received since the last call.
    func take() -> [UInt8] {
        defer { received = [] }
        return received
    }

    /// Resumes as soon as there is something to take or nothing will come.
    func notify(_ continuation: UnsafeContinuation<Void, Never>) {
        waiter = continuation
        wake()
    }

    final func deliver(_ bytes: some Collection<UInt8>) {
        received += bytes
        wake()
    }

    final func deliverEnd(reset: Bool) {
        hasEnded = true
        wasReset = wasReset || reset
        wake()
    }

    private func wake() {
        guard let waiter, !received.isEmpty || hasEnded else { return }
        self.waiter = nil
        waiter.resume()
    }
}
