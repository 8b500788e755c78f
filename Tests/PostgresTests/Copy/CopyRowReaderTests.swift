import Testing

@testable import Postgres

@Suite("Rows of a copy")
struct CopyRowReaderTests {
    /// The rows of bytes that come in pieces of a size.
    private func rows(
        _ bytes: [UInt8], _ format: PostgresCopyFormat, columns: Int, pieces: Int
    ) throws(CopyRowReader.Problem) -> [[String?]] {
        var reader = CopyRowReader(format: format, columnCount: columns)
        var rows: [[String?]] = []
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            reader.removeRead()
            reader.bytes += bytes[start..<min(start + pieces, bytes.count)]
            while try reader.next() {
                rows.append(reader.fields.map { $0.map { String(decoding: reader.bytes[$0], as: UTF8.self) } })
            }
        }
        return rows
    }

    private func binary(_ rows: [[String?]]) -> [UInt8] {
        var writer = ParameterWriter()
        // With some bytes of a header's extension.
        writer.append(bytes: CopyRowReader.signature + [0, 0, 0, 0, 0, 0, 0, 3, 7, 7, 7])
        for row in rows {
            writer.append(Int16(row.count))
            for field in row {
                guard let field else {
                    writer.append(Int32(-1))
                    continue
                }
                writer.append(Int32(field.utf8.count))
                writer.append(utf8: field)
            }
        }
        writer.append(Int16(-1))
        return Array(writer.bytes.dropFirst())
    }

    @Test("are the same however the bytes are cut", arguments: [1, 2, 3, 5, 7, 1000])
    func cut(pieces: Int) throws {
        let text = Array("a\\tb\t\\N\t\n\\\\N\t\\\\.\tx\\ny\\r\\v\\b\\f\\q\n\t\\N\\\\\tü\n".utf8)
        let expected: [[String?]] = [
            ["a\tb", nil, ""], ["\\N", "\\.", "x\ny\r\u{B}\u{8}\u{C}q"],
        ]
        #expect(try rows(text, .text, columns: 3, pieces: pieces).prefix(2) == expected[...])
        let samples: [[String?]] = [["", nil], ["PGCOPY\n", "x"], [nil, "ü"]]
        #expect(try rows(binary(samples), .binary, columns: 2, pieces: pieces) == samples)
        #expect(try rows(binary([[], []]), .binary, columns: 0, pieces: pieces) == [[], []])
        #expect(try rows(Array("\n\n".utf8), .text, columns: 0, pieces: pieces) == [[], []])
        #expect(try rows(Array("\n".utf8), .text, columns: 1, pieces: pieces) == [[""]])
    }

    @Test("nothing comes behind the trailer, and what is malformed is refused")
    func refused() throws {
        let good = binary([["x"]])
        #expect(try rows(good + good, .binary, columns: 1, pieces: 1000) == [["x"]])
        func problem(
            _ bytes: [UInt8], _ format: PostgresCopyFormat = .binary, columns: Int = 1
        ) -> CopyRowReader.Problem? {
            do throws(CopyRowReader.Problem) {
                _ = try rows(bytes, format, columns: columns, pieces: 4)
                return nil
            } catch {
                return error
            }
        }
        #expect(problem([1]) == .malformed)
        #expect(problem(Array("PGCOPY\n".utf8) + [0xFE]) == .malformed)
        var flags = good
        flags[12] = 1
        #expect(problem(flags) == .malformed)
        #expect(problem(good, columns: 2) == .columnCount(1))
        let header = CopyRowReader.signature + [0, 0, 0, 0, 0, 0, 0, 0]
        #expect(problem(header + [0, 1, 0xFF, 0xFF, 0xFF, 0xFE]) == .malformed)
        #expect(problem(CopyRowReader.signature + [0, 0, 0, 0, 0xFF, 0, 0, 0]) == .malformed)
        #expect(problem(Array("a\tb\n".utf8), .text) == .columnCount(2))
        #expect(problem(Array("a\\\n".utf8), .text) == .malformed)
        #expect(problem(Array("x\n".utf8), .text, columns: 0) == .columnCount(1))
    }

    @Test("take no memory but the row's, and random bytes are no trap")
    func bounds() {
        var generator = SeededGenerator(seed: 43)
        for round in 0..<2000 {
            let format: PostgresCopyFormat = round % 2 == 0 ? .binary : .text
            var bytes = generator.bytes(upTo: 60)
            if format == .binary { bytes = CopyRowReader.signature + [0, 0, 0, 0, 0, 0, 0, 0] + bytes }
            _ = try? rows(bytes, format, columns: Int.random(in: 0...3, using: &generator), pieces: 1 + round % 9)
        }
        var reader = CopyRowReader(format: .text, columnCount: 1)
        for _ in 0..<1000 {
            reader.removeRead()
            reader.bytes += Array("0123456789\n".utf8)
            #expect((try? reader.next()) == true)
            #expect(reader.bytes.count == 11)
        }
    }

    @Test("a row that is too long, or whose values are not those of the columns, is refused")
    func writing() throws {
        var writer = CopyRowWriter(columns: [.init(name: "a")], format: .text, rowLimit: 10)
        try writer.appendRow(1) { $0.append("123456789") }
        let long = #expect(throws: PostgresError.self) { try writer.appendRow(2) { $0.append("1234567890") } }
        #expect(long?.code == .misuse && long?.reason == "row 2 has more than 10 bytes")
        let few = #expect(throws: PostgresError.self) { try writer.appendRow(3) { _ in } }
        #expect(few?.reason == "row 3 has 0 values, not 1")
        let many = #expect(throws: PostgresError.self) { try writer.appendRow(4) { $0.append("a", "b") } }
        #expect(many?.reason == "row 4 has 2 values, not 1")
    }

    @Test("a column takes the binary form of its own type alone, and what has the same form")
    func types() {
        #expect(PostgresType.int8.takes(Int.self, nil) && PostgresType.int8.takes(Int64?.self, nil))
        #expect(!PostgresType.int8.takes(Int32.self, nil) && !PostgresType.int4.takes(Int.self, nil))
        #expect(!PostgresType.timestamptz.takes(Int.self, nil))
        for type in [.text, .varchar, .bpchar, .name, .json, .xml] as [PostgresType] {
            #expect(type.takes(String.self, nil) && type.takes(CopyMood.self, nil))
        }
        #expect(!PostgresType.jsonb.takes(String.self, nil) && !PostgresType.char.takes(String.self, nil))
        #expect(PostgresType.bit.takes(PostgresBitString.self, nil) && !PostgresType.cidr.takes(PostgresInet.self, nil))
        let mine = PostgresType(oid: 20_000)
        #expect(mine.takes(CopyMood.self, nil) && mine.takes(String.self, nil) && !mine.takes(Int.self, nil))
        let types = RegisteredTypes([("copy_mood", 20_001, nil)])
        #expect(!mine.takes(CopyMood.self, types) && PostgresType(oid: 20_001).takes(CopyMood.self, types))
    }
}
