import EventLoop
import Testing

@testable import Postgres

@Suite("Arrays")
struct ArrayTests {
    /// A statement whose parameter is an array of arrays.
    private struct Cells: Statement {
        var sql: StaticString { "SELECT cardinality($1)" }
        var access: StatementAccess { .read }
        let rows: [[Int]]

        func bind(to parameters: inout Parameters) { parameters.append(rows) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
    }

    @Test("in arrays are the dimensions of one, and come back as they went")
    func dimensions() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let numbers = [[1, 2, 3], [4, 5, 6]]
                #expect(try await connection.read("SELECT $1", [numbers]) == numbers)
                #expect(try await connection.read("SELECT $1::text", [numbers]) == "{{1,2,3},{4,5,6}}")
                #expect(try await connection.read("SELECT pg_typeof($1)::text", [numbers]) == "bigint[]")
                let cube = [[[1, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]] as [[[Int32]]]
                #expect(try await connection.read("SELECT $1", [cube]) == cube)
                #expect(try await connection.read("SELECT array_dims($1)", [cube]) == "[1:3][1:2][1:2]")
                let texts = [["a", nil], [nil, "{,\"}"]] as [[String?]]
                #expect(try await connection.read("SELECT $1", [texts]) == texts)
                #expect(try await connection.read("SELECT $1::text", [texts]) == #"{{a,NULL},{NULL,"{,\"}"}}"#)
                // A NULL in a later part only.
                let late = [["a", "b"], ["c", nil]] as [[String?]]
                #expect(try await connection.read("SELECT $1", [late]) == late)
                let bytes = [[[1], []], [[2, 3], [0]]] as [[[UInt8]]]
                #expect(try await connection.read("SELECT $1", [bytes]) == bytes)
                #expect(try await connection.read("SELECT pg_typeof($1)::text", [bytes]) == "bytea[]")
                let optional = [[1], [2]] as [[Int32]?]
                #expect(try await connection.read("SELECT $1", [optional], as: [[Int32]].self) == [[1], [2]])
                #expect(
                    try await connection.read("SELECT '[5:6][0:1]={{1,2},{3,4}}'::int[]") == [[1, 2], [3, 4]] as [[Int]]
                )
                let deep = [[[[[[7]]]]]]
                #expect(try await connection.read("SELECT $1", [deep]) == deep)
                #expect(await connection.failure("SELECT $1", [[deep]])?.sqlState == "54000")
            }
        }
    }

    @Test("without elements are empty, whatever their dimensions")
    func empty() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let none: [[Int]] = []
                let hollow: [[Int]] = [[], []]
                #expect(try await connection.read("SELECT $1", [none]) == none)
                #expect(try await connection.read("SELECT $1", [hollow]) == none)
                #expect(try await connection.read("SELECT $1::text", [hollow]) == "{}")
                #expect(try await connection.read("SELECT $1", [[] as [UInt8?]], as: [UInt8?].self) == [])
            }
        }
    }

    @Test("of different lengths in one array, or NULL in the place of one, fail and are not sent")
    func ragged() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let lengths = "misuse: arrays of different lengths in an array"
                #expect(await connection.failure("SELECT $1", [[[1], [2, 3]]])?.description == lengths)
                #expect(await connection.failure("SELECT $1", [[[1], []]])?.description == lengths)
                #expect(await connection.failure("SELECT $1", [[[], [1]]])?.description == lengths)
                #expect(await connection.failure("SELECT $1", [[[[1, 2]], [[3], [4]]]])?.description == lengths)
                #expect(
                    await connection.failure("SELECT $1", [[[1], nil] as [[Int]?]])?.description
                        == "misuse: NULL instead of an array within an array")
                // The connection is as good as before, for the same statement, too.
                #expect(try await connection.first(Cells(rows: [[1, 2], [3, 4]])) == 4)
                let failure = await #expect(throws: PostgresError.self) {
                    try await connection.first(Cells(rows: [[1], [2, 3]]))
                }
                #expect(failure?.code == .misuse)
                #expect(try await connection.first(Cells(rows: [[1], [2]])) == 2)
            }
        }
    }

    @Test("that cannot be sent fail alone: their neighbours in a batch are committed")
    func neighbours() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TABLE cells (n bigint)")
            var configuration = fixture.configuration()
            configuration.followsCancellation = false
            let client = PostgresClient(configuration: configuration, loops: [fixture.loop])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await client.run() }
                try await withThrowingTaskGroup(of: Bool.self) { calls in
                    for index in 0..<40 {
                        calls.addTask {
                            do throws(PostgresError) {
                                _ = try await client.execute(AddCells(rows: index % 4 == 0 ? [[1], []] : [[1], [2]]))
                                return false
                            } catch {
                                return error.code == .misuse
                            }
                        }
                    }
                    var refused = 0
                    for try await isRefused in calls where isRefused { refused += 1 }
                    #expect(refused == 10)
                }
                group.cancelAll()
            }
            #expect(try await fixture.psql("SELECT count(*) FROM cells") == "60")
        }
    }

    /// Stores the elements of an array of arrays.
    private struct AddCells: Statement {
        var sql: StaticString { "INSERT INTO cells SELECT unnest($1)" }
        let rows: [[Int]]

        func bind(to parameters: inout Parameters) { parameters.append(rows) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NoRow { NoRow() }
    }

    @Test("of other dimensions, or no arrays, are refused by type")
    func otherShapes() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                func reason<Value: PostgresDecodable>(_ sql: SQLText, _: Value.Type) async -> PostgresDecodingError
                    .Reason?
                {
                    await connection.refusal(sql, as: Value.self)?.reason
                }
                #expect(await reason("SELECT ARRAY[[1], [2]]", [Int32].self) == .type(PostgresType(oid: 1007)))
                #expect(await reason("SELECT ARRAY[1, 2]", [[Int32]].self) == .type(.int4))
                #expect(await reason("SELECT ARRAY[[1, NULL]]", [[Int32]].self) == .null)
                #expect(await reason("SELECT ARRAY[1]", [String].self) == .type(.int4))
                #expect(await reason("SELECT 'a long text that is no array at all'", [Int32].self) == .type(.text))
                #expect(await reason("SELECT 7::bigint", [Int].self) == .type(.int8))
                #expect(await reason("SELECT ROW(1, 2)", [Int32].self) != nil)
                #expect(
                    await connection.refusal("SELECT ARRAY[[1], [2]] AS a", as: [Int32].self)?.description
                        == #"column 0 "a" is of int4[], expected Array<Int32>"#)
            }
        }
    }

    @Test("of a type made in the database are inferred by the server")
    func userDefined() async throws {
        struct Mood: PostgresEncodable, PostgresDecodable, Equatable {
            nonisolated(unsafe) static var postgresType = PostgresType.unspecified
            let label: String

            init(_ label: String) { self.label = label }
            init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
                label = try String(binary: bytes, type: type)
            }
            func encode(to writer: inout ParameterWriter) { label.encode(to: &writer) }
        }
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.executeScript("CREATE TYPE mood AS ENUM ('sad', 'happy')")
                let moods = [Mood("happy"), Mood("sad")]
                // Without its number an element has no type.
                #expect(await connection.failure("SELECT $1::mood[]", [moods])?.code == .misuse)
                let oid = try await connection.read("SELECT 'mood'::regtype::oid::bigint", as: Int.self)
                Mood.postgresType = PostgresType(oid: UInt32(truncatingIfNeeded: oid))
                #expect(try await connection.read("SELECT $1::mood[]", [moods]) == moods)
                #expect(
                    try await connection.read("SELECT $1::mood[]::text", [[moods, moods]])
                        == "{{happy,sad},{happy,sad}}")
            }
        }
    }
}
