import Postgres
import Testing

@Suite("Exact decimal numbers")
struct NumericTests {
    /// A decimal number of up to 60 digits, which may begin and end with zeros.
    private func randomText(_ random: inout SeededGenerator) -> String {
        let whole = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            "0012345678900".randomElement(using: &random)
        }
        let fraction = (0..<Int.random(in: 0...30, using: &random)).map { _ in
            "0001234567890000".randomElement(using: &random)
        }
        let text = String(whole.compactMap { $0 }) + "." + String(fraction.compactMap { $0 })
        return (Bool.random(using: &random) ? "-" : "") + (text.hasSuffix(".") ? String(text.dropLast()) : text)
    }

    @Test("are written as the server writes them, and come back as they went")
    func serverText() async throws {
        var random = SeededGenerator(seed: 1)
        let edges = [
            "0", "0.0", "-0.000", "1", "-1", "10", "9999", "10000", "99999999", "100000000", "9999.9999", "0.0001",
            "0.00001", "-0.000100", "12345.678900", "0.1", "1e20", "1.5e-7", "NaN", "Infinity", "-Infinity",
            "1e131071", "-9e131071", "0." + String(repeating: "0", count: 16_382) + "7",
            String(repeating: "1234567890", count: 1000) + "." + String(repeating: "9", count: 9999),
        ]
        let texts = edges + (0..<400).map { _ in randomText(&random) }
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.expectTexts(texts, of: "numeric", as: PostgresNumeric.self)
                // The same texts, read here.
                let values = texts.compactMap { PostgresNumeric($0) }
                #expect(values.count == texts.count)
                try await connection.expectValues(values, of: "numeric")
                let read = try await connection.read(
                    "SELECT $1::text[]::numeric[]", [texts], as: [PostgresNumeric].self)
                #expect(read.map(\.scale) == values.map(\.scale))
            }
        }
    }

    @Test("are ordered as the server orders them, and equal whatever zeros follow")
    func order() async throws {
        var random = SeededGenerator(seed: 2)
        let special = ["NaN", "Infinity", "-Infinity", "0", "0.00", "1", "1.000", "-1", "10000", "10000.0001", "9999"]
        let values = (special + (0..<60).map { _ in randomText(&random) }).compactMap { PostgresNumeric($0) }
        let shuffled = values.shuffled(using: &random)
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                let sorted = try await connection.read(
                    "SELECT array_agg(v ORDER BY v) FROM unnest($1::numeric[]) AS t (v)", [values],
                    as: [PostgresNumeric].self)
                #expect(sorted == shuffled.sorted())
            }
        }
        let one: PostgresNumeric = 1
        #expect(PostgresNumeric("1.000") == one)
        #expect(PostgresNumeric("1.000").hashValue == Optional(one).hashValue)
        #expect(PostgresNumeric("1.000")?.scale == 3)
        #expect(PostgresNumeric.nan == .nan)
        #expect(PostgresNumeric.nan > .infinity)
        #expect(!(PostgresNumeric.nan < .nan))
    }

    @Test(
        "are no other text",
        arguments: [
            "", " ", "1 ", " 1", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1_000", "0x10", "1e1.5", "+NaN",
            "-NaN",
            "nano", "infinit", "1e1000001", "1e131072", "1e99999999999999999999", "1e-16384", "٣", "1,5", "\0",
        ])
    func otherTexts(text: String) { #expect(PostgresNumeric(text) == nil) }

    @Test(
        "are read with point and exponent, in either case",
        arguments: [
            ("+1", "1"), ("1.", "1"), (".5", "0.5"), ("-.5", "-0.5"), ("1E3", "1000"), ("1.25e1", "12.5"),
            ("1.5e3", "1500"),
            ("12e-5", "0.00012"), ("nan", "NaN"), ("+inf", "Infinity"), ("-INFINITY", "-Infinity"), ("-0", "0"),
            ("00012.10", "12.10"), ("0e-5", "0.00000"),
        ])
    func otherForms(text: String, written: String) { #expect(PostgresNumeric(text)?.description == written) }

    @Test("become and come from whole numbers")
    func wholeNumbers() {
        for number in [0, 1, -1, 9999, 10_000, -123_456_789, .max, .min, .max - 1, .min + 1] {
            #expect(PostgresNumeric(number).description == "\(number)")
            #expect(Int(exactly: PostgresNumeric(number)) == number)
        }
        let others: [(String, Int?)] = [
            ("1.000", 1), ("120000", 120_000), ("1e18", 1_000_000_000_000_000_000), ("1e19", nil), ("0.5", nil),
            ("0.00", 0),
            ("10000.0001", nil), ("9223372036854775808", nil), ("-9223372036854775808", .min),
            ("-9223372036854775809", nil), ("NaN", nil), ("Infinity", nil), ("-Infinity", nil), ("1e131071", nil),
        ]
        for (text, number) in others {
            #expect(PostgresNumeric(text).flatMap { Int(exactly: $0) } == number, "\(text)")
        }
        #expect(PostgresNumeric(unscaled: 1999, scale: 2)?.description == "19.99")
        #expect(PostgresNumeric(unscaled: -5, scale: 6)?.description == "-0.000005")
        #expect(PostgresNumeric(unscaled: .min, scale: 16_383)?.scale == 16_383)
        #expect(PostgresNumeric(unscaled: 1, scale: 16_384) == nil)
        #expect(PostgresNumeric(unscaled: 1, scale: -1) == nil)
    }

    @Test("become and come from binary floating point")
    func floatingPoint() {
        let written: [(Double, String)] = [
            (0.1, "0.1"), (100, "100"), (-2.5, "-2.5"), (1e21, "1000000000000000000000"), (-0.0, "0"), (.nan, "NaN"),
            (.infinity, "Infinity"), (-.infinity, "-Infinity"), (1e-7, "0.0000001"),
        ]
        for (number, text) in written { #expect(PostgresNumeric(number).description == text) }
        for number in [0.1, 1 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.ulpOfOne, 1e22] as [Double] {
            #expect(Double(PostgresNumeric(number)) == number)
        }
        #expect(Double(PostgresNumeric.nan).isNaN)
        #expect(Double(PostgresNumeric.negativeInfinity) == -.infinity)
        #expect(PostgresNumeric("-1e131071").map { Double($0) } == -.infinity)
        #expect(PostgresNumeric("1e-16383").map { Double($0) } == 0)
        #expect(PostgresNumeric(0.1) == PostgresNumeric("0.1"))
    }

    @Test("of bytes that the server would not send are cut to their scale or refused")
    func foreignBytes() throws {
        func read(_ words: [UInt16]) throws -> PostgresNumeric {
            let bytes = words.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            return try PostgresNumeric(binary: bytes.span, type: .numeric)
        }
        #expect(try read([3, 0, 0, 1, 1, 2999, 9999]).description == "1.2")
        #expect(try read([3, 0, 0x4000, 0, 0, 0, 5]).description == "0")
        #expect(try read([3, 2, 0, 0, 0, 7, 0]) == 70_000)
        #expect(try read([1, 0x8000, 0, 16_383, 1]).isZero)
        let refused: [[UInt16]] = [
            [1, 0, 0, 0, 10_000], [1, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0x4000], [0, 0, 0],
        ]
        for words in refused {
            #expect(throws: PostgresDecodingError.Reason.malformed) { try read(words) }
        }
    }
}
