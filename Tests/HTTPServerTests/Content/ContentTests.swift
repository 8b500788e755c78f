import Testing

@testable import HTTPServer

@Suite("Conditions, ranges and codings")
struct ContentTests {
    private static let now = 784_111_777  // Sun, 06 Nov 1994 08:49:37 GMT
    private static let content = StaticContent(
        Array("0123456789".utf8), type: "text/plain", etag: "a", lastModified: now,
        headers: ["Cache-Control": "max-age=5", "X-Other": "b"],
        encoded: [.gzip: Array("zip".utf8), .brotli: Array("br".utf8)])

    private func get(_ fields: Headers, method: HTTPMethod = .get) -> Response {
        Self.content.response(to: Request(method: method, path: "/", headers: fields))
    }

    private func text(_ response: Response) -> String {
        String(decoding: response.body.bytesAtHand ?? [], as: UTF8.self)
    }

    @Test("the coding that is wanted most, with a tag of its own and Vary (RFC 9110 §12.5.3, §8.8.3.3)")
    func codings() {
        for (field, body, tag) in [
            (nil, "0123456789", "\"a\""), ("gzip", "zip", "\"a-gzip\""), ("gzip, br", "br", "\"a-br\""),
            ("br;q=0.5, gzip;q=0.6", "zip", "\"a-gzip\""), ("*", "br", "\"a-br\""), ("*, br;q=0", "zip", "\"a-gzip\""),
            ("gzip;q=0, br;q=0.000", "0123456789", "\"a\""), ("identity;q=1, gzip;q=0.9", "0123456789", "\"a\""),
            ("identity;q=0, X-GZIP", "zip", "\"a-gzip\""), ("gzip;q=1.001", "0123456789", "\"a\""),
            ("gzip;q=0.1234", "0123456789", "\"a\""), ("*;q=0", "0123456789", "\"a\""), ("", "0123456789", "\"a\""),
            ("gzip ; q=0.001", "zip", "\"a-gzip\""), ("gzip;level=9", "0123456789", "\"a\""),
        ] as [(String?, String, String)] {
            let response = get(field.map { ["Accept-Encoding": $0] } ?? [:])
            #expect(text(response) == body, "\(field ?? "-")")
            #expect(response.headers["ETag"] == tag)
            #expect(response.headers["Vary"] == "Accept-Encoding")
            #expect(response.headers.contains("Content-Encoding") == (body != "0123456789"))
        }
    }

    @Test("conditions, in their order (RFC 9110 §13.2.2)", arguments: [HTTPMethod.get, .head])
    func conditions(method: HTTPMethod) {
        let (date, earlier, later) = (
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:36 GMT", "Sun Nov  6 08:49:38 1994"
        )
        for (fields, status) in [
            (["If-None-Match": "\"a\""], 304), (["If-None-Match": "W/\"a\", \"b\""], 304),
            (["If-None-Match": "\"x,\", \"a\""], 304), (["If-None-Match": "\"x,*,y\""], 200),
            (["If-None-Match": "*"], 304), (["If-None-Match": "\"b\""], 200),
            (["If-None-Match": "a"], 200), (["If-None-Match": "\"a-gzip\""], 200), (["If-None-Match": "\"a"], 200),
            (["If-Modified-Since": date], 304), (["If-Modified-Since": later], 304),
            (["If-Modified-Since": earlier], 200), (["If-Modified-Since": "yesterday"], 200),
            (["If-None-Match": "\"b\"", "If-Modified-Since": date], 200),
            (["If-Match": "\"a\""], 200), (["If-Match": "*"], 200), (["If-Match": "W/\"a\""], 412),
            (["If-Match": "\"b\""], 412), (["If-Match": "\"a\"", "If-None-Match": "\"a\""], 304),
            (["If-Unmodified-Since": earlier], 412), (["If-Unmodified-Since": date], 200),
            (["If-Match": "\"a\"", "If-Unmodified-Since": earlier], 200),
            (["If-None-Match": "\"a\"", "Range": "bytes=0-1"], 304),
        ] as [(Headers, Int)] {
            let response = get(fields, method: method)
            #expect(response.status.code == status, "\(Array(fields))")
            if status == 304 {
                #expect(response.headers["ETag"] == "\"a\"" && response.headers["Cache-Control"] == "max-age=5")
                #expect(response.headers["Vary"] == "Accept-Encoding" && response.headers["X-Other"] == "b")
                for name in ["Content-Type", "Content-Encoding", "Accept-Ranges"] {
                    #expect(!response.headers.contains(name), "\(name)")
                }
            }
        }
        let zipped = get(["If-None-Match": "\"a-gzip\"", "Accept-Encoding": "gzip"], method: method)
        #expect(zipped.status == .notModified && zipped.headers["Content-Encoding"] == nil)
        #expect(get(["If-None-Match": "*"], method: .post).status == .ok)
    }

