import ArgumentParser
import JulietServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The flags that set settings.
struct SettingsOptions: ParsableArguments {
    /// A key, its value, and the flag's name for messages.
    typealias Flag = (key: String, value: String, flag: String)

    @Option(help: ArgumentHelp("Address to listen on. Default: 127.0.0.1", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("Port to listen on; 0 takes a free one. Default: 8080", valueName: "number"))
    var port: String?

    /// Those that were given.
    var flags: [Flag] {
        [("http.host", host, "--host"), ("http.port", port, "--port")].compactMap { key, value, flag in
            value.map { (key, $0, flag) }
        }
    }
}

/// The settings file.
struct SettingsFileOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The settings file.", discussion: "Default: config/juliet.json, else /etc/juliet/juliet.json.",
            valueName: "file"))
    var config: String?

    private static let defaultFiles = ["config/juliet.json", "/etc/juliet/juliet.json"]

    /// The requested file, or the first that exists; nil: there is none.
    ///
    /// - Throws: `SettingsError` for one that cannot be read.
    func load() throws(SettingsError) -> SettingsFile? {
        let file = config ?? Self.defaultFiles.first { FileManager.default.fileExists(atPath: $0) }
        guard let file else { return nil }
        return try SettingsFile(path: file)
    }
}
