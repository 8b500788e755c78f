import Testing

@testable import Migrations

@Suite("Code, read from its files")
struct SchemaCodeTests {
    private func code(_ files: [String: String]) throws(MigrationFileError) -> SchemaCode {
        try SchemaCode(files: files.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
    }

    private func function(_ text: String) throws -> FunctionDefinition {
        try #require(try code(["f.sql": text]).pieces.first?.function)
    }

    @Test("a function is known by its name and the types of its arguments, as PostgreSQL prints them")
    func signature() throws {
        let text = """
            CREATE OR REPLACE FUNCTION f(
                player text, at timestamptz, bits bit varying, flags boolean[] DEFAULT '{}', INOUT n int, OUT m bigint,
                price numeric(10, 2) = 1
            ) RETURNS record LANGUAGE sql AS 'SELECT 1, 2'
            """
        #expect(
            try function(text).signature
                == "f(text, timestamp with time zone, bit varying, boolean[], integer, numeric)")
        #expect(try function("CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS ''").signature == "f()")
    }

    @Test("attributes are those of the catalog, with PostgreSQL's defaults")
    func attributes() throws {
        let plain = try function("CREATE OR REPLACE FUNCTION f(a int) RETURNS int LANGUAGE sql AS 'SELECT ''x''::int'")
        #expect(plain.volatility == "v" && !plain.isStrict && !plain.isSecurityDefiner && plain.settings.isEmpty)
        #expect(plain.body == "SELECT 'x'::int")
        let full = try function(
            """
            CREATE OR REPLACE FUNCTION f(a int) RETURNS TABLE (set int, strict text)
            LANGUAGE plpgsql STABLE STRICT SECURITY DEFINER
            SET search_path = juliet, pg_temp SET lock_timeout TO '500ms' AS $body$ -- STABLE
            BEGIN RETURN; END $body$
            """)
        #expect(full.language == "plpgsql" && full.volatility == "s" && full.isStrict && full.isSecurityDefiner)
        #expect(full.settings == ["search_path=juliet, pg_temp", "lock_timeout=500ms"])
        #expect(full.body == " -- STABLE\nBEGIN RETURN; END ")
    }

    @Test("rights and comments belong to the function before them; triggers, rights on tables and comments stand alone")
    func pieces() throws {
        let code = try code([
            "b.sql": """
            CREATE OR REPLACE FUNCTION b(n int) RETURNS int LANGUAGE sql AS 'SELECT n';
            COMMENT ON FUNCTION b(integer) IS 'b';
            GRANT EXECUTE ON FUNCTION b(integer) TO player;
            CREATE OR REPLACE FUNCTION a() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
            CREATE OR REPLACE TRIGGER t AFTER UPDATE OF n ON things FOR EACH ROW EXECUTE FUNCTION a();
            """,
            "a/rights.sql": """
            GRANT USAGE ON SCHEMA home TO player;
            GRANT SELECT (id, n) ON things TO player;
            COMMENT ON COLUMN things.n IS 'it''s';
            DROP FUNCTION IF EXISTS c(int);
            """,
        ])
        #expect(
            code.pieces.map(\.object) == [
                "withdrawal of function c(integer)", "function a()", "function b(integer)", "trigger t on things",
                "right select (id, n) on things for player", "right usage on schema home for player",
                "comment on column things.n",
            ])
        #expect(code.pieces.map(\.statements.count) == [1, 1, 3, 1, 1, 1, 1])
        #expect(code.pieces[2].callers == ["player"])
        #expect(
            code.pieces.dropFirst().map(\.removal) == [
                "DROP FUNCTION IF EXISTS a()", "DROP FUNCTION IF EXISTS b(integer)",
                "DROP TRIGGER IF EXISTS t ON things", "REVOKE select (id, n) on things FROM player",
                "REVOKE usage on schema home FROM player", "COMMENT ON column things.n IS NULL",
            ])
        #expect(code.rights.map(\.columns) == [["id", "n"], []])
    }

    @Test("the checksum is of what is said, not of where")
    func checksum() throws {
        let one = "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';"
        let two = "CREATE OR REPLACE FUNCTION g() RETURNS int LANGUAGE sql AS 'SELECT 2';"
        let together = try code(["x.sql": "-- A comment.\r\n\(one)\r\n\(two)"])
        #expect(try code(["a.sql": two, "b.sql": one]).checksum == together.checksum)
        #expect(try code(["a.sql": two]).checksum != together.checksum)
    }

    @Test(
        "a statement that a code file cannot have is refused, by file and line",
        arguments: [
            ("CREATE TABLE t (id int);", "f.sql:1: not code: a file of code may have functions"),
            ("\nCREATE FUNCTION f() RETURNS int LANGUAGE sql AS '';", "f.sql:2: write CREATE OR REPLACE FUNCTION"),
            (
                "CREATE OR REPLACE FUNCTION home.f() RETURNS int LANGUAGE sql AS '';",
                "f.sql:1: home.…: names of code are written without their schema"
            ),
            (
                "CREATE OR REPLACE FUNCTION f(int) RETURNS int LANGUAGE sql AS '';",
                "f.sql:1: an argument must have a name and a type"
            ),
            (
                "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql SET search_path FROM CURRENT AS '';",
                "f.sql:1: SET search_path FROM CURRENT depends on who installs it"
            ),
            (
                "CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC SELECT 1; END;",
                "f.sql:1: a body must be a string"
            ),
            ("CREATE OR REPLACE FUNCTION f() RETURNS int AS '';", "f.sql:1: f: no LANGUAGE"),
            (
                "GRANT EXECUTE ON FUNCTION f() TO player;",
                "f.sql:1: statements about f() must be directly after the function"
            ),
            ("GRANT SELECT ON t TO a, b;", "f.sql:1: grant a right to one role, without WITH GRANT OPTION"),
            (
                """
                CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';
                CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 2';
                """, "f.sql:2: function f() is also defined in f.sql"
            ),
            ("CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT", "f.sql:1: this quote is never"),
        ])
    func refused(text: String, problem: String) throws {
        let error = #expect(throws: MigrationFileError.self) { try code(["f.sql": text]) }
        #expect(error?.description.hasPrefix(problem) == true, "\(error?.description ?? "")")
    }
}
