import Dispatch
import EventLoop

/// One thread for work that would hold an event loop up, and places to wait for it.
final class Worker: Sendable {
    private let queue: DispatchQueue
    private let free: Locked<Int>

    /// - Parameter places: How many can wait or be at work at the same time.
    init(label: String, places: Int) {
        queue = DispatchQueue(label: label)
        free = Locked(places)
    }

    /// Does work when its turn comes.
    ///
    /// - Returns: nil: all places are taken.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let hasPlace = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        guard hasPlace else { return nil }
        return await withCheckedContinuation { continuation in
            queue.async { [self] in
                let value = work()
                free.withLock { $0 += 1 }
                continuation.resume(returning: value)
            }
        }
    }
}
