import Foundation
import JulietSchema
import Migrations
import TestSupport
import Testing

@testable import JulietGame

@Suite("What the schema promises", .defaultLayout("alters what Citus lets nobody alter"))
struct SchemaGuardsTests {
    @Test("of tables, keys and triggers is what the migrations make: else run scripts/catalog")
    func catalog() async throws {
        let program = try await Program.migrated()
        let outcome = try await program.run(["migrate", "catalog"])
        #expect(outcome.output == SchemaFiles.catalog.trimmingCharacters(in: .newlines), "run scripts/catalog")
    }

    @Test("a server that is sent a function finds its types, wherever it looks for names: a cluster's new worker")
    func types() async throws {
        let program = try await Program.migrated()
        // PostgreSQL refuses a body whose variables have types that it does not find.
        try await program.psql(
            """
            SET search_path = pg_catalog;
            SELECT CASE lanname WHEN 'sql' THEN fmgr_sql_validator(pg_proc.oid) ELSE plpgsql_validator(pg_proc.oid) END
            FROM pg_proc JOIN pg_language ON pg_language.oid = prolang
            WHERE pronamespace = 'juliet'::regnamespace AND proconfig IS NULL
            """)
    }

    @Test("a change of a function is a change of one file: the service expects what was installed")
    func oneFile() throws {
        let code = SchemaFiles.code.map { (name: $0.name, text: String(decoding: $0.contents, as: UTF8.self)) }
        let changed = code.map { file in
            (
                file.name,
                Array(
                    file.text.replacing(
                        "(player, -price, 'game', NULL,", with: "(player, - price, 'game', NULL,"
                    ).utf8)
            )
        }
        let promises = SchemaPromises(
            code: try SchemaCode(files: changed), migrations: Schema.migrations, catalog: SchemaFiles.catalog)
        let own = SchemaGuards.promises
        let differing = zip(zip(own.names, own.digests), promises.digests).filter { $0.0.1 != $0.1 }.map(\.0.0)
        #expect(differing == ["the function pay_for_game"])
    }

