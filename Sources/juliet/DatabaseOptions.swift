import ArgumentParser
import EventLoop
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
            "Which database: a URL or keyword=value pairs, as libpq takes them.", valueName: "url"))
    var database: String?

    @Option(help: ArgumentHelp("The folder of a running `juliet dev`: its database.", valueName: "dir"))
    var data: String?

    func validate() throws {
        if database != nil, data != nil { throw ValidationError("--database and --data name two databases: give one") }
    }

    /// The database that was asked for, else `DATABASE_URL` (or the file `DATABASE_URL_FILE` names), else whatever
    /// libpq's `PG*` variables say. The password may be in a file that `PGPASSWORD_FILE` names.
    ///
    /// - Parameter applicationName: What the session is called in `pg_stat_activity`.
    func configuration(
        applicationName: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> PostgresConfiguration {
        var configuration = PostgresConfiguration(connectionString: try connectionString(environment))
        configuration.applicationName = applicationName
        if database == nil, data == nil, let file = environment["PGPASSWORD_FILE"] {
            configuration.parameters["password"] = try Self.firstLine(of: file, named: "PGPASSWORD_FILE")
        }
        return configuration
    }

    /// The value of `database.url` that the flags give, and the flag that gives it.
    func flag() throws -> (value: String, flag: String)? {
        if let database { return (database, "--database") }
        guard data != nil else { return nil }
        return try connectionString([:]).map { ($0, "--data") }
    }

    private func connectionString(_ environment: [String: String]) throws -> String? {
        if let database { return database }
        if let data {
            let file = "\(data)/connection"
            guard FileManager.default.fileExists(atPath: file) else {
                throw CommandError("no `juliet dev` runs on \(data): there is no \(file)")
            }
            return try Self.firstLine(of: file, named: "--data")
        }
        if let url = environment["DATABASE_URL"], !url.isEmpty { return url }
        if let file = environment["DATABASE_URL_FILE"] {
            return try Self.firstLine(of: file, named: "DATABASE_URL_FILE")
        }
        return nil
    }

    private static func firstLine(of path: String, named source: String) throws -> String {
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw CommandError("\(source): \(path) cannot be read")
        }
        return String(String(decoding: contents, as: UTF8.self).prefix { !$0.isNewline })
    }
}

/// A failure that one line explains.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
