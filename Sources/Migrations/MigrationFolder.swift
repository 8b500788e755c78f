#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder that holds the migrations' files.
public enum MigrationFolder {
    /// Reads every migration in a folder.
    ///
    /// Files whose names do not end in `.sql`, and hidden ones, are passed over.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The migrations by ascending version.
    /// - Throws: `MigrationFileError` for the first file, by name, that cannot be read or is not a migration, for two
    ///   files of one version, and for a folder that cannot be read.
    public static func load(path: String) throws(MigrationFileError) -> [Migration] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw MigrationFileError(
                fileName: path, problem: "this folder cannot be read; name another with --migrations")
        }
        var migrations: [Migration] = []
        for name in names.filter({ $0.hasSuffix(".sql") && !$0.hasPrefix(".") }).sorted() {
            guard let contents = FileManager.default.contents(atPath: "\(path)/\(name)") else {
                throw MigrationFileError(fileName: name, problem: "this file cannot be read")
            }
            migrations.append(try Migration(fileName: name, contents: [UInt8](contents)))
        }
        return try ordered(migrations)
    }

    /// Migrations from the text of their files.
    ///
    /// - Parameter files: Their names and contents in UTF-8.
    /// - Returns: The migrations by ascending version.
    /// - Throws: `MigrationFileError` for anything that is not a migration, and for two with the same version.
    public static func migrations(
        _ files: [(name: String, contents: [UInt8])]
    ) throws(MigrationFileError) -> [Migration] {
        var migrations: [Migration] = []
        for (name, contents) in files { migrations.append(try Migration(fileName: name, contents: contents)) }
        return try ordered(migrations)
    }

    /// The migrations by ascending version.
    ///
    /// - Throws: `MigrationFileError` when two have the same version, because their order is not known.
    static func ordered(_ migrations: [Migration]) throws(MigrationFileError) -> [Migration] {
        let ordered = migrations.sorted { ($0.version, $0.fileName) < ($1.version, $1.fileName) }
        for (earlier, later) in zip(ordered, ordered.dropFirst()) where earlier.version == later.version {
            throw MigrationFileError(
                fileName: later.fileName, problem: "has the number of \(earlier.fileName): renumber the newer one")
        }
        return ordered
    }

    /// Writes the skeleton of a new migration, numbered one past the newest.
    ///
    /// - Parameters:
    ///   - name: What it does, in words: letters, digits, blanks, hyphens and underscores.
    ///   - path: The folder.
    /// - Returns: The name of the file.
    /// - Throws: `MigrationFileError`, nothing written.
    public static func create(name: String, path: String) throws(MigrationFileError) -> String {
        let words = name.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }
        let newest = try load(path: path).last?.version ?? 0
        let number = String(newest + 1)
        let padding = String(repeating: "0", count: max(0, 4 - number.count))
        let fileName = "\(padding)\(number)_\(words.joined(separator: "_")).sql"
        guard Migration.split(fileName: fileName) != nil else {
            throw MigrationFileError(fileName: fileName, problem: "a name is made of letters a to z, digits and blanks")
        }
        let frame = """
            -- Why: say here what this changes and why.
            -- migrate:backward-incompatible
            -- migrate:up

            -- migrate:down

            """
        guard
            FileManager.default.createFile(atPath: "\(path)/\(fileName)", contents: Data(frame.utf8))
        else {
            throw MigrationFileError(fileName: fileName, problem: "this file cannot be written in \(path)")
        }
        return fileName
    }
}
