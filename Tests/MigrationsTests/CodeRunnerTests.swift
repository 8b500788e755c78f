import EventLoop
import Postgres
import TestSupport
import Testing

@testable import Migrations

/// Code, installed on a real server.
@Suite("The runner and code")
struct CodeRunnerTests {
    /// A fresh database with roles of its own.
    private final class Sandbox: Sendable {
        let cluster: PostgresCluster
        let lease: ThrowawayDatabase
        var database: String { lease.name }
        let loop: EventLoop
        /// May call entry functions.
        let player: String

        init() async throws {
            cluster = try await PostgresCluster.shared()
            lease = try await cluster.createDatabase()
            loop = try EventLoop(label: "code")
            player = "player_\(lease.name)"
            _ = try await cluster.psql("CREATE ROLE \(player)")
        }

        deinit { loop.shutdown() }

        func runner(release: String = "1", schema: String? = "home") -> MigrationRunner {
            var options = MigrationRunner.Options()
            options.schema = schema
            options.release = release
            options.lockTimeout = .milliseconds(200)
            options.lockPause = .milliseconds(20)
            return MigrationRunner(
                connect: { () async throws(PostgresError) in
                    try await PostgresConnection.connect(
                        PostgresConfiguration(
                            connectionString: self.cluster.connectionString(database: self.database)), on: self.loop)
                }, options: options)
        }

        func psql(_ sql: String) async throws -> String { try await cluster.psql(sql, database: database) }

        /// Code from the text of one file, with the role of this sandbox as `player`.
        func code(_ text: String) throws -> SchemaCode {
            try SchemaCode(files: [("all.sql", Array(text.replacing("TO player", with: "TO \(player)").utf8))])
        }
    }

    private func file(_ version: Int, _ up: String, down: String, marks: String = "") throws -> Migration {
        let text = marks + "-- migrate:up\n\(up)\n-- migrate:down\n\(down)\n"
        return try Migration(fileName: "000\(version)_m\(version).sql", contents: Array(text.utf8))
    }

    private func tables() throws -> Migration {
        try file(
            1, "CREATE TABLE things (n int); CREATE TYPE answer AS (n int);",
            down: "DROP TYPE answer; DROP TABLE things;")
    }

    /// An entry function that calls a plain one of a later name, and a trigger.
    private let text = """
        CREATE OR REPLACE FUNCTION ask(m int) RETURNS answer LANGUAGE plpgsql SECURITY DEFINER SET search_path = home, pg_temp
        AS $$ BEGIN INSERT INTO things VALUES (zero() + m); RETURN ROW(zero() + m)::answer; END $$;
        GRANT EXECUTE ON FUNCTION ask(integer) TO player;
        CREATE OR REPLACE FUNCTION zero() RETURNS int LANGUAGE sql AS 'SELECT 0 + one() - one()';
        CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1';
        CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE CONSTRAINT TRIGGER noted AFTER INSERT ON things DEFERRABLE FOR EACH ROW EXECUTE FUNCTION note();
        GRANT USAGE ON SCHEMA home TO player;
        COMMENT ON TABLE things IS 'Things.';
        """

    private func statuses(_ state: CodeState) -> [String] {
        state.lines.filter { $0.status != .installed }.map { "\($0.status.rawValue) \($0.object)" }
    }

