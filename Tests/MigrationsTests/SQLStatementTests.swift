import Testing

@testable import Migrations

@Suite("SQL is cut where PostgreSQL would end a statement")
struct SQLStatementTests {
    private func texts(_ sql: String) throws -> [String] {
        try SQLStatement.statements(in: sql).map(\.text)
    }

    @Test("statements end at semicolons; the last may go without; comments before them are left out")
    func plainStatements() throws {
        let statements = try SQLStatement.statements(in: "-- why\nSELECT 1;\n\n/* and */ SELECT\n  2 ;;\nSELECT 3")
        #expect(statements.map(\.text) == ["SELECT 1", "SELECT\n  2", "SELECT 3"])
        #expect(statements.map(\.line) == [2, 4, 6])
    }

    @Test(
        "a semicolon that something hides ends nothing",
        arguments: [
            "SELECT 'a;b'", "SELECT 'it''s;'", #"SELECT E'\';'"#, #"SELECT 'back\' "#, #"SELECT "a;""b""#,
            "SELECT $$a;b$$", "SELECT $tag$ $$;$$ ; $tag$", "SELECT 1 -- not; here\n+ 1",
            "SELECT 1 /* ; /* ; */ ; */ + 1",
            "CREATE RULE r AS ON INSERT TO t DO (SELECT 1; SELECT 2)",
            "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
            "DO $body$ BEGIN PERFORM 1; END $body$", "SELECT $1; ",
        ])
    func hiddenSemicolons(sql: String) throws {
        #expect(try texts(sql + ";").count == 1)
        #expect(try texts("SELECT 0; \(sql); SELECT 9").count == 3)
    }

    @Test("what is opened and never closed is refused, by the line it was opened on")
    func unclosed() {
        func error(_ sql: String) -> SQLStatement.SyntaxError? {
            #expect(throws: SQLStatement.SyntaxError.self) { try SQLStatement.statements(in: sql) }
        }
        #expect(error("\nSELECT 'a") == .init(line: 2, problem: "this quote is never closed"))
        #expect(error("\n\n/* a /* b */") == .init(line: 3, problem: "this comment is never closed"))
        #expect(error("SELECT $x$ $y$") == .init(line: 1, problem: "this dollar quote is never closed"))
    }

    @Test(
        "a concurrent index is recognised with its name and table",
        arguments: [
            ("CREATE INDEX CONCURRENTLY i ON t (a)", ConcurrentIndex.create(name: "I", table: "T")),
            (
                #"create unique index /* b */ concurrently if not exists "My i" on only s."T" using btree (a)"#,
                .create(name: #""My i""#, table: #"S."T""#)
            ),
            ("CREATE INDEX CONCURRENTLY ON t (a)", .create(name: nil, table: "T")),
            ("DROP INDEX CONCURRENTLY IF EXISTS s.i", .drop(name: "S.I")),
            ("CREATE INDEX i ON t (a)", nil),
            ("SELECT 1", nil),
        ])
    func concurrentIndex(sql: String, expected: ConcurrentIndex?) throws {
        #expect(try SQLStatement.statements(in: sql).compactMap(ConcurrentIndex.init).first == expected)
    }

    @Test("blanks, comments and semicolons alone are not a statement")
    func empty() throws {
        #expect(try texts(" ;\n-- a\n;/* b */ ").isEmpty)
    }
}
