import CredentialTesting
import Foundation
import Logging
import StrictEncoding
import TestSupport
import Testing

@Suite("Identities of /v2", .everyLayout)
struct IdentityTests {
    /// A service that takes a provider's tokens.
    private func service(
        _ voucher: Voucher, _ settings: [String: String] = [:], on database: TestDatabase? = nil,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) async throws -> TestService {
        let database = if let database { database } else { try await TestDatabase.shared() }
        return try await TestService.start(voucher.settings().merging(settings) { $1 }, on: database, logger: logger)
    }

    /// A name at the provider that nobody has had.
    private func stranger() -> String { UUID().uuidString }

    @Test("a nonce is 32 bytes in base64url, good for ten minutes")
    func nonce() async throws {
        let reply = try await V2Client.newcomer().post("/v2/nonces")
        #expect(reply.status == 201)
        #expect(reply.json.names == ["nonce", "expiresAt"])
        #expect(Base64URL.decode(reply.json.nonce.text)?.count == 32)
        let end = try #require(
            try? Date(
                reply.json.expiresAt.text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        #expect((598...602).contains(end.timeIntervalSinceNow))
    }

    @Test("of 50 sessions, the one that was used the longest ago ends when an identity opens one more")
    func manySessions() async throws {
        let voucher = try Voucher()
        let database = try await TestDatabase.shared()
        let service = try await service(voucher, on: database)
        let (player, subject) = (try await V2Client.player(on: service), stranger())
        let linked = try await player.post("/v2/identities", try await voucher.body(of: subject, on: service))
        #expect(linked.status == 201)
        try await database.openSessions(of: player.me().id.text)
        let newcomer = V2Client.newcomer(on: service)
        let signedIn = try await newcomer.post("/v2/sessions", try await voucher.body(of: subject, on: service))
        #expect(signedIn.status == 201)
        let sessions = try await signedIn.client.get("/v2/sessions").json.sessions.items
        #expect(sessions.count == 50 && !sessions.contains { $0.by == "device7" })
        try await service.stop()
    }

    @Test("an identity is linked, by either algorithm, listed, signs in and is unlinked", arguments: [false, true])
    func all(byRSA: Bool) async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (player, subject) = (try await V2Client.player(on: service), stranger())
        #expect(try await player.get("/v2/service").json.identityProviders == ["company"])
        let nonce = try await player.nonce()
        let token = try voucher.token(of: subject, for: nonce, byRSA: byRSA)
        let linked = try await player.post("/v2/identities", "{\(Voucher.members(token, nonce))}")
        #expect(linked.status == 201, "\(linked)")
        #expect(linked["Location"] == "/v2/identities")
        #expect(linked.json.names == ["identity"])
        #expect(linked.json.identity.names == ["provider", "createdAt"])
        #expect(linked.json.identity.provider == "company")
        let again = try await player.post("/v2/identities", try await voucher.body(of: subject, on: service))
        #expect(again.status == 200)
        #expect(again.json == linked.json)
        #expect(try await player.get("/v2/identities").json == .object(["identities": [linked.json.identity]]))

        let newcomer = V2Client.newcomer(on: service)
        let signedIn = try await newcomer.post("/v2/sessions", try await voucher.body(of: subject, on: service))
        #expect(signedIn.status == 201, "\(signedIn)")
        #expect(signedIn.json.names == ["player", "token"])
        #expect(signedIn.json.player == (try await player.me()))
        let other = signedIn.client
        #expect(try await other.get("/v2/sessions").json.sessions.items.map(\.by) == ["company", "registration"])

        #expect(try await V2Client.player(on: service).delete("/v2/identities/company").summary == "404 not-found")
        #expect(try await other.delete("/v2/identities/company").status == 204)
        #expect(try await other.delete("/v2/identities/company").summary == "404 not-found")
        #expect(try await player.get("/v2/identities").json == .object(["identities": []]))
        let unknown = try await newcomer.post("/v2/sessions", try await voucher.body(of: subject, on: service))
        #expect(unknown.summary == "422 identity-unknown")
        #expect(try await other.me() == (try await player.me()), "what it opened goes on")
        try await service.stop()
    }

