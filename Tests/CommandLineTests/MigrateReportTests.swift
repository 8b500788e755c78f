import Migrations
import TestSupport
import Testing

@testable import juliet

@Suite("What juliet migrate prints", .defaultLayout("asks no database"))
struct MigrateReportTests {
    private func migration(_ version: Int, _ name: String, marks: String = "") throws -> Migration {
        let text =
            marks + "-- migrate:up\nCREATE TABLE t\(version) (id int);\n-- migrate:down\nDROP TABLE t\(version);\n"
        return try Migration(fileName: "000\(version)_\(name).sql", contents: Array(text.utf8))
    }

    private func entry(_ migration: Migration, checksum: String? = nil) -> LedgerEntry {
        LedgerEntry(
            version: migration.version, name: migration.name, checksum: checksum ?? migration.checksum,
            isBackwardCompatible: false, appliedAt: "2026-11-21T03:04:05Z", milliseconds: 12, appliedBy: "juliet_owner")
    }

    private func compared(_ state: SchemaState) -> ComparedSchema {
        ComparedSchema(migrations: state, code: nil, otherFiles: nil)
    }

    private func halfDone() throws -> SchemaState {
        let users = try migration(1, "create_users")
        return SchemaState(files: [users, try migration(2, "create_wins")], ledger: [entry(users)])
    }

    @Test("status: a table, and what to do")
    func status() throws {
        #expect(
            MigrateReport.status(compared(try halfDone())) == """
                version  status   applied at            name
                0001     applied  2026-11-21 03:04:05Z  create_users
                0002     pending  -                     create_wins

                1 migration pending: `juliet migrate up` applies it
                """)
        let users = try migration(1, "create_users")
        #expect(
            MigrateReport.status(compared(SchemaState(files: [users], ledger: [entry(users)]))) == """
                version  status   applied at            name
                0001     applied  2026-11-21 03:04:05Z  create_users

                up to date
                """)
        #expect(MigrateReport.status(compared(SchemaState(files: [], ledger: []))) == "there are no migrations")
    }

    @Test("verify: one line a fault")
    func verify() throws {
        let users = try migration(1, "create_users")
        let state = SchemaState(files: [users], ledger: [entry(users, checksum: "0")])
        #expect(
            MigrateReport.verify(compared(state))
                == "0001_create_users: its file was edited after it was applied; restore it, or run juliet migrate repair --accept 1 --migrations FOLDER"
        )
        #expect(MigrateReport.summary(compared(state)) == "1 fault: `juliet migrate verify` names it")
        #expect(MigrateReport.verify(compared(try halfDone())) == "files and database agree")
    }

    @Test("plan: the SQL, in the order in which it would run")
    func plan() throws {
        let index = try Migration(
            fileName: "0003_add_index.sql",
            contents: Array("-- migrate:no-transaction\n-- migrate:up\nCREATE INDEX CONCURRENTLY i ON t2 (id)".utf8))
        let state = SchemaState(
            files: [
                try migration(1, "create_users", marks: "-- migrate:backward-compatible\n"),
                try migration(2, "create_wins", marks: "-- migrate:backward-incompatible\n"), index,
            ], ledger: [])
        #expect(
            MigrateReport.plan(try .up(state)) == """
                -- up 0001_create_users.sql, in one transaction
                -- services of the previous release can keep running
                CREATE TABLE t1 (id int);

                -- up 0002_create_wins.sql, in one transaction
                -- services of the previous release cannot keep running: stop them before `juliet migrate up`
                CREATE TABLE t2 (id int);

                -- up 0003_add_index.sql, outside a transaction
                -- it does not say whether services of the previous release can keep running: stop them before `juliet migrate up`
                CREATE INDEX CONCURRENTLY i ON t2 (id);

                -- after an upgrade of the package, `juliet migrate status` shows what is pending
                """)
        #expect(
            try Terminal.json(MigrateReport.Steps(try MigrationPlan.up(state, to: 2).steps, outcome: .pending)) == """
                {
                  "code" : [

                  ],
                  "seenBy" : "juliet migrate status",
                  "status" : "pending",
                  "steps" : [
                    {
                      "backwardCompatible" : true,
                      "direction" : "up",
                      "name" : "create_users",
                      "statements" : [
                        "CREATE TABLE t1 (id int)"
                      ],
                      "transaction" : true,
                      "version" : 1
                    },
                    {
                      "backwardCompatible" : false,
                      "direction" : "up",
                      "name" : "create_wins",
                      "statements" : [
                        "CREATE TABLE t2 (id int)"
                      ],
                      "transaction" : true,
                      "version" : 2
                    }
                  ]
                }
                """)
        #expect(
            MigrateReport.plan(try .down(try halfDone())) == """
                -- down 0001_create_users.sql, in one transaction
                DROP TABLE t1;
                """)
        #expect(MigrateReport.plan(try .up(SchemaState(files: [], ledger: []))) == "nothing to do")
    }

    @Test("JSON: the same for scripts")
    func json() throws {
        let state = try halfDone()
        #expect(
            try Terminal.json(MigrateReport.State(compared(state), lines: state.lines)) == """
                {
                  "migrations" : [
                    {
                      "appliedAt" : "2026-11-21T03:04:05Z",
                      "appliedBy" : "juliet_owner",
                      "milliseconds" : 12,
                      "name" : "create_users",
                      "status" : "applied",
                      "version" : 1
                    },
                    {
                      "name" : "create_wins",
                      "status" : "pending",
                      "version" : 2
                    }
                  ],
                  "status" : "pending"
                }
                """)
        #expect(
            try Terminal.json(MigrateReport.Steps(try MigrationPlan.up(state).steps, outcome: .pending)) == """
                {
                  "code" : [

                  ],
                  "seenBy" : "juliet migrate status",
                  "status" : "pending",
                  "steps" : [
                    {
                      "direction" : "up",
                      "name" : "create_wins",
                      "statements" : [
                        "CREATE TABLE t2 (id int)"
                      ],
                      "transaction" : true,
                      "version" : 2
                    }
                  ]
                }
                """)
        #expect(
            try Terminal.json(MigrateReport.Failure(outcome: .locked, message: "…")) == """
                {
                  "error" : "locked",
                  "message" : "…"
                }
                """)
    }

    @Test("while it runs: what was done, and whom it waits for")
    func notes() throws {
        let step = try #require(try MigrationPlan.up(try halfDone()).steps.first)
        #expect(
            MigrateReport.note(.finished(step, milliseconds: 1234)) == "up 0002_create_wins.sql (1,234 ms)")
        #expect(MigrateReport.note(.began(step)) == nil)
        #expect(MigrateReport.note(.running(step, seconds: 20)) == "0002_create_wins.sql: running for 20 s")
        #expect(MigrateReport.note(.waiting(for: nil)) == "waiting: the migration lock is held by another session")
        #expect(
            MigrateReport.note(.retrying(file: "0002_create_wins.sql", line: 2, attempt: 3, blocker: nil))
                == "0002_create_wins.sql:2: a table is locked, rolled back after attempt 3")
        #expect(
            MigrateReport.note(.droppedInvalidIndex("public.i"))
                == "dropped public.i, which a failed build had left invalid")
        #expect(
            MigrateReport.note(.foundFinishedIndex("public.i"))
                == "found public.i, which an interrupted run had finished")
        #expect(MigrateReport.outcome(MigrationRunner.Outcome()) == "nothing to do")
        #expect(MigrateReport.outcome(MigrationRunner.Outcome(steps: [step])) == "1 migration applied")
    }
}
