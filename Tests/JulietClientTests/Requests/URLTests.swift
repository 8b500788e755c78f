import JulietClient
import Testing

@Suite("URL of a request")
struct URLTests {
    private func url(
        _ path: String, _ query: RequestQuery = [:], host: String? = nil, base: String = "http://h"
    ) throws(ClientError) -> String {
        try RequestMessage(path: path, query: query.items, options: RequestOptions(host: host)).url(baseURL: base)
    }

    @Test(
        "base URL and path are joined by one slash",
        arguments: [
            ("http://h", "/a", "http://h/a"), ("http://h/", "/a", "http://h/a"),
            ("https://h:8443", "/a", "https://h:8443/a"),
            ("https://h/prod/", "/a/b/", "https://h/prod/a/b/"), ("HTTP://h", "/", "HTTP://h/"),
            ("http://[::1]:8080", "/a", "http://[::1]:8080/a"), ("http://h", "/a//b", "http://h/a//b"),
        ])
    func joined(base: String, path: String, expected: String) throws {
        #expect(try url(path, base: base) == expected)
    }

    @Test(
        "a path's segments are encoded, so that none can end early or begin a query",
        arguments: [
            ("/players/Zoë", "/players/Zo%C3%AB"), ("/a b", "/a%20b"), ("/a?b=c", "/a%3Fb=c"), ("/a#b", "/a%23b"),
            ("/50%", "/50%25"), ("/a%2Fb", "/a%252Fb"), ("/a+b:c@d", "/a+b:c@d"), ("/a\r\nb", "/a%0D%0Ab"),
            ("/a\\b", "/a%5Cb"), ("/...", "/..."), ("/a\u{0}", "/a%00"),
        ])
    func path(path: String, expected: String) throws {
        #expect(try url(path) == "http://h" + expected)
    }

    @Test("a query keeps its order, leaves nil out and repeats an array's name")
    func query() throws {
        let none: Int? = nil
        let query: RequestQuery = ["z": 1, "a": "two", "gone": none, "list": [3, 4], "a": true, "some": Optional(0.5)]
        #expect(try url("/q", query) == "http://h/q?z=1&a=two&list%5B%5D=3&list%5B%5D=4&a=true&some=0.5")
        #expect(try url("/q", ["gone": none, "empty": [Int]()]) == "http://h/q")
        #expect(try url("/q", ["empty": ""]) == "http://h/q?empty=")
        // An array of arrays cannot be written.
        #expect([1] as Any is any QueryValue && !([[1]] as Any is any QueryValue))
        #expect(try url("/q", ["raw": PlayerID("me")]) == "http://h/q?raw=me")
    }

    @Test("every character a query reserves is encoded, the plus too, and reads back as it was")
    func reserved() throws {
        #expect(
            try url("/q", ["a+b": "c+d &=?/#[]@:;,'%"])
                == "http://h/q?a%2Bb=c%2Bd%20%26%3D%3F%2F%23%5B%5D%40%3A%3B%2C%27%25")
        let all = String(String.UnicodeScalarView((0..<0x250).compactMap { Unicode.Scalar($0) }))
        let encoded = try url("/q", ["v": all])
        #expect(encoded.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
        #expect(encoded.dropFirst("http://h/q?v=".count).removingPercentEncoded == all)
    }

    @Test(
        "a base URL that is not a web address is refused",
        arguments: [
            "", "h", "//h", "ftp://h", "file:///etc", "http:", "http://", "http:///a", "http://h?a", "http://h#a",
            "http://me@h", "http://me:secret@h", "http://h h", "http://h\r\nX: y", "http://hé", "http://h\\@evil",
        ])
    func base(base: String) {
        #expect(code { () throws(ClientError) in try url("/a", base: base) } == .invalidURL)
    }

    @Test(
        "a path that leads elsewhere is refused",
        arguments: ["", "a", "/..", "/a/../b", "/.", "/a/.", "http://evil/", "?a"])
    func elsewhere(path: String) {
        #expect(code { () throws(ClientError) in try url(path) } == .invalidURL)
    }

    @Test("a request's own host replaces the client's")
    func host() throws {
        #expect(try url("/a", host: "https://other/x") == "https://other/x/a")
        #expect(code { () throws(ClientError) in try url("/a", host: "other") } == .invalidURL)
    }

    private func code(_ body: () throws(ClientError) -> String) -> ClientError.Code? {
        do throws(ClientError) {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }
}

extension StringProtocol {
    fileprivate var removingPercentEncoded: String? {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
