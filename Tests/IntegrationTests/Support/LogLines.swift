import EventLoop
import Logging

/// What a service has logged.
final class LogLines: Sendable {
    private let lines = Locked<[String]>([])

    /// The lines so far, each with its level: "warning: ...".
    var all: [String] { lines.withLock { $0 } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}
