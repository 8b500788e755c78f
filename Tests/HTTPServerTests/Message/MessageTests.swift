import Testing

@testable import HTTPServer

@Suite("Messages")
struct MessageTests {
    @Test("header fields keep their order and match in any case")
    func headers() {
        var headers: Headers = ["A": "1", "b": "2", "a": "3"]
        #expect(headers["a"] == "1, 3")
        #expect(headers.values(of: "A") == ["1", "3"])
        #expect(headers.contains("B"))
        #expect(!headers.contains("C"))
        #expect(headers.map(\.name) == ["A", "b", "a"])
        headers["A"] = "4"
        #expect(headers.map(\.name) == ["b", "A"])
        headers["b"] = nil
        #expect(headers.map(\.value) == ["4"])
        headers.remove("a")
        #expect(headers.isEmpty)
        headers.append("C", "")
        #expect(headers.count == 1)
        #expect(headers["c"] == "")
    }

    @Test("header fields are equal when names, without case, and values are")
    func equality() {
        #expect(["A": "1"] as Headers == ["a": "1"])
        #expect(["A": "1"] as Headers != ["A": "2"])
        #expect(["A": "1"] as Headers != ["A": "1", "B": "2"])
        #expect(["A": "1", "B": "2"] as Headers != ["B": "2", "A": "1"])
    }

    @Test("bytes of a value that are not ASCII are opaque: each is a character (RFC 9110 §5.5)")
    func opaque() {
        var headers = Headers()
        headers["X"] = "a\u{301}"
        #expect(headers["x"] == "a\u{CC}\u{81}")
        #expect(headers.values(of: "X") == ["a\u{CC}\u{81}"])
    }

    @Test("no value ends its line (RFC 9110 §5.5)", arguments: ["a\r\nb: c", "a\nb", "a\rb", "a\0b", "a\u{7F}b"])
    func splitting(_ value: String) {
        let headers: Headers = ["X": value]
        #expect(headers["X"]?.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } == true)
        #expect(headers["X"]?.utf8.count == value.utf8.count)
    }

    @Test("a date as RFC 9110 §5.6.7 writes it")
    func date() {
        #expect(HTTPDate.format(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.format(1_709_210_096) == "Thu, 29 Feb 2024 12:34:56 GMT")
    }

    @Test(
        "addresses as they are usually written (RFC 5952)",
        arguments: [
            (0, 0, "::"), (0, 1, "::1"), (0x2001_0DB8_0000_0000, 1, "2001:db8::1"),
            (0x2001_0DB8_0000_0001, 1, "2001:db8:0:1::1"),
            (0x2001_0DB8_0001_0001, 0x0001_0001_0001_0000, "2001:db8:1:1:1:1:1:0"),
            (0x0001_0000_0000_0002, 0x0003_0000_0000_0004, "1::2:3:0:0:4"), (0xFE80_0000_0000_0000, 0, "fe80::"),
        ] as [(UInt64, UInt64, String)])
    func addresses(high: UInt64, low: UInt64, text: String) {
        let address = SocketAddress(ip: SocketAddress.IP(isIPv6: true, high: high, low: low), port: 80)
        #expect(address.host == text)
        #expect(address.description == "[\(text)]:80")
    }

    @Test("IPv4 addresses")
    func addressesV4() {
        let address = SocketAddress(192, 0, 2, 1, port: 8080)
        #expect(address.host == "192.0.2.1")
        #expect(address.description == "192.0.2.1:8080")
    }

    @Test("an IPv4 peer of an IPv6 socket is one of IPv4, and a subscriber has an address of IPv4 or a /64")
    func networks() {
        let mapped = SocketAddress.IP(ipv6High: 0, low: 0xFFFF_C000_0201)
        #expect(mapped == SocketAddress(192, 0, 2, 1, port: 0).ip)
        #expect(mapped.network == mapped)
        let address = SocketAddress.IP(ipv6High: 0x2001_0DB8_0000_0001, low: 7)
        #expect(address.description == "2001:db8:0:1::7")
        #expect(address.network.description == "2001:db8:0:1::")
        #expect(SocketAddress.IP(ipv6High: 0, low: 0xFFFE_C000_0201).isIPv6)
    }

    @Test("a response head, byte for byte")
    func encoding() {
        var encoder = ResponseEncoder()
        var output: [UInt8] = []
        let response = Response(status: 404, headers: ["X-A": "b c", "Server": "s"])
        encoder.appendHead(response, framing: .length(12), persistence: .close, to: &output)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\nX-A: b c\r\nServer: s\r\nDate: "))
        #expect(text.hasSuffix(" GMT\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"))
        output = []
        encoder.appendHead(Response(status: 299), framing: .none, persistence: .keepAlive, to: &output)
        #expect(String(decoding: output, as: UTF8.self).hasPrefix("HTTP/1.1 299 \r\nDate: "), "RFC 9112 §4")
        output = []
        ResponseEncoder.appendChunk([UInt8](repeating: 0x61, count: 26), to: &output)
        #expect(output == Array("1a\r\naaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".utf8))
    }

    @Test("every broken rule has a status, a code and a sentence that names no input")
    func errors() {
        for error in HTTPParseError.allCases {
            #expect((400...505).contains(error.status.code))
            #expect(error.code.rawValue.hasPrefix("http."))
            #expect(error.message.hasSuffix("."))
        }
        #expect(Set(HTTPParseError.allCases.map(\.message)).count == HTTPParseError.allCases.count)
    }

    @Test("known methods")
    func methods() {
        #expect(HTTPMethod.patch.isKnown)
        #expect(!HTTPMethod(rawValue: "get").isKnown)
        #expect(HTTPMethod.get.description == "GET")
        #expect(HTTPStatus.notFound.description == "404 Not Found")
        #expect(HTTPStatus(599).description == "599")
    }
}
