import Crypto
import StrictEncoding

/// One change of the schema and the way back: a file such as `migrations/0007_create_wins.sql`.
///
/// ```sql
/// -- Why this change is made.
/// -- migrate:backward-compatible
/// -- migrate:up
/// CREATE TABLE wins (user_id bigint NOT NULL);
/// -- migrate:down
/// DROP TABLE wins;
/// ```
///
/// A mark stands at the start of a line. `migrate:up` is required; without `migrate:down` the change cannot be
/// undone. Marks above `migrate:up` are for the whole file: `migrate:backward-compatible` promises that services of the
/// release before this one run on the new schema, `migrate:backward-incompatible` says that they do not, and
/// `migrate:no-transaction` is for the one statement that cannot run in a transaction, such as
/// `CREATE INDEX CONCURRENTLY`.
public struct Migration: Sendable, Hashable {
    /// The number at the start of the file name, which orders the files.
    public let version: Int
    /// The part between the number and `.sql`.
    public let name: String
    /// The name of the file, without its folder.
    public let fileName: String
    /// SHA-256 of the text without byte order mark and with LF line ends, in hexadecimal: an editor or git may change
    /// those without changing the migration.
    public let checksum: String
    /// The statements that apply the change; at least one.
    public let up: [SQLStatement]
    /// The statements that undo it; nil: the file has none.
    public let down: [SQLStatement]?
    /// Whether the statements and the ledger's row are one transaction.
    public let isTransactional: Bool
    /// Whether services of the previous release work on the schema after this change; nil: the file does not say. Then
    /// they are taken not to.
    public let isBackwardCompatible: Bool?

    /// Reads a migration from its file's name and bytes.
    ///
    /// - Parameters:
    ///   - fileName: Four digits or more, an underscore, lower-case letters, digits and underscores, `.sql`.
    ///   - contents: The bytes of the file, UTF-8.
    /// - Throws: `MigrationFileError`, naming the line.
    public init(fileName: String, contents: [UInt8]) throws(MigrationFileError) {
        guard let (version, name) = Self.split(fileName: fileName) else {
            throw MigrationFileError(
                fileName: fileName,
                problem: "not a migration's name, such as 0007_create_wins.sql: four digits, a name in lower case")
        }
        guard let text = String(validating: Self.normalized(contents), as: UTF8.self) else {
            throw MigrationFileError(fileName: fileName, problem: "not UTF-8")
        }
        let parts = try MigrationParts(text: text, fileName: fileName)
        self.version = version
        self.name = name
        self.fileName = fileName
        self.checksum = Hexadecimal.encode(SHA256.hash(data: Array(text.utf8)))
        self.up = parts.up
        self.down = parts.down
        self.isTransactional = parts.isTransactional
        self.isBackwardCompatible = parts.isBackwardCompatible
    }

    /// The number and the name in a file name; nil when it is not a migration's.
    static func split(fileName: String) -> (version: Int, name: String)? {
        guard let match = fileName.wholeMatch(of: #/(\d{4,18})_([a-z0-9_]+)\.sql/#), let version = Int(match.1),
            version > 0
        else { return nil }
        return (version, String(match.2))
    }

    /// The bytes without byte order mark, with LF line ends.
    static func normalized(_ contents: [UInt8]) -> [UInt8] {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        // Nearly every file is as it shall be, and is not copied byte by byte.
        let hasCarriageReturn = contents.place(of: 0x0D, from: 0) != nil
        guard hasCarriageReturn || contents.starts(with: byteOrderMark) else { return contents }
        var result: [UInt8] = []
        result.reserveCapacity(contents.count)
        var previous: UInt8 = 0
        for byte in contents.starts(with: byteOrderMark) ? contents.dropFirst(3) : contents[...] {
            switch byte {
            case 0x0D: result.append(0x0A)
            case 0x0A where previous == 0x0D: break
            default: result.append(byte)
            }
            previous = byte
        }
        return result
    }
}

/// What is wrong with a migration's file.
public struct MigrationFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, without its folder.
    public let fileName: String
    /// The line, counted from 1; nil when the fault is not in one line.
    public let line: Int?
    /// What is wrong, and where it helps, what to do.
    public let problem: String

    init(fileName: String, line: Int? = nil, problem: String) {
        self.fileName = fileName
        self.line = line
        self.problem = problem
    }

    /// `0007_create_wins.sql:12: …`
    public var description: String {
        guard let line else { return "\(fileName): \(problem)" }
        return "\(fileName):\(line): \(problem)"
    }
}
