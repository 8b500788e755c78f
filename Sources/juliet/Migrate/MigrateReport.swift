import JulietGame
import Migrations

/// What `juliet migrate` prints, as values.
enum MigrateReport {
    /// `juliet migrate status`, for people.
    static func status(_ state: ComparedSchema) -> String {
        let rows = state.migrations.lines.map { line in
            [
                SchemaState.Line.numbered(line.version), line.status.rawValue,
                line.entry?.appliedAt.map { $0.replacing("T", with: " ") } ?? "-", line.name,
            ]
        }
        if rows.isEmpty, state.code == nil { return "there are no migrations" }
        var parts =
            rows.isEmpty
            ? ["there are no migrations"] : [Terminal.table([["version", "status", "applied at", "name"]] + rows)]
        if let code = state.code {
            parts.append(self.code(code))
        }
        return (parts + [summary(state)]).joined(separator: "\n\n")
    }

    /// The state of the code: a count of the objects that are as in the files, and the others by name.
    static func code(_ code: CodeState) -> String {
        if let newer = code.newer { return "the code is that of release \(newer), which is newer" }
        let others = code.lines.filter { $0.status != .installed }
        // In a database without code, all of it is pending, and a line for each object would not help.
        let isFresh = others.allSatisfy { $0.status == .new } && others.count == code.lines.count
        let installed = code.lines.count - others.count
        let count =
            isFresh
            ? "not installed yet: \(counted(others.count, "object"))" : "\(counted(installed, "object")) installed"
        guard !others.isEmpty, !isFresh else { return "code: \(count)" }
        return "code: \(count)\n" + Terminal.table(others.map { [$0.status.rawValue, $0.object] })
    }

    /// The state in one line, and what to do about it.
    static func summary(_ state: ComparedSchema) -> String {
        if let others = state.otherFiles { return others.description }
        let drift = state.migrations.drift.count + (state.code?.altered.count ?? 0)
        let pending = state.migrations.pending.count - state.migrations.drift.filter(\.status.isPending).count
        if drift > 0 {
            return "\(counted(drift, "fault")): `juliet migrate verify` names \(drift == 1 ? "it" : "them")"
        }
        let migrations = counted(pending, "migration")
        switch (pending, state.isCodePending) {
        case (1..., true): return "\(migrations) and code pending: `juliet migrate up` applies them"
        case (1..., false): return "\(migrations) pending: `juliet migrate up` applies \(pending == 1 ? "it" : "them")"
        case (_, true): return "code pending: `juliet migrate up` installs it"
        default: return "up to date"
        }
    }

    /// `juliet migrate verify`, for people.
    static func verify(_ state: ComparedSchema) -> String {
        guard state.hasDrift else { return "files and database agree" }
        let altered = (state.code?.altered ?? []).map {
            "\($0.object): altered by hand since it was installed; `juliet migrate up` puts it back"
        }
        guard let others = state.otherFiles else {
            return (state.migrations.drift.map(\.driftDescription) + altered).joined(separator: "\n")
        }
        return (others.lines.map(\.otherFile) + [others.advice]).joined(separator: "\n")
    }

    /// `juliet migrate plan`, for people: SQL that could be pasted, in the order in which it would run.
    ///
    /// - Parameter isFirst: Whether nothing is applied, so that no service runs.
    static func plan(
        _ plan: MigrationPlan, code: [CodeState.Line] = [], removesCode: Bool = false, isFirst: Bool = false
    ) -> String {
        guard !plan.steps.isEmpty || !code.isEmpty else { return "nothing to do" }
        var parts =
            removesCode && !plan.steps.isEmpty ? ["-- all functions, triggers, rights and comments are dropped"] : []
        parts += plan.steps.map { step in
            let frame = step.migration.isTransactional ? "in one transaction" : "outside a transaction"
            let statements = step.statements.map { $0.text + ";" }.joined(separator: "\n")
            let services = step.direction == .up && !isFirst ? "\n-- \(compatibility(step.migration))" : ""
            return "-- \(step.direction.rawValue) \(step.migration.fileName), \(frame)\(services)\n\(statements)"
        }
        parts += code.map { line in
            guard let piece = line.piece else {
                let fate = line.entry?.isEntry == true ? "retired, and kept until `juliet migrate prune`" : "dropped"
                return "-- gone: \(line.object), \(fate)"
            }
            let statements = piece.statements.map { $0.text + ";" }.joined(separator: "\n")
            return "-- \(line.status.rawValue): \(line.object), \(piece.file)\n\(statements)"
        }
        if !isFirst, plan.steps.contains(where: { $0.direction == .up }) {
            parts.append("-- after an upgrade of the package, `\(Steps.seer)` shows what is pending")
        }
        return parts.joined(separator: "\n\n")
    }

