import ArgumentParser
import EventLoop
import Migrations
import Postgres

/// `juliet migrate …`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change the database's schema, safely.",
        discussion: """
            Each file in migrations/ is one change, applied in a transaction together with \
            its row in the table schema_migrations: it is done or it is not, whenever the \
            command or the server is killed. Any number may run at once; one works, the \
            others wait and find it done.

            \(DatabaseOptions.order) Connect as the role that owns the tables, not as the \
            service's.

            Exit status: 0 done or nothing to do, 1 error, 2 migrations are pending, 3 files \
            and database have drifted apart, 4 locked by somebody else, 64 wrong usage.

            Start with `juliet migrate plan`: it shows what `up` would run.
            """,
        subcommands: [
            MigrateUp.self, MigrateDown.self, MigrateStatus.self, MigrateVerify.self, MigratePlan.self,
            MigrateNew.self, MigrateRepair.self, MigrateWait.self, MigrateDistribute.self,
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

    /// What the files and the database call for.
    init(_ state: SchemaState) {
        self = !state.drift.isEmpty ? .drift : state.pending.isEmpty ? .done : .pending
    }

    /// How a run that failed ends.
    init(_ error: any Error) {
        switch error as? MigrationError {
        case .refused(.drift): self = .drift
        case .locked, .lockTimeout: self = .locked
        default: self = .error
        }
    }

    /// Says why a run failed and ends the command.
    static func end(after error: any Error, json: Bool) throws {
        let outcome = MigrateExit(error)
        if json {
            Terminal.print(try Terminal.json(MigrateReport.Failure(outcome: outcome, message: "\(error)")))
        } else {
            Terminal.note("error: \(error)")
        }
        try outcome.exit()
    }

    /// Ends the command.
    func exit() throws {
        if self != .done { throw ExitCode(rawValue) }
    }
}

/// What every subcommand but `new` takes.
struct MigrateOptions: ParsableArguments {
    @OptionGroup(title: "Database") var database: DatabaseOptions
    @OptionGroup var folder: MigrationsFolderOption
    @Flag(help: "Print one JSON document for scripts.") var json = false

    /// Runs the body with the files and a runner, and ends the command as its error or its answer says.
    func run(
        options: MigrationRunner.Options = MigrationRunner.Options(),
        _ body: (MigrationRunner, [Migration]) async throws -> MigrateExit
    ) async throws {
        do {
            let files = try MigrationFolder.load(path: try folder.path())
            let configuration = try database.configuration(applicationName: "juliet migrate")
            let loop = try EventLoop(label: "juliet migrate")
            defer { loop.shutdown() }
            let runner = MigrationRunner(
                connect: { () async throws(PostgresError) in
                    try await PostgresConnection.connect(configuration, on: loop)
                },
                options: options,
                report: { event in MigrateReport.note(event).map(Terminal.note) })
            try await body(runner, files).exit()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            try MigrateExit.end(after: error, json: json)
        }
    }
}

/// Where the migrations' files are.
struct MigrationsFolderOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the migrations.",
            discussion: "Default: ./migrations, else what was installed with the program.", valueName: "dir"))
    var migrations: String?

    /// The folder that was asked for, or the first there is.
    func path() throws -> String {
        if let migrations { return migrations }
        return try InstalledFolder.path("migrations", flag: "--migrations")
    }
}
