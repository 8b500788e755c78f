import Postgres
import Testing

@Suite("Ranges, bits and hardware addresses")
struct RangeTests {
    @Test("ranges are written as the server writes them, and come back as they went")
    func ranges() async throws {
        try await Fixture.run { fixture in
            try await fixture.psql("CREATE TYPE floats AS RANGE (subtype = float8)")
            try await fixture.withConnection { (connection) async throws in
                try await connection.expectTexts(
                    ["[1,5)", "(,5)", "[1,)", "(,)", "empty", "[-2147483648,2147483647)"], of: "int4range",
                    as: PostgresRange<Int32>.self)
                try await connection.expectTexts(
                    ["[1,9223372036854775807)", "empty"], of: "int8range", as: PostgresRange<Int>.self)
                try await connection.expectTexts(
                    ["[1.50,2.5]", "(1,2)", "(1,2]", "[NaN,NaN]"], of: "numrange",
                    as: PostgresRange<PostgresNumeric>.self)
                try await connection.expectTexts(
                    ["[2024-02-29,2024-03-01)", "(,infinity)", "[\"0044-03-15 BC\",2024-01-01)"], of: "daterange",
                    as: PostgresRange<PostgresDate>.self)
                try await connection.expectTexts(
                    ["[\"2024-02-29 01:02:03\",\"2024-02-29 01:02:04\")"], of: "tsrange",
                    as: PostgresRange<PostgresLocalTimestamp>.self)
                // Their numbers differ: the server tells, but for an array.
                for range in [
                    PostgresRange(0.5...1.5), PostgresRange(0.5..<1.5), .empty,
                    PostgresRange(lower: .exclusive(1), upper: .unbounded),
                ] {
                    #expect(try await connection.read("SELECT $1::floats", [range]) == range)
                }
                let moment = PostgresTimestamp(microsecondsSince1970: 1_700_000_000_000_000)
                let range = PostgresRange(lower: .exclusive(moment), upper: .inclusive(.infinity))
                #expect(try await connection.read("SELECT $1::tstzrange", [range]) == range)
                #expect(
                    try await connection.read("SELECT '[1,5]'::int4range", as: PostgresRange<Int>.self)
                        == PostgresRange(1..<6), "narrower bounds are read, too")
                #expect(
                    await connection.refusal("SELECT '[1,5]'::int8range", as: PostgresRange<Int32>.self)?.reason
                        == .type(.int8))
                #expect(
                    await connection.refusal("SELECT '{[1,5]}'::int4multirange", as: PostgresRange<Int32>.self)?.reason
                        == .type(.int4multirange))
                #expect(
                    await connection.refusal("SELECT '[1,5]'::int4range", as: PostgresMultirange<Int32>.self)?.reason
                        == .type(.int4range))
                let late = PostgresRange(PostgresDate(daysSince1970: .min + 1)...PostgresDate(daysSince1970: 0))
                #expect(await connection.failure("SELECT $1", [late])?.code == .misuse)
                let null = PostgresRange<Int32?>(lower: .inclusive(nil), upper: .unbounded)
                #expect(await connection.failure("SELECT $1", [null])?.code == .misuse)
            }
        }
    }

    @Test("a range knows what it contains")
    func contains() {
        #expect(PostgresRange(1..<5).contains(1) && !PostgresRange(1..<5).contains(5))
        #expect(PostgresRange(1...5).contains(5) && !PostgresRange(1...5).contains(6))
        #expect(PostgresRange(1..<1).isEmpty && !PostgresRange<Int>.empty.contains(1))
        #expect(PostgresRange(lower: .unbounded, upper: .exclusive(5)).contains(-1))
        #expect(!PostgresRange(lower: .exclusive(5), upper: .unbounded).contains(5))
        #expect(Set([PostgresRange(1..<5), PostgresRange(1..<5), .empty]).count == 2)
        #expect(PostgresRange(lower: .inclusive("a \"b\""), upper: .exclusive("")).description == #"["a ""b""","")"#)
    }

    @Test("multiranges are written as the server writes them, and come back as they went")
    func multiranges() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.expectTexts(
                    ["{}", "{[1,3),[7,9)}", "{(,)}", "{(,5),[8,)}"], of: "int4multirange",
                    as: PostgresMultirange<Int32>.self)
                try await connection.expectTexts(
                    ["{[1,3)}"], of: "int8multirange", as: PostgresMultirange<Int64>.self)
                try await connection.expectTexts(
                    ["{[1.5,3],(7,9)}"], of: "nummultirange", as: PostgresMultirange<PostgresNumeric>.self)
                try await connection.expectTexts(
                    ["{[2024-02-29,2024-03-01)}"], of: "datemultirange", as: PostgresMultirange<PostgresDate>.self)
                let rewritten = try await connection.read(
                    "SELECT $1::int4multirange",
                    [PostgresMultirange([PostgresRange<Int32>(5...6), PostgresRange(1...4), .empty])],
                    as: PostgresMultirange<Int32>.self)
                #expect(rewritten.description == "{[1,7)}")
            }
        }
    }

    @Test("bits are written as the server writes them, and come back as they went")
    func bits() async throws {
        var random = SeededGenerator(seed: 3)
        let values = (0..<70).map { count in
            PostgresBitString((0..<count).map { _ in Bool.random(using: &random) })
        }
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.expectTexts(
                    ["", "0", "1", "10110", "11111111", "000000001"], of: "bit varying", as: PostgresBitString.self)
                try await connection.expectValues(values, of: "bit varying")
                #expect(try await connection.read("SELECT B'10110'", as: PostgresBitString.self).description == "10110")
                #expect(
                    try await connection.read("SELECT $1::bit(3)", [PostgresBitString("101")])
                        == PostgresBitString("101"))
            }
        }
        for value in values { #expect(PostgresBitString(value.description) == value) }
        #expect(PostgresBitString("012") == nil && PostgresBitString([true, false])[0])
    }

    @Test("hardware addresses and oids are written as the server writes them, and come back as they went")
    func addresses() async throws {
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.expectTexts(
                    ["08:00:2b:01:02:03", "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff"], of: "macaddr",
                    as: PostgresMACAddress.self)
                try await connection.expectTexts(
                    ["08:00:2b:ff:fe:01:02:03", "ff:ff:ff:ff:ff:ff:ff:ff"], of: "macaddr8",
                    as: PostgresMACAddress8.self)
                try await connection.expectTexts(["0", "4294967295"], of: "oid", as: UInt32.self)
                #expect(try await connection.read("SELECT 'pg_class'::regclass", as: UInt32.self) == 1259)
                #expect(await connection.refusal("SELECT 1", as: UInt32.self)?.reason == .type(.int4))
            }
        }
        for text in [
            "", "8:0:2b:1:2:3", "08:00:2b:01:02", "08:00:2b:01:02:0g", "+8:00:2b:01:02:03", "08-00-2b-01-02-03",
        ] {
            #expect(PostgresMACAddress(text) == nil && PostgresMACAddress8(text) == nil)
        }
        #expect(PostgresMACAddress("08:00:2B:01:02:03")?.bytes == [8, 0, 0x2B, 1, 2, 3])
        #expect(PostgresMACAddress(bytes: [1]) == nil && PostgresMACAddress8(bytes: [1]) == nil)
    }
}
