import ArgumentParser
import JulietGame
import JulietSchema
import Migrations

/// `juliet migrate new`
struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an empty migration with the next number.",
        usage: "juliet migrate new <name> ... [--migrations <dir>] [--json]",
        discussion: """
            The change goes below `-- migrate:up`, the way back below `-- migrate:down`. Above `-- \
            migrate:up` the file says one of these:

              -- migrate:backward-compatible
                  services of the previous release work on the new schema, so they
                  can be replaced one by one after the migration
              -- migrate:backward-incompatible
                  they do not: they must be stopped before the migration

            You may add:

              -- migrate:no-transaction
                  for the one statement that cannot run in a transaction, such as
                  CREATE INDEX CONCURRENTLY; it must be safe to run twice
            """)

    @Argument(help: ArgumentHelp("What it does, such as \"create wins\".", valueName: "name")) var name: [String]
    @Option(help: ArgumentHelp("The folder of the migrations.", valueName: "dir")) var migrations = "migrations"
    @Flag(help: "Print one JSON document for scripts.") var json = false

    func run() throws {
        do {
            let path = migrations
            let file = "\(path)/\(try MigrationFolder.create(name: name.joined(separator: " "), path: path))"
            Terminal.print(json ? try Terminal.json(["file": file]) : file)
        } catch {
            try MigrateExit.end(after: error, json: json)
        }
    }
}

/// `juliet migrate repair`
struct MigrateRepair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair",
        abstract: "Accept one difference that `verify` names.",
        usage: "juliet migrate repair --accept <version> --migrations <dir> [<options>]",
        discussion: """
            For a folder of migrations that is being written. Look at the difference first. If the file was \
            edited, it now counts as what was applied. If the file is missing, the migration is forgotten. \
            Only the table schema_migrations changes, never the schema.

            The program's own migrations are never edited, so there is nothing to accept about them: a \
            service starts only on the migrations that it carries.
            """)

    @Option(help: ArgumentHelp("The version whose difference is accepted.", valueName: "version")) var accept: Int
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        guard options.folders.migrations != nil else {
            throw ValidationError("give --migrations, the folder whose file was edited or is missing")
        }
    }

    func run() async throws {
        try await options.run(patience: patience) { runner, sources in
            let line = try await runner.accept(version: accept, files: sources.migrations)
            Terminal.print(
                options.json ? try Terminal.json(MigrateReport.Version(line)) : MigrateReport.repaired(line))
            return .done
        }
    }
}

/// `juliet migrate wait`
struct MigrateWait: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until the database has been migrated.",
        usage: "juliet migrate wait [--timeout <seconds>] [<options>]",
        discussion: """
            For a service's start script. Returns as soon as the database can be reached and has every \
            migration and the code of this release. Exit status: 0 it has, 1 the database could not be \
            reached in time, 2 migrations are still pending, 3 drift.
            """)

    @Option(help: ArgumentHelp("How long to wait.", valueName: "seconds")) var timeout = 60
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run { runner, sources in
            let deadline = ContinuousClock.now + .seconds(timeout)
            while true {
                let outcome: Result<ComparedSchema, any Error>
                var isSettled = false
                do {
                    let state = try await sources.compare(runner)
                    isSettled = MigrateExit(state) != .pending
                    outcome = .success(state)
                } catch {
                    // No waiting gives a database what it lacks.
                    if case .unsuitable? = error as? MigrationError { isSettled = true }
                    outcome = .failure(error)
                }
                if isSettled || ContinuousClock.now >= deadline {
                    let state = try outcome.get()
                    Terminal.print(
                        options.json
                            ? try Terminal.json(MigrateReport.State(state, lines: state.migrations.lines))
                            : MigrateReport.summary(state))
                    return MigrateExit(state)
                }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }
}

/// `juliet migrate prune`
struct MigratePrune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Drop functions that no running service needs any more.",
        usage: "juliet migrate prune [--force] [<options>]",
        discussion: """
            When a release no longer has a function, `up` keeps it as retired, because services of the \
            previous release may still call it. When you have replaced all of these, run this to drop it. \
            Every service renews its row in the table services every ten seconds. If a service of another \
            release has done so within the last minute, the command refuses and names it.

            Exit status: 0 done or nothing to do, 1 error or refused, 4 locked, 64 wrong usage.
            """)

    @Flag(help: "Drop them even if services of another release run: their requests may fail.") var force = false
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run(patience: patience) { runner, sources in
            guard let code = sources.code else { throw ValidationError("with --migrations give --schema too") }
            let dropped = try await runner.prune(code) { connection in
                guard !force else { return }
                let others = try await RunningServices.list(on: connection).filter { $0.codeChecksum != code.checksum }
                guard others.isEmpty else { throw CommandError(MigrateReport.inTheWay(others)) }
            }
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.Pruned(dropped: dropped.map(\.object)))
                    : MigrateReport.pruned(dropped))
            return .done
        }
    }
}

/// `juliet migrate catalog`
struct MigrateCatalog: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Print the columns, keys and triggers of the tables, in the form of schema/catalog.txt.",
        usage: "juliet migrate catalog [--map] [<options>]",
        discussion: "For `scripts/catalog`, which writes that file after a change of the schema.",
        shouldDisplay: false)

    @Flag(help: "Print which folder of schema/ touches which table, in the form of schema/README.md.") var map = false
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run { runner, sources in
            if map, let code = sources.code {
                Terminal.print(SchemaMap(code: code, catalog: SchemaFiles.catalog).text)
                return .done
            }
            let lines = try await runner.whileNobodyMigrates(sources.migrations) { connection, _ in
                try await SchemaGuards.catalog(on: connection)
            }
            Terminal.print(lines.joined(separator: "\n"))
            return .done
        }
    }
}
