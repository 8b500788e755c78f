import ArgumentParser
import Migrations

/// `juliet migrate new`
struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Begin a migration: an empty file with the next number.",
        usage: "juliet migrate new <name> ... [--migrations <dir>] [--json]",
        discussion: """
            Below `-- migrate:up` write the change, below `-- migrate:down` the way back. \
            Above `-- migrate:up` may stand:

              -- migrate:backward-compatible
                  the release before this one works on the new schema, so services can be
                  replaced one by one after the migration
              -- migrate:no-transaction
                  for the one statement that cannot run in a transaction, such as
                  CREATE INDEX CONCURRENTLY; it must be safe to run twice
            """)

    @Argument(help: ArgumentHelp("What it does, such as \"create wins\".", valueName: "name")) var name: [String]
    @OptionGroup var folder: MigrationsFolderOption
    @Flag(help: "Print one JSON document for scripts.") var json = false

    func run() throws {
        do {
            let path = try folder.path()
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
        usage: "juliet migrate repair --accept <version> [<options>]",
        discussion: """
            After somebody has looked: an edited file is taken for what was applied, a \
            missing one is forgotten. Only the ledger changes, never the schema.
            """)

    @Option(help: ArgumentHelp("The version whose difference is accepted.", valueName: "version")) var accept: Int
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run(options: patience.options) { runner, files in
            let line = try await runner.accept(version: accept, files: files)
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
        abstract: "Wait until somebody else has migrated.",
        usage: "juliet migrate wait [--timeout <seconds>] [<options>]",
        discussion: """
            For a service's start script: returns as soon as the database is in reach and \
            has every migration of this folder. Exit status: 0 it has, 1 the database was \
            out of reach to the end, 2 migrations are still pending, 3 drift.
            """)

    @Option(help: ArgumentHelp("How long to wait.", valueName: "seconds")) var timeout = 60
    @OptionGroup var options: MigrateOptions

    func run() async throws {
        try await options.run { runner, files in
            let deadline = ContinuousClock.now + .seconds(timeout)
            while true {
                let outcome: Result<SchemaState, MigrationError>
                do throws(MigrationError) {
                    outcome = .success(try await runner.state(of: files))
                } catch {
                    outcome = .failure(error)
                }
                let isSettled = if case .success(let state) = outcome { MigrateExit(state) != .pending } else { false }
                if isSettled || ContinuousClock.now >= deadline {
                    let state = try outcome.get()
                    Terminal.print(
                        options.json
                            ? try Terminal.json(MigrateReport.State(state, lines: state.lines))
                            : MigrateReport.summary(state))
                    return MigrateExit(state)
                }
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }
}
