import HTTPServer
import Testing

@testable import JulietServer

@Suite("Pages of other origins")
struct CrossOriginTests {
    private static let exposed =
        "X-Request-Id, Retry-After, Idempotent-Replayed, WWW-Authenticate, Allow, Location, ETag"

    private func shared(_ origins: [String], _ requestHeaders: Headers) -> Headers {
        var response = Response(headers: ["A": "b"])
        CrossOrigin(origins).share(&response, with: requestHeaders)
        return response.headers
    }

    @Test("an allowed one may read the answer and the headers that matter")
    func allowed() {
        for origin in ["https://a.example", "http://b:8080"] {
            #expect(
                shared(["https://a.example", "http://b:8080"], ["Origin": origin]) == [
                    "A": "b", "Access-Control-Allow-Origin": origin, "Vary": "Origin",
                    "Access-Control-Expose-Headers": Self.exposed,
                ])
        }
        #expect(shared(["*"], ["Origin": "https://x"])["Access-Control-Allow-Origin"] == "*")
    }

    @Test(
        "any other finds nothing in it",
        arguments: [
            ["Origin": "https://b.example"], ["Origin": "http://a.example"], ["Origin": "https://a.example:444"],
            ["Origin": "https://a.example.evil"], ["Origin": "null"], ["Origin": ""], ["Origin": "*"], [:],
            ["Origin": "https://a.example", "origin": "https://a.example"],
        ] as [Headers])
    func others(requestHeaders: Headers) {
        #expect(shared(["https://a.example"], requestHeaders) == ["A": "b"])
        #expect(shared([], requestHeaders) == ["A": "b"])
        let preflight: Headers = ["Access-Control-Request-Method": "POST", "X-Request-Id": "r"]
        let options = CrossOrigin(["https://a.example"]).options(
            Headers(requestHeaders, preflight), allow: "GET, POST")
        #expect(options.headers == ["Allow": "GET, POST", "Cache-Control": "no-store", "X-Request-Id": "r"])
        #expect(options.status == .noContent)
    }

    @Test("before it asks, a browser is told what it may ask")
    func preflight() {
        let crossOrigin = CrossOrigin(["https://a.example"])
        let headers: Headers = [
            "Origin": "https://a.example", "Access-Control-Request-Method": "PATCH",
            "Access-Control-Request-Headers": "authorization", "X-Request-Id": "r",
        ]
        let response = crossOrigin.options(headers, allow: "GET, PATCH, DELETE, HEAD, OPTIONS")
        #expect(response.status == .noContent)
        #expect(
            response.headers == [
                "Allow": "GET, PATCH, DELETE, HEAD, OPTIONS", "Cache-Control": "no-store", "X-Request-Id": "r",
                "Access-Control-Allow-Origin": "https://a.example",
                "Vary": "Origin", "Access-Control-Allow-Methods": "GET, PATCH, DELETE, HEAD, OPTIONS",
                "Access-Control-Allow-Headers":
                    "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id",
                "Access-Control-Max-Age": "7200",
            ])
    }

    @Test("OPTIONS of a page that asks for nothing in particular is shared as any answer")
    func plainOptions() {
        let response = CrossOrigin(["*"]).options(["Origin": "https://x"], allow: "GET")
        #expect(response.headers["Allow"] == "GET")
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
        #expect(!response.headers.contains("Access-Control-Allow-Methods"))
    }

    @Test("what a browser sends for a page that is neither the service's own nor allowed is foreign")
    func foreign() {
        func isForeign(_ origins: CrossOrigin, _ method: HTTPMethod, _ headers: Headers) -> Bool {
            var headers = headers
            headers.append("Host", "juliet.test:81")
            return origins.isForeign(Request(method: method, path: "/v2/players", headers: headers))
        }
        let (none, one, all) = (CrossOrigin([]), CrossOrigin(["https://a.example"]), CrossOrigin(["*"]))
        for (headers, isForeignToNone, isForeignToOne) in [
            ([:], false, false), (["Origin": "https://a.example"], true, false), (["Origin": "null"], true, true),
            (["Origin": "http://juliet.test:81"], false, false), (["Origin": "HTTPS://Juliet.test:81"], false, false),
            (["Origin": "http://juliet.test"], true, true), (["Origin": ""], true, true),
            (["Origin": "https://b.example", "Sec-Fetch-Site": "same-origin"], false, false),
            (["Origin": "https://b.example", "Sec-Fetch-Site": "same-site"], true, true),
        ] as [(Headers, Bool, Bool)] {
            for method in [HTTPMethod.post, .put, .patch, .delete] {
                #expect(isForeign(none, method, headers) == isForeignToNone, "\(headers)")
                #expect(isForeign(one, method, headers) == isForeignToOne, "\(headers)")
                #expect(!isForeign(all, method, headers))
            }
        }
        // What browsers send with a GET, and whether it is foreign to a URL that links may lead to.
        for (headers, isForeignToAPI, isForeignToLinks) in [
            ([:], false, false), (["Origin": "https://b.example"], true, true),
            (["Origin": "http://juliet.test:81"], false, false),
            (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"], true, true),
            (["Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"], true, true),
            (
                ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"], true,
                false
            ),
            (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"], true, true),
            (["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "object"], true, true),
            (["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Purpose": "prefetch"], true, true),
            (["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"], false, false),
            (["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"], false, false),
        ] as [(Headers, Bool, Bool)] {
            for method in [HTTPMethod.get, .head] {
                #expect(isForeign(none, method, headers) == isForeignToAPI, "\(headers)")
                #expect(isForeign(none.withLinks, method, headers) == isForeignToLinks, "\(headers)")
            }
        }
    }
}

extension Headers {
    /// The lines of both.
    fileprivate init(_ first: Headers, _ second: Headers) {
        self = first
        for (name, value) in second { append(name, value) }
    }
}
