import EventLoop
import Foundation

/// Holds threads until it is opened, and counts who came.
final class Gate: Sendable {
    private let state = Locked((count: 0, isOpen: false))

    /// How many came.
    var count: Int { state.withLock { $0.count } }

    /// Waits until it is open.
    func pass() {
        state.withLock { $0.count += 1 }
        while !state.withLock({ $0.isOpen }) { usleep(1000) }
    }

    /// Lets everybody through.
    func open() { state.withLock { $0.isOpen = true } }
}

/// Waits until something is so, for at most ten seconds.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let start = ContinuousClock.now
    while try await !condition() {
        guard ContinuousClock.now - start < .seconds(10) else { return false }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
