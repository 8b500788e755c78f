import Foundation
import Migrations
import TestSupport
import Testing

@testable import JulietGame

/// What docs/citus.md and docs/citus-changes.md have an operator do, in that order. With `TEST_LAYOUT=citus` the tests of the other commands run there too.
@Suite(
    "Commands on several servers", .everyLayout,
    .needsCitus)
struct DistributedCommandTests {
    @Test("a game that was set up on one server moves to several, and its words can be changed there")
    func late() async throws {
        let cluster = try await CitusCluster.shared()
        let program = Program(database: try await cluster.createPlainDatabase(), in: cluster.coordinator)
        for arguments in [["migrate", "up"], ["words", "import"]] {
            let outcome = try await program.run(arguments)
            try #require(outcome.status == 0, "\(outcome.notes)")
        }
        try await program.psql("SELECT register_user('P' || i, NULL, NULL) FROM generate_series(1, 50) AS i")
        var outcome = try await program.run(["migrate", "distribute"])
        #expect(outcome.status != 0 && outcome.notes.contains("this database has no Citus"), "\(outcome.notes)")

        try await cluster.addExtension(to: program.database)
        outcome = try await program.run(["migrate", "distribute"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(outcome.output.hasPrefix("done: distributed in 32 shards: 127.0.0.1:"))
        #expect(try await program.psql("SELECT count(*) FROM users") == "50")
        outcome = try await program.run(["audit"])
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.notes)")
        outcome = try await program.run(["words", "import"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(
            outcome.output.wholeMatch(
                of:
                    #/list .*\nguessable +0 +0 +0 +[0-9,]+\nsecret +0 +0 +0 +[0-9,]+\nmeanings: 0 new, [0-9,]+ unchanged/#
            ) != nil)
    }

    @Test("the words can be imported, changed and pruned after the players were spread, on every server alike")
    func words() async throws {
        let cluster = try await CitusCluster.shared()
        let program = Program(database: try await cluster.createDatabase(), in: cluster.coordinator)
        for arguments in [["migrate", "up"], ["migrate", "distribute"], ["words", "import"]] {
            let outcome = try await program.run(arguments)
            try #require(outcome.status == 0, "\(outcome.notes)")
        }
        let folder = try TemporaryFolder()
        let secrets = try folder.write("secret.txt", "crane\nslate\nzzzzz\n")
        let guesses = try folder.write("guessable.txt", "crane\nslate\nzzzzz\nyyyyy\n")
        let lists = [guesses, secrets]
        let words = """
            SELECT count(*), count(*) FILTER (WHERE is_secret AND retired_at IS NULL), min(place), max(place), max(retired_at)
            FROM juliet.words
            """
        func onEachServer() async throws -> Set<String> {
            var said: Set<String> = []
            for server in cluster.servers { said.insert(try await server.psql(words, database: program.database)) }
            return said
        }
        for arguments in [
            ["words", "import"] + lists, ["words", "retire", "crane"], ["words", "restore", "crane"],
            ["words", "import", "--prune"] + lists, ["words", "import"],
        ] {
            let outcome = try await program.run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.notes)")
            #expect(try await onEachServer().count == 1, "\(arguments)")
        }
        let outcome = try await program.run(["audit"])
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.notes)")
    }

    @Test("a migration changes tables, columns, indexes and functions on all servers, and takes them back")
    func migration() async throws {
        let cluster = try await CitusCluster.shared()
        let program = Program(database: try await cluster.createDatabase(), in: cluster.coordinator)
        for command in ["up", "distribute"] {
            let outcome = try await program.run(["migrate", command])
            try #require(outcome.status == 0, "\(outcome.notes)")
        }
        try await program.psql("SELECT register_user('P' || i, NULL, NULL) FROM generate_series(1, 50) AS i")

        let folder = try TemporaryFolder()
        let migrations = "\(folder.path)/migrations", schema = "\(folder.path)/schema"
        try FileManager.default.copyItem(atPath: Program.root.appending(path: "migrations").path, toPath: migrations)
        try FileManager.default.copyItem(atPath: Program.root.appending(path: "schema").path, toPath: schema)
        try folder.write(
            "migrations/9999_try.sql",
            """
            -- migrate:up
            CREATE TABLE trials (user_id text COLLATE "C" NOT NULL, CONSTRAINT trials_pkey PRIMARY KEY (user_id));
            ALTER TABLE users ADD COLUMN trial integer NOT NULL DEFAULT 3;
            ALTER TABLE words ADD COLUMN trial integer;
            CREATE INDEX users_trial_idx ON users (trial);
            CREATE FUNCTION trial_of(text) RETURNS integer LANGUAGE sql AS 'SELECT trial FROM juliet.users WHERE id = $1';
            ALTER TABLE users ADD CONSTRAINT users_trial_check CHECK (trial > 0);
            UPDATE users SET trial = 4;
            -- migrate:down
            ALTER TABLE users DROP CONSTRAINT users_trial_check;
            DROP FUNCTION trial_of(text);
            DROP INDEX users_trial_idx;
            ALTER TABLE words DROP COLUMN trial;
            ALTER TABLE users DROP COLUMN trial;
            DROP TABLE trials;
            """)
        let file = "schema/users/add_win.sql"
        let body = try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
        try folder.write(file, body.replacing("BEGIN", with: "BEGIN\n    -- Another body.", maxReplacements: 1))
        let former = try folder.write("schema/users/former.sql", MigrateCommandTests.former)

        let changed = "SELECT count(*) FROM pg_proc WHERE proname = 'add_win' AND prosrc ~ 'Another body'"
        func onEachServer(_ sql: String) async throws -> [String] {
            var said: [String] = []
            for server in cluster.servers { said.append(try await server.psql(sql, database: program.database)) }
            return said
        }
        let files = ["--migrations", migrations, "--schema", schema]
        var outcome = try await program.run(["migrate", "up"] + files)
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(outcome.output.hasPrefix("1 migration applied, 2 objects of code installed"))
        #expect(try await onEachServer(changed) == ["1", "1", "1"])
        #expect(try await program.psql("SELECT count(*), min(trial), max(trial) FROM users") == "50|4|4")
        outcome = try await program.run(["migrate", "verify"] + files)
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.notes)")
        outcome = try await program.run(["migrate", "distribute"] + files)
        #expect(outcome.status == 0, "\(outcome.notes)")

        // The release after it lacks a function, which is kept until it is pruned.
        try FileManager.default.removeItem(atPath: former)
        let kept = "SELECT count(*) FROM pg_proc WHERE proname = 'former'"
        outcome = try await program.run(["migrate", "up"] + files)
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(try await onEachServer(kept) == ["1", "1", "1"])
        outcome = try await program.run(["migrate", "prune"] + files)
        #expect(outcome.status == 0 && outcome.output == "dropped function former()", "\(outcome.notes)")
        #expect(try await onEachServer(kept) == ["0", "0", "0"])

        outcome = try await program.run(["migrate", "down"] + files)
        #expect(outcome.status == 0, "\(outcome.notes)")
        outcome = try await program.run(["migrate", "up"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(try await onEachServer(changed) == ["0", "0", "0"])
        outcome = try await program.run(["migrate", "distribute"])
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(try await program.psql("SELECT count(*) FROM users") == "50")
        #expect(try await program.psql("SELECT energy FROM pay_for_game('P7', NULL, NULL)") == "25")
    }

    @Test(
        "a migration of the next release is taken back and applied again where players are spread, whatever has happened",
        .citusLayout)
    func upgrade() async throws {
        let cluster = try await CitusCluster.shared()
        let program = Program(database: try await cluster.createDatabase(), in: cluster.coordinator)
        func expect(_ arguments: [String], status: Int32 = 0, says: String = "") async throws {
            let outcome = try await program.run(arguments)
            let said = "\(outcome.output) \(outcome.notes)"
            #expect(outcome.status == status && (says.isEmpty || said.contains(says)), "\(arguments): \(said)")
        }
        func onEachServer(_ sql: String) async throws -> [String] {
            var said: [String] = []
            for server in cluster.servers { said.append(try await server.psql(sql, database: program.database)) }
            return said
        }
        for command in ["up", "distribute"] { try await expect(["migrate", command]) }
        try await program.psql(AuditWorld.script)
        try await program.psql("SELECT count_figures()")
        try await expect(["names", "refuse", "xyz", "--reason", "rude"])
        let players = try await program.psql("SELECT * FROM users ORDER BY id")
        let next = try TemporaryFolder.nextRelease()
        let added = """
            SELECT to_regclass('commit_marks') IS NOT NULL, (SELECT count(*) FROM pg_attribute
                WHERE attrelid = 'players'::regclass AND attname = 'note' AND NOT attisdropped)
            """

        // With the newest migration of this release, whose table is on every server.
        for steps in [[2], [1, 1]] {
            try await expect(["migrate", "up"] + next.files, says: "1 migration applied")
            #expect(try await onEachServer(added) == ["t|1", "t|1", "t|1"])
            for count in steps { try await expect(["migrate", "down", "\(count)"] + next.files) }
            #expect(try await program.psql("SELECT max(version) FROM schema_migrations") == "\(Schema.version - 1)")
            #expect(try await onEachServer(added) == ["f|0", "f|0", "f|0"])
            #expect(try await program.psql("SELECT * FROM users ORDER BY id") == players)
            try await expect(["migrate", "distribute"], status: 1, says: "pending")

            try await expect(["migrate", "up"], says: "1 migration applied")
            try await expect(["migrate", "verify"])
            try await expect(["migrate", "distribute"], says: "done: distributed in 32 shards")
            try await expect(["migrate", "distribute"], says: "nothing to do")
            #expect(try await program.psql("SELECT * FROM users ORDER BY id") == players)
            #expect(
                try await onEachServer("SELECT part FROM refused_names WHERE NOT is_carried") == ["xyz", "xyz", "xyz"])
            let found =
                "SELECT body::jsonb -> 'players' -> 0 ->> 'name' FROM admin_find(sha256('key'), 'bob', NULL, NULL, NULL, 20)"
            #expect(try await program.psql(found) == "Bob")
            try await program.psql("SELECT count_figures()")
            #expect(try await program.psql("SELECT count(*) > 0 FROM figures") == "t")
            try await expect(["audit"])
        }
    }
}