    @Test("one range is a part, several are the whole (RFC 9110 §14)")
    func ranges() {
        for (field, body, range) in [
            ("bytes=0-0", "0", "bytes 0-0/10"), ("bytes=2-4", "234", "bytes 2-4/10"),
            ("Bytes=8-", "89", "bytes 8-9/10"), ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=-30", "0123456789", "bytes 0-9/10"), ("bytes=5-99999999999999999999999", "56789", "bytes 5-9/10"),
            ("bytes=10-", "", "bytes */10"), ("bytes=-0", "", "bytes */10"),
            ("bytes=99999999999999999999999-", "", "bytes */10"),
            ("bytes=0-1,3-4", "0123456789", nil), ("bytes=3-2", "0123456789", nil), ("bytes=-", "0123456789", nil),
            ("bytes=a-b", "0123456789", nil), ("lines=0-1", "0123456789", nil), ("bytes=", "0123456789", nil),
            ("bytes=1-2-3", "0123456789", nil), ("bytes=+1-2", "0123456789", nil),
        ] as [(String, String, String?)] {
            let response = get(["Range": field])
            #expect(text(response) == body, "\(field)")
            #expect(response.headers["Content-Range"] == range, "\(field)")
            #expect(response.status.code == (range == nil ? 200 : body.isEmpty ? 416 : 206))
            #expect(response.headers["Accept-Ranges"] == "bytes")
        }
        #expect(get(["Range": "bytes=0-1"], method: .head).status == .ok)
        #expect(text(get(["Range": "bytes=0-0", "Accept-Encoding": "gzip"])) == "z", "of the coding")
        let none = Response(headers: ["Accept-Ranges": "none"], body: .bytes([1, 2]))
        #expect(none.conditional(to: Request(method: .get, path: "/", headers: ["Range": "bytes=0-0"])).status == .ok)
        let empty = StaticContent([], type: "a/b").response(
            to: Request(method: .get, path: "/", headers: ["Range": "bytes=-1"]))
        #expect(empty.status == .rangeNotSatisfiable)
    }

    @Test("a part of shared bytes is no copy of them, and they are let go with the content")
    func shared() {
        let content = StaticContent(Array("0123456789".utf8), type: "text/plain")
        let request = Request(method: .get, path: "/", headers: ["Range": "bytes=2-4"])
        guard case .shared(let bytes, let part) = content.response(to: request).body else {
            Issue.record("a copy")
            return
        }
        #expect(part == 2..<5 && !bytes.isLetGo)
        content.letGo()
        #expect(bytes.isLetGo)
    }

    @Test("If-Range: the part of the same state, else the whole (RFC 9110 §13.1.5)")
    func ifRange() {
        for (field, status) in [
            ("\"a\"", 206), ("\"b\"", 200), ("W/\"a\"", 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 206),
            ("Sun, 06 Nov 1994 08:49:38 GMT", 200), ("nonsense", 200),
        ] {
            #expect(get(["Range": "bytes=0-1", "If-Range": field]).status.code == status, "\(field)")
        }
        #expect(get(["Range": "bytes=0-1", "If-Range": "\"a\"", "Accept-Encoding": "gzip"]).status == .ok)
    }

    @Test("a stream has no parts; other answers are left as they are")
    func others() {
        let request = Request(method: .get, path: "/", headers: ["Range": "bytes=0-1", "If-None-Match": "\"a\""])
        #expect(Response(body: .stream { _ in }).conditional(to: request).status == .ok)
        #expect(Response(status: 404, headers: ["ETag": "\"a\""]).conditional(to: request).status == 404)
        #expect(Response(headers: ["ETag": "W/\"a\""]).conditional(to: request).status == 304)
        let weak = Request(method: .get, path: "/", headers: ["If-Match": "W/\"a\""])
        #expect(Response(headers: ["ETag": "W/\"a\""]).conditional(to: weak).status == 412)
    }

    @Test("dates in three forms, and nothing else (RFC 9110 §5.6.7)")
    func dates() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect(HTTPDate.parse(text) == Self.now)
        }
        for text in [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT",
        ] {
            #expect(HTTPDate.parse(text) == nil, "\(text)")
        }
        var random = Random(state: 7)
        for _ in 0..<2000 {
            let moment = Int.random(in: -30_600_000_000...250_000_000_000, using: &random)
            #expect(HTTPDate.parse(HTTPDate.format(moment)) == moment)
        }
        let twoDigits = "Sunday, 06-Nov-70 08:49:37 GMT"
        #expect(HTTPDate.parse(twoDigits, now: 1_700_000_000).map(HTTPDate.format)?.contains("2070") == true)
        #expect(HTTPDate.parse(twoDigits, now: 700_000_000).map(HTTPDate.format)?.contains("1970") == true)
    }

    @Test("Vary is said once")
    func vary() {
        var headers: Headers = ["Vary": "Origin, accept-encoding"]
        headers.vary(on: "Accept-Encoding")
        #expect(headers["Vary"] == "Origin, accept-encoding")
        headers.vary(on: "Cookie")
        #expect(headers["Vary"] == "Origin, accept-encoding, Cookie")
        headers = ["Vary": "*"]
        headers.vary(on: "Cookie")
        #expect(headers["Vary"] == "*")
    }

    @Test("whatever comes in these fields: no crash, and a part is a part")
    func fuzz() async throws {
        var fuzzer = Fuzzer()
        try await fuzzer.run(share: 4) { stream, random in
            let words = [
                "bytes=", "0-4", "-", ",", "\"a\"", "W/", "*", "gzip;q=0.5", "Sun, 06 Nov 1994 08:49:37 GMT", ";",
            ]
            var value = (0..<4).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined()
            if Bool.random(using: &random) { value += String(decoding: stream, as: UTF8.self) }
            var fields = Headers()
            for name in ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "Accept-Encoding"]
            where Bool.random(using: &random) {
                fields.append(name, value)
            }
            let response = get(fields)
            guard let range = response.headers["Content-Range"], response.status == 206 else { return nil }
            let size = response.body.bytesAtHand?.count ?? 0
            return range.hasPrefix("bytes ") && size > 0 && size <= 10 ? nil : "\(range) with \(size) bytes"
        }
    }
}
