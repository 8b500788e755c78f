import ArgumentParser
import JulietServer
import Logging

/// `juliet serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve the game.",
        discussion: """
            The database is --database, or the running `juliet dev` in --data, or DATABASE_URL, \
            or what libpq's PG* variables say. It must have the schema this release knows \
            (`juliet migrate up`) and words (`juliet words import`).

            Any number of these may run side by side on one database. SIGTERM or Ctrl-C stops \
            it: it accepts no more, answers what it has received, and ends.
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() async throws {
        try await reportingErrors {
            try await Self.serve(try settings.load(database: try database.flag()))
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
        GameServer(settings: settings, logger: logger(settings), announce: announce)
    }

    private static func logger(_ settings: Settings) -> Logger {
        var logger = Logger(label: "juliet") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = settings.logLevel
        return logger
    }
}
