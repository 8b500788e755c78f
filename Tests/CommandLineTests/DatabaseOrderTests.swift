import Foundation
import TestSupport
import Testing

@Suite("Where a command finds its database", .everyLayout)
struct DatabaseOrderTests {
    /// One command of each family, and what it prints of an empty database with the schema.
    private static let commands = [
        ["migrate", "status"], ["words", "stats"], ["users", "show", "nobody"], ["energy", "audit", "--quiet"],
    ]

    @Test(
        "is the same for all: --database, JULIET_DATABASE_URL, DATABASE_URL, the settings file, PG*; each also from a file",
        arguments: commands)
    func order(command: [String]) async throws {
        let program = try await Program.migrated()
        let folder = try TemporaryFolder()
        let right = program.cluster.connectionString(database: program.database)
        let wrong = "host=127.0.0.1 port=1"
        let rightFile = try folder.write("right", right + "\n")
        let rightSettings = try folder.write("right.json", #"{"database": {"url": "\#(right)"}}"#)
        let wrongSettings = try folder.write("wrong.json", #"{"database": {"url": "\#(wrong)"}}"#)
        let wrongLast = ["PGHOST": "127.0.0.1", "PGPORT": "1"]
        // Program sets DATABASE_URL to the right one: each case says it anew.
        let cases: [(flags: [String], environment: [String: String])] = [
            (["--database", right, "--config", wrongSettings], ["JULIET_DATABASE_URL": wrong, "DATABASE_URL": wrong]),
            (["--config", wrongSettings], ["JULIET_DATABASE_URL": right, "DATABASE_URL": wrong]),
            (["--config", wrongSettings], ["JULIET_DATABASE_URL_FILE": rightFile, "DATABASE_URL": wrong]),
            (["--config", wrongSettings], ["DATABASE_URL": right]),
            (["--config", wrongSettings], ["DATABASE_URL": "", "DATABASE_URL_FILE": rightFile]),
            (["--config", rightSettings], ["DATABASE_URL": ""]),
        ]
        let expected = try await program.run(command + ["--database", right])
        #expect(expected.status != 64)
        for (flags, environment) in cases {
            let outcome = try await program.run(
                command + flags, environment: environment.merging(wrongLast) { own, _ in own })
            #expect(outcome.status == expected.status, "\(flags) \(environment): \(outcome.notes)")
            #expect(outcome.output == expected.output || command[0] == "energy")
        }
        let last = try await program.run(
            command,
            environment: [
                "DATABASE_URL": "", "PGHOST": program.cluster.directory, "PGPORT": "\(program.cluster.port)",
                "PGUSER": "postgres", "PGDATABASE": program.database,
            ])
        #expect(last.status == expected.status, "\(last.notes)")
        let nowhere = try await program.run(command, environment: ["DATABASE_URL": "", "PGHOST": "/nowhere"])
        #expect(nowhere.status == 1 && nowhere.output.isEmpty)
    }

    @Test("a password comes from the settings, or the file that PGPASSWORD_FILE names, and never goes with --database")
    func password() async throws {
        let program = try await Program()
        let folder = try TemporaryFolder()
        let role = "role_\(program.database)"
        try await program.psql("CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 'right'")
        let target = "host=127.0.0.1 port=\(program.cluster.port) user=\(role) dbname=\(program.database)"
        let file = try folder.write("password", "right\n")
        let empty = try folder.write("empty", "\n")
        var outcome = try await program.run(
            ["migrate", "status"], environment: ["DATABASE_URL": target, "PGPASSWORD_FILE": empty])
        #expect(outcome.notes == "error: database.password (PGPASSWORD_FILE): \(empty) is empty")
        outcome = try await program.run(
            ["migrate", "status"], environment: ["DATABASE_URL": target, "PGPASSWORD_FILE": "/nowhere"])
        #expect(outcome.notes.hasPrefix("error: database.password (PGPASSWORD_FILE): cannot read /nowhere"))
        // With --database nobody looks at it.
        outcome = try await program.run(
            ["migrate", "status", "--database", target], environment: ["PGPASSWORD_FILE": "/nowhere"])
        #expect(outcome.status == 2, "\(outcome.notes)")
        outcome = try await program.run(
            ["migrate", "status"], environment: ["DATABASE_URL": target, "PGPASSWORD_FILE": file])
        #expect(outcome.status == 2, "\(outcome.notes)")
    }

    @Test("a wrong value of a setting of the service stops no other command, but all refuse an unknown name")
    func names() async throws {
        let program = try await Program.migrated()
        let service = ["JULIET_AUTH_TOKENS_FILE": "/not/for/the/owner", "JULIET_HTTP_PORT": "tcp://10.0.0.1:80"]
        #expect(try await program.run(["migrate", "status"], environment: service).status == 0)
        let outcome = try await program.run(["migrate", "status"], environment: ["JULIET_DATABASE_ULR": "x"])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes
                == "error: unknown environment variable JULIET_DATABASE_ULR; did you mean JULIET_DATABASE_URL?")
    }
}
