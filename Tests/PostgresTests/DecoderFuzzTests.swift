import EventLoop
import TestSupport
import Testing

@testable import Postgres

/// Decoders and any bytes. The numbers are the same at every run.
@Suite("Decoders")
struct DecoderFuzzTests {
    /// A reader of one type, of the arrays over it and of composites with one.
    private struct Decoder: Sendable {
        /// Reads bytes and writes the value, if there is one, as text and as a parameter.
        let read: @Sendable (Span<UInt8>, PostgresType) -> Bool

        init<Value: PostgresDecodable>(_: Value.Type) {
            read = { bytes, type in
                guard let value = try? Value(binary: bytes, type: type) else { return false }
                _ = "\(value)"
                if let value = value as? any PostgresEncodable {
                    var parameters = Parameters()
                    parameters.append(value)
                    guard parameters.count == 1 else { return false }
                }
                return true
            }
        }

        static func all<Value: PostgresDecodable>(over _: Value.Type) -> [Decoder] {
            [
                Decoder(Value.self), Decoder(Value?.self), Decoder([Value].self), Decoder([Value?].self),
                Decoder([[Value]].self), Decoder([[[Value?]]].self), Decoder(Composite<Value>.self),
            ]
        }
    }

    /// A composite of two fields.
    private struct Composite<Value: PostgresDecodable>: PostgresDecodable {
        init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
            var fields = CompositeReader()
            _ = try fields.next(Value.self, in: bytes)
            _ = try fields.next([Value?].self, in: bytes)
        }
    }

    private let decoders: [Decoder] =
        Decoder.all(over: Bool.self) + Decoder.all(over: UInt8.self) + Decoder.all(over: [UInt8].self)
        + Decoder.all(over: Int16.self)
        + Decoder.all(over: Int32.self) + Decoder.all(over: Int64.self) + Decoder.all(over: Int.self)
        + Decoder.all(over: Float.self) + Decoder.all(over: Double.self) + Decoder.all(over: String.self)
        + Decoder.all(over: PostgresDate.self) + Decoder.all(over: PostgresTimestamp.self)
        + Decoder.all(over: PostgresUUID.self) + Decoder.all(over: PostgresJSONBValue<[String: Int]>.self)
        + Decoder.all(over: PostgresJSONBValue<[Int?]>.self)
        + Decoder.all(over: RawValueTests.Mood.self) + Decoder.all(over: RawValueTests.Level.self)

    /// Types that the decoders read, the array types over them, a record, and one made in a database.
    private let types: [PostgresType] =
        [
            16, 17, 18, 20, 21, 23, 25, 26, 114, 700, 701, 1082, 1184, 1700, 2950, 3802, 1007, 1009, 1185, 2249, 16_400,
            0, .max,
        ].map { PostgresType(oid: $0) }

    @Test("trap on no bytes")
    func randomBytes() {
        var random = SeededGenerator(seed: 8)
        for _ in 0..<150 {
            let bytes = random.bytes(upTo: 48)
            for decoder in decoders { for type in types { _ = decoder.read(bytes.span, type) } }
        }
    }

    @Test("trap on no bytes that are nearly right: what the server sends, cut, lengthened and changed")
    func mutatedBytes() async throws {
        var random = SeededGenerator(seed: 9)
        var readable = 0
        for (type, bytes) in try await serverBytes() {
            // Whole, somebody reads it, or nothing here would be nearly right.
            #expect(decoders.contains { $0.read(bytes.span, type) }, "\(type)")
            var variants = (0..<bytes.count).map { Array(bytes[..<$0]) } + [bytes + [0]]
            for _ in 0..<20 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let byte: UInt8 = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                    changed[Int.random(in: 0..<changed.count, using: &random)] =
                        Bool.random(using: &random) ? byte : UInt8.random(in: 0...255, using: &random)
                }
                variants.append(changed)
            }
            for variant in variants {
                for decoder in decoders where decoder.read(variant.span, type) { readable += 1 }
            }
        }
        #expect(readable > 0)
    }

    /// Bytes as they came, of any type.
    private struct Raw: PostgresDecodable {
        let type: PostgresType
        let bytes: [UInt8]

        init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
            self.type = type
            self.bytes = bytes.indices.map { bytes[$0] }
        }
    }

    /// Values of every type as the server sends them: alone, in an array, in an array of arrays, and in a composite.
    private func serverBytes() async throws -> [(PostgresType, [UInt8])] {
        let values = [
            "true", "'x'::bytea", "'x'::\"char\"", "1::int8", "2::int2", "3::int4", "'text'::text", "4::oid",
            "'{\"a\": 1}'::json", "1.5::real", "2.5::float8", "current_date", "now()", "gen_random_uuid()",
            "'[1, null]'::jsonb", "'happy'::mood",
        ]
        let columns = values.flatMap { ["\($0)", "ARRAY[\($0)]", "ARRAY[[\($0), \($0)]]", "ROW(\($0), ARRAY[\($0)])"] }
        let loop = try EventLoop(label: "test")
        defer { loop.shutdown() }
        let cluster = try await PostgresCluster.shared()
        let fixture = Fixture(cluster: cluster, lease: try await cluster.createDatabase(), loop: loop)
        try await fixture.psql("CREATE TYPE mood AS ENUM ('sad', 'happy')")
        return try await fixture.withConnection { (connection) async throws in
            let sql = SQLText(trusted: "SELECT " + columns.joined(separator: ", "))
            let rows = try await connection.query(sql) { (row) throws(PostgresDecodingError) in
                var raws: [Raw] = []
                while !row.isAtEnd { raws.append(try row.next()) }
                return raws
            }
            #expect(rows.first?.count == values.count * 4)
            return rows.joined().map { ($0.type, $0.bytes) }
        }
    }

    @Test("reserve no more than came, whatever an array says of its length")
    func lyingArrays() {
        // Two dimensions of 2 to the 31st less one elements each, and none of them there.
        var writer: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 23]
        for _ in 0..<2 { writer += [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] }
        let array = PostgresType(oid: 1007)
        #expect(throws: PostgresDecodingError.Reason.malformed) { try [[Int32]](binary: writer.span, type: array) }
        writer[3] = 1
        #expect(throws: PostgresDecodingError.Reason.malformed) { try [Int32](binary: writer.span, type: array) }
        writer[3] = 7
        #expect(throws: PostgresDecodingError.Reason.malformed) { try [Int32](binary: writer.span, type: array) }
        writer[0] = 0x80
        #expect(throws: PostgresDecodingError.Reason.malformed) { try [Int32](binary: writer.span, type: array) }
    }
}
