#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import UIKit

    /// Keeps an app of iOS running for a while after it has left the screen: `UIApplication.beginBackgroundTask`.
    ///
    /// ```swift
    /// QueueConfiguration(backgroundTime: ApplicationBackgroundTime())
    /// ```
    ///
    /// The system gives about half a minute each time the app leaves the screen. When it takes the time back, the task ends,
    /// and the system suspends the app. The queue is not stopped for that: what was under way fails when the app goes on,
    /// because its connection is dead, and is tried again under the same name; an answer that did come counts, because the
    /// service has done it. If requests still wait when the app comes back, time is asked for anew. Extensions of an app have no
    /// such time.
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
            private var observer: (any NSObjectProtocol)?

            nonisolated init(name: String) {
                self.name = name
            }

            func begin() {
                if observer == nil {
                    // Time that was taken back is asked for again when the app has come back to the screen.
                    observer = NotificationCenter.default.addObserver(
                        forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
                    ) { [weak self] _ in
                        guard let self else { return }
                        MainActor.assumeIsolated { self.take() }
                    }
                }
                take()
            }

            func end() {
                if let observer { NotificationCenter.default.removeObserver(observer) }
                observer = nil
                giveBack()
            }

            private func take() {
                guard identifier == .invalid else { return }
                identifier = UIApplication.shared.beginBackgroundTask(withName: name) {
                    // The system calls this on the main thread, and ends the app if the task goes on. Kept until the task has ended,
                    // also when the queue is gone.
                    MainActor.assumeIsolated { self.giveBack() }
                }
            }

            private func giveBack() {
                guard identifier != .invalid else { return }
                UIApplication.shared.endBackgroundTask(identifier)
                identifier = .invalid
            }
        }
    }
#endif
