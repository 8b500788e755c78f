#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The command that runs this program from the current folder. Commands that are printed for pasting begin with it.
enum Invocation {
    /// `juliet` if the `PATH` finds this program by that name; otherwise its shortest path.
    static let program: String = {
        guard let executable = executable?.path else { return "juliet" }
        let here = FileManager.default.currentDirectoryPath
        func leadsThere(_ path: String) -> Bool {
            URL(filePath: path).resolvingSymlinksInPath().path == executable
        }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        if path.split(separator: ":").contains(where: { leadsThere("\($0)/juliet") }) { return "juliet" }
        // The package manager's names for the folders of its builds.
        for short in [".build/release/juliet", ".build/debug/juliet"] where leadsThere("\(here)/\(short)") {
            return short
        }
        return quoted(executable.hasPrefix("\(here)/") ? String(executable.dropFirst(here.count + 1)) : executable)
    }()

    /// This program's file, links resolved.
    static var executable: URL? {
        #if os(Linux)
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map { URL(filePath: $0) }
        #else
            Bundle.main.executableURL?.resolvingSymlinksInPath()
        #endif
    }

    /// Where a page for operators is: beside the program if it is installed, otherwise in the sources.
    static func page(_ name: String) -> String {
        let installed = executable?.deletingLastPathComponent().appending(path: "../share/doc/juliet/\(name)")
            .standardized.path
        return installed.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil } ?? "docs/\(name)"
    }

    /// An argument, quoted for a shell.
    static func quoted(_ argument: String) -> String {
        let plain = argument.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_@%+=:,./-".contains($0)) }
        return plain && !argument.isEmpty ? argument : "'\(argument.replacing("'", with: "'\\''"))'"
    }
}