    @Test("a function that does something else is named")
    func alteredFunction() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            """
            CREATE OR REPLACE FUNCTION change_energy(
                player text, change integer, reason energy_reason, reference text, operation text, request bigint,
                kind operation_kind DEFAULT NULL, held rules DEFAULT NULL, told jsonb DEFAULT NULL,
                not_before timestamptz DEFAULT NULL
            ) RETURNS operation_answer LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$
            """)
        try await expect(program, ["the function change_energy is altered"])
    }

    @Test(
        "a function that runs with other rights or looks elsewhere for its tables is named",
        arguments: [
            "SECURITY INVOKER", "RESET search_path", "SET search_path = pg_temp, juliet", "SET row_security = on",
            "STABLE",
        ])
    func alteredProperties(_ change: String) async throws {
        let program = try await Program.withPlayers()
        try await program.psql("ALTER FUNCTION buy_energy \(change)")
        try await expect(program, ["the function buy_energy is altered"])
    }

    @Test("each function that is altered is named")
    func everyFunction() async throws {
        let program = try await Program.withPlayers()
        try await program.psql(
            "UPDATE pg_proc SET prosrc = prosrc || ' ' WHERE pronamespace = 'juliet'::regnamespace")
        let functions = SchemaGuards.promises.names.filter { $0.hasPrefix("the function") }
        let count = try await program.psql("SELECT count(*) FROM pg_proc WHERE pronamespace = 'juliet'::regnamespace")
        #expect(count == "\(functions.count)")
        try await expect(program, functions.map { "\($0) is altered" })
    }

    @Test("a function that is gone is named")
    func missingFunction() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("DROP FUNCTION add_win(text, text, bigint, text)")
        try await expect(program, ["the function add_win is missing"])
    }

    @Test("each key that is gone is named")
    func everyKey() async throws {
        let program = try await Program.withPlayers()
        let drops = try await program.psql(
            """
            (SELECT format('ALTER TABLE %s DROP CONSTRAINT %I;', conrelid::regclass, conname) FROM pg_constraint
            WHERE contype NOT IN ('t', 'n') AND connamespace = 'juliet'::regnamespace AND conrelid::regclass::text NOT LIKE 'schema\\_%'
            -- First those that need another.
            ORDER BY contype <> 'f')
            UNION ALL
            SELECT format('DROP INDEX %s;', indexrelid::regclass) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE relnamespace = 'juliet'::regnamespace AND indisunique AND indpred IS NOT NULL
            """)
        try await program.psql(drops)
        let keys = SchemaGuards.promises.names.filter { $0.hasPrefix("the key") }
        #expect(keys.count == drops.split(separator: "\n").count)
        try await expect(program, keys.map { "\($0) is missing" })
    }

    @Test(
        "what takes the place of a promise, or works beside it, is named",
        arguments: [
            ("ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey", "the key energy_ledger_pkey is missing"),
            (
                """
                ALTER TABLE words DROP CONSTRAINT words_place_check,
                    ADD CONSTRAINT words_place_check CHECK (place >= 0)
                """, "the key words_place_check is altered"
            ),
            (
                """
                ALTER TABLE words DROP CONSTRAINT words_place_check,
                    ADD CONSTRAINT words_place_check CHECK (place IS NULL OR place >= 0 AND is_secret) NOT VALID
                """, "the key words_place_check is missing"
            ),
            ("DROP TRIGGER users_energy_guard ON users", "the trigger users_energy_guard is missing"),
            ("ALTER TABLE users DISABLE TRIGGER users_energy_guard", "the trigger users_energy_guard is missing"),
            (
                "ALTER TABLE users ENABLE REPLICA TRIGGER users_energy_guard",
                "the trigger users_energy_guard is missing"
            ),
            (
                """
                CREATE OR REPLACE TRIGGER users_energy_guard AFTER UPDATE OF energy ON users FOR EACH ROW
                    WHEN (false) EXECUTE FUNCTION refuse_energy_without_entry()
                """, "the trigger users_energy_guard is altered"
            ),
            (
                """
                ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey,
                    ADD CONSTRAINT energy_ledger_pkey UNIQUE (user_id, operation_id, entry)
                """, "the key energy_ledger_pkey is altered"
            ),
            (
                """
                CREATE FUNCTION own() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
                REVOKE ALL ON FUNCTION own() FROM PUBLIC;
                CREATE TRIGGER own BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION own()
                """, "the trigger own on users is not part of Juliet"
            ),
            (
                "CREATE RULE own AS ON UPDATE TO energy_ledger DO INSTEAD NOTHING",
                "the rule own on energy_ledger is not part of Juliet"
            ),
            ("ALTER TABLE users ENABLE ROW LEVEL SECURITY", "row security hides rows of users"),
            (
                """
                CREATE FUNCTION add_win(player integer) RETURNS integer LANGUAGE sql AS 'SELECT player';
                REVOKE ALL ON FUNCTION add_win(integer) FROM PUBLIC
                """, "the function add_win also exists in another form"
            ),
        ])
    func guards(harm: String, line: String) async throws {
        let program = try await Program.withPlayers()
        try await program.psql(harm)
        try await expect(program, [line])
    }

    @Test(
        "rights of the service beyond its own are named",
        arguments: [
            ("UPDATE ON users", ["juliet_service may UPDATE users"]),
            ("UPDATE (energy) ON users", ["juliet_service may UPDATE users"]),
            ("DELETE ON energy_ledger", ["juliet_service may DELETE energy_ledger"]),
            ("SELECT (energy) ON users", ["juliet_service may SELECT users.energy"]),
            (
                "SELECT ON energy_ledger",
                [
                    "answer", "balance_after", "created_at", "delta", "entry", "operation_id", "operation_kind",
                    "operation_request", "reason", "reference", "refusal", "user_id",
                ].map { "juliet_service may SELECT energy_ledger.\($0)" }
            ),
            (
                "EXECUTE ON FUNCTION change_energy(text, integer, energy_reason, text, text, bigint, operation_kind, rules, jsonb, timestamptz)",
                ["juliet_service may EXECUTE change_energy"]
            ),
            ("CREATE ON SCHEMA juliet", ["juliet_service may CREATE in schema juliet"]),
        ])
    func rights(grant: String, lines: [String]) async throws {
        let program = try await Program.withPlayers()
        try await program.psql("GRANT \(grant) TO juliet_service")
        try await expect(program, lines)
    }

    @Test("what everybody may, the service may")
    func rightsOfEverybody() async throws {
        let program = try await Program.withPlayers()
        try await program.psql("GRANT INSERT ON words TO PUBLIC")
        let outcome = try await program.audit()
        #expect(outcome.status == 3)
        #expect(outcome.faults.contains("juliet_service may INSERT words"))
    }

    @Test("rights of a member of the service's role are named")
    func rightsOfMember() async throws {
        let program = try await Program.withPlayers()
        // The role is every database's; it may do nothing in the others.
        let member = "member_of_\(program.database)"
        try await program.psql(
            """
            CREATE ROLE \(member) IN ROLE juliet_service;
            GRANT TEMP ON DATABASE \(program.database) TO \(member)
            """)
        try await expect(program, ["\(member) may TEMP in database \(program.database)"])
        try await program.psql("DROP OWNED BY \(member)")
        #expect(try await program.audit().status == 0)
    }

    @Test("settings of the service's roles are named, with the command that resets them")
    func settingsOfRoles() async throws {
        let program = try await Program.withPlayers()
        let role = "setting_of_\(program.database)"
        // Of this database alone: other tests' audits look at the same roles.
        try await program.psql(
            """
            CREATE ROLE \(role) IN ROLE juliet_service;
            ALTER ROLE \(role) IN DATABASE \(program.database) SET default_transaction_read_only = on;
            ALTER ROLE \(role) IN DATABASE \(program.database) SET statement_timeout = '1ms'
            """)
        let commands = ["default_transaction_read_only", "statement_timeout"].map {
            "ALTER ROLE \(role) IN DATABASE \(program.database) RESET \($0)"
        }
        try await expect(
            program,
            [
                "\(role) has a setting of its own, default_transaction_read_only=on: \(commands[0])",
                "\(role) has a setting of its own, statement_timeout=1ms: \(commands[1])",
            ])
        for command in commands { try await program.psql(command) }
        #expect(try await program.audit().status == 0)
        try await program.psql("DROP ROLE \(role)")
    }

    /// These lines and no others, status 3, and the same as JSON, about no player.
    private func expect(_ program: Program, _ lines: [String]) async throws {
        // Roles are every database's: those that other tests make inherit what is granted here.
        func isOurs(_ line: String) -> Bool {
            !line.contains(" may ") && !line.contains(" has a setting ") || line.hasPrefix("juliet_service ")
                || line.contains(program.database)
        }
        let outcome = try await program.audit()
        #expect(outcome.status == 3)
        #expect(outcome.faults.filter(isOurs).sorted() == lines.sorted(), "\(outcome.notes)")
        let json = try await program.run(["energy", "audit", "--json"])
        #expect(json.status == 3)
        let faults = try #require(try json.document()["faults"] as? [[String: Any]])
        #expect(faults.compactMap { $0["fault"] as? String }.filter(isOurs).sorted() == lines.sorted())
        #expect(faults.allSatisfy { $0["userID"] == nil && $0["entry"] == nil })
    }
}
