import Foundation

/// Folders that come with the program: in the checkout it is run from, or installed beside it.
enum InstalledFolder {
    /// Finds a folder.
    ///
    /// - Parameters:
    ///   - name: Relative to the checkout, or to `share/juliet`.
    ///   - flag: The flag that names another, for the message.
    /// - Throws: `CommandError` when there is none.
    static func path(_ name: String, flag: String?) throws -> String {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let candidates = [
            name, program?.appending(path: "../share/juliet/\(name)").standardized.path,
            program?.appending(path: name).path,
        ].compactMap { $0 }
        let found = candidates.first { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
        guard let found else {
            throw CommandError("no folder \(name) here\(flag.map { ": name it with \($0)" } ?? "")")
        }
        return found
    }
}
