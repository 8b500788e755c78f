/// The code of a schema: functions, triggers, rights and comments, each defined once, in files that are edited in place.
///
/// Migrations are history and never change; code is the current state. It is installed whenever a file and the database
/// differ: Flyway calls that repeatable, tern a code package. The order of files does not matter: functions come first,
/// unchecked, then triggers, rights and comments, then PostgreSQL checks each function's body.
public struct SchemaCode: Sendable, Hashable {
    /// All pieces, in the order in which they are installed.
    public let pieces: [CodePiece]
    /// SHA-256 of all pieces, in hexadecimal: two releases with the same code have the same.
    public let checksum: String

    /// Code from the text of its files.
    ///
    /// - Parameter files: Their names, relative to the folder, and contents in UTF-8.
    /// - Throws: `MigrationFileError` for anything that is not code, and for an object that two statements make.
    public init(files: [(name: String, contents: [UInt8])]) throws(MigrationFileError) {
        var pieces: [CodePiece] = []
        for (name, contents) in files {
            guard let text = String(validating: Migration.normalized(contents), as: UTF8.self) else {
                throw MigrationFileError(fileName: name, problem: "not UTF-8")
            }
            pieces += try CodePiece.pieces(of: text, file: name)
        }
        var files: [String: String] = [:]
        for piece in pieces {
            if let other = files.updateValue(piece.file, forKey: piece.object) {
                throw MigrationFileError(
                    fileName: piece.file, line: piece.statements.first?.line,
                    problem: "\(piece.object) is also defined in \(other)")
            }
        }
        self.pieces = pieces.sorted { ($0.rank, $0.object) < ($1.rank, $1.object) }
        checksum = CodePiece.checksum(self.pieces.map { "\($0.object) \($0.checksum)" })
    }

    /// The functions, in the order of their signatures.
    public var functions: [CodePiece] { pieces.filter { $0.function != nil } }

    /// The rights on tables and schemas.
    public var rights: [Right] {
        pieces.compactMap { piece in
            guard case .grant = piece.kind, let statement = piece.statements.first else { return nil }
            return try? Right(statement)
        }
    }
}

extension CodePiece {
    /// Functions before the triggers that call them.
    fileprivate var rank: Int {
        switch kind {
        case .withdrawal: 0
        case .function: 1
        case .trigger: 2
        case .grant: 3
        case .comment: 4
        }
    }
}
