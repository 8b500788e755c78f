#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    /// Keeps an app of iOS running for a while after it has left the screen: `UIApplication.beginBackgroundTask`.
    ///
    /// ```swift
    /// QueueConfiguration(backgroundTime: ApplicationBackgroundTime())
    /// ```
    ///
    /// When the system takes the time back, the task ends in time, and interrupted requests are tried again in the next
    /// launch. Extensions of an app have no such time.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    public final class ApplicationBackgroundTime: BackgroundTime {
        private let task: BackgroundTask

        /// Makes one; each queue needs its own.
        ///
        /// - Parameter name: What debuggers call the task.
        public init(name: String = "Juliet") {
            task = BackgroundTask(name: name)
        }

        /// Asks the system for time.
        public func begin() {
            // In order, because a queue calls one after the other.
            DispatchQueue.main.async { [task] in MainActor.assumeIsolated { task.begin() } }
        }

        /// Gives it back.
        public func end() {
            DispatchQueue.main.async { [task] in MainActor.assumeIsolated { task.end() } }
        }

        @MainActor
        private final class BackgroundTask {
            private let name: String
            private var identifier = UIBackgroundTaskIdentifier.invalid

            nonisolated init(name: String) {
                self.name = name
            }

            func begin() {
                guard identifier == .invalid else { return }
                identifier = UIApplication.shared.beginBackgroundTask(withName: name) {
                    // The system calls this on the main thread, and ends the app if the task goes on. Kept until the task has ended,
                    // also when the queue is gone.
                    MainActor.assumeIsolated { self.end() }
                }
            }

            func end() {
                guard identifier != .invalid else { return }
                UIApplication.shared.endBackgroundTask(identifier)
                identifier = .invalid
            }
        }
    }
#endif
