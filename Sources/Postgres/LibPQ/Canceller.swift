import CLibPQ
import Dispatch

/// Owns one `PGcancel`: what it takes to ask the server to stop a session's current statement.
///
/// It holds a copy of the address and the key, so it may outlive the connection, and `PQcancel` may run on any thread.
@safe final class Canceller: @unchecked Sendable {
    // Invariant: the pointer is constant and what it points to is only read (libpq, "Canceling Queries in Progress").
    private let pointer: OpaquePointer

    @unsafe init(_ pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe PQfreeCancel(pointer) }

    /// Sends the request from a thread where it may block: libpq 15 knows no other way.
    ///
    /// - Parameter completion: Called on that thread, when the server has passed the request on or cannot be reached.
    func send(completion: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async {
            unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
                // A failure needs no answer: the deadline for the cancellation drops the connection.
                _ = unsafe PQcancel(self.pointer, buffer.baseAddress, Int32(buffer.count))
            }
            completion()
        }
    }
}
