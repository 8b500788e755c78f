/// The ledger's row of a migration.
public struct LedgerEntry: Sendable, Hashable {
    /// The migration's number.
    public let version: Int
    /// The migration's name.
    public let name: String
    /// The checksum its file had.
    public let checksum: String
    /// Whether it promised that the previous release still works.
    public let isBackwardCompatible: Bool
    /// When it was done, ISO 8601 in UTC; nil while a statement that runs outside a transaction is under way, or was
    /// interrupted: `up` finishes it.
    public let appliedAt: String?
    /// How long it took, in milliseconds; nil when it is not done.
    public let milliseconds: Int?
    /// The database role that ran it.
    public let appliedBy: String

    /// A row of the ledger.
    public init(
        version: Int, name: String, checksum: String, isBackwardCompatible: Bool, appliedAt: String?,
        milliseconds: Int?, appliedBy: String
    ) {
        self.version = version
        self.name = name
        self.checksum = checksum
        self.isBackwardCompatible = isBackwardCompatible
        self.appliedAt = appliedAt
        self.milliseconds = milliseconds
        self.appliedBy = appliedBy
    }
}

/// The files and the ledger, side by side: a value to plan with, no I/O.
public struct SchemaState: Sendable, Hashable {
    /// How a migration's file and its ledger row compare.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Done, and the file is unchanged.
        case applied
        /// Not done yet.
        case pending
        /// A statement outside a transaction was begun and never recorded as done; `up` finishes it.
        case interrupted
        /// Not done, although a newer one is.
        case outOfOrder = "out-of-order"
        /// Done, and the file's text has changed since.
        case edited
        /// Done, and the file is gone.
        case missing
        /// Done by a newer release, which promised that this one still works.
        case newer
        /// Done by a newer release, which promised nothing.
        case unknown

        /// Whether files and database differ, so that nothing runs before somebody looks.
        public var isDrift: Bool {
            switch self {
            case .outOfOrder, .edited, .missing, .unknown: true
            case .applied, .pending, .interrupted, .newer: false
            }
        }

        /// Whether `up` has something to do here.
        public var isPending: Bool {
            switch self {
            case .pending, .interrupted, .outOfOrder: true
            case .applied, .edited, .missing, .newer, .unknown: false
            }
        }
    }

    /// One version, with its file, its ledger row or both.
    public struct Line: Sendable, Hashable {
        /// How the two compare.
        public let status: Status
        /// The file; nil when it is missing or belongs to a newer release.
        public let migration: Migration?
        /// The ledger's row; nil when the migration never reached the database.
        public let entry: LedgerEntry?

        /// The version.
        public var version: Int { migration?.version ?? entry?.version ?? 0 }
        /// The file's name for the migration, or the ledger's.
        public var name: String { migration?.name ?? entry?.name ?? "" }
    }

    /// Every known version, ascending.
    public let lines: [Line]

    /// Compares files with the ledger.
    ///
    /// - Parameters:
    ///   - files: The migrations of this release, in any order, versions unique.
    ///   - ledger: The database's rows; empty for a database that was never migrated.
    public init(files: [Migration], ledger: [LedgerEntry]) {
        let migrations = Dictionary(files.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
        let entries = Dictionary(ledger.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
        let newestFile = files.map(\.version).max() ?? 0
        let newestApplied = ledger.filter { $0.appliedAt != nil }.map(\.version).max() ?? 0

        lines = Set(migrations.keys).union(entries.keys).sorted().map { version in
            let migration = migrations[version]
            let entry = entries[version]
            let status: Status
            switch (migration, entry) {
            case (let migration?, let entry?) where entry.appliedAt != nil:
                status = migration.checksum == entry.checksum && migration.name == entry.name ? .applied : .edited
            case (.some, .some): status = .interrupted
            case (.some, nil): status = version < newestApplied ? .outOfOrder : .pending
            case (nil, let entry?) where version > newestFile:
                status = entry.isBackwardCompatible ? .newer : .unknown
            case (nil, _): status = .missing
            }
            return Line(status: status, migration: migration, entry: entry)
        }
    }

    /// The versions at which files and database differ.
    public var drift: [Line] { lines.filter(\.status.isDrift) }

    /// What shows that other files than these made the database; empty: nothing does.
    ///
    /// Those are files that are not what was applied, and what was applied and has no file here. Then nothing of it is
    /// from a newer release of these files, so newer versions count too.
    public var ofOtherFiles: [Line] {
        guard lines.contains(where: { $0.status == .edited || $0.status == .missing }) else { return [] }
        return lines.filter { $0.status == .edited || $0.entry != nil && $0.migration == nil }
    }

    /// The part of a sentence about a database that other files made: "migrated with other files than this program's (…)".
    ///
    /// - Parameter titles: The migrations that show it, by title; at most two are named.
    public static func made(byOthers titles: [String]) -> String {
        let rest = titles.count > 2 ? " and \(titles.count - 2) more" : ""
        return "migrated with other files than this program's (\(titles.prefix(2).joined(separator: ", "))\(rest))"
    }

    /// What `up` would apply.
    public var pending: [Line] { lines.filter(\.status.isPending) }
}