    /// Whether services of the release before can run beside a migration, for people.
    private static func compatibility(_ migration: Migration) -> String {
        switch migration.isBackwardCompatible {
        case true?: "services of the previous release can keep running"
        case false?: "services of the previous release cannot keep running: stop them before `juliet migrate up`"
        case nil:
            "it does not say whether services of the previous release can keep running: stop them before `juliet migrate up`"
        }
    }

    /// How a run that succeeded ended, for people.
    static func outcome(_ outcome: MigrationRunner.Outcome, database: String? = nil) -> String {
        guard !outcome.isEmpty else { return "nothing to do" }
        var parts: [String] = []
        if let direction = outcome.steps.first?.direction {
            parts.append("\(counted(outcome.steps.count, "migration")) \(direction == .up ? "applied" : "undone")")
        }
        parts += changes(outcome.code)
        var text = parts.joined(separator: ", ") + (database.map { " in the database \($0)" } ?? "")
        if outcome.steps.first?.direction == .down, !outcome.code.isEmpty {
            text +=
                "\n"
                + (outcome.fittingRelease.map {
                    "the code of release \($0) fits the schema that is left: install it with that release's juliet migrate up"
                } ?? "no release is recorded whose code fits the schema that is left")
        }
        return text
    }

    /// What was done to the code, in counts.
    private static func changes(_ lines: [CodeState.Line]) -> [String] {
        func count(_ word: String, where isMeant: (CodeState.Line) -> Bool) -> String? {
            let number = lines.count(where: isMeant)
            return number == 0 ? nil : "\(counted(number, "object")) of code \(word)"
        }
        return [
            count("installed") { $0.piece != nil },
            count("retired") {
                $0.piece == nil && $0.entry?.isEntry == true && $0.status == .gone && $0.entry?.retiredAt == nil
            },
            count("dropped") { $0.piece == nil && $0.entry?.isEntry != true },
        ].compactMap { $0 }
    }

    /// The message for an event; nil: no message.
    static func note(_ event: MigrationRunner.Event) -> String? {
        switch event {
        case .waiting(let session):
            let holder = session.map { "\($0)" } ?? "another session"
            return "waiting: the migration lock is held by \(holder)"
        case .began:
            return nil
        case .running(let step, let seconds):
            return "\(step.migration.fileName): running for \(seconds) s"
        case .retrying(let file, let line, let attempt, let blocker):
            let hint = blocker.map { "; the oldest transaction here is that of \($0)" } ?? ""
            return "\(file):\(line): a table is locked, rolled back after attempt \(attempt)\(hint)"
        case .droppedInvalidIndex(let name):
            return "dropped \(name), which a failed build had left invalid"
        case .foundFinishedIndex(let name):
            return "found \(name), which an interrupted run had finished"
        case .finished(let step, let milliseconds):
            return "\(step.direction.rawValue) \(step.migration.fileName) (\(grouped(milliseconds)) ms)"
        case .changedCode(let lines):
            let altered = lines.filter { $0.status == .altered }.map { "put back, altered by hand: \($0.object)" }
            return altered.isEmpty ? nil : altered.joined(separator: "\n")
        }
    }

    /// What a run that failed had done before; nil: nothing.
    static func remaining(_ done: MigrationRunner.Outcome) -> String? {
        guard let direction = done.steps.first?.direction else { return nil }
        let names = done.steps.map(\.migration.fileName).joined(separator: ", ")
        guard direction == .down else { return "stays applied: \(names)" }
        let code = done.code.isEmpty ? "" : "; all functions are dropped"
        return "stays undone: \(names)\(code); `juliet migrate up` puts everything back"
    }

    /// `juliet migrate repair`, for people.
    static func repaired(_ line: SchemaState.Line) -> String {
        line.status == .missing
            ? "\(line.title): forgotten; what it did to the schema stays"
            : "\(line.title): the file now counts as what was applied"
    }

    /// `juliet migrate prune`, for people.
    static func pruned(_ lines: [CodeState.Line]) -> String {
        lines.isEmpty ? "nothing to do" : lines.map { "dropped \($0.object)" }.joined(separator: "\n")
    }

