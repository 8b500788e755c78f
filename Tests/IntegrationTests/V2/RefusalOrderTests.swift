import TestSupport
import Testing

/// The order of refusals, at every URL and method that `docs/openapi.json` names: 404 and 405 for the path, 401, 400, then
/// what the records say.
@Suite("The order of refusals of /v2", .everyLayout)
struct RefusalOrderTests {
    /// A method of a URL.
    struct Route: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let operation: JSON

        var testDescription: String { "\(method) \(path)" }

        /// With something in the place of each parameter; what is asked for is not there.
        var target: String {
            path.replacing("{day}", with: "2026-01-01").replacing("{id}", with: "x")
                .replacing("{member}", with: "x").replacing("{code}", with: "x")
                .replacing("{provider}", with: "x")
        }
        /// Whether nobody may ask without a token.
        var needsToken: Bool { operation.security[0].names == ["token"] && operation.security[1] == .missing }
    }

    private static let routes: [Route] = {
        let paths = APIDocument.checkedIn.json.paths
        return paths.names.filter { $0.hasPrefix("/v2/") }.sorted().flatMap { path in
            let methods = paths[dynamicMember: path]
            return methods.names.sorted().map {
                Route(method: $0.uppercased(), path: path, operation: methods[dynamicMember: $0])
            }
        }
    }()

    /// A body that every URL takes, and does something with; members that it does not know are passed over.
    private static func body(recoveryCode: String) -> String {
        #"{"name": "Eve", "recoveryCode": "\#(recoveryCode)", "word": "crane", "invite": "x", "signedTransaction": "x"}"#
    }

    @Test("the table has every URL, public ones and others")
    func complete() {
        #expect(Self.routes.count >= 20)
        #expect(Self.routes.contains { !$0.needsToken } && Self.routes.contains { $0.needsToken })
    }

    @Test("a token that is wrong is 401 before anything is looked at or done, on public URLs too", arguments: routes)
    func wrongToken(route: Route) async throws {
        let database = try await TestDatabase.shared()
        let newcomer = try await V2Client.newcomer()
        let created = try await newcomer.post("/v2/players", #"{"name": "Ann"}"#)
        let (id, code) = (created.json.player.id.text, created.json.recoveryCode.text)
        #expect(try await created.client.delete("/v2/sessions/current").status == 204)
        let players = try await database.psql("SELECT count(*) FROM players WHERE name = 'Eve'")
        for token in ["x", "jt_" + String(repeating: "A", count: 43), created.json.token.text] {
            let client = newcomer.with(token: token)
            // What could be done, and what is malformed.
            for body in route.method == "GET" ? [""] : [Self.body(recoveryCode: code), "{"] {
                #expect(try await client.ask(route.method, route.target, body).summary == "401 unauthorized")
                let malformed = try await client.ask(
                    route.method, route.target + "?limit=0&around=x&period=x&state=x", body,
                    fields: ["Idempotency-Key: a b"])
                #expect(malformed.summary == "401 unauthorized")
            }
        }
        #expect(try await database.psql("SELECT count(*) FROM players WHERE name = 'Eve'") == players)
        #expect(try await database.psql("SELECT name FROM players WHERE user_id = '\(id)'") == "Ann")
        guard route.path == "/v2/sessions" else { return }
        // The code was not used up.
        #expect(try await newcomer.post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#).status == 201)
    }

    @Test("without a token players' URLs are 401 before 400, and others look at the request", arguments: routes)
    func noToken(route: Route) async throws {
        let newcomer = try await V2Client.newcomer()
        let reply = try await newcomer.ask(
            route.method, route.target, route.method == "GET" ? "" : "{", fields: ["Idempotency-Key: a b"])
        if route.needsToken {
            #expect(reply.summary == "401 unauthorized")
        } else if route.method != "GET" {
            #expect(reply.summary == "400 request-invalid")
        } else {
            #expect([200, 404].contains(reply.status), "\(reply)")
        }
    }

    @Test("with a good token, 400 goes before other refusals", arguments: routes.filter { $0.method != "GET" })
    func malformed(route: Route) async throws {
        let player = try await V2Client.player()
        let reply = try await player.ask(
            route.method, route.target, Self.body(recoveryCode: "x"), fields: ["Idempotency-Key: a b"])
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path == "Idempotency-Key")
        guard route.operation.requestBody != .missing else { return }
        #expect(try await player.ask(route.method, route.target, "{").summary == "400 request-invalid")
    }
}
