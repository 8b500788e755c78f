import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

@testable import JulietGame

@Suite("A database that is not as most are", .defaultLayout("about one server's databases"))
struct DatabaseTests {
    @Test(
        "whatever settings it carries, it is migrated, everything happens in it, and nothing is wrong",
        arguments: 0..<DatabaseSettings.rounds)
    func settings(round: Int) async throws {
        let cluster = try await PostgresCluster.withoutLog()
        let database = try await cluster.createDatabase()
        let changed = try await DatabaseSettings.change(database, of: cluster, round: round)
        // The list has names that the server knows.
        #expect(
            changed.isSuperset(of: ["quote_all_identifiers", "standard_conforming_strings", "plpgsql.extra_errors"]))
        let program = Program(database: database, in: cluster)
        func expect(_ arguments: [String], says: String = "") async throws {
            let outcome = try await program.run(arguments)
            #expect(outcome.status == 0, "\(arguments): \(outcome.output) \(outcome.notes)")
            #expect(says.isEmpty || outcome.output.contains(says), "\(arguments): \(outcome.output)")
        }
        try await expect(["migrate", "up"], says: "applied")
        try await program.psql(AuditWorld.script)
        try await expect(["audit"], says: "nothing wrong")
        try await expect(["migrate", "up"], says: "nothing to do")
        try await expect(["migrate", "verify"], says: "files and database agree")
        try await expect(["migrate", "down"])
        try await expect(["migrate", "up"])
        try await expect(["migrate", "status"], says: "up to date")
        try await expect(["audit"], says: "nothing wrong")
        // What was made under these settings is what is made without them.
        _ = try await cluster.psql("ALTER DATABASE \(database.name) RESET ALL")
        try await expect(["migrate", "verify"], says: "files and database agree")
        try await expect(["audit"], says: "nothing wrong")
    }

    @Test(
        "in another encoding it is refused first, and in one line, by whatever opens it",
        arguments: ["SQL_ASCII", "LATIN1"])
    func encoding(_ encoding: String) async throws {
        let cluster = try await PostgresCluster.shared()
        let program = Program(database: try await cluster.createDatabase(encoding: encoding), in: cluster)
        let line =
            "the database \(program.database) has the encoding \(encoding) and must have UTF8: make another one with createdb --encoding UTF8 --template template0 --locale C NAME"
        let folder = try TemporaryFolder()
        try folder.write("0001_a.sql", "-- migrate:up\nCREATE TABLE a (id int);\n")
        for command in [
            ["migrate", "up"], ["migrate", "up", "--dry-run"], ["migrate", "up", "--migrations", folder.path],
            ["migrate", "plan"], ["migrate", "status"], ["migrate", "verify"], ["migrate", "wait"],
            ["migrate", "down"],
            ["audit"], ["energy", "audit"], ["words", "import"], ["users", "import", folder.path],
            ["users", "show", "ANNA"],
            ["rules", "apply"], ["lottery", "list"], ["admin", "keys", "list"],
        ] {
            let outcome = try await program.run(command)
            #expect(outcome.status == 1, "\(command)")
            #expect(outcome.notes == "error: \(line)", "\(command): \(outcome.output)")
        }
        let outcome = try await program.run(["serve", "--port", "0"])
        #expect(outcome.status == 1)
        #expect(outcome.notes.contains(line), "\(outcome.notes)")
        #expect(try await program.psql("SELECT to_regnamespace('juliet') IS NULL AND to_regclass('a') IS NULL") == "t")
    }

    @Test("a command that cannot have its rows gives up, and names the process that has them and what ends it")
    func lockedOut() async throws {
        let program = try await Program.withPlayers()
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let address = program.cluster.connectionString(database: program.database)
        var configuration = PostgresConfiguration(connectionString: address)
        configuration.applicationName = "a service"
        let holder = try await PostgresConnection.connect(configuration, on: loop)
        try await holder.executeScript("BEGIN; UPDATE juliet.users SET wins = wins WHERE id = 'BEN'")
        let grant = ["energy", "grant", "BEN", "5", "--reason", "ticket 17"]
        let patience = ["DATABASE_URL": "\(address) options='-clock_timeout=500ms'"]
        var outcome = try await program.run(grant, environment: patience)
        #expect(outcome.status == 1)
        let pid = holder.backendPID
        #expect(
            outcome.notes.wholeMatch(
                of: try Regex(
                    #"error: a table that this command needs is locked\. Process \#(pid) \(postgres, "a service", idle in transaction, for \d+ s\) has locks on users: `SELECT pg_terminate_backend\(\#(pid)\)` ends it"#
                )) != nil, "\(outcome.notes)")
        // What takes all rows of a player tries for a while instead of waiting.
        outcome = try await program.run(["users", "delete", "BEN", "--yes"], environment: patience)
        #expect(outcome.status == 1)
        #expect(outcome.notes.hasSuffix("`SELECT pg_terminate_backend(\(pid))` ends it"), "\(outcome.notes)")
        try await program.psql("SELECT pg_terminate_backend(\(pid))")
        outcome = try await program.run(grant, environment: patience)
        #expect(outcome.status == 0, "\(outcome.notes)")
    }

    @Test("of many that have locks, three are named, and what ends all sessions of their role")
    func lockedOutByMany() async throws {
        let program = try await Program.withPlayers()
        let address = program.cluster.connectionString(database: program.database)
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let many = Array(repeating: "LOCK TABLE juliet.figures IN ROW SHARE MODE", count: 4)
        var holders: [PostgresConnection] = []
        for lock in many + ["UPDATE juliet.users SET wins = wins WHERE id = 'BEN'"] {
            holders.append(
                try await PostgresConnection.connect(PostgresConfiguration(connectionString: address), on: loop))
            try await holders.last?.executeScript("BEGIN; \(lock)")
        }
        let outcome = try await program.run(
            ["energy", "grant", "BEN", "5", "--reason", "ticket 17"],
            environment: ["DATABASE_URL": "\(address) options='-clock_timeout=500ms'"])
        #expect(outcome.status == 1)
        #expect(
            outcome.notes.hasSuffix(
                "2 more sessions have locks: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'` ends all sessions of postgres"
            ), "\(outcome.notes)")
        for holder in holders { await holder.close() }
    }

    @Test("while a service holds all rows that its functions lock, operators act, or give up and are told who has them")
    func heldByService() async throws {
        let program = try await Program.migrated()
        try await program.psql(AuditWorld.script)
        let role = "holder_\(program.database)"
        try await program.psql(
            """
            CREATE ROLE \(role) LOGIN IN ROLE juliet_service;
            INSERT INTO admin_key_uses (key_hash) SELECT key_hash FROM admin_keys
            """)
        let folder = try TemporaryFolder()
        try folder.write("users.json", #"{"items": []}"#)
        try folder.write("list.json", #"{"lotteryList": []}"#)
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let cluster = program.cluster
        let holder = try await PostgresConnection.connect(
            PostgresConfiguration(
                connectionString:
                    "host=\(cluster.directory) port=\(cluster.port) user=\(role) dbname=\(program.database)"),
            on: loop)
        try await holder.executeScript(
            """
            SET search_path = juliet;
            SELECT store_notification('first', 'signed', 'TEST', NULL, 'Sandbox', 'T8', NULL, now())
            """)
        try await holder.executeScript(
            """
            BEGIN;
            SELECT store_notification('held', 'signed', 'TEST', NULL, 'Sandbox', 'T9', NULL, now());
            SELECT admin_energy(sha256('key'), 'BEN', 5, true, 'why', 'held', 1), admin_sign_in(sha256('words'), sha256('new')),
                admin_sign_out(sha256('words'));
            SELECT buy_energy('BEN', 5, NULL, NULL), enter_lottery(\(Someone.token("bob"))), request_draw(2);
            SELECT renew_service(gen_random_uuid(), '1.0.0', repeat('0', 64));
            SET CONSTRAINTS ALL IMMEDIATE
            """)
        #expect(
            try await program.psql(
                "SELECT trail FROM trail_seals WHERE writer = 'service' AND entries > 0") == "store_notifications")
        let patience = [
            "DATABASE_URL": "\(cluster.connectionString(database: program.database)) options='-clock_timeout=500ms'"
        ]
        let why = ["--reason", "ticket 17"]
        for command in [
            ["admin", "keys", "add", "dora"], ["admin", "keys", "revoke", "kim"], ["admin", "keys", "revoke", "mia"],
            ["players", "renew-nonces"] + why, ["energy", "grant", "ANNA", "5"] + why,
        ] {
            let outcome = try await program.run(command, environment: patience)
            #expect(outcome.status == 0, "\(command): \(outcome.notes)")
        }
        let pid = holder.backendPID
        for command in [
            ["energy", "grant", "BEN", "5"] + why, ["lottery", "announce", "--prize", "77"],
            ["lottery", "import", "\(folder.path)/users.json", "\(folder.path)/list.json"], ["rules", "apply"],
            ["lottery", "draw"], ["users", "delete", "BEN", "--yes"],
        ] {
            let outcome = try await program.run(command, environment: patience)
            #expect(
                outcome.status == 1
                    && outcome.notes.contains("a table that this command needs is locked. Process \(pid) (\(role), ")
                    && outcome.notes.hasSuffix("`SELECT pg_terminate_backend(\(pid))` ends it"),
                "\(command): \(outcome.output) \(outcome.notes)")
        }
        await holder.close()
        let outcome = try await program.run(["energy", "grant", "BEN", "5"] + why, environment: patience)
        #expect(outcome.status == 0, "\(outcome.notes)")
        #expect(try await program.run(["audit", "--only", "trail"]).status == 0)
        try await program.psql("DROP ROLE \(role)")
    }
}
