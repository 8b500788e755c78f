import Migrations

/// What `juliet migrate` prints, as values.
enum MigrateReport {
    /// `juliet migrate status`, for people.
    static func status(_ state: SchemaState) -> String {
        guard !state.lines.isEmpty else { return "there are no migrations" }
        let rows = state.lines.map { line in
            [
                SchemaState.Line.numbered(line.version), line.status.rawValue,
                line.entry?.appliedAt.map { $0.replacing("T", with: " ") } ?? "-", line.name,
            ]
        }
        return Terminal.table([["version", "status", "applied at", "name"]] + rows) + "\n\n" + summary(state)
    }

    /// The state in one line, and what to do about it.
    static func summary(_ state: SchemaState) -> String {
        let drift = state.drift.count
        let pending = state.pending.count - state.drift.filter(\.status.isPending).count
        if drift > 0 {
            return "\(counted(drift, "fault")): `juliet migrate verify` names \(drift == 1 ? "it" : "them")"
        }
        if pending > 0 {
            return
                "\(counted(pending, "migration")) pending: `juliet migrate up` applies \(pending == 1 ? "it" : "them")"
        }
        return "up to date"
    }

    /// `juliet migrate verify`, for people.
    static func verify(_ state: SchemaState) -> String {
        state.drift.isEmpty
            ? "files and database agree" : state.drift.map(\.driftDescription).joined(separator: "\n")
    }

    /// `juliet migrate plan`, for people: SQL that could be pasted, in the order in which it would run.
    static func plan(_ plan: MigrationPlan) -> String {
        guard !plan.steps.isEmpty else { return "nothing to do" }
        return plan.steps.map { step in
            let frame = step.migration.isTransactional ? "in one transaction" : "outside a transaction"
            let statements = step.statements.map { $0.text + ";" }.joined(separator: "\n")
            return "-- \(step.direction.rawValue) \(step.migration.fileName), \(frame)\n\(statements)"
        }.joined(separator: "\n\n")
    }

    /// How a run that succeeded ended, for people.
    static func outcome(_ steps: [MigrationPlan.Step]) -> String {
        guard let direction = steps.first?.direction else { return "nothing to do" }
        return "\(counted(steps.count, "migration")) \(direction == .up ? "applied" : "taken back")"
    }

    /// What is said while it runs; nil for what need not be said.
    static func note(_ event: MigrationRunner.Event) -> String? {
        switch event {
        case .waiting(let session):
            let holder = session.map { "\($0)" } ?? "another session"
            return "waiting: the migration lock is held by \(holder)"
        case .began:
            return nil
        case .running(let step, let seconds):
            return "\(step.migration.fileName): running for \(seconds) s"
        case .retrying(let step, let line, let attempt, let blocker):
            let hint = blocker.map { "; the oldest transaction here is that of \($0)" } ?? ""
            return "\(step.migration.fileName):\(line): a table is locked, rolled back after attempt \(attempt)\(hint)"
        case .droppedInvalidIndex(let name):
            return "dropped \(name), which a failed build had left invalid"
        case .foundFinishedIndex(let name):
            return "found \(name), which an interrupted run had finished"
        case .finished(let step, let milliseconds):
            return "\(step.direction.rawValue) \(step.migration.fileName) (\(grouped(milliseconds)) ms)"
        }
    }

    /// `juliet migrate repair`, for people.
    static func repaired(_ line: SchemaState.Line) -> String {
        line.status == .missing
            ? "\(line.title): forgotten; what it did to the schema stays"
            : "\(line.title): the file is now taken for what was applied"
    }

    // MARK: For scripts

    /// A failure.
    struct Failure: Encodable {
        let error: String
        let message: String

        init(outcome: MigrateExit, message: String) {
            error = "\(outcome)"
            self.message = message
        }
    }

    /// One version.
    struct Version: Encodable {
        let version: Int
        let name: String
        let status: String
        let appliedAt: String?
        let appliedBy: String?
        let milliseconds: Int?
        let fault: String?

        init(_ line: SchemaState.Line) {
            version = line.version
            name = line.name
            status = line.status.rawValue
            appliedAt = line.entry?.appliedAt
            appliedBy = line.entry?.appliedBy
            milliseconds = line.entry?.milliseconds
            fault = line.status.isDrift ? line.driftDescription : nil
        }
    }

    /// What `status` and `verify` found.
    struct State: Encodable {
        let status: String
        let migrations: [Version]
        /// How the players are spread; nil: there is one server, or it was not asked for.
        let distribution: Distributed?

        init(_ state: SchemaState, lines: [SchemaState.Line], distribution: Distributed? = nil) {
            status = "\(MigrateExit(state))"
            migrations = lines.map(Version.init)
            self.distribution = distribution
        }
    }

    /// What `plan` would run, or `up` and `down` have run.
    struct Steps: Encodable {
        struct Step: Encodable {
            let version: Int
            let name: String
            let direction: String
            let transaction: Bool
            let statements: [String]
        }

        let status: String
        let steps: [Step]

        init(_ steps: [MigrationPlan.Step], outcome: MigrateExit) {
            status = "\(outcome)"
            self.steps = steps.map { step in
                Step(
                    version: step.migration.version, name: step.migration.name, direction: step.direction.rawValue,
                    transaction: step.migration.isTransactional, statements: step.statements.map(\.text))
            }
        }
    }
}
