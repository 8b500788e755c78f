#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SchemaCode {
    /// Reads every file of a folder and the folders in it whose name ends in `.sql`; hidden files are ignored.
    ///
    /// - Parameter path: The folder.
    /// - Throws: `MigrationFileError` for the first file that cannot be read or is not code.
    public init(path: String) throws(MigrationFileError) {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            throw MigrationFileError(fileName: path, problem: "this folder cannot be read; name another with --schema")
        }
        var files: [(name: String, contents: [UInt8])] = []
        for name in names.sorted()
        where name.hasSuffix(".sql") && !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            guard let contents = FileManager.default.contents(atPath: "\(path)/\(name)") else {
                throw MigrationFileError(fileName: name, problem: "this file cannot be read")
            }
            files.append((name, [UInt8](contents)))
        }
        try self.init(files: files)
    }
}