    @Test(
        "is installed in the transaction of the last migration, in a schema of its own, and then there is nothing to do"
    )
    func fresh() async throws {
        let sandbox = try await Sandbox()
        let code = try sandbox.code(text)
        let runner = sandbox.runner()
        #expect(try await runner.state(of: code).pending.count == 7)
        let outcome = try await runner.up([tables()], code: code)
        #expect(outcome.steps.count == 1 && outcome.code.count == 7)
        #expect(try await runner.up([tables()], code: code).isEmpty)
        #expect(try await statuses(runner.state(of: code)) == [])
        #expect(try await sandbox.psql("SET ROLE \(sandbox.player); SELECT home.ask(5)") == "(5)")
        #expect(
            try await sandbox.psql(
                "SELECT string_agg(DISTINCT relnamespace::regnamespace::text, ' ') FROM pg_class WHERE relname IN ('things', 'schema_migrations', 'schema_code', 'schema_releases')"
            ) == "home")
        // Nobody else may call anything.
        #expect(
            try await sandbox.psql(
                "SELECT count(*) FROM pg_proc WHERE pronamespace = 'home'::regnamespace AND has_function_privilege('pg_monitor', oid, 'EXECUTE')"
            ) == "0")
    }

    @Test("what changed is replaced, what is gone is dropped, what a role may call is retired until it comes back")
    func changes() async throws {
        let sandbox = try await Sandbox()
        let runner = sandbox.runner()
        _ = try await runner.up([tables()], code: sandbox.code(text))
        // `one` answers another type and `zero` has it inlined; `ask` is gone and another in its place.
        let next = try sandbox.code(
            """
            CREATE OR REPLACE FUNCTION ask(m int, times int) RETURNS int
            LANGUAGE sql SECURITY DEFINER SET search_path = home, pg_temp AS 'SELECT m * times';
            GRANT EXECUTE ON FUNCTION ask(integer, integer) TO player;
            CREATE OR REPLACE FUNCTION one() RETURNS text LANGUAGE sql AS 'SELECT ''1''';
            GRANT USAGE ON SCHEMA home TO player;
            """)
        #expect(
            try await statuses(runner.state(of: next)) == [
                "gone comment on table things", "gone trigger noted on things", "gone function ask(integer)",
                "gone function note()", "gone function zero()", "new function ask(integer, integer)",
                "changed function one()",
            ])
        _ = try await sandbox.runner(release: "2").up([tables()], code: next)
        #expect(try await statuses(runner.state(of: next)) == ["retired function ask(integer)"])
        #expect(
            try await sandbox.psql(
                "SELECT string_agg(oid::regprocedure::text, ' ' ORDER BY oid::regprocedure::text) FROM pg_proc WHERE pronamespace = 'home'::regnamespace"
            )
                == "home.ask(integer) home.ask(integer,integer) home.one()")
        #expect(try await sandbox.psql("SELECT obj_description('home.things'::regclass) IS NULL") == "t")
        // The release before has nothing to install over it, unless it is told to.
        let first = try sandbox.code(text)
        #expect(try await runner.state(of: first).newer == "2")
        #expect(try await runner.up([tables()], code: first).isEmpty)
        #expect(try await runner.up([tables()], code: first, replacingNewerCode: true).code.count == 7)
        #expect(try await sandbox.psql("SET ROLE \(sandbox.player); SELECT home.ask(7)") == "(7)")
        #expect(try await statuses(runner.state(of: first)) == ["retired function ask(integer, integer)"])
    }

    @Test("an unsafe function is withdrawn at once, though a role may call it")
    func withdrawn() async throws {
        let sandbox = try await Sandbox()
        let runner = sandbox.runner()
        _ = try await runner.up([tables()], code: sandbox.code(text))
        let next = try sandbox.code("DROP FUNCTION IF EXISTS ask(integer); GRANT USAGE ON SCHEMA home TO player;")
        _ = try await runner.up([tables()], code: next)
        #expect(try await sandbox.psql("SELECT to_regprocedure('home.ask(integer)') IS NULL") == "t")
        #expect(try await runner.up([tables()], code: next).isEmpty)
    }

    @Test("an entry function keeps its answer: a new one has a new name")
    func signature() async throws {
        let sandbox = try await Sandbox()
        let runner = sandbox.runner()
        _ = try await runner.up([tables()], code: sandbox.code(text))
        let next = try sandbox.code(
            text.replacing("RETURNS answer", with: "RETURNS int").replacing("ROW(zero() + m)::answer", with: "1"))
        let error = await #expect(throws: MigrationError.self) { try await runner.up([tables()], code: next) }
        #expect(error?.description.hasPrefix("all.sql:1: cannot change return type of existing function") == true)
        #expect(try await statuses(runner.state(of: next)) == ["changed function ask(integer)"])
        #expect(try await sandbox.psql("SET ROLE \(sandbox.player); SELECT home.ask(5)") == "(5)")
    }

    @Test("a body that PostgreSQL refuses is named by file and line, and nothing of the code stays")
    func faulty() async throws {
        let sandbox = try await Sandbox()
        let runner = sandbox.runner()
        let code = try sandbox.code(
            text + "\n\nCREATE OR REPLACE FUNCTION wrong() RETURNS int LANGUAGE sql AS 'SELECT nothing()';")
        let error = await #expect(throws: MigrationError.self) { try await runner.up([tables()], code: code) }
        #expect(error?.description.hasPrefix("all.sql:11: function nothing() does not exist") == true)
        // The migration that it belongs to has not happened either.
        #expect(try await sandbox.psql("SELECT to_regclass('home.things') IS NULL") == "t")
    }

    @Test(
        "what somebody changed by hand is named and put back",
        arguments: [
            ("CREATE OR REPLACE FUNCTION home.one() RETURNS int LANGUAGE sql AS 'SELECT 2'", "function one()"),
            ("ALTER FUNCTION home.ask(int) SECURITY INVOKER", "function ask(integer)"),
            ("ALTER FUNCTION home.ask(int) RESET ALL", "function ask(integer)"),
            ("ALTER FUNCTION home.zero() STRICT", "function zero()"),
            ("ALTER FUNCTION home.zero() OWNER TO pg_monitor", "function zero()"),
            ("GRANT EXECUTE ON FUNCTION home.zero() TO PUBLIC", "function zero()"),
            ("REVOKE EXECUTE ON FUNCTION home.ask(int) FROM player", "function ask(integer)"),
            ("DROP FUNCTION home.zero()", "function zero()"),
            ("ALTER TABLE home.things DISABLE TRIGGER noted", "trigger noted on things"),
            ("DROP TRIGGER noted ON home.things", "trigger noted on things"),
        ])
    func altered(harm: String, object: String) async throws {
        let sandbox = try await Sandbox()
        let runner = sandbox.runner()
        let code = try sandbox.code(text)
        _ = try await runner.up([tables()], code: code)
        _ = try await sandbox.psql(harm.replacing("FROM player", with: "FROM \(sandbox.player)"))
        #expect(try await statuses(runner.state(of: code)) == ["altered \(object)"])
        #expect(try await runner.up([tables()], code: code).code.map(\.object) == [object])
        #expect(try await statuses(runner.state(of: code)) == [])
        #expect(try await sandbox.psql("SET ROLE \(sandbox.player); SELECT home.ask(5)") == "(5)")
    }

    @Test("down takes the code away first, and names the release whose code fits what is left")
    func down() async throws {
        let sandbox = try await Sandbox()
        let first = try sandbox.code(text)
        let second = try sandbox.code(text.replacing("SELECT 1", with: "SELECT 2"))
        let more = try file(2, "ALTER TABLE things ADD m int;", down: "ALTER TABLE things DROP m;")
        _ = try await sandbox.runner(release: "1.0").up([tables()], code: first)
        _ = try await sandbox.runner(release: "1.1").up([tables(), more], code: second)
        let outcome = try await sandbox.runner(release: "1.1").down([tables(), more])
        #expect(outcome.fittingRelease == "1.0")
        #expect(outcome.code.count == 7)
        #expect(try await sandbox.psql("SELECT count(*) FROM pg_proc WHERE pronamespace = 'home'::regnamespace") == "0")
        // That release finds its migrations done and its code to install.
        let back = try await sandbox.runner(release: "1.0").up([tables()], code: first)
        #expect(back.steps.isEmpty && back.code.count == 7)
        #expect(try await sandbox.psql("SET ROLE \(sandbox.player); SELECT home.ask(5)") == "(5)")
        let rest = try await sandbox.runner(release: "1.0").down([tables()])
        #expect(rest.steps.count == 1 && rest.fittingRelease == nil)
    }

    @Test("a part of the migrations brings no code; a role that comes later gets its rights")
    func partial() async throws {
        let sandbox = try await Sandbox()
        let more = try file(2, "ALTER TABLE things ADD m int;", down: "ALTER TABLE things DROP m;")
        let code = try SchemaCode(
            files: [("all.sql", Array(text.replacing("TO player", with: "TO late_\(sandbox.database)").utf8))])
        let runner = sandbox.runner()
        #expect(try await runner.up([tables(), more], code: code, to: 1).code.isEmpty)
        #expect(try await runner.up([tables(), more], code: code).code.count == 7)
        #expect(try await runner.up([tables(), more], code: code).isEmpty)
        _ = try await sandbox.psql("CREATE ROLE late_\(sandbox.database)")
        #expect(try await statuses(runner.state(of: code)) == ["altered function ask(integer)"])
        _ = try await runner.up([tables(), more], code: code)
        #expect(
            try await sandbox.psql(
                "SELECT has_function_privilege('late_\(sandbox.database)', 'home.ask(int)', 'EXECUTE')")
                == "t")
    }

    @Test("eight racers install it once; a locked table is waited for in short turns")
    func racers() async throws {
        let sandbox = try await Sandbox()
        let code = try sandbox.code(text)
        let files = try [tables()]
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await sandbox.runner().up(files, code: code).code.count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.sorted() == [0, 0, 0, 0, 0, 0, 0, 7])

        let holder = try await PostgresConnection.connect(
            PostgresConfiguration(connectionString: sandbox.cluster.connectionString(database: sandbox.database)),
            on: sandbox.loop)
        try await holder.executeScript("BEGIN; LOCK TABLE home.things IN ROW EXCLUSIVE MODE")
        let changed = try sandbox.code(text.replacing("DEFERRABLE", with: "DEFERRABLE INITIALLY DEFERRED"))
        async let outcome = sandbox.runner().up(files, code: changed)
        let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'home.things'::regclass AND NOT granted"
        let deadline = ContinuousClock.now + .seconds(30)
        while try await sandbox.psql(waiting) == "0" {
            try #require(ContinuousClock.now < deadline, "it waits for the table")
            try await Task.sleep(for: .milliseconds(10))
        }
        try await holder.executeScript("COMMIT")
        #expect(try await outcome.code.map(\.object) == ["trigger noted on things"])
        await holder.close()
    }

    @Test("killed at any moment, it is installed wholly or not at all, and the next run does the rest")
    func killed() async throws {
        let sandbox = try await Sandbox()
        let files = try [tables()]
        _ = try await sandbox.runner().up(files, code: sandbox.code(text))
        for turn in 2..<12 {
            let code = try sandbox.code(text.replacing("SELECT 1", with: "SELECT \(turn)"))
            async let attempt: MigrationRunner.Outcome? = try? await sandbox.runner().up(files, code: code)
            try await Task.sleep(for: .milliseconds(turn * 3))
            _ = try await sandbox.psql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            _ = await attempt
            let body = try await sandbox.psql("SELECT prosrc FROM pg_proc WHERE oid = 'home.one()'::regprocedure")
            let checksums = try await sandbox.psql(
                "SELECT code_checksum FROM home.schema_releases ORDER BY installed_at DESC LIMIT 1")
            #expect((body == "SELECT \(turn)") == (checksums == code.checksum))
            _ = try await sandbox.runner().up(files, code: code)
            #expect(try await statuses(sandbox.runner().state(of: code)) == [])
        }
    }

    @Test("a database whose ledger is in another schema is refused, and nothing changes")
    func elsewhere() async throws {
        let sandbox = try await Sandbox()
        _ = try await sandbox.runner(schema: nil).up([tables()])
        let error = await #expect(throws: MigrationError.self) { try await sandbox.runner().up([tables()]) }
        #expect(error?.description.hasPrefix("schema public of this database holds a ledger of migrations") == true)
        #expect(try await sandbox.psql("SELECT to_regnamespace('home') IS NULL") == "t")
    }
}
