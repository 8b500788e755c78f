import Migrations

/// Why a database is not migrated whose migrations are not this program's, by their checksums.
struct OtherFiles: Error, CustomStringConvertible {
    /// The migrations, by file.
    private let names: [String]
    /// The folder of `juliet dev` that has the database; nil: it is not one's.
    private let folder: String?

    /// - Parameters:
    ///   - error: Why a run stopped; nil is returned for any other reason.
    ///   - folder: The folder of `juliet dev` that has the database.
    init?(_ error: any Error, folder: String? = nil) {
        guard case .refused(.drift(let lines))? = error as? MigrationError else { return nil }
        names = lines.filter { $0.status == .edited }.map(\.title)
        if names.isEmpty { return nil }
        self.folder = folder
    }

    /// What differs, and what to do.
    var description: String {
        let (some, rest) = (names.prefix(2).joined(separator: ", "), names.count - 2)
        let differing = rest > 0 ? "\(some) and \(rest) more" : some
        let found =
            "this database was migrated with other files than this program's, by their checksums (\(differing)); nothing has changed. "
        guard let folder else {
            return found
                + "`juliet migrate verify` names all. Make a new database for this program, and keep this one, or a whole dump of it, for the program that made it"
        }
        return found
            + "Give --data a new folder; \(folder) stays as it is, for the version that made it"
    }
}
