import ArgumentParser
import JulietServer

/// `juliet config`
struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print every setting, its value and where it comes from.",
        discussion: """
            Run this before you restart a service with changed settings. For a service that systemd runs, \
            add --instance. If a key is unknown or a value is bad, it prints one line that names it, and \
            the exit status is 78, or 64 if the value is a flag's.

            A value comes from the first of these that sets it: a flag, an environment variable, the \
            settings file, the default. Secrets are not shown. To read a secret from a file, name the file \
            in its variable with _FILE at the end, such as JULIET_AUTH_TOKENS_FILE.

            \(DatabaseOptions.order)
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var instance: InstanceOption
    @OptionGroup(title: "Database") var database: DatabaseOptions

    func run() async throws {
        try await reportingErrors(wrongSettings: .wrongSettings) { Terminal.print(try table()) }
    }

    // Swift 6.3.1 crashes in release where this is inlined: one of the calls throws a typed error.
    @inline(never)
    private func table() throws -> String {
        let database = try instance.applied(to: database)
        return try database.settings(.all, flags: settings.flags + instance.flags).table()
    }
}
