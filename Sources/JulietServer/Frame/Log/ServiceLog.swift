import CEventLoop
import JulietAPI
package import Logging
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The log of a process, on standard error.
package final class ServiceLog: Sendable {
    /// The lowest level that is logged. It may change at any moment.
    package let level: LogLevel
    /// Whether lines are JSON.
    package let isJSON: Bool

    private let writer: LogWriter

    /// Logs as the settings say.
    package init(_ settings: LogSettings) {
        level = LogLevel(settings.level)
        isJSON = settings.format == .json || settings.format == .auto && isatty(2) == 0
        writer = LogWriter(to: 2, isJSON: isJSON)
    }

    /// Logs here.
    package var logger: Logger {
        let (writer, level) = (writer, level)
        return Logger(label: "juliet") { _ in ServiceLogHandler(writer: writer, level: level) }
    }

    /// How many lines were dropped.
    package var droppedLines: Int { writer.droppedCount }

    /// Writes the waiting lines; lines that are logged afterwards are lost.
    package func close() { writer.close() }
}

/// The lowest level that a process logs.
package final class LogLevel: Sendable {
    private let place: Atomic<Int>

    /// Starts at a level.
    package init(_ level: Logger.Level) { place = Atomic(Self.place(of: level)) }

    /// The level now.
    package var now: Logger.Level {
        get { Logger.Level.allCases[place.load(ordering: .relaxed)] }
        set { place.store(Self.place(of: newValue), ordering: .relaxed) }
    }

    /// Logs one level more, down to everything.
    package func more() { now = Logger.Level.allCases[max(0, Self.place(of: now) - 1)] }

    /// Logs one level less; what is critical stays.
    package func less() { now = Logger.Level.allCases[min(Logger.Level.allCases.count - 1, Self.place(of: now) + 1)] }

    /// From trace, 0, to critical.
    private static func place(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}

/// Passes log lines to the writer. All loggers have the level of the process.
private struct ServiceLogHandler: LogHandler {
    let writer: LogWriter
    let level: LogLevel
    var metadata: Logger.Metadata = [:]

    init(writer: LogWriter, level: LogLevel) {
        self.writer = writer
        self.level = level
    }

    var logLevel: Logger.Level {
        get { level.now }
        set { level.now = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = event.metadata.map { self.metadata.merging($0) { _, new in new } } ?? self.metadata
        writer.write(
            LogLine(time: .now, level: event.level, message: event.message.description, metadata: metadata))
    }
}

extension V2.Timestamp {
    /// This moment.
    static var now: Self { Self(microsecondsSince1970: Int64(c_wall_nanoseconds() / 1000)) }
}
