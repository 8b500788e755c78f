import ArgumentParser
import CoreMetrics
import JulietServer
import Logging

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `juliet serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the game.",
        discussion: """
            \(DatabaseOptions.order) It must have the schema this release knows (`juliet migrate \
            up`) and words (`juliet words import`).

            Any number of these may run side by side on one database. SIGTERM or Ctrl-C stops \
            it: it accepts no more, answers what it has received, and ends.
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() async throws {
        try await reportingErrors {
            // Until the service listens to signals itself there is nothing that would be lost.
            for stop in [SIGTERM, SIGINT] { signal(stop) { _ in _exit(0) } }
            try await Self.serve(try database.settings(.all, flags: settings.flags))
        }
    }

    /// Serves with these settings until the process is told to stop.
    static func serve(
        _ settings: Settings,
        announce: @escaping @Sendable (_ url: String) -> Void = { Terminal.note("listening on \($0)") }
    ) async throws {
        try await server(settings) { announce("http://\($0)") }.run()
    }

    /// The service with these settings, which logs to standard error.
    static func server(_ settings: Settings, announce: @escaping GameServer.Announcement = { _ in }) -> GameServer {
        GameServer(settings: settings, logger: logger(settings), metrics: metrics, announce: announce)
    }

    /// The process's metrics, where libraries that report to swift-metrics find them as well.
    private static let metrics: ServiceMetrics = {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return ServiceMetrics(registry)
    }()

    private static func logger(_ settings: Settings) -> Logger {
        var logger = Logger(label: "juliet") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = settings.logLevel
        return logger
    }
}
