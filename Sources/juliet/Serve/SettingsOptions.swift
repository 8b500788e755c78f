import ArgumentParser
import JulietServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The flags that set settings, and the file the others are in.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address to listen on. Default: 127.0.0.1", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("Port to listen on; 0 takes a free one. Default: 8080", valueName: "number"))
    var port: String?

    @Option(
        help: ArgumentHelp(
            "The settings file. Default: config/juliet.json, if there is one.",
            discussion: "`juliet config` lists the keys.", valueName: "file"))
    var config: String?

    private static let defaultFile = "config/juliet.json"

    /// All settings, from flags, environment, file and defaults.
    ///
    /// - Parameters:
    ///   - database: `database.url` and the flag that says it, if one does.
    ///   - environment: The environment variables; by default the process's own.
    /// - Throws: `SettingsError` for the first unknown key or bad value, or a file that cannot be read.
    func load(
        database: (value: String, flag: String)? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(SettingsError) -> Settings {
        var flags: [(key: String, value: String, flag: String)] = []
        if let host { flags.append(("http.host", host, "--host")) }
        if let port { flags.append(("http.port", port, "--port")) }
        if let database { flags.append(("database.url", database.value, database.flag)) }
        var file: SettingsFile?
        if let config {
            file = try SettingsFile(path: config)
        } else if FileManager.default.fileExists(atPath: Self.defaultFile) {
            file = try SettingsFile(path: Self.defaultFile)
        }
        return try Settings(flags: flags, environment: environment, file: file)
    }
}
