import ArgumentParser
import EventLoop
import JulietGame
import JulietServer
import Migrations
import Postgres

/// `juliet migrate …`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change the database's schema, safely.",
        discussion: """
            Start with `juliet migrate plan`: it shows what `up` would run.

            A migration is one change of tables or data. It is applied in a transaction together with its \
            row in the table schema_migrations, so it is done or not done, even if the command or the \
            server is killed. Functions, triggers and rights are code: `up` installs what has changed of it, \
            in the transaction of the last migration. You may run several at once: one works, the others \
            wait and find it done.

            The program carries its migrations and its code. Everything is in the schema juliet, which `up` \
            creates.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the service's.

            Exit status: 0 done or nothing to do, 1 error, 2 migrations or code are pending, 3 files and \
            database differ (drift), 4 locked by another session, 64 wrong usage.
            """,
        subcommands: [
            MigrateUp.self, MigrateDown.self, MigrateStatus.self, MigrateVerify.self, MigratePlan.self,
            MigrateNew.self, MigrateRepair.self, MigrateWait.self, MigrateDistribute.self, MigratePrune.self,
            MigrateCatalog.self,
        ]
    )
}

/// How `juliet migrate` ends; scripts rely on it.
enum MigrateExit: Int32 {
    case done = 0
    case error = 1
    case pending = 2
    case drift = 3
    case locked = 4
    case usage = 64

    /// The exit status for the state of files and database.
    init(_ state: ComparedSchema) {
        self = state.hasDrift ? .drift : state.isPending ? .pending : .done
    }

    /// How a run that failed ends.
    init(_ error: any Error) {
        if error is OtherFiles {
            self = .drift
            return
        }
        switch error as? MigrationError {
        case .refused(.drift): self = .drift
        case .locked, .lockTimeout: self = .locked
        default: self = ExitCode(after: error) == .validationFailure ? .usage : .error
        }
    }

    /// Prints why a run failed, and what it had done before, and ends the command.
    static func end(after error: any Error, done: MigrationRunner.Outcome = .init(), json: Bool) throws {
        let (outcome, message) = (MigrateExit(error), operatorMessage(of: error))
        if json {
            Terminal.print(
                try Terminal.json(
                    MigrateReport.Failure(outcome: outcome, message: message, done: done.steps)))
        } else {
            Terminal.note("error: \(message)")
            MigrateReport.remaining(done).map(Terminal.note)
        }
        try outcome.exit()
    }

    /// Ends the command.
    func exit() throws {
        if self != .done { throw ExitCode(rawValue) }
    }
}

/// Migrations and code of a release, and how they compare with a database.
struct ComparedSchema {
    let migrations: SchemaState
    /// nil: only migrations were compared.
    let code: CodeState?
    /// What shows that this program did not make the database; nil: nothing does, or it was compared with other files
    /// than the program's own.
    let otherFiles: OtherFiles?

    var hasDrift: Bool { !migrations.drift.isEmpty || code?.altered.isEmpty == false }
    var isPending: Bool { !migrations.pending.isEmpty || isCodePending }
    /// Tables of a newer release have its code.
    var isCodePending: Bool {
        guard let code, migrations.lines.allSatisfy({ $0.migration != nil }) else { return false }
        return !code.pending.isEmpty || code.newer == nil && !code.isRecorded
    }
}

/// What every subcommand but `new` takes.
struct MigrateOptions: ParsableArguments {
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup var folders: SchemaFoldersOption
    @Flag(help: "Print one JSON document for scripts.") var json = false

    /// Runs the body with the files and a runner, and ends the command as its error or its answer says.
    ///
    /// - Parameter patience: Given by commands that change the database: they refuse one that other files made.
    func run(
        patience: MigratePatience? = nil,
        _ body: (MigrationRunner, SchemaSources) async throws -> MigrateExit
    ) async throws {
        let done = Locked(MigrationRunner.Outcome())
        do {
            let sources = try folders.sources()
            let configuration = try database.configuration(applicationName: "juliet migrate")
            let loop = try EventLoop(label: "juliet migrate")
            defer { loop.shutdown() }
            var options = Schema.runnerOptions(release: Release.version)
            patience?.adjust(&options)
            let runner = MigrationRunner(
                connect: { () async throws(PostgresError) in
                    try await PostgresConnection.connect(configuration, on: loop)
                },
                options: options,
                report: { event in
                    MigrateReport.note(event).map(Terminal.note)
                    done.withLock { $0.add(event) }
                })
            // Whoever names a folder of migrations can restore files in it; the program's own are what they are.
            guard patience != nil, sources.areOwn else { return try await body(runner, sources).exit() }
            try await OtherFiles.refused(by: runner) { try await body(runner, sources) }.exit()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            try MigrateExit.end(after: error, done: done.withLock { $0 }, json: json)
        }
    }
}

/// What a release brings.
struct SchemaSources {
    let migrations: [Migration]
    /// nil: the database's code is not changed.
    let code: SchemaCode?
    /// Whether the program carries the migrations.
    let areOwn: Bool

    /// What the program carries.
    static var own: SchemaSources { SchemaSources(migrations: Schema.migrations, code: Schema.code, areOwn: true) }

    /// Compares with a database.
    func compare(_ runner: MigrationRunner) async throws -> ComparedSchema {
        let migrations = try await runner.state(of: migrations)
        return ComparedSchema(
            migrations: migrations, code: try await code.asyncMap { try await runner.state(of: $0) },
            otherFiles: areOwn ? OtherFiles(migrations) : nil)
    }
}

extension Optional {
    /// `map` with a body that waits.
    func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let value = self else { return nil }
        return try await body(value)
    }
}

/// The source of migrations and code.
struct SchemaFoldersOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder of migrations, in place of the program's own.",
            discussion: "Without --schema the code is not changed.", valueName: "dir"))
    var migrations: String?

    @Option(help: ArgumentHelp("A folder of code, in place of the program's own.", valueName: "dir"))
    var schema: String?

    /// Whether no other source was requested.
    var areOwn: Bool { migrations == nil && schema == nil }

    /// The requested source.
    func sources() throws -> SchemaSources {
        let code: SchemaCode? =
            if let schema { try SchemaCode(path: schema) } else { migrations == nil ? Schema.code : nil }
        return SchemaSources(
            migrations: try migrations.map { try MigrationFolder.load(path: $0) } ?? Schema.migrations, code: code,
            areOwn: migrations == nil)
    }
}
