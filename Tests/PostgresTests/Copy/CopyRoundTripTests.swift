import EventLoop
import Postgres
import TestSupport
import Testing

@Suite("Copies of values of all types", .timeLimit(.minutes(2)))
struct CopyRoundTripTests {
    /// A row by parameters, which other tests hold against the server's own text.
    private struct Insert: Statement {
        let sample: Sample
        var sql: StaticString {
            """
            INSERT INTO p VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
                $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35)
            """
        }
        func bind(to parameters: inout Parameters) { sample.append(to: &parameters) }
        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> NoRow { NoRow() }
    }

    private func prepare(_ fixture: Fixture) async throws -> PostgresConnection {
        try await fixture.psql("CREATE TYPE copy_mood AS ENUM ('sad', 'happy', 'so_so')")
        for table in ["b", "t", "p"] { try await fixture.psql("CREATE TABLE \(table) \(Sample.table)") }
        var configuration = fixture.configuration()
        configuration.types.register(CopyMood.self)
        return try await PostgresConnection.connect(configuration, on: fixture.loop)
    }

    @Test(
        "in either format are what went in as parameters, as psql prints them, and come back as they went",
        arguments: [1, 2, 3] as [UInt64])
    func everyType(seed: UInt64) async throws {
        try await Fixture.run { fixture in
            let connection = try await prepare(fixture)
            var generator = SeededGenerator(seed: seed)
            let samples = (1...300).map { Sample(id: $0, using: &generator) }
            var pipeline = PostgresPipeline()
            for sample in samples { pipeline.execute(Insert(sample: sample)) }
            _ = try await connection.execute(pipeline: pipeline).get()
            for (table, format) in [("b", .binary), ("t", .text)] as [(SQLText, PostgresCopyFormat)] {
                let count = try await connection.copyIn(samples, into: table, columns: Sample.columns, format: format) {
                    $1.append(to: &$0)
                }
                #expect(count == 300)
            }
            func printed(_ table: String) async throws -> String {
                try await fixture.psql("SELECT \(table)::text FROM \(table) ORDER BY id")
            }
            let expected = try await printed("p")
            #expect(try await printed("b") == expected)
            #expect(try await printed("t") == expected)

            // Zones whose clocks differed from the full hour by minutes and seconds.
            for zone in ["UTC", "America/St_Johns", "Asia/Kathmandu"] {
                try await connection.executeScript("SET timezone TO '\(zone)'")
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    var seen: [Sample] = []
                    let rows = connection.rows(copying: "SELECT * FROM p ORDER BY id", format: format) {
                        (row) throws(PostgresDecodingError) in try Sample(&row)
                    }
                    for try await row in rows { seen.append(row) }
                    #expect(seen.count == samples.count)
                    for (row, sample) in zip(seen, samples) where row != sample {
                        Issue.record("\(zone) \(format)\n\(row)\n\(sample)")
                        break
                    }
                }
            }
            await connection.close()
        }
    }

    @Test("not a number, escapes of bytea, composites in binary, and a codec's text go through")
    func oddities() async throws {
        enum Cents: PostgresCodec {
            static var postgresType: PostgresType { .numeric }
            static func encode(_ cents: Int, to writer: inout ParameterWriter) {
                PostgresNumeric(unscaled: cents, scale: 2)?.encode(to: &writer)
            }
            static func decode(_ bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) -> Int {
                try cents(PostgresNumeric(binary: bytes, type: type))
            }
            static func encodeText(_ cents: Int, to writer: inout ParameterWriter) {
                PostgresNumeric(unscaled: cents, scale: 2)?.encodeText(to: &writer)
            }
            static func decode(postgresText text: String) throws(PostgresDecodingError.Reason) -> Int {
                try cents(PostgresNumeric(postgresText: text))
            }
            private static func cents(_ numeric: PostgresNumeric) throws(PostgresDecodingError.Reason) -> Int {
                guard let value = Int(numeric.description.filter { $0 != "." }) else { throw .outOfRange }
                return value
            }
        }
        try await Fixture.run { fixture in
            try await fixture.psql(
                """
                CREATE DOMAIN cents AS numeric; CREATE DOMAIN change AS cents CHECK (VALUE < 1);
                CREATE TABLE t (a float8, b bytea, c change)
                """)
            try await fixture.withConnection { (connection) async throws in
                try await connection.executeScript("SET bytea_output TO 'escape'")
                for format in [.binary, .text] as [PostgresCopyFormat] {
                    try await connection.executeScript("TRUNCATE t")
                    try await connection.copyIn(
                        [99, 1], into: "t", columns: ["a", "b", "c"], format: format
                    ) { row, cents in
                        row.append(Double.nan, Array(UInt8.min...UInt8.max))
                        row.append(cents, by: Cents.self)
                    }
                    #expect(try await fixture.psql("SELECT a, length(b), c FROM t") == "NaN|256|0.99\nNaN|256|0.01")
                    let rows = connection.rows(copying: "TABLE t", format: format) {
                        (row) throws(PostgresDecodingError) in
                        (try row.next(Double.self).isNaN, try row.next([UInt8].self), try row.next(by: Cents.self))
                    }
                    var cents: [Int] = []
                    for try await row in rows {
                        #expect(row.0 && row.1 == Array(UInt8.min...UInt8.max))
                        cents.append(row.2)
                    }
                    #expect(cents == [99, 1])
                }
                // Text takes and gives what binary refuses.
                try await connection.executeScript("TRUNCATE t")
                try await connection.copyIn(["1e2"], into: "t", columns: ["a"], format: .text) { $0.append($1) }
                let rows = connection.rows(copying: "SELECT a, b FROM t", format: .text) {
                    (row) throws(PostgresDecodingError) in [try row.next(String?.self), try row.next()]
                }
                for try await row in rows { #expect(row == ["100", nil]) }
            }
        }
    }
}
