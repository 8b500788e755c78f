#if canImport(Observation)
    public import Observation

    /// The status of the queue and the session, for views: SwiftUI observes what it reads.
    ///
    /// ```swift
    /// @State private var status = JulietStatus()
    /// // …
    /// Text(status.queue.waiting == 0 ? "Everything is sent." : "\(status.queue.waiting) waiting")
    ///     .task { await status.follow(queue: queue, session: session) }
    /// ```
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @MainActor
    @Observable
    public final class JulietStatus {
        /// The queue's last known status.
        public private(set) var queue = QueueStatus()
        /// Who is signed in, as last known.
        public private(set) var session = Session.State.signedOut

        /// Makes a status that follows nothing yet.
        public nonisolated init() {}

        /// Follows a queue and a session until the task is cancelled or the queue closed.
        ///
        /// - Parameters:
        ///   - queue: Nil: `queue` stays as it is.
        ///   - session: Nil: `session` stays as it is.
        public func follow(queue: RequestQueue? = nil, session: Session? = nil) async {
            await withTaskGroup(of: Void.self) { group in
                if let session {
                    group.addTask { for await state in await session.states() { await self.set(state) } }
                }
                if let queue {
                    for await status in await queue.statuses() { self.queue = status }
                    group.cancelAll()
                }
                await group.waitForAll()
            }
        }

        private func set(_ state: Session.State) { session = state }
    }
#endif