    /// Why nothing is pruned.
    static func inTheWay(_ services: [RunningServices.Service]) -> String {
        let shown = services.prefix(5).map { "release \($0.release), running since \($0.startedAt)" }
        let list = shown.joined(separator: "; ") + (services.count > 5 ? "; and \(services.count - 5) more" : "")
        return
            "\(counted(services.count, "service")) of another release may still call what is retired: \(list). Replace them first, or use --force"
    }

    // MARK: For scripts

    /// What `prune` dropped.
    struct Pruned: Encodable {
        let dropped: [String]
    }

    /// A failure.
    struct Failure: Encodable {
        let error: String
        let message: String
        /// The files of migrations that were applied or undone before; nil: none.
        let done: [String]?

        init(outcome: MigrateExit, message: String, done: [MigrationPlan.Step] = []) {
            error = "\(outcome)"
            self.message = message
            self.done = done.isEmpty ? nil : done.map(\.migration.fileName)
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

        init(_ line: SchemaState.Line, others: OtherFiles? = nil) {
            version = line.version
            name = line.name
            status = line.status.rawValue
            appliedAt = line.entry?.appliedAt
            appliedBy = line.entry?.appliedBy
            milliseconds = line.entry?.milliseconds
            fault =
                others?.lines.contains(line) == true
                ? line.otherFile : line.status.isDrift ? line.driftDescription : nil
        }
    }

    /// What `status` and `verify` found.
    struct State: Encodable {
        let status: String
        let migrations: [Version]
        /// What differs between code and database; nil: it was not compared.
        let code: Code?
        /// How the players are spread; nil: there is one server, or it was not requested.
        let distribution: Distributed?
        /// What to do with a database that another program made; nil: it is this program's.
        let advice: String?

        init(_ state: ComparedSchema, lines: [SchemaState.Line], distribution: Distributed? = nil) {
            status = "\(MigrateExit(state))"
            migrations = lines.map { Version($0, others: state.otherFiles) }
            advice = state.otherFiles?.advice
            code = state.code.map(Code.init)
            self.distribution = distribution
        }
    }

    /// How the code stands.
    struct Code: Encodable {
        struct Change: Encodable {
            let object: String
            let status: String
            let file: String?

            init(_ line: CodeState.Line) {
                object = line.object
                status = line.status.rawValue
                file = line.piece?.file
            }
        }

        let installed: Int
        let changes: [Change]
        /// The release whose code is there, if it is newer.
        let newerRelease: String?

        init(_ state: CodeState) {
            installed = state.lines.count { $0.status == .installed }
            changes = state.newer == nil ? state.lines.filter { $0.status != .installed }.map(Change.init) : []
            newerRelease = state.newer
        }
    }

    /// What `plan` would run, or `up` and `down` have run.
    struct Steps: Encodable {
        fileprivate static let seer = "juliet migrate status"

        struct Step: Encodable {
            let version: Int
            let name: String
            let direction: String
            let transaction: Bool
            /// Of a step up: whether services of the release before can run beside it; nil: it does not say.
            let backwardCompatible: Bool?
            let statements: [String]
        }

        let status: String
        let steps: [Step]
        /// Of a plan: the command that sees the pending migrations of the program that a package has brought.
        let seenBy: String?
        let code: [Code.Change]
        /// After `down`: the release whose code fits.
        let fittingRelease: String?

        init(_ outcome: MigrationRunner.Outcome) {
            self.init(outcome.steps, code: outcome.code, outcome: .done, fittingRelease: outcome.fittingRelease)
        }

        init(
            _ steps: [MigrationPlan.Step], code: [CodeState.Line] = [], outcome: MigrateExit,
            fittingRelease: String? = nil, isFirst: Bool = false
        ) {
            status = "\(outcome)"
            seenBy = outcome == .pending && !isFirst && steps.contains { $0.direction == .up } ? Self.seer : nil
            self.steps = steps.map { step in
                Step(
                    version: step.migration.version, name: step.migration.name, direction: step.direction.rawValue,
                    transaction: step.migration.isTransactional,
                    backwardCompatible: step.direction == .up ? step.migration.isBackwardCompatible : nil,
                    statements: step.statements.map(\.text))
            }
            self.code = code.map(Code.Change.init)
            self.fittingRelease = fittingRelease
        }
    }
}
