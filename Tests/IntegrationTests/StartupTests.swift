import Foundation
import JulietAPI
import JulietServer
import Postgres
import TestSupport
import Testing

/// A service that could not keep its promises does not start, and says why; one that cannot keep them any more is not
/// ready.
@Suite("Startup", .defaultLayout("about the service, not the database"))
struct StartupTests {
    /// What a service says that does not start on a database.
    private func refusal(on database: TestDatabase) async throws -> StartupError? {
        await #expect(throws: StartupError.self) { try await TestService.start(on: database) }
    }

    @Test("a restore that left out keys, a function that is missing or altered: each is named")
    func faults() async throws {
        let database = try await TestDatabase.create()
        // What breaks it, what is said of it, and what mends it.
        let harms: [(String, String, String)] = [
            (
                "ALTER TABLE users DROP CONSTRAINT users_pkey", "the key users_pkey is missing",
                "ALTER TABLE users ADD CONSTRAINT users_pkey PRIMARY KEY (id)"
            ),
            (
                "ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey", "the key energy_ledger_pkey is missing",
                "ALTER TABLE energy_ledger ADD CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)"
            ),
            (
                "ALTER FUNCTION add_win RENAME TO add_no_win", "the function add_win is missing",
                "ALTER FUNCTION add_no_win RENAME TO add_win"
            ),
            (
                "ALTER FUNCTION buy_energy SECURITY INVOKER",
                "the function buy_energy is altered",
                "ALTER FUNCTION buy_energy SECURITY DEFINER"
            ),
            (
                "ALTER TABLE energy_ledger ENABLE ROW LEVEL SECURITY", "row security hides rows of energy_ledger",
                "ALTER TABLE energy_ledger DISABLE ROW LEVEL SECURITY"
            ),
            (
                "CREATE RULE nothing AS ON INSERT TO energy_ledger DO INSTEAD NOTHING",
                "the rule nothing on energy_ledger is not part of Juliet", "DROP RULE nothing ON energy_ledger"
            ),
        ]
        for (harm, fault, remedy) in harms {
            try await database.psql(harm)
            let error = try await refusal(on: database)
            guard case .schemaFaults(let faults) = error else {
                Issue.record("\(harm): \(String(describing: error))")
                return
            }
            #expect(faults == [fault])
            #expect(
                error?.description
                    == "the database's schema is incomplete or altered: \(fault). Run juliet migrate up to repair functions and triggers; for anything else restore the whole database and run juliet audit"
            )
            try await database.psql(remedy)
        }
        try await TestService.start(on: database).stop()

