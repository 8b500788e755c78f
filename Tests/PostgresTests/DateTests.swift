import Postgres
import Testing

@Suite("Dates and instants")
struct DateTests {
    @Test("dates are the server's days, from its first to its last")
    func dates() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let texts = [
                    "4714-11-24 BC", "0044-03-15 BC", "0001-12-31 BC", "0001-01-01", "1582-10-15", "1900-02-28",
                    "1969-12-31", "1970-01-01", "1999-12-31", "2000-01-01", "2000-02-29", "2024-02-29", "9999-12-31",
                    "10000-01-01", "5874897-12-31",
                ]
                let rows = try await connection.query(
                    "SELECT day, day - date '1970-01-01' FROM unnest($1::text[]::date[]) AS day", [texts]
                ) { (row) throws(PostgresDecodingError) in
                    (date: try row.next(PostgresDate.self), days: try row.next(Int32.self))
                }
                #expect(rows.count == texts.count)
                for row in rows { #expect(row.date == PostgresDate(daysSince1970: row.days)) }
                var random = SeededGenerator(seed: 3)
                let days = (0..<500).map { _ in
                    PostgresDate(daysSince1970: .random(in: -2_440_588...2_145_042_905, using: &random))
                }
                #expect(try await connection.read("SELECT $1", [days]) == days)
                let infinities = [PostgresDate.negativeInfinity, .infinity]
                #expect(try await connection.read("SELECT ARRAY['-infinity', 'infinity']::date[]") == infinities)
                #expect(try await connection.read("SELECT $1::text[]", [infinities]) == ["-infinity", "infinity"])
                // Out of the server's range, not of ours.
                for days in [-2_440_589, 2_145_042_906, Int32.max - 1] {
                    let failure = await connection.failure("SELECT $1::date", [PostgresDate(daysSince1970: days)])
                    #expect(failure?.sqlState == "22008")
                }
                let early = await connection.failure("SELECT $1::date", [PostgresDate(daysSince1970: .min + 1)])
                #expect(early?.description == "misuse: a date that is out of range")
            }
        }
        #expect(PostgresDate.negativeInfinity < PostgresDate(daysSince1970: 0))
        #expect(PostgresDate.infinity > PostgresDate(daysSince1970: 0))
    }

    @Test("instants that do not fit 64 bits are refused, never taken for an infinity")
    func instants() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                #expect(
                    try await connection.read(
                        "SELECT '294247-01-10 04:00:54.775806Z'::timestamptz", as: PostgresTimestamp.self)
                        == PostgresTimestamp(microsecondsSince1970: .max - 1))
                for text: SQLText in ["294247-01-10 04:00:54.775807Z", "294276-12-31 23:59:59.999999Z"] {
                    let refusal = await connection.refusal(
                        "SELECT '" + text + "'::timestamptz", as: PostgresTimestamp.self)
                    #expect(refusal?.reason == .outOfRange)
                }
                let early = PostgresTimestamp(microsecondsSince1970: .min + 1)
                let failure = await connection.failure("SELECT $1::timestamptz", [early])
                #expect(failure?.description == "misuse: an instant that is out of range")
                #expect(
                    try await connection.read(
                        "SELECT ARRAY['-infinity', '4714-11-24 00:00Z BC', 'infinity']::timestamptz[]",
                        as: [PostgresTimestamp].self)
                        == [
                            .negativeInfinity, PostgresTimestamp(microsecondsSince1970: -210_866_803_200_000_000),
                            .infinity,
                        ])
            }
        }
    }
}
