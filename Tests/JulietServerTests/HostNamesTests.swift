import HTTPServer
import Testing

@testable import JulietServer

@Suite("The names that a port answers to")
struct HostNamesTests {
    private let names = HostNames(["Juliet", "metrics.example.com.", "0.0.0.0"])

    @Test(
        "any address, localhost and the names are admitted, with any port and in any letter case",
        arguments: [
            "127.0.0.1", "127.0.0.1:9090", "192.0.2.7:1", "[::1]", "[::1]:9090", "[2001:db8::7]:1", "localhost",
            "LOCALHOST:9090",
            "localhost.", "juliet", "juliet:9090", "JULIET", "metrics.example.com", "metrics.example.com.:80", "",
        ])
    func admitted(authority: String) {
        #expect(names.admits(authority))
    }

    @Test(
        "every other name is refused, however much it looks like an address or one of the names",
        arguments: [
            "evil.example", "evil.example:9090", "127.0.0.1.evil.example", "127.0.0.1.nip.io:9090",
            "localhost.evil.example",
            "evil.localhost", "juliet.evil.example", "xjuliet", "metrics.example.com..", "example.com", "%6c%6fcalhost",
            "127.1", "2130706433", "0x7f.0.0.1", "127.0.0.1.",
        ])
    func refused(authority: String) {
        #expect(!names.admits(authority))
        #expect(!HostNames().admits("juliet"))
    }

    @Test("the refusal names the setting that adds a name, and nothing of the request is answered")
    func refusal() async {
        let middleware = names.middleware(setting: "admin.names", errorRenderer: HTTPFailure.plainTextRenderer)
        let next: Handler = { _ in Response.text("figures") }
        var request = Request(method: .get, path: "/metrics", headers: ["Host": "evil.example:9090"])
        let refused = await middleware(request, next)
        #expect(refused.status == .misdirectedRequest)
        let text = String(decoding: refused.body.bytesAtHand ?? [], as: UTF8.self)
        #expect(
            text == "The service does not answer to the name in Host: add it to admin.names, or use the IP address.\n")
        // The target's own authority overrides Host.
        request.headers["Host"] = "juliet"
        request.targetAuthority = "evil.example"
        #expect(await middleware(request, next).status == .misdirectedRequest)
        request.targetAuthority = nil
        #expect(await middleware(request, next).status == .ok)
    }

    @Test(
        "a name has no port, no scheme and no blanks",
        arguments: [
            ("juliet", true), ("a.example.com", true), ("my_service-1.", true), ("juliet:9090", false), ("", false),
            (".", false),
            ("http://juliet", false), ("a b", false), ("a..b", false), ("*", false), ("[::1]", false),
        ])
    func spelling(text: String, isName: Bool) {
        #expect(HostNames.isName(text) == isName)
    }
}