        let checksum = try await database.psql("SELECT checksum FROM schema_migrations WHERE version = 3")
        try await database.psql("UPDATE schema_migrations SET checksum = 'other' WHERE version = 3")
        #expect(
            try await refusal(on: database)?.description
                == "the database was migrated with other files than this program's (0003_create_users): start the program that made it, or give this one a database of its own"
        )
        try await database.psql("UPDATE schema_migrations SET checksum = '\(checksum)' WHERE version = 3")

        // A restore without what comes after the data.
        try await database.psql(
            """
            ALTER TABLE users DROP CONSTRAINT users_pkey; ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey;
            ALTER TABLE played_words DROP CONSTRAINT played_words_pkey
            """)
        let error = try await refusal(on: database)
        for key in ["users_pkey", "energy_ledger_pkey", "played_words_pkey"] {
            #expect(error?.description.contains("the key \(key) is missing") == true)
        }
    }

    @Test(
        "whatever settings the database carries, the service starts on it, is ready, and a game is won",
        arguments: 0..<DatabaseSettings.rounds)
    func settings(round: Int) async throws {
        let cluster = try await PostgresCluster.withoutLog()
        let empty = try await cluster.createDatabase()
        try await DatabaseSettings.change(empty, of: cluster, round: round)
        let database = try await TestDatabase.fill(empty, in: cluster)
        let service = try await TestService.start(on: database)
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        let player = try await V2Client.player(on: service, named: "Zoë")
        let game = try await player.start()
        try await player.end(game, in: 3, of: database)
        #expect(try await player.me().energy == 25)
        try await service.stop()
    }

    @Test("an isolation other than READ COMMITTED is refused behind a pooler, and is nothing to a service without one")
    func isolation() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("ALTER DATABASE \(database.name) SET default_transaction_isolation = 'repeatable read'")
        let error = await #expect(throws: StartupError.self) {
            try await TestService.start(["database.pooler": "transaction"], on: database)
        }
        #expect(
            error?.description
                == "the setting default_transaction_isolation of the database or the role is repeatable read and must be read committed: ALTER DATABASE … RESET default_transaction_isolation, or ALTER ROLE"
        )
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        try await player.end(try await player.start(), in: 2, of: database)
        try await service.stop()
    }

    @Test("a role that may do more than play: each right is named")
    func rights() async throws {
        let database = try await TestDatabase.create()
        let rights = [
            ("CREATE ON SCHEMA juliet", "player_service may CREATE in schema juliet"),
            ("TEMP ON DATABASE \(database.name)", "player_service may TEMP in database \(database.name)"),
            ("CREATE ON DATABASE \(database.name)", "player_service may CREATE in database \(database.name)"),
            ("SELECT (delta) ON energy_ledger", "player_service may SELECT energy_ledger.delta"),
            ("SELECT (energy) ON users", "player_service may SELECT users.energy"),
            ("UPDATE (wins) ON users", "player_service may UPDATE users"),
            ("INSERT ON energy_ledger", "player_service may INSERT energy_ledger"),
            ("TRUNCATE ON played_words", "player_service may TRUNCATE played_words"),
            (
                "USAGE ON SEQUENCE lottery_player_numbers",
                "player_service may USAGE the sequence juliet.lottery_player_numbers"
            ),
            (
                "EXECUTE ON FUNCTION change_energy(text, integer, energy_reason, text, text, bigint, operation_kind, rules, jsonb, timestamptz)",
                "player_service may EXECUTE change_energy"
            ),
        ]
        for (right, words) in rights {
            try await database.psql("GRANT \(right) TO player_service")
            let error = try await refusal(on: database)
            guard case .excessRights(let found) = error else {
                Issue.record("\(right): \(String(describing: error))")
                return
            }
            #expect(found == [words])
            #expect(error?.description.contains(words) == true)
            try await database.psql("REVOKE \(right) FROM player_service")
        }
        // A right that everybody has is the service's as well.
        try await database.psql("GRANT SELECT ON energy_ledger TO PUBLIC")
        guard case .excessRights(let found) = try await refusal(on: database) else {
            Issue.record("a right of everybody's was not seen")
            return
        }
        #expect(found.count > 5 && found.allSatisfy { $0.hasPrefix("player_service may SELECT energy_ledger.") })
        try await database.psql("REVOKE SELECT ON energy_ledger FROM PUBLIC")
        try await TestService.start(on: database).stop()
    }

    @Test("what a role reaches by other names, by its attributes and by being a member: each is named")
    func detours() async throws {
        // A role's attributes hold in all databases of a cluster, so this has its own.
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.create(in: cluster)
        try await database.psql(
            """
            CREATE ROLE tables_owner; CREATE ROLE between NOINHERIT; GRANT between TO player_service;
            CREATE VIEW peek AS SELECT energy FROM users;
            CREATE SCHEMA elsewhere; CREATE VIEW elsewhere.peek AS SELECT energy FROM users;
            CREATE FUNCTION peeked() RETURNS integer LANGUAGE sql AS 'SELECT 1'; REVOKE ALL ON FUNCTION peeked() FROM PUBLIC;
            CREATE FUNCTION elsewhere.peeked() RETURNS integer LANGUAGE sql SECURITY DEFINER AS 'SELECT 1';
            REVOKE ALL ON FUNCTION elsewhere.peeked() FROM PUBLIC
            """)
        var harms = [
            (
                "GRANT SELECT ON peek TO player_service", "may SELECT juliet.peek",
                "REVOKE SELECT ON peek FROM player_service"
            ),
            (
                "GRANT SELECT ON elsewhere.peek TO player_service", "may SELECT elsewhere.peek",
                "REVOKE SELECT ON elsewhere.peek FROM player_service"
            ),
            (
                "GRANT EXECUTE ON FUNCTION peeked() TO player_service", "may EXECUTE peeked()",
                "REVOKE EXECUTE ON FUNCTION peeked() FROM player_service"
            ),
            (
                "GRANT EXECUTE ON FUNCTION elsewhere.peeked() TO player_service", "may EXECUTE elsewhere.peeked()",
                "REVOKE EXECUTE ON FUNCTION elsewhere.peeked() FROM player_service"
            ),
            ("ALTER ROLE player_service CREATEROLE", "has CREATEROLE", "ALTER ROLE player_service NOCREATEROLE"),
            ("ALTER ROLE player_service REPLICATION", "has REPLICATION", "ALTER ROLE player_service NOREPLICATION"),
            ("ALTER ROLE player_service BYPASSRLS", "has BYPASSRLS", "ALTER ROLE player_service NOBYPASSRLS"),
        ]
        harms += [
            "pg_read_all_data", "pg_write_all_data", "pg_execute_server_program", "pg_read_server_files",
            "pg_write_server_files",
        ].map { ("GRANT \($0) TO player_service", "is a member of \($0)", "REVOKE \($0) FROM player_service") }
        for (harm, words, remedy) in harms {
            try await database.psql(harm)
            guard case .excessRights(let found) = try await refusal(on: database) else {
                Issue.record("\(harm) was not seen")
                return
            }
            #expect(found.contains("player_service \(words)"), "\(harm): \(found)")
            try await database.psql(remedy)
        }
        try await database.psql("CREATE ROLE guest; GRANT CREATE ON SCHEMA juliet TO guest")
        guard case .excessRights(["guest may CREATE in schema juliet"]) = try await refusal(on: database) else {
            Issue.record("CREATE of another role was not seen")
            return
        }
        try await database.psql("REVOKE CREATE ON SCHEMA juliet FROM guest")
        try await TestService.start(on: database).stop()

        // Owned by a role that is no superuser, of which the service is a member that inherits nothing.
        try await database.psql(
            """
            ALTER SCHEMA juliet OWNER TO tables_owner; GRANT tables_owner TO between;
            DO $$ DECLARE name text; BEGIN FOR name IN SELECT oid::regprocedure FROM pg_proc
                WHERE pronamespace = 'juliet'::regnamespace LOOP
                EXECUTE format('ALTER FUNCTION %s OWNER TO tables_owner', name); END LOOP; END $$
            """)
        guard case .excessRights(let found) = try await refusal(on: database) else {
            Issue.record("the way to the owner was not seen")
            return
        }
        #expect(found.contains("player_service may become tables_owner (SET ROLE)"))
    }

    @Test("/ready says no while the role's own settings keep it from changing anything")
    func readOnlyRole() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.create(in: cluster)
        try await database.psql("ALTER ROLE player_service SET default_transaction_read_only = on")
        let service = try await TestService.start(on: database)
        #expect(try await service.waitUntilReady(is: 503) < .seconds(5))
        try await database.psql("ALTER ROLE player_service RESET default_transaction_read_only")
        try await service.stop()
    }

    @Test("a database that is not on this machine and need not prove who it is: a warning")
    func unproven() async throws {
        let database = try await TestDatabase.create()
        let warning = "warning: the database is on another machine and its identity is not verified"
        // No address of loopback's, and yet Linux finds this machine there.
        for (host, count) in [("0.0.0.0", 1), ("127.0.0.1", 0)] {
            let log = LogLines()
            let target = "host=\(host) port=\(database.cluster.port) user=postgres dbname=\(database.name)"
            let service = try await TestService.start(["database.url": target], on: database, logger: log.logger)
            #expect(log.all.filter { $0.hasPrefix(warning) }.count == count, "\(host)")
            try await service.stop()
        }
    }

    @Test("a server of the players that is not on this machine and need not prove who it is: a warning, and one only")
    func unprovenWorker() async throws {
        let database = try await TestDatabase.create()
        let port = database.cluster.port
        for (host, named) in [("127.0.0.1", "a server of the players (0.0.0.0:\(port))"), ("0.0.0.0", "the database")] {
            let log = LogLines()
            let settings = [
                "database.url": "host=\(host) port=\(port) user=postgres dbname=\(database.name)",
                "database.workers": "127.0.0.1:\(port),0.0.0.0:\(port)",
            ]
            let service = try await TestService.start(settings, on: database, logger: log.logger)
            let warnings = log.all.filter { $0.contains("its identity is not verified") }
            #expect(warnings.count == 1)
            #expect(warnings.first?.hasPrefix("warning: \(named) is on another machine") == true, "\(warnings)")
            try await service.stop()
        }
    }

    @Test("a superuser may start a service, and is warned")
    func superuser() async throws {
        let database = try await TestDatabase.create()
        let log = LogLines()
        let service = try await TestService.start(
            ["database.url": database.cluster.connectionString(database: database.name)], on: database,
            logger: log.logger)
        let warning = "warning: the service is connected as the owner of its tables"
        #expect(log.all.filter { $0.hasPrefix(warning) }.count == 1)
        #expect(
            try await service.answer(to: .initialRegistration(vendorID: TestService.newUser())).httpStatus == 200)
        try await service.stop()

        let quiet = LogLines()
        try await TestService.start(on: database, logger: quiet.logger).stop()
        #expect(!quiet.all.contains { $0.hasPrefix("warning: the service is connected as") })
    }

    @Test("a role that leaves operators no connection: a warning; one that has none left says what to do")
    func connectionLimit() async throws {
        let cluster = try await PostgresCluster.start(settings: ["max_connections": "50"])
        defer { cluster.remove() }
        let database = try await TestDatabase.create(in: cluster)
        let warning =
            "warning: the role player_service may take all connections of PostgreSQL (50), and then no operator gets in: ALTER ROLE player_service CONNECTION LIMIT 30"
        for (limit, count) in [(-1, 1), (47, 1), (46, 0), (30, 0)] {
            try await database.psql("ALTER ROLE player_service CONNECTION LIMIT \(limit)")
            let log = LogLines()
            try await TestService.start(on: database, logger: log.logger).stop()
            #expect(log.all.filter { $0 == warning }.count == count, "\(limit): \(log.all)")
        }
        try await database.psql("ALTER ROLE player_service CONNECTION LIMIT 0")
        let service = try ServiceProcess(database: database)
        try await service.waitUntil(itSays: "waiting for PostgreSQL")
        #expect(
            service.notes.contains(
                #/too many connections for role .*player_service.*: the role has no connection left: stop services or end sessions/#
            ), "\(service.notes)")
        service.signal(SIGTERM)
        #expect(try await service.status() == 0)
    }

    @Test("/ready says no within two seconds of a guard's loss, and yes again when it is back")
    func readiness() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        let harms = [
            (
                "ALTER TABLE energy_ledger DROP CONSTRAINT energy_ledger_pkey",
                "ALTER TABLE energy_ledger ADD CONSTRAINT energy_ledger_pkey PRIMARY KEY (user_id, operation_id)"
            ),
            (
                "ALTER FUNCTION change_energy(text, integer, energy_reason, text, text, bigint, operation_kind, rules, jsonb, timestamptz) RENAME TO gone",
                "ALTER FUNCTION gone(text, integer, energy_reason, text, text, bigint, operation_kind, rules, jsonb, timestamptz) RENAME TO change_energy"
            ),
            (
                "ALTER TABLE users ENABLE ROW LEVEL SECURITY", "ALTER TABLE users DISABLE ROW LEVEL SECURITY"
            ),
        ]
        for (harm, remedy) in harms {
            try await database.psql(harm)
            #expect(try await service.waitUntilReady(is: 503) < .seconds(5), "\(harm)")
            try await database.psql(remedy)
            #expect(try await service.waitUntilReady(is: 200) < .seconds(60), "\(remedy)")
        }
        try await service.stop()
    }

    @Test("a thousand questions whether it is ready are one a second for the database")
    func readinessIsKept() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        func statements() async throws -> Int {
            try await anna.page("/metrics").text.split(separator: "\n")
                .filter { $0.hasPrefix("juliet_database_statement_duration_seconds_count") }
                .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
        }
        #expect(try await service.waitUntilReady(is: 200) < .seconds(60))
        let before = try await statements()
        let start = ContinuousClock.now
        for _ in 0..<1000 { _ = try await service.readiness() }
        // A look is two statements; what else the service asks by itself is less than that.
        let looks = Int((ContinuousClock.now - start).components.seconds) + 2
        let asked = try await statements() - before
        #expect(asked <= 4 * looks)
        try await service.stop()
    }

    // MARK: Waiting, and not waiting

    @Test("a fault that waiting cannot mend is reported at once, with the reason")
    func permanent() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            CREATE ROLE "outsider_\(database.name)" LOGIN;
            CREATE ROLE "reader_\(database.name)" LOGIN IN ROLE juliet_service;
            REVOKE CONNECT ON DATABASE \(database.name) FROM PUBLIC;
            GRANT CONNECT ON DATABASE \(database.name) TO juliet_service;
            REVOKE SELECT ON words FROM juliet_service
            """)
        let cluster = database.cluster
        let socket = "host=\(cluster.directory) port=\(cluster.port)"
        let cases = [
            ("\(socket) user=postgres dbname=nowhere", "connectionFailed 3D000", "database \"nowhere\" does not exist"),
            ("\(socket) user=nobody dbname=postgres", "connectionFailed 28000", "role \"nobody\" does not exist"),
            (
                "\(socket) user=outsider_\(database.name) dbname=\(database.name)", "42501",
                "permission denied for database"
            ),
            (
                "\(socket) user=reader_\(database.name) dbname=\(database.name)", "42501",
                "permission denied for table words"
            ),
            ("\(socket) user=postgres sslmode=perhaps", "connectionFailed", "invalid sslmode value"),
            (
                "host=127.0.0.1 port=\(cluster.port) user=postgres sslmode=require", "connectionFailed",
                "does not support SSL"
            ),
        ]
        for (connectionString, code, reason) in cases {
            let log = LogLines()
            let error = await #expect(throws: StartupError.self) {
                try await TestService.start(["database.url": connectionString], on: database, logger: log.logger)
            }
            let description = error?.description ?? ""
            #expect(description.contains(code) && description.contains(reason), "\(connectionString): \(description)")
            #expect(!log.all.contains { $0.contains("waiting for PostgreSQL") })
        }
        await #expect(throws: SettingsError.self) {
            try await TestService.start(["database.url": "nonsense"], on: database)
        }
    }

    @Test("a PostgreSQL that is not there yet is waited for")
    func patience() async throws {
        let cluster = try await PostgresCluster.start()
        defer { cluster.remove() }
        let database = try await TestDatabase.create(in: cluster)
        try await cluster.stop()
        let service = try ServiceProcess(database: database)
        try await service.waitUntil(itSays: "waiting for PostgreSQL")
        try await cluster.start()
        try await service.waitUntil(itSays: "listening on")
        #expect(service.notes.contains("listening on http://127.0.0.1:\(service.port)"))
        // The health check of the image and of the package says so too, once it is so.
        let ready = TestDatabase.root.appending(path: "packaging/ready").path
        try await Command.run([ready, "\(service.port)", "30"])
        service.signal(SIGTERM)
        #expect(try await service.status() == 0)
        await #expect(throws: Command.Failure.self) { try await Command.run([ready, "\(service.port)"]) }
    }

    @Test(
        "SIGTERM while it waits for PostgreSQL ends it at once, with status 0",
        arguments: ["host=127.0.0.1 port=1", "host=nowhere.invalid"])
    func stopsWaiting(connectionString: String) async throws {
        let service = try ServiceProcess(connectionString: connectionString)
        try await service.waitUntil(itSays: "waiting for PostgreSQL")
        let start = ContinuousClock.now
        service.signal(SIGTERM)
        #expect(try await service.status() == 0, "\(service.notes)")
        #expect(ContinuousClock.now - start < .seconds(10))
        // The reason is logged once: the pool does not connect before the check has passed.
        #expect(
            service.notes.matches(of: #/waiting for PostgreSQL: connectionFailed: /#).count == 1, "\(service.notes)")
        #expect(!service.notes.contains("no connection to PostgreSQL"), "\(service.notes)")
    }

    @Test("SIGTERM while a statement of the start waits for a lock ends it, with status 0")
    func stopsInStatement() async throws {
        let database = try await TestDatabase.create()
        let status = try await database.withOwner { owner in
            try await owner.executeScript("BEGIN; LOCK TABLE juliet.words")
            let service = try ServiceProcess(database: database)
            try await database.waitForWaitingSessions(1)
            let start = ContinuousClock.now
            service.signal(SIGTERM)
            let status = try await service.status()
            #expect(ContinuousClock.now - start < .seconds(10), "\(service.notes)")
            return status
        }
        #expect(status == 0)
    }
}
