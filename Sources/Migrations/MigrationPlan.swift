/// What would run, in order: decided before anything is touched.
public struct MigrationPlan: Sendable, Hashable {
    /// Whether a step applies a migration or undoes it.
    public enum Direction: String, Sendable, Hashable {
        /// Applies it.
        case up
        /// Undoes it.
        case down
    }

    /// One migration in one direction.
    public struct Step: Sendable, Hashable {
        /// The migration.
        public let migration: Migration
        /// The direction.
        public let direction: Direction
        /// What runs.
        public var statements: [SQLStatement] { direction == .up ? migration.up : migration.down ?? [] }
    }

    /// Why nothing was planned.
    public enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
        /// Files and database differ; somebody must look first.
        case drift([SchemaState.Line])
        /// No file has the requested number.
        case noSuchMigration(Int)
        /// The migration's file has no `migrate:down`.
        case irreversible(Migration)
        /// This version has no difference to accept.
        case nothingToAccept(Int)
        /// Another schema of this database has a ledger, and the requested one has none.
        case ledgerElsewhere(String)

        /// The reason in one line per fault, and what to do.
        public var description: String {
            switch self {
            case .drift(let lines):
                lines.map(\.driftDescription).joined(separator: "\n")
            case .noSuchMigration(let version):
                "no file is numbered \(SchemaState.Line.numbered(version))"
            case .irreversible(let migration):
                "\(migration.fileName) has no -- migrate:down: it cannot be undone"
            case .nothingToAccept(let version):
                "\(SchemaState.Line.numbered(version)) is neither edited nor missing: there is nothing to accept"
            case .ledgerElsewhere(let schema):
                "schema \(schema) of this database holds a ledger of migrations, but the schema to migrate does not; nothing has changed. Use a new, empty database"
            }
        }
    }

    /// The steps, in the order they run; empty when there is nothing to do.
    public let steps: [Step]

    /// Plans to apply what is pending.
    ///
    /// - Parameters:
    ///   - state: Files and ledger.
    ///   - target: The last version to apply; nil for all.
    ///   - allowingOutOfOrder: Whether a migration may be applied although a newer one already is.
    public static func up(
        _ state: SchemaState, to target: Int? = nil, allowingOutOfOrder: Bool = false
    ) throws(Refusal) -> MigrationPlan {
        let faults = state.drift.filter { !(allowingOutOfOrder && $0.status == .outOfOrder) }
        guard faults.isEmpty else { throw .drift(faults) }
        if let target, !state.lines.contains(where: { $0.version == target && $0.migration != nil }) {
            throw .noSuchMigration(target)
        }
        return MigrationPlan(
            steps: state.pending.compactMap { line in
                guard let migration = line.migration, migration.version <= target ?? .max else { return nil }
                return Step(migration: migration, direction: .up)
            })
    }

    /// Plans to undo the newest migrations.
    ///
    /// - Parameters:
    ///   - state: Files and ledger.
    ///   - count: How many; fewer are planned when fewer are applied.
    public static func down(_ state: SchemaState, count: Int = 1) throws(Refusal) -> MigrationPlan {
        let applied = state.lines.filter { $0.entry != nil }.suffix(count).reversed()
        // Undoing needs the unchanged file; migrations that stay applied do not matter for this plan.
        let faults = applied.filter { $0.status != .applied && $0.status != .interrupted }
        guard faults.isEmpty else { throw .drift(Array(faults)) }
        var steps: [Step] = []
        for migration in applied.compactMap(\.migration) {
            guard migration.down != nil else { throw .irreversible(migration) }
            steps.append(Step(migration: migration, direction: .down))
        }
        return MigrationPlan(steps: steps)
    }
}

extension SchemaState.Line {
    /// A version as file names write it: four digits or more.
    public static func numbered(_ version: Int) -> String {
        let digits = String(version)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// `0007_create_wins`
    public var title: String { "\(Self.numbered(version))_\(name)" }

    /// What differs here from files that nobody edits, as those that a program carries, in one line.
    public var otherFile: String {
        switch (entry, migration) {
        case (let entry?, let migration?) where entry.name != migration.name:
            "\(title): was applied as \(entry.name)"
        case (_?, _?): "\(title): the migration that was applied had another text: its checksum differs"
        default: "\(title): is in the database, and this program has no such file"
        }
    }

    /// What differs here and what to do about it, in one line.
    public var driftDescription: String {
        switch status {
        case .edited where entry?.checksum == migration?.checksum:
            "\(title): was applied as \(entry?.name ?? ""); rename the file back, or run juliet migrate repair --accept \(version) --migrations FOLDER"
        case .edited:
            "\(title): its file was edited after it was applied; restore it, or run juliet migrate repair --accept \(version) --migrations FOLDER"
        case .missing:
            "\(title): applied, but its file is gone; restore it, or run juliet migrate repair --accept \(version) --migrations FOLDER"
        case .unknown:
            "\(title): applied by a newer release and not marked backward-compatible; use that release"
        case .newer:
            "\(title): applied by a newer release"
        case .outOfOrder:
            "\(title): older than what is applied; renumber it, or run juliet migrate up --allow-out-of-order"
        case .applied, .pending, .interrupted:
            "\(title): \(status.rawValue)"
        }
    }
}
