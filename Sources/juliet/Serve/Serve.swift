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
            \(DatabaseOptions.order) The database must have the schema of this release (`juliet migrate up`) \
            and words (`juliet words import`).

            Any number of services may run on one database. SIGTERM or Ctrl-C stops this one: it accepts no \
            new connections, answers the requests that it has received, and ends.

            Exit status: 0 stopped, 1 error, 64 wrong usage, 78 a setting is wrong.
            """)

    @OptionGroup var settings: SettingsOptions

    @Option(
        help: ArgumentHelp(
            "A Unix socket to listen on instead; systemd: the socket that systemd opened.", valueName: "path"))
    var socket: String?

    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() async throws {
        try await reportingErrors(wrongSettings: .wrongSettings) {
            // Until the service handles signals itself, nothing can be lost.
            for stop in [SIGTERM, SIGINT] { signal(stop) { _ in _exit(0) } }
            let socket = socket.map { [SettingsOptions.Flag("http.socket", $0, "--socket")] } ?? []
            let settings = try database.settings(.all, flags: settings.flags + socket)
            let log = ServiceLog(settings.log)
            defer { log.close() }
            do {
                try await Self.server(settings, log) { log.logger.notice("listening on \($0.place)") }.run()
            } catch {
                // If the log is JSON, the reason is JSON, too.
                guard log.isJSON else { throw error }
                log.logger.critical("\(error)")
                throw ExitCode(after: error, wrongSettings: .wrongSettings)
            }
        }
    }

    /// The service with these settings.
    ///
    /// - Parameter keyCommand: What makes a key for the admin page, as the page says it while nobody has one.
    static func server(
        _ settings: Settings, _ log: ServiceLog, keyCommand: String = GameServer.keyCommand,
        announce: @escaping GameServer.Announcement = { _ in }
    ) -> GameServer {
        // They must not end the process before the service handles them.
        for change in [SIGUSR1, SIGUSR2] { signal(change, SIG_IGN) }
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return GameServer(
            settings: settings, logger: log.logger, level: log.level,
            metrics: ServiceMetrics(registry, droppedLines: { log.droppedLines }), keyCommand: keyCommand,
            announce: announce)
    }
}
