import Postgres
import Testing

@Suite("Network addresses")
struct InetTests {
    @Test("are written as the server writes them")
    func serverText() async throws {
        let edges = [
            "0.0.0.0", "0.0.0.0/0", "192.0.2.1", "192.0.2.1/24", "255.255.255.255", "10.0.0.0/8", "::", "::1", "::/0",
            "2001:db8::1", "2001:db8::/32", "2001:db8:0:1:1:1:1:1", "2001:0:0:1::1", "1:0:0:2:0:0:0:3",
            "::ffff:192.0.2.1",
            "::192.0.2.1", "::2", "::1:2", "::ffff:0:0", "::fffe:1:2", "fe80::1/64", "1:2:3:4:5:6:7:8", "1::",
            "1:2:3:4:5:6:7::",
            "::2:3:4:5:6:7:8", "64:ff9b::192.0.2.33", "0:1::", "::1:0:0:0/100",
        ]
        var random = SeededGenerator(seed: 7)
        let values = (0..<400).compactMap { index -> PostgresInet? in
            let length = index % 2 == 0 ? 4 : 16
            let bytes = (0..<length).map { _ in
                Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
            }
            return PostgresInet(bytes: bytes, prefixLength: .random(in: 0...length * 8, using: &random))
        }
        #expect(values.count == 400)
        try await Fixture.run { fixture in
            try await fixture.withConnection { (connection) async throws in
                try await connection.expectTexts(edges, of: "inet", as: PostgresInet.self)
                try await connection.expectValues(values, of: "inet")
                try await connection.expectValues(edges.compactMap { PostgresInet($0) }, of: "inet")
                #expect(
                    try await connection.read("SELECT '10.0.0.0/8'::cidr", as: PostgresInet.self).description
                        == "10.0.0.0/8")
                #expect(
                    try await connection.read("SELECT '{10.0.0.0/8,::1}'::cidr[]", as: [PostgresInet].self)
                        == ["10.0.0.0/8", "::1"].compactMap { PostgresInet($0) })
                try await connection.executeScript("CREATE TABLE networks (network cidr)")
                try await connection.run("INSERT INTO networks VALUES ($1)", [PostgresInet("10.0.0.0/8")])
            }
        }
        for text in edges { #expect(PostgresInet(text)?.description == PostgresInet(text)?.description.lowercased()) }
        for value in values { #expect(PostgresInet(value.description) == value) }
    }

    @Test(
        "are no other text",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/+1", "01.2.3.4",
            "1..2.3",
            ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::1:2:3:4:5:6:7:8", "12345::", "g::",
            "1.2.3.4::",
            "::1.2.3", "::1/129", "1:2:3:4:5:6:7:1.2.3.4", ":1::", "::1:", "fe80::1%eth0", "localhost",
        ])
    func otherTexts(text: String) { #expect(PostgresInet(text) == nil) }

    @Test("are made of four or sixteen bytes")
    func bytes() {
        #expect(PostgresInet(bytes: [192, 0, 2, 1])?.description == "192.0.2.1")
        #expect(PostgresInet(bytes: [192, 0, 2, 1])?.isHost == true)
        #expect(PostgresInet("2001:db8::1")?.bytes == [0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1])
        #expect(PostgresInet("2001:db8::1")?.isIPv6 == true)
        #expect(PostgresInet("::/7")?.prefixLength == 7)
        #expect(PostgresInet(bytes: [1, 2, 3]) == nil)
        #expect(PostgresInet(bytes: [1, 2, 3, 4], prefixLength: 33) == nil)
        #expect(PostgresInet(bytes: [1, 2, 3, 4], prefixLength: -1) == nil)
    }
}
