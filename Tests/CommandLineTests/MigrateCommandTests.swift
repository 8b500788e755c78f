import EventLoop
import Foundation
import JulietSchema
import Migrations
import Postgres
import TestSupport
import Testing

@testable import JulietGame
@testable import juliet

@Suite("juliet migrate, run as a program", .everyLayout)
struct MigrateCommandTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("0001_a.sql", "-- migrate:up\nCREATE TABLE a (id int);\n-- migrate:down\nDROP TABLE a;\n")
        try folder.write("0002_b.sql", "-- migrate:up\nCREATE TABLE b (id int);\n-- migrate:down\nDROP TABLE b;\n")
        return folder
    }

    @Test("a service of libpq's service file goes before the environment, as it does for psql")
    func service() async throws {
        let program = try await Program()
        let folder = try folder()
        try folder.write(
            "services.conf",
            "[players]\nhost=127.0.0.1\nport=\(program.cluster.port)\nuser=postgres\ndbname=\(program.database)\n")
        let environment = [
            // A name that has to be looked up, where nobody listens.
            "PGSERVICEFILE": "\(folder.path)/services.conf", "PGHOST": "localhost", "PGPORT": "1",
            "DATABASE_URL": "",
        ]
        let arguments = ["migrate", "status", "--migrations", folder.path, "--database"]
        var outcome = try await program.run(arguments + ["service=players"], environment: environment)
        #expect(outcome.status == 2, "\(outcome.notes)")
        #expect(outcome.output.contains("2 migrations pending"))
        outcome = try await program.run(arguments + ["dbname=players"], environment: environment)
        #expect(outcome.status != 2 && outcome.output.isEmpty)
    }

    @Test("says the state by text and exit status, all the way up and down")
    func upAndDown() async throws {
        let program = try await Program()
        let folder = try folder()
        let migrate = { (arguments: [String]) in
            try await program.run(["migrate"] + arguments + ["--migrations", folder.path])
        }
        var outcome = try await migrate(["status"])
        #expect(outcome.status == 2)
        // On several servers another line says how players are spread.
        #expect(
            outcome.output.hasPrefix(
                """
                version  status   applied at  name
                0001     pending  -           a
                0002     pending  -           b

                2 migrations pending: `juliet migrate up` applies them
                """))
        outcome = try await migrate(["plan", "--to", "1"])
        #expect(outcome.status == 2)
        #expect(
            outcome.output == """
                -- up 0001_a.sql, in one transaction
                CREATE TABLE a (id int);
                """)
        outcome = try await migrate(["up", "--to", "1"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "1 migration applied")
        outcome = try await migrate(["plan"])
        #expect(outcome.status == 2)
        #expect(
            outcome.output == """
                -- up 0002_b.sql, in one transaction
                -- it does not say whether services of the previous release can keep running: stop them before `juliet migrate up`
                CREATE TABLE b (id int);

                -- after an upgrade of the package, `juliet migrate status` shows what is pending
                """)
        outcome = try await migrate(["down"])
        #expect(outcome.output == "1 migration undone")
        outcome = try await migrate(["up"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "2 migrations applied")
        #expect(outcome.notes.contains(#/^up 0001_a\.sql \(\d+ ms\)\nup 0002_b\.sql \(\d+ ms\)$/#))
        outcome = try await migrate(["up"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "nothing to do")
        outcome = try await migrate(["wait", "--timeout", "0"])
        #expect(outcome.status == 0)
        #expect(outcome.output == "up to date")
        outcome = try await migrate(["plan", "--down", "1"])
        #expect(outcome.output == "-- down 0002_b.sql, in one transaction\nDROP TABLE b;")
        outcome = try await migrate(["down", "2", "--json"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\"status\" : \"done\""))
        outcome = try await migrate(["down"])
        #expect(outcome.output == "nothing to do")
    }

    @Test("drift: exit status 3, by name, until it is accepted")
    func drift() async throws {
        let program = try await Program()
        let folder = try folder()
        let migrate = { (arguments: [String]) in
            try await program.run(["migrate"] + arguments + ["--migrations", folder.path])
        }
        _ = try await migrate(["up"])
        try folder.write(
            "0001_a.sql", "-- migrate:up\r\nCREATE TABLE a (id int);\r\n-- migrate:down\r\nDROP TABLE a;\r\n")
        #expect(try await migrate(["verify"]).output == "files and database agree")
        try folder.write("0001_a.sql", "-- migrate:up\nCREATE TABLE a (id bigint);\n")
        var outcome = try await migrate(["verify"])
        #expect(outcome.status == 3)
        #expect(
            outcome.output
                == "0001_a: its file was edited after it was applied; restore it, or run juliet migrate repair --accept 1 --migrations FOLDER"
        )
        outcome = try await migrate(["up"])
        #expect(outcome.status == 3)
        #expect(
            outcome.notes
                == "error: 0001_a: its file was edited after it was applied; restore it, or run juliet migrate repair --accept 1 --migrations FOLDER"
        )
        outcome = try await migrate(["status"])
        #expect(outcome.status == 3)
        #expect(outcome.output.contains("\n\n1 fault: `juliet migrate verify` names it"))
        outcome = try await migrate(["repair", "--accept", "1"])
        #expect(outcome.output == "0001_a: the file now counts as what was applied")
        outcome = try await migrate(["repair", "--accept", "1", "--json"])
        #expect(outcome.status == 1)
        #expect(
            outcome.output == """
                {
                  "error" : "error",
                  "message" : "0001 is neither edited nor missing: there is nothing to accept"
                }
                """)
        #expect(try await migrate(["up"]).status == 0)
    }

    @Test("a failure: exit status 1, by file and line, and nothing of it stays")
    func failure() async throws {
        let program = try await Program()
        let folder = try folder()
        try folder.write("0003_c.sql", "-- migrate:up\nCREATE TABLE c (id int);\n\nINSERT INTO d VALUES (1);\n")
        let outcome = try await program.run(["migrate", "up", "--migrations", folder.path])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes.hasSuffix(
                """
                error: 0003_c.sql:4: relation "d" does not exist (SQLSTATE 42P01)
                stays applied: 0001_a.sql, 0002_b.sql
                """), "\(outcome.notes)")
        #expect(try await program.psql("SELECT to_regclass('b') IS NOT NULL AND to_regclass('c') IS NULL") == "t")
    }

    @Test("a failure on the way down names what stays undone, and up puts it back")
    func failureDown() async throws {
        let program = try await Program()
        let folder = try folder()
        let migrate = { (arguments: [String]) in
            try await program.run(["migrate"] + arguments + ["--migrations", folder.path])
        }
        #expect(try await migrate(["up"]).status == 0)
        try await program.psql("CREATE VIEW v AS SELECT id FROM a")
        var outcome = try await migrate(["down", "2"])
        #expect(outcome.status == 1)
        #expect(outcome.notes.contains("error: 0001_a.sql:4: cannot drop table a"), "\(outcome.notes)")
        #expect(outcome.notes.hasSuffix("\nstays undone: 0002_b.sql; `juliet migrate up` puts everything back"))
        #expect(try await migrate(["up"]).output == "1 migration applied")
        outcome = try await migrate(["down", "2", "--json"])
        #expect(try outcome.document()["done"] as? [String] == ["0002_b.sql"], "\(outcome.output)")
    }

    @Test("no database, no folder, a bad file: one clear line each")
    func unusable() async throws {
        let program = try await Program()
        let folder = try folder()
        var outcome = try await program.run([
            "migrate", "status", "--migrations", folder.path, "--database", "host=\(folder.path) dbname=nowhere",
        ])
        #expect(outcome.status == 1)
        #expect(outcome.notes.hasPrefix("error: connection to server on socket \"\(folder.path)/.s.PGSQL."))
        outcome = try await program.run(["migrate", "status", "--migrations", "/nowhere"])
        #expect(outcome.status == 1)
        #expect(outcome.notes == "error: /nowhere: this folder cannot be read; name another with --migrations")
        outcome = try await program.run(["migrate", "status", "--data", folder.path])
        #expect(outcome.notes == "error: no `juliet dev` runs in \(folder.path): there is no \(folder.path)/connection")
        try folder.write("0003_c.sql", "CREATE TABLE c (id int);")
        outcome = try await program.run(["migrate", "up", "--migrations", folder.path])
        #expect(outcome.notes == "error: 0003_c.sql: no line says -- migrate:up")
        try folder.write("0003_c.sql", "-- migrate:up\nCOMMIT;")
        outcome = try await program.run(["migrate", "up", "--migrations", folder.path])
        #expect(
            outcome.notes
                == "error: 0003_c.sql:2: COMMIT would separate the change from its record: remove it, because juliet migrate begins and ends the "
                + "transaction")
    }

    @Test("new begins the next file")
    func new() async throws {
        let program = try await Program()
        let folder = try folder()
        let outcome = try await program.run(["migrate", "new", "Count", "wins", "--migrations", folder.path])
        #expect(outcome.status == 0)
        #expect(outcome.output == "\(folder.path)/0003_count_wins.sql")
        let text = try String(contentsOfFile: outcome.output, encoding: .utf8)
        #expect(
            text
                == "-- Why: say here what this changes and why.\n-- migrate:backward-incompatible\n-- migrate:up\n\n-- migrate:down\n"
        )
    }

    @Test("eight programs at once: one applies, seven find it done")
    func eightAtOnce() async throws {
        let program = try await Program()
        let folder = try folder()
        try folder.write("0003_c.sql", "-- migrate:up\nSELECT pg_sleep(0.3);\nINSERT INTO a VALUES (1);\n")
        let outcomes = try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
            for _ in 0..<8 {
                group.addTask { try await program.run(["migrate", "up", "--migrations", folder.path]) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0.status == 0 })
        #expect(
            outcomes.map(\.output).sorted() == ["3 migrations applied"] + Array(repeating: "nothing to do", count: 7))
        #expect(try await program.psql("SELECT count(*) FROM a") == "1")
    }

    @Test("killed at any moment, then run again: finishes, everything once")
    func killed() async throws {
        let program = try await Program()
        let folder = try TemporaryFolder()
        try folder.write("0001_log.sql", "-- migrate:up\nCREATE TABLE log (version int);\n")
        for version in 2...6 {
            // Each statement takes a moment, so that a kill hits it, or the gap after it.
            let statements = (1...3).map { _ in "INSERT INTO log VALUES (\(version));\nSELECT pg_sleep(0.02);\n" }
            try folder.write("000\(version)_step.sql", "-- migrate:up\n" + statements.joined())
        }
        try folder.write(
            "0007_index.sql",
            "-- migrate:no-transaction\n-- migrate:up\nCREATE INDEX CONCURRENTLY log_idx ON log (version);\n")
        let arguments = ["migrate", "up", "--migrations", folder.path]
        var kills = 0
        for attempt in 0..<200 {
            let running = try program.start(arguments)
            running.kill(after: 40 + attempt * 5)
            let outcome = await running.outcome()
            if outcome.status == 0 { break }
            kills += 1
        }
        #expect(kills > 3)
        let outcome = try await program.run(arguments)
        #expect(outcome.status == 0)
        #expect(outcome.output == "nothing to do")
        #expect(
            try await program.psql("SELECT version, count(*) FROM log GROUP BY version ORDER BY version")
                == (2...6).map { "\($0)|3" }.joined(separator: "\n"))
        #expect(try await program.psql("SELECT count(*) FROM schema_migrations WHERE applied_at IS NOT NULL") == "7")
        #expect(try await program.psql("SELECT indisvalid FROM pg_index WHERE indexrelid = 'log_idx'::regclass") == "t")
    }

    @Test("a database that is PostgreSQL's own or another program's is refused, and nothing is changed")
    func foreign() async throws {
        let program = try await Program()
        let own = try await program.run(
            ["migrate", "up", "--database", program.cluster.connectionString(database: "postgres")])
        #expect(own.status == 1)
        #expect(own.notes.hasPrefix("error: the database postgres is PostgreSQL's own and nothing was changed: "))
        #expect(try await program.cluster.psql("SELECT to_regnamespace('juliet')", database: "postgres") == "")
        // Other files change nothing about that. A server of its own, because every database is made from its template1.
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let folder = try folder()
        let template = try await program.run([
            "migrate", "up", "--migrations", folder.path, "--database",
            cluster.connectionString(database: "template1"),
        ])
        #expect(template.status == 1)
        #expect(template.notes.hasPrefix("error: the database template1 is PostgreSQL's own and nothing was changed: "))
        #expect(try await cluster.psql("SELECT to_regnamespace('juliet')", database: "template1") == "")
        try await program.psql("CREATE TABLE public.orders (id integer); CREATE VIEW public.stock AS SELECT 1")
        let other = try await program.run(["migrate", "up"])
        #expect(other.status == 1)
        #expect(
            other.notes.hasPrefix(
                "error: the database \(program.database) is another program's (public.orders, public.stock) and nothing"
            ))
        #expect(try await program.psql("SELECT to_regnamespace('juliet')") == "")
        // Beside Juliet's own anything may be.
        try await program.psql("DROP TABLE public.orders; DROP VIEW public.stock")
        #expect(try await program.run(["migrate", "up"]).status == 0)
        try await program.psql("CREATE TABLE public.orders (id integer)")
        #expect(try await program.run(["migrate", "up"]).status == 0)
    }

    @Test(
        "every command that finds another database than Juliet's says which, and what to do",
        arguments: [
            ["words", "import"], ["words", "list"], ["users", "show", "ANNA"], ["users", "import", "/dev/null"],
            ["users", "delete", "ANNA", "--yes"], ["rules", "apply"], ["energy", "audit"], ["energy", "prune"],
            ["energy", "grant", "ANNA", "5", "--reason", "why"], ["admin", "keys", "add", "anna"],
            ["lottery", "draw"], ["lottery", "list"], ["purchases", "list"],
        ])
    func noSchema(command: [String]) async throws {
        let program = try await Program()
        let outcome = try await program.run(command)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(
            outcome.notes
                == "error: the database \(program.database) is not Juliet's, it has no schema juliet: name another with --database, or make the schema with juliet migrate up"
        )
    }

    /// A function of an earlier release, in no file of this one.
    static let former = """
        CREATE OR REPLACE FUNCTION former() RETURNS integer LANGUAGE sql AS 'SELECT 1';
        GRANT EXECUTE ON FUNCTION former() TO juliet_service;
        """

    @Test("prune drops what a release no longer has, once no service of another release runs, and says what")
    func prune() async throws {
        let program = try await Program()
        let folder = try TemporaryFolder()
        let schema = "\(folder.path)/schema"
        try FileManager.default.copyItem(atPath: Program.root.appending(path: "schema").path, toPath: schema)
        try folder.write("schema/users/former.sql", Self.former)
        let files = ["--migrations", Program.root.appending(path: "migrations").path, "--schema", schema]
        let count = "SELECT count(*) FROM pg_proc WHERE proname = 'former'"
        var outcome = try await program.run(["migrate", "up"] + files)
        #expect(outcome.status == 0, "\(outcome.notes)")
        outcome = try await program.run(["migrate", "prune"] + files)
        #expect(outcome.status == 0 && outcome.output == "nothing to do", "\(outcome.notes)")

        outcome = try await program.run(["migrate", "up"])
        #expect(outcome.output.hasPrefix("1 object of code retired"), "\(outcome.output) \(outcome.notes)")
        #expect(try await program.psql(count) == "1")
        try await program.psql("SELECT renew_service(gen_random_uuid(), '0.9.0', repeat('0', 64))")
        outcome = try await program.run(["migrate", "prune"])
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(
            outcome.notes.contains(
                #/^error: 1 service of another release may still call what is retired: release 0\.9\.0, running since \S+ Replace/#
            ), "\(outcome.notes)")
        #expect(try await program.psql(count) == "1")
        try await program.psql("UPDATE services SET seen_at = seen_at - interval '1 minute'")
        outcome = try await program.run(["migrate", "prune"])
        #expect(outcome.status == 0 && outcome.output == "dropped function former()", "\(outcome.notes)")
        #expect(try await program.psql(count) == "0")
        outcome = try await program.run(["migrate", "prune", "--json"])
        #expect(try outcome.document()["dropped"] as? [String] == [])
    }

    @Test("the game's migrations go up, down to nothing, and up again")
    func everyMigration() async throws {
        let program = try await Program()
        // What a schema is made of, but for the runner's own tables.
        let objects = """
            SELECT 'table ' || relname FROM pg_class WHERE relnamespace = to_regnamespace('juliet')
                AND relname NOT LIKE 'schema\\_%'
            UNION ALL
            SELECT 'type ' || typname FROM pg_type WHERE typnamespace = to_regnamespace('juliet')
                AND typname !~ '^_?schema_'
            UNION ALL
            SELECT 'function ' || oid::regprocedure FROM pg_proc WHERE pronamespace = to_regnamespace('juliet')
            ORDER BY 1
            """
        let count = Schema.migrations.count
        // What a file withdraws is not there.
        let objectCount = Schema.code.pieces.count { !$0.object.hasPrefix("withdrawal of ") }
        var outcome = try await program.run(["migrate", "status"])
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("\(count) migrations and code pending: `juliet migrate up` applies them"))
        outcome = try await program.run(["migrate", "up"])
        #expect(
            outcome.output
                == "\(count) migrations applied, \(objectCount) objects of code installed in the database \(program.database)",
            "\(outcome.notes)")
        let made = try await program.psql(objects)
        #expect(made.contains("table users\n") && made.contains("type energy_reason\n"))
        #expect(made.contains("function add_win(text,text,bigint,text)\n"))
        outcome = try await program.run(["migrate", "status"])
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("\n\nup to date"))
        // With players and words in the tables.
        try await program.psql(
            "SELECT register_user('ANNA', 'reg', 1), pay_for_game('ANNA', NULL, NULL), add_win('ANNA', 'win', 2)")
        outcome = try await program.run(["migrate", "down", "\(count)"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(try await program.psql(objects) == "")
        #expect(
            try await program.psql("SELECT has_schema_privilege('juliet_service', 'juliet', 'CREATE')") == "f")
        #expect(try await program.run(["migrate", "status"]).status == 2)
        outcome = try await program.run(["migrate", "up"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(try await program.psql(objects) == made)
        // One by one, down and up again.
        for _ in 0..<count {
            #expect(try await program.run(["migrate", "down"]).status == 0)
        }
        #expect(try await program.psql(objects) == "")
        #expect(try await program.run(["migrate", "up"]).status == 0)
        #expect(try await program.psql(objects) == made)
        #expect(try await program.audit().output == "0 players, 0 rows, nothing wrong")
    }

    @Test("undoing a part of the files and applying it again leaves nothing that the audit finds")
    func undonePart() async throws {
        let program = try await Program.withPlayers()
        for (turn, count) in [1, 3, 4, 5, 6, 7, 8].enumerated() {
            #expect(try await program.run(["admin", "keys", "add", "key\(turn)"]).status == 0)
            #expect(try await program.run(["migrate", "down", "\(count)"]).status == 0)
            #expect(try await program.run(["migrate", "up"]).status == 0)
            #expect(try await program.audit().output.hasSuffix("nothing wrong"))
        }
    }

    @Test("a database that was migrated with other files is named, stays as it is, and the way is told")
    func otherFiles() async throws {
        let program = try await Program.migrated()
        try await program.psql("UPDATE schema_migrations SET checksum = 'f' || checksum WHERE version > 1")
        let before = try await program.psql("SELECT * FROM schema_migrations, schema_code ORDER BY version, object")
        let names = Schema.migrations.dropFirst().map { "\($0.fileName.dropLast(4))" }
        let advice =
            "Make a new database for this program, and keep this one, or a whole dump of it, for the program that made it"
        let differing =
            "this database was migrated with other files than this program's (\(names[0]), \(names[1]) and \(names.count - 2) more)"
        let shown = "\(differing). `juliet migrate verify` lists them all. \(advice)"
        let refused = "\(differing); nothing has changed. `juliet migrate verify` lists them all. \(advice)"
        // Code from a folder does not make the migrations others.
        let code = ["--schema", Program.root.appending(path: "schema").path]
        for (command, message) in [
            (["up"], refused), (["up"] + code, refused), (["up", "--dry-run"], shown), (["plan"], shown),
            (["plan"] + code, shown), (["down"], refused), (["plan", "--down", "1"], shown), (["prune"], refused),
            (["prune"] + code, refused), (["distribute"], refused),
        ] {
            var outcome = try await program.run(["migrate"] + command)
            #expect(outcome.status == 3)
            #expect(outcome.notes == "error: \(message)", "\(command): \(outcome.output)")
            outcome = try await program.run(["migrate"] + command + ["--json"])
            #expect(outcome.status == 3)
            let document = try outcome.document()
            #expect(document["message"] as? String == message)
            #expect(document["error"] as? String == "drift")
        }
        #expect(
            try await program.psql("SELECT * FROM schema_migrations, schema_code ORDER BY version, object") == before)
        var outcome = try await program.run(["migrate", "status"])
        #expect(outcome.status == 3)
        // On several servers another line follows.
        #expect(outcome.output.contains("\n\n\(shown)"))
        // The program's own migrations have nothing to accept.
        for folder in [[], code] {
            outcome = try await program.run(["migrate", "repair", "--accept", "2"] + folder)
            #expect(outcome.status == 64)
            #expect(outcome.notes.contains("give --migrations, the folder"))
        }
        var lines = names.map { "\($0): the migration that was applied had another text: its checksum differs" }
        for folder in [[], code] {
            outcome = try await program.run(["migrate", "verify"] + folder)
            #expect(outcome.status == 3)
            #expect(outcome.output == (lines + [advice]).joined(separator: "\n"))
        }
        // What came later is of these files, too, even if it promises that this release works.
        try await program.psql(
            "INSERT INTO schema_migrations VALUES (9000, 'later', 'f', true, now(), 1); DROP FUNCTION add_win")
        lines.append("9000_later: is in the database, and this program has no such file")
        #expect(
            try await program.run(["migrate", "verify"]).output == (lines + [advice]).joined(separator: "\n"))
        outcome = try await program.run(["migrate", "verify", "--json"])
        #expect(outcome.status == 3)
        let document = try outcome.document()
        #expect(document["advice"] as? String == advice)
        let migrations = try #require(document["migrations"] as? [[String: Any]])
        #expect(migrations.compactMap { $0["fault"] as? String } == lines)
        try await program.psql(
            "DELETE FROM schema_migrations WHERE version = 3; GRANT DELETE ON users TO juliet_service")
        outcome = try await program.run(["audit", "--only", "schema"])
        #expect(outcome.status == 3)
        for said in lines.filter({ !$0.hasPrefix("0003") }) + ["juliet_service may DELETE users"] {
            #expect(outcome.output.contains(said))
        }
        // Neither is the migration pending, nor is the function missing.
        for advised in ["repair", "migrate up", "0003", "add_win"] { #expect(!outcome.output.contains(advised)) }
    }

    @Test("files that become others while a command waits for its lock are named as well")
    func overtaken() async throws {
        let program = try await Program.migrated()
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let configuration = PostgresConfiguration(
            connectionString: program.cluster.connectionString(database: program.database))
        let runner = MigrationRunner(
            connect: { () async throws(PostgresError) in try await PostgresConnection.connect(configuration, on: loop)
            },
            options: Schema.runnerOptions(release: "1.0.0"))
        let error = await #expect(throws: OtherFiles.self) {
            try await OtherFiles.refused(by: runner, folder: "here") {
                try await program.psql("UPDATE schema_migrations SET checksum = 'f' WHERE version = 3")
                return try await runner.up(Schema.migrations, code: Schema.code)
            }
        }
        #expect(
            error?.description
                == "this database was migrated with other files than this program's (0003_create_users); nothing has changed. Give --data a new folder; here stays as it is, for the version that made it"
        )
    }

    @Test("where everything has happened, a migration of the next release is taken back and applied again")
    func upgrade() async throws {
        let program = try await Program()
        func expect(_ arguments: [String], status: Int32 = 0, says: String = "") async throws {
            let outcome = try await program.run(arguments)
            let said = "\(outcome.output) \(outcome.notes)"
            #expect(outcome.status == status && (says.isEmpty || said.contains(says)), "\(arguments): \(said)")
        }
        let next = try TemporaryFolder.nextRelease()
        try await expect(["migrate", "up"] + next.files)
        try await program.psql(AuditWorld.script)
        let players = try await program.psql("SELECT * FROM users ORDER BY id")
        for turn in 0..<2 {
            try await expect(["migrate", "down", "\(turn + 1)"] + next.files)
            let trail = "SELECT count(*), max(id) FROM admin_actions"
            let lines = try await program.psql(trail)
            for command in [
                ["admin", "keys", "revoke", "mia"], ["admin", "keys", "add", "tom"], ["energy", "archive"], ["audit"],
                ["energy", "grant", "ANNA", "5", "--reason", "why"], ["words", "import"],
                ["users", "delete", "ANNA", "--yes"],
            ] {
                try await expect(
                    command, status: 1,
                    says:
                        "error: the database \(program.database) has tables, but no functions, as juliet migrate down leaves it; nothing was changed"
                )
            }
            #expect(try await program.psql(trail) == lines)
            #expect(try await program.psql("SELECT * FROM users ORDER BY id") == players)
            // This release's own program brings back what it needs.
            try await expect(["migrate", "up"])
            try await expect(["migrate", "verify"])
            try await expect(["audit"])
            #expect(try await program.psql("SELECT * FROM users ORDER BY id") == players)
            try await expect(["migrate", "up"] + next.files, says: "1 migration applied")
            #expect(try await program.psql("SELECT count(*) FROM notes") == "0")
        }
    }
}

extension TemporaryFolder {
    /// The files of a release to come: this one's and a migration more.
    static func nextRelease() throws -> (folder: TemporaryFolder, files: [String]) {
        let folder = try TemporaryFolder()
        for migration in SchemaFiles.migrations {
            try folder.write(migration.name, String(decoding: migration.contents, as: UTF8.self))
        }
        try folder.write(
            "9000_note_players.sql",
            """
            -- migrate:backward-compatible
            -- migrate:up
            CREATE TABLE notes (id integer NOT NULL, CONSTRAINT notes_pkey PRIMARY KEY (id));
            ALTER TABLE players ADD COLUMN note text;
            -- migrate:down
            ALTER TABLE players DROP COLUMN note;
            DROP TABLE notes;

            """)
        let schema = Program.root.appending(path: "schema").path
        return (folder, ["--migrations", folder.path, "--schema", schema])
    }
}
