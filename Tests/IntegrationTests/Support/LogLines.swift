import EventLoop
import Logging

/// What a service has logged.
final class LogLines: Sendable {
    private let lines = Locked<[(text: String, metadata: String)]>([])

    /// The lines so far, each with its level: "warning: ...".
    var all: [String] { lines.withLock { $0.map(\.text) } }

    /// Waits for lines that contain a text, for 30 s at most.
    ///
    /// - Returns: Whether they came.
    func wait(for text: String, times: Int = 1) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if all.count(where: { $0.contains(text) }) >= times { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// The lines so far, each with what goes with it: `debug: ... ["request": "..."]`.
    var details: [String] { lines.withLock { $0.map { "\($0.text) \($0.metadata)" } } }

    /// A logger that writes here, from `info` on.
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    /// A logger that writes everything here.
    var tracer: Logger {
        var logger = logger
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = "\(metadata) \(event.metadata ?? [:])"
            lines.lines.withLock { $0.append(("\(event.level): \(event.message)", metadata)) }
        }
    }
}
