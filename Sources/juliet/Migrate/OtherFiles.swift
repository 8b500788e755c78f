import Migrations

/// Why a database is not migrated whose migrations are not this program's, by their checksums.
struct OtherFiles: Error, CustomStringConvertible {
    /// The migrations that show it.
    let lines: [SchemaState.Line]
    /// The folder of `juliet dev` that has the database; nil: it is not one's.
    private let folder: String?

    /// - Parameters:
    ///   - state: The program's own migrations and the database; nil is returned if nothing shows other files.
    ///   - folder: The folder of `juliet dev` that has the database.
    init?(_ state: SchemaState, folder: String? = nil) {
        lines = state.ofOtherFiles
        if lines.isEmpty { return nil }
        self.folder = folder
    }

    /// What differs, and what to do.
    var description: String {
        let (some, rest) = (lines.prefix(2).map(\.title).joined(separator: ", "), lines.count - 2)
        let differing = rest > 0 ? "\(some) and \(rest) more" : some
        return
            "this database was migrated with other files than this program's, by their checksums (\(differing)); nothing has changed. \(folder == nil ? "`juliet migrate verify` names all. " : "")\(advice)"
    }

    /// What to do.
    var advice: String {
        guard let folder else {
            return
                "Make a new database for this program, and keep this one, or a whole dump of it, for the program that made it"
        }
        return "Give --data a new folder; \(folder) stays as it is, for the version that made it"
    }
}
