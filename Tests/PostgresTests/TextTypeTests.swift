import Postgres
import Testing

@Suite("Text")
struct TextTypeTests {
    @Test("is read from every type whose binary form is text")
    func texts() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.executeScript(
                    """
                    CREATE EXTENSION citext;
                    CREATE TYPE mood AS ENUM ('', 'sad', 'über "glücklich" 🎲');
                    CREATE DOMAIN spelling AS citext;
                    CREATE DOMAIN humour AS mood;
                    """)
                let texts: [(SQLText, String)] = [
                    ("'a'::text", "a"), ("'a'::varchar(9)", "a"), ("'a'::char(3)", "a  "), ("'a'::name", "a"),
                    ("'a'::\"char\"", "a"), ("'<a/>'::xml", "<a/>"), ("'a'", "a"),
                    ("'{\"a\":  1}'::json", "{\"a\":  1}"),
                    ("'Groß'::citext", "Groß"), ("E'a\\tb\\r\\n'::citext", "a\tb\r\n"), ("''::citext", ""),
                    ("'Groß'::spelling", "Groß"), ("'sad'::mood", "sad"), ("'sad'::humour", "sad"),
                    ("'über \"glücklich\" 🎲'::mood", "über \"glücklich\" 🎲"), ("'c'::refcursor", "c"),
                    ("version()", ""),
                ]
                for (sql, text) in texts {
                    let read = try await connection.read("SELECT " + sql, as: String.self)
                    if !text.isEmpty { #expect(read == text) }
                }
                #expect(try await connection.read("SELECT ''::mood") == "")
                #expect(
                    try await connection.read("SELECT '{sad,NULL}'::mood[]", as: [String?].self) == ["sad", nil])
                #expect(
                    try await connection.read("SELECT '{{a},{B}}'::citext[]", as: [[String]].self) == [["a"], ["B"]])
            }
        }
    }

    @Test("is never made of another type's bytes")
    func otherTypes() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.executeScript(
                    """
                    CREATE EXTENSION hstore;
                    CREATE EXTENSION ltree;
                    CREATE EXTENSION citext;
                    CREATE TYPE mood AS ENUM ('sad');
                    CREATE TYPE pair AS (a text, b text);
                    CREATE TYPE nothing AS ();
                    CREATE TYPE texts AS RANGE (subtype = text);
                    """)
                let columns: [SQLText] = [
                    "1", "1::bigint", "1::smallint", "1094795585", "true", "1.5", "1.5::float8", "'x'::bytea",
                    "'{}'::jsonb",
                    "now()", "current_date", "'1 day'::interval", "'10.0.0.1'::inet", "gen_random_uuid()", "1::oid",
                    "'text'::regtype", "ARRAY['a']", "ARRAY[]::text[]", "ARRAY['sad']::mood[]", "ARRAY[]::mood[]",
                    "ROW('a', 'b')", "ROW('a', 'b')::pair", "ROW()::nothing", "ARRAY[ROW('a', 'b')]::pair[]",
                    "'empty'::texts", "'(,)'::texts", "'[a,b]'::texts", "'(,b)'::texts", "'[a,)'::texts",
                    "'{}'::texts_multirange", "'{[a,b]}'::texts_multirange", "'a=>b'::hstore", "''::hstore",
                    "'a.b'::ltree", "'a.*'::lquery", "'[1,2]'::int4range", "'a'::tsvector", "'(1,2)'::point",
                    "'$.a'::jsonpath", "B'01000001'", "E'a\\x01'::citext",
                ]
                for column in columns {
                    let refusal = await connection.refusal("SELECT " + column + " AS a", as: String.self)
                    guard case .type = refusal?.reason else {
                        Issue.record("\(column.text): \(String(describing: refusal))")
                        continue
                    }
                    #expect(refusal?.column == "a")
                }
            }
        }
    }

    @Test("that is not UTF-8 is malformed in a text type, and another type in one made in the database")
    func invalid() {
        let bytes: [UInt8] = [0x61, 0xFF]
        #expect(throws: PostgresDecodingError.Reason.malformed) { try String(binary: bytes.span, type: .text) }
        let custom = PostgresType(oid: 16_384)
        #expect(throws: PostgresDecodingError.Reason.type(custom)) { try String(binary: bytes.span, type: custom) }
    }

    @Test("types have the names and the arrays of the server's catalogue")
    func catalogue() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let types = try await connection.query(
                    "SELECT oid, typname::text, typarray FROM pg_type WHERE oid < 16384 ORDER BY oid"
                ) { (row) throws(PostgresDecodingError) in
                    (oid: try row.next(Int.self), name: try row.next(String.self), array: try row.next(Int.self))
                }
                func type(_ oid: Int) -> PostgresType { PostgresType(oid: UInt32(truncatingIfNeeded: oid)) }
                let known = types.filter { type($0.oid).description.first != "t" || $0.name.first == "t" }
                    .filter { !type($0.oid).description.hasPrefix("type ") && $0.array != 0 }
                #expect(known.count == 23)
                // Types that no value is read from, which an error names.
                let namedOnly = ["interval", "numeric", "time", "timestamp"]
                for entry in known {
                    #expect(type(entry.oid).description == (entry.name == "char" ? "\"char\"" : entry.name))
                    guard !namedOnly.contains(entry.name) else { continue }
                    #expect(type(entry.array).description == type(entry.oid).description + "[]")
                }
                #expect(type(0) == .unspecified)
                #expect(PostgresType.unspecified.description == "unspecified")
                #expect(type(2249).description == "type 2249")
            }
        }
    }
}
