import ArgumentParser
import JulietServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An instance that systemd runs: the settings that packaging/juliet@.service reads from /etc/juliet.
struct InstanceOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the settings of the systemd instance on this port, and ignore this shell's variables.",
            discussion: """
                They are in juliet.json, juliet.env and juliet-<port>.env in /etc/juliet, or in the folder of \
                --config. You may have to be root to read the last two.
                """,
            valueName: "port"))
    var instance: UInt16?

    /// What the unit itself sets, `Environment=`.
    private static let unit = ["JULIET_HTTP_SOCKET": "systemd", "JULIET_HTTP_SHUTDOWN_NOTICE": "2s"]

    /// The flags that the unit gives to `juliet serve`.
    var flags: [SettingsOptions.Flag] { instance.map { [("http.port", "\($0)", "--instance")] } ?? [] }

    /// Replaces this process's variables for Juliet and libpq by those of the instance.
    ///
    /// - Returns: The options with the settings file of the instance; unchanged where none was named.
    /// - Throws: `CommandError` for a file that cannot be read.
    func applied(to options: DatabaseOptions) throws -> DatabaseOptions {
        guard let instance else { return options }
        var options = options
        let settings = options.file.config ?? "/etc/juliet/juliet.json"
        options.file.config = settings
        var variables = Self.unit
        let folder = URL(fileURLWithPath: settings).deletingLastPathComponent().path
        for file in ["\(folder)/juliet.env", "\(folder)/juliet-\(instance).env"]
        where FileManager.default.fileExists(atPath: file) {
            let read: EnvironmentFile
            do {
                read = EnvironmentFile(try readTextFile(file))
            } catch {
                throw CommandError("cannot read \(file): \(error)")
            }
            for name in read.ignored { Terminal.note("\(file): systemd ignores \(Invocation.quoted(name))") }
            variables.merge(read.variables) { $1 }
        }
        for name in ProcessInfo.processInfo.environment.keys where Self.isOurs(name) { unsetenv(name) }
        for (name, value) in variables { setenv(name, value, 1) }
        return options
    }

    private static func isOurs(_ name: String) -> Bool {
        ["JULIET_", "DATABASE_URL", "PG"].contains { name.hasPrefix($0) }
    }
}