    @Test("a player is found by issuer and subject together, not by one of them")
    func issuers() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (player, subject) = (try await V2Client.player(on: service), stranger())
        #expect(
            try await player.post("/v2/identities", try await voucher.body(of: subject, on: service)).status == 201)
        let elsewhere = try await voucher.body(of: subject, on: service, ["iss": "\"https://id2.example\""])
        let reply = try await V2Client.newcomer(on: service).post("/v2/sessions", elsewhere)
        #expect(reply.summary == "422 identity-unknown")
        try await service.stop()
    }

    /// What is wrong with a token, and the reason that is told.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        var claims: [String: String?] = [:]
        var header: [String: String?] = [:]
        var provider = "company"
        var nonceIsForeign = false
    }

    private static let now = Int(Date().timeIntervalSince1970)

    @Test(
        "a refusal has its reason, at all three URLs, and uses the nonce up",
        arguments: [
            Fault(testDescription: "another provider", reason: "provider", provider: "apple"),
            Fault(testDescription: "no expiry", reason: "format", claims: ["exp": nil]),
            Fault(testDescription: "crit", reason: "format", header: ["crit": "[]"]),
            Fault(testDescription: "an access token", reason: "format", header: ["typ": #""at+jwt""#]),
            Fault(testDescription: "valid for years", reason: "format", claims: ["exp": "\(now + 400 * 86_400)"]),
            Fault(testDescription: "another key", reason: "signature", header: ["kid": #""other""#]),
            Fault(testDescription: "no algorithm", reason: "signature", header: ["alg": #""none""#]),
            Fault(testDescription: "another issuer", reason: "issuer", claims: ["iss": #""https://evil.example""#]),
            Fault(testDescription: "for somebody else", reason: "audience", claims: ["aud": #""x""#]),
            Fault(
                testDescription: "for somebody else too", reason: "audience",
                claims: ["aud": #"["com.example.juliet","x"]"#]),
            Fault(testDescription: "requested by somebody else", reason: "audience", claims: ["azp": #""x""#]),
            Fault(testDescription: "over", reason: "expired", claims: ["exp": "\(now - 61)"]),
            Fault(testDescription: "to come", reason: "expired", claims: ["iat": "\(now + 86_400)"]),
            Fault(testDescription: "another nonce", reason: "nonce", claims: ["nonce": #""x""#]),
            Fault(testDescription: "no nonce", reason: "nonce", claims: ["nonce": nil]),
            Fault(testDescription: "a nonce of nobody's", reason: "nonce", nonceIsForeign: true),
        ])
    func faults(fault: Fault) async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (player, newcomer) = (try await V2Client.player(on: service), V2Client.newcomer(on: service))
        for (path, client, isNested) in [
            ("/v2/identities", player, false), ("/v2/sessions", newcomer, false), ("/v2/players", newcomer, true),
        ] {
            let nonce =
                fault.nonceIsForeign ? Base64URL.encode(Array(repeating: 7, count: 32)) : try await newcomer.nonce()
            func body(_ token: String, _ provider: String) -> String {
                let members = Voucher.members(token, nonce, provider: provider)
                return isNested ? "{\"identity\": {\(members)}}" : "{\(members)}"
            }
            let token = try voucher.token(of: stranger(), for: nonce, fault.claims, header: fault.header)
            let reply = try await client.post(path, body(token, fault.provider))
            #expect(reply.summary == "422 identity-refused", "\(path)")
            #expect(reply.json.reason.text == fault.reason, "\(path)")
            let good = try voucher.token(of: stranger(), for: nonce)
            #expect(try await client.post(path, body(good, "company")).json.reason == "nonce", "\(path): it is used up")
        }
        try await service.stop()
    }

    @Test(
        "what is missing or of another type is 400",
        arguments: [
            ("/v2/identities", #"{}"#, "/provider"), ("/v2/identities", #"{"provider": "x"}"#, "/idToken"),
            ("/v2/identities", #"{"provider": "x", "idToken": "x"}"#, "/nonce"),
            ("/v2/identities", #"{"provider": 5, "idToken": "x", "nonce": "x"}"#, "/provider"),
            ("/v2/players", #"{"identity": 5}"#, "/identity"),
            ("/v2/players", #"{"identity": {}}"#, "/identity/provider"),
            ("/v2/players", #"{"identity": {"provider": "x", "idToken": [], "nonce": "x"}}"#, "/identity/idToken"),
        ])
    func shape(path: String, body: String, fault: String) async throws {
        let client = path == "/v2/players" ? try await V2Client.newcomer() : try await V2Client.player()
        let reply = try await client.post(path, body)
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path.text == fault)
    }

    @Test("another player's is taken, before a second one of the provider's is linked; a 409 leaves the nonce good")
    func conflicts() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (player, other) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let (mine, theirs, third) = (stranger(), stranger(), stranger())
        func body(_ subject: String) async throws -> String { try await voucher.body(of: subject, on: service) }
        #expect(try await player.post("/v2/identities", try await body(mine)).status == 201)
        #expect(try await other.post("/v2/identities", try await body(theirs)).status == 201)
        let taken = try await body(theirs)
        #expect(try await player.post("/v2/identities", taken).summary == "409 identity-taken")
        let linked = try await body(third)
        #expect(try await player.post("/v2/identities", linked).summary == "409 identity-linked")
        #expect(try await V2Client.newcomer(on: service).post("/v2/sessions", taken).status == 201, "still good")
        #expect(try await player.delete("/v2/identities/company").status == 204)
        #expect(try await player.post("/v2/identities", linked).status == 201, "still good")
        try await service.stop()
    }

    @Test("a key is remembered for what was done and for what was refused")
    func keys() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (player, other) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let subject = stranger()
        let body = try await voucher.body(of: subject, on: service)
        let key = ["Idempotency-Key: link-1"]
        let linked = try await player.post("/v2/identities", body, fields: key)
        #expect(linked.status == 201)
        let again = try await player.post("/v2/identities", body, fields: key)
        #expect(again.status == 201)
        #expect(again.json == linked.json)
        #expect(again["Idempotent-Replayed"] == "true")
        #expect(try await player.post("/v2/identities", body).json.reason == "nonce")
        let another = try await voucher.body(of: subject, on: service)
        #expect(
            try await player.post("/v2/identities", another, fields: key).summary == "422 idempotency-key-reused")

        let taken = try await other.post("/v2/identities", another, fields: ["Idempotency-Key: link-2"])
        #expect(taken.summary == "409 identity-taken")
        #expect(try await player.delete("/v2/identities/company").status == 204)
        let stays = try await other.post("/v2/identities", another, fields: ["Idempotency-Key: link-2"])
        #expect(stays.summary == "409 identity-taken", "under its key it stays refused")
        #expect(stays["Idempotent-Replayed"] == "true")
        let wrong = try await voucher.body(of: subject, on: service, provider: "apple")
        for isReplay in [false, true] {
            let reply = try await other.post("/v2/identities", wrong, fields: ["Idempotency-Key: link-3"])
            #expect(reply.json.reason == "provider")
            #expect((reply["Idempotent-Replayed"] == "true") == isReplay)
        }
        try await service.stop()
    }

    @Test("a player begins with an identity, which signs them in; somebody's is taken; the name is looked at first")
    func create() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (newcomer, subject) = (V2Client.newcomer(on: service), stranger())
        func body(_ subject: String, _ name: String, _ changes: [String: String?] = [:]) async throws -> String {
            "{\"name\": \"\(name)\", \"identity\": \(try await voucher.body(of: subject, on: service, changes))}"
        }
        let long = String(repeating: "n", count: 25)
        let refused = try await body(subject, long, ["iss": #""x""#])
        #expect(try await newcomer.post("/v2/players", refused).summary == "422 name-refused")
        let proof = try await voucher.body(of: subject, on: service)
        #expect(
            try await newcomer.post("/v2/players", "{\"name\": \"\(long)\", \"identity\": \(proof)}").summary
                == "422 name-refused")
        let created = try await newcomer.post("/v2/players", "{\"name\": \"Ada\", \"identity\": \(proof)}")
        #expect(created.status == 201, "the nonce was good still: \(created)")
        #expect(created.json.names == ["player", "token", "recoveryCode"])
        #expect(created.json.player.energy == 30)
        let player = created.client
        #expect(try await player.get("/v2/identities").json.identities.items.map(\.provider) == ["company"])
        #expect(try await player.get("/v2/sessions").json.sessions[0].by == "registration")
        let taken = try await voucher.body(of: subject, on: service)
        let players = try await TestDatabase.shared().psql(
            "SELECT count(*) FROM players WHERE name = 'Eve of \(subject.prefix(8))'")
        let reply = try await newcomer.post(
            "/v2/players", "{\"name\": \"Eve of \(subject.prefix(8))\", \"identity\": \(taken)}")
        #expect(reply.summary == "409 identity-taken")
        #expect(
            try await TestDatabase.shared().psql(
                "SELECT count(*) FROM players WHERE name = 'Eve of \(subject.prefix(8))'")
                == players)
        #expect(try await newcomer.post("/v2/sessions", taken).status == 201, "the nonce is good still")
        try await service.stop()
    }

    @Test("of ten players who begin with one identity at the same moment there is one")
    func parallel() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (newcomer, subject) = (V2Client.newcomer(on: service), stranger())
        let name = "Ten \(subject.prefix(8))"
        var requests: [[UInt8]] = []
        for _ in 0..<10 {
            let proof = try await voucher.body(of: subject, on: service)
            requests.append(newcomer.request("POST", "/v2/players", "{\"name\": \"\(name)\", \"identity\": \(proof)}"))
        }
        let replies = try await newcomer.replies(toAll: requests)
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(replies.count { $0.summary == "409 identity-taken" } == 9)
        let count = try await TestDatabase.shared().psql("SELECT count(*) FROM players WHERE name = '\(name)'")
        #expect(count == "1")
        let one = try await voucher.body(of: subject, on: service)
        let signIns = try await newcomer.replies(
            toAll: Array(repeating: newcomer.request("POST", "/v2/sessions", one), count: 10))
        #expect(signIns.count { $0.status == 201 } == 1, "a nonce is good once")
        #expect(signIns.count { $0.json.reason == "nonce" } == 9)
        try await service.stop()
    }

    @Test("a nonce is good once on all nodes, and after a restart")
    func nodes() async throws {
        let voucher = try Voucher()
        let (one, two) = (try await service(voucher), try await service(voucher))
        let subject = stranger()
        let player = try await V2Client.player(on: one)
        let body = try await voucher.body(of: subject, on: one)
        try await one.stop()
        #expect(try await player.at(two).post("/v2/identities", body).status == 201)
        let three = try await service(voucher)
        #expect(try await player.at(three).post("/v2/identities", body).json.reason == "nonce")
        #expect(try await V2Client.newcomer(on: three).post("/v2/sessions", body).json.reason == "nonce")
        try await two.stop()
        try await three.stop()
    }

    @Test("keys are read again within ten seconds; nonsense and no file leave those before, an empty set ends all")
    func keyFile() async throws {
        let voucher = try Voucher()
        let lines = LogLines()
        let service = try await service(voucher, logger: lines.logger)
        let (player, subject) = (try await V2Client.player(on: service), stranger())
        #expect(
            try await player.post("/v2/identities", try await voucher.body(of: subject, on: service)).status == 201)
        func signIn() async throws -> V2Reply {
            try await V2Client.newcomer(on: service)
                .post("/v2/sessions", try await voucher.body(of: subject, on: service))
        }
        func wait(until isDone: (V2Reply) -> Bool) async throws -> Bool {
            let deadline = ContinuousClock.now + .seconds(10)
            while ContinuousClock.now < deadline {
                if isDone(try await signIn()) { return true }
                try await Task.sleep(for: .milliseconds(500))
            }
            return false
        }
        try voucher.write(#"{"keys":[]}"#)
        #expect(try await wait { $0.json.reason == "signature" })
        try voucher.write([voucher.provider.p256Key])
        #expect(try await wait { $0.status == 201 })
        try voucher.write("<html>")
        #expect(try await lines.wait(for: "is not a JWK Set; the previous keys stay in use: 1"))
        #expect(try await signIn().status == 201)
        try FileManager.default.removeItem(at: voucher.file)
        #expect(try await lines.wait(for: "the previous keys stay in use: 1", times: 2))
        #expect(try await signIn().status == 201)
        try await service.stop()
    }

    @Test("a provider under another name is the same one; one that is gone is listed, and signs nobody in")
    func renamed() async throws {
        let voucher = try Voucher()
        let first = try await service(voucher)
        let (player, subject) = (try await V2Client.player(on: first), stranger())
        #expect(try await player.post("/v2/identities", try await voucher.body(of: subject, on: first)).status == 201)
        try await first.stop()
        let second = try await TestService.start(voucher.settings(as: "idp-2"), on: .shared())
        let there = player.at(second)
        let linked = try await there.post(
            "/v2/identities", try await voucher.body(of: subject, on: second, provider: "idp-2"))
        #expect(linked.status == 200)
        #expect(linked.json.identity.provider == "company")
        let signedIn = try await V2Client.newcomer(on: second).post(
            "/v2/sessions", try await voucher.body(of: subject, on: second, provider: "idp-2"))
        #expect(signedIn.status == 201)
        let old = try await V2Client.newcomer(on: second).post(
            "/v2/sessions", try await voucher.body(of: subject, on: second))
        #expect(old.json.reason == "provider")
        #expect(try await there.get("/v2/identities").json.identities.items.map(\.provider) == ["company"])
        #expect(try await there.delete("/v2/identities/company").status == 204)
        try await second.stop()
    }

    @Test("an address gets sixty nonces a minute, apart from challenges")
    func limit() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher, ["accounts.origin": "https://juliet.example"])
        let newcomer = V2Client.newcomer(on: service)
        let replies = try await newcomer.replies(
            toAll: Array(repeating: newcomer.request("POST", "/v2/nonces"), count: 70))
        #expect(replies.count { $0.status == 201 } == 60)
        #expect(replies.count { $0.summary == "429 too-many-requests" && $0["Retry-After"] != nil } == 10)
        #expect(try await newcomer.post("/v2/sessions/options").status == 200)
        try await service.stop()
    }

    @Test("the export has identities, and deletion takes them with it")
    func exportAndDeletion() async throws {
        let voucher = try Voucher()
        let service = try await service(voucher)
        let (player, subject) = (try await V2Client.player(on: service), stranger())
        let linked = try await player.post("/v2/identities", try await voucher.body(of: subject, on: service))
        let export = try await player.get("/v2/players/me/export").json
        #expect(
            export.identities
                == [
                    .object([
                        "provider": "company", "issuer": "https://id.example", "subject": .string(subject),
                        "createdAt": linked.json.identity.createdAt,
                    ])
                ])
        let id = try await player.id()
        #expect(try await player.delete("/v2/players/me").status == 204)
        let database = try await TestDatabase.shared()
        #expect(try await database.psql("SELECT count(*) FROM identities WHERE user_id = '\(id)'") == "0")
        let reply = try await V2Client.newcomer(on: service).post(
            "/v2/sessions", try await voucher.body(of: subject, on: service))
        #expect(reply.summary == "422 identity-unknown")
        try await service.stop()
    }

    @Test("all other sessions end, the caller's goes on")
    func otherSessions() async throws {
        let service = try await TestService.shared(.standard)
        let created = try await V2Client.newcomer(on: service).post("/v2/players")
        var (code, clients) = (created.json.recoveryCode.text, [created.client])
        for _ in 0..<3 {
            let reply = try await V2Client.newcomer(on: service).post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#)
            code = reply.json.recoveryCode.text
            clients.append(reply.client)
        }
        #expect(try await clients[1].delete("/v2/sessions").status == 204)
        #expect(try await clients[1].delete("/v2/sessions").status == 204, "again")
        for (index, client) in clients.enumerated() {
            let status = try await client.get("/v2/players/me").status
            #expect(status == (index == 1 ? 200 : 401), "\(index)")
        }
        #expect(try await clients[0].delete("/v2/sessions").summary == "401 unauthorized")
    }
}
