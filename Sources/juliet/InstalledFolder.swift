#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Folders that come with the program: in the checkout it is run from, or installed beside it.
enum InstalledFolder {
    /// Finds a folder.
    ///
    /// - Parameters:
    ///   - name: Relative to the checkout, or to `share/juliet`.
    ///   - flag: The flag that names another, for the message.
    /// - Throws: `CommandError` when there is none.
    static func path(_ name: String, flag: String?) throws -> String {
        let program = executable?.deletingLastPathComponent()
        let candidates = [
            name, program?.appending(path: "../share/juliet/\(name)").standardized.path,
            program?.appending(path: name).path,
        ].compactMap { $0 }
        guard let found = candidates.first(where: { FileKind(path: $0) == .folder }) else {
            throw CommandError("no folder \(name) here\(flag.map { ": name it with \($0)" } ?? "")")
        }
        return found
    }

    /// The program's own file.
    static var executable: URL? {
        #if os(Linux)
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")).map { URL(filePath: $0) }
        #else
            Bundle.main.executableURL?.resolvingSymlinksInPath()
        #endif
    }
}
