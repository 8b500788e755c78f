import Testing

@testable import JulietServer

@Suite("API keys")
struct AccessKeysTests {
    @Test("none configured: every request is accepted")
    func none() {
        #expect(AccessKeys([]).check(nil) == .accepted)
        #expect(AccessKeys([]).check("anything") == .accepted)
    }

    @Test("any of several is accepted, so that they can rotate")
    func rotation() {
        let keys = AccessKeys(["old", "new"])
        #expect(keys.check("old") == .accepted)
        #expect(keys.check("new") == .accepted)
        #expect(keys.check("New") == .wrong)
        #expect(keys.check("") == .wrong)
        #expect(keys.check(nil) == .missing)
    }
}

@Suite("A request's id")
struct RequestIDTests {
    @Test("is the client's when it can stand in a log line", arguments: ["a", "8f14e45f-ceea-4675", "A/b:c.d_e+f="])
    func proposed(id: String) {
        #expect(RequestID(proposed: id).description == id)
    }

    @Test(
        "is made when the client's cannot",
        arguments: [nil, "", "a b", "a\"b", "ü", String(repeating: "a", count: 129), "a\u{1b}[31m"])
    func made(id: String?) {
        let made = RequestID(proposed: id).description
        #expect(made.count == 12)
        #expect(made != RequestID(proposed: id).description)
    }
}
