import ArgumentParser
import JulietServer

/// `juliet config`
struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print every setting, its value and where it comes from.",
        discussion: """
            A value comes from the first of: a flag, an environment variable, the settings \
            file, the default. Secrets are hidden; each can be read from a file that its \
            variable with _FILE at the end names.

            \(DatabaseOptions.order)

            An unknown key or a bad value is one line that names it, and exit status 1: run \
            this before you restart a service with changed settings, with --instance for one \
            that systemd runs.
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var instance: InstanceOption
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() async throws {
        try await reportingErrors { Terminal.print(try table()) }
    }

    // Swift 6.3.1 crashes in release where this is inlined: one of the calls throws a typed error.
    @inline(never)
    private func table() throws -> String {
        let database = try instance.applied(to: database)
        return try database.settings(.all, flags: settings.flags + instance.flags).table()
    }
}
