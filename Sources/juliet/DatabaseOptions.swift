import ArgumentParser
import EventLoop
import JulietServer
import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a command finds its database.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Which database: a URL or keyword=value pairs, as libpq takes them. Prefer PGPASSWORD to a password in \
            it, which `ps` shows for a moment.
            """, valueName: "url"))
    var database: String?

    @Option(help: ArgumentHelp("Use the database of the `juliet dev` in this folder.", valueName: "dir"))
    var data: String?

    @OptionGroup var file: SettingsFileOption

    /// Every command's help contains this text.
    static let order = """
        The database is --database, or the running `juliet dev` in --data, or \
        JULIET_DATABASE_URL, or DATABASE_URL, or `database.url` of the settings file, or what \
        libpq's PG* variables say. A variable with _FILE at its end names a file that has the value.
        """

    func validate() throws {
        if database != nil, data != nil { throw ValidationError("--database and --data name two databases: give one") }
    }

    /// The requested database, for a session of its own.
    ///
    /// - Parameter applicationName: The session's name in `pg_stat_activity`.
    /// - Throws: `CommandError`, `SettingsError`.
    func configuration(
        applicationName: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> PostgresConfiguration {
        var configuration = try settings(.database, environment: environment).database
        configuration.applicationName = applicationName
        configuration.sessionSettings["lock_timeout"] = LockedOut.patience
        // Functions that touch secrets run in no other isolation.
        configuration.sessionSettings["default_transaction_isolation"] = "read committed"
        return configuration
    }

    /// Settings, the flags for the database before all others.
    ///
    /// - Parameter flags: More flags that set settings.
    func settings(
        _ part: Settings.Part, flags: [SettingsOptions.Flag] = [],
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> Settings {
        let flags = flags + (try connectionString().map { Self.flags($0.value, $0.flag) } ?? [])
        return try Settings(flags: flags, environment: environment, file: try file.load(), part: part)
    }

    /// Another command on the same database, as it can be typed here. Values from variables need no option; a URL may
    /// contain a password, so it is not shown.
    ///
    /// - Parameter words: The command without the program's name, such as "lottery show".
    func command(_ words: String) -> String {
        let option = database != nil ? " --database URL" : data.map { " --data \(Invocation.quoted($0))" } ?? ""
        return "\(Invocation.program) \(words)\(option)"
    }

    /// The flags that name a database. They name it completely, so a password for another database is not used with it.
    static func flags(_ connectionString: String, _ flag: String) -> [SettingsOptions.Flag] {
        [("database.url", connectionString, flag), ("database.password", "", flag)]
    }

    private func connectionString() throws -> (value: String, flag: String)? {
        if let database { return (database, "--database") }
        guard let data else { return nil }
        let file = "\(data)/connection"
        guard FileManager.default.fileExists(atPath: file) else {
            throw CommandError("no `juliet dev` runs in \(data): there is no \(file)")
        }
        do {
            return (String(try readTextFile(file).prefix { !$0.isNewline }), "--data")
        } catch {
            throw CommandError("--data: cannot read \(file)")
        }
    }
}

/// Runs the body on a session of its own.
func withSession<Value: Sendable>(
    _ configuration: PostgresConfiguration, _ body: (PostgresConnection) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop(label: "juliet")
    defer { loop.shutdown() }
    let connection = try await PostgresConnection.connect(configuration, on: loop)
    do {
        let value = try await body(connection)
        await connection.close()
        return value
    } catch {
        await connection.close()
        throw error
    }
}

/// A failure that one line explains.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
