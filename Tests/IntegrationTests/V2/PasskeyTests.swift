import CredentialTesting
import Foundation
import StrictEncoding
import TestSupport
import Testing
import WebAuthn

@Suite("Passkeys of /v2", .everyLayout)
struct PasskeyTests {
    /// A service of its own: guesses count for all who come from its address.
    private func service(_ settings: [String: String] = [:]) async throws -> TestService {
        try await TestService.start(
            ["accounts.origin": "https://juliet.example"].merging(settings) { $1 }, on: .shared())
    }

    // MARK: Registering

    @Test("the options are what browsers take, for this player")
    func options() async throws {
        let player = try await V2Client.player()
        let me = try await player.me()
        let reply = try await player.post("/v2/passkeys/options")
        #expect(reply.status == 200)
        #expect(reply.json.names == ["publicKey"])
        let options = reply.json.publicKey
        #expect(
            options.names == [
                "rp", "user", "challenge", "pubKeyCredParams", "timeout", "excludeCredentials",
                "authenticatorSelection", "attestation",
            ])
        #expect(options.rp == .object(["id": "juliet.example", "name": "Juliet"]))
        let handle = try #require(Base64URL.decode(options.user.id.text))
        #expect(Hexadecimal.encode(handle) == me.id.text.replacing("-", with: ""))
        #expect(options.user.name == me.name)
        #expect(Base64URL.decode(options.challenge.text)?.count == 32)
        #expect(options.pubKeyCredParams.items.map(\.alg.int) == [-7, -8, -257])
        #expect(options.timeout == 300_000)
        #expect(options.excludeCredentials == [])
        #expect(options.authenticatorSelection.residentKey == "required")
        #expect(options.authenticatorSelection.userVerification == "preferred")
        #expect(options.attestation == "none")
        #expect(try await player.passkeyOptions().challenge != options.challenge)
    }

    @Test("of 50 sessions, the one that was used the longest ago ends when a passkey opens one more")
    func manySessions() async throws {
        let service = try await service()
        let player = try await V2Client.player(on: service)
        var phone = Phone(try TestKey.all.get()[0])
        let registered = try await phone.register(with: player)
        #expect(registered.status == 201)
        try await TestDatabase.shared().openSessions(of: player.me().id.text)
        let signedIn = try await phone.signIn(on: service)
        #expect(signedIn.status == 201)
        let sessions = try await signedIn.client.get("/v2/sessions").json.sessions.items
        #expect(sessions.count == 50 && !sessions.contains { $0.by == "device7" })
        try await service.stop()
    }

    @Test("a passkey of each algorithm is registered, listed, signs in and is deleted", arguments: 0..<3)
    func all(algorithm: Int) async throws {
        let service = try await service()
        let player = try await V2Client.player(on: service)
        var phone = Phone(try TestKey.all.get()[algorithm])
        let reply = try await phone.register(with: player, name: " Ada's e\u{301} ") {
            $0.said.flags |= 0b11000
        }
        #expect(reply.status == 201, "\(reply)")
        #expect(reply["Location"] == "/v2/passkeys")
        #expect(reply.json.names == ["passkey"])
        let passkey = reply.json.passkey
        #expect(passkey.names == ["id", "credentialId", "name", "createdAt", "isSynced"])
        #expect(passkey.name == "Ada's é")
        #expect(passkey.credentialId.text == phone.name)
        #expect(passkey.isSynced == true)
        #expect(try await player.get("/v2/passkeys").json == .object(["passkeys": [passkey]]))
        #expect(
            try await player.passkeyOptions().excludeCredentials
                == [.object(["type": "public-key", "id": passkey.credentialId])])

        let signedIn = try await phone.signIn(on: service) { $0.said.flags |= 0b1000 }
        #expect(signedIn.status == 201, "\(signedIn)")
        #expect(signedIn["Location"] == "/v2/sessions/current")
        #expect(signedIn.json.names == ["player", "token"])
        #expect(signedIn.json.player == (try await player.me()))
        let other = signedIn.client
        #expect(try await other.get("/v2/sessions").json.sessions.items.map(\.by) == ["passkey", "registration"])
        let used = try await other.get("/v2/passkeys").json.passkeys[0]
        #expect(used.isSynced == false, "as last seen")
        #expect(used.lastUsedAt.text.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:00:00(\.0+)?Z/#) != nil)

        let path = "/v2/passkeys/\(passkey.id.text)"
        let stranger = try await V2Client.player(on: service)
        #expect(try await stranger.delete(path).summary == "404 not-found")
        #expect(try await other.delete(path).status == 204)
        #expect(try await other.delete(path).summary == "404 not-found")
        #expect(try await phone.signIn(on: service).summary == "401 unauthorized")
        #expect(try await other.get("/v2/players/me").status == 200, "what it opened goes on")
        try await service.stop()
    }

    /// What is wrong with a registration, and the reason that is told.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let change: @Sendable (inout Phone.Registration) -> Void

        init(_ name: String, _ reason: String, _ change: @escaping @Sendable (inout Phone.Registration) -> Void) {
            testDescription = name
            self.reason = reason
            self.change = change
        }
    }

    @Test(
        "a refusal has its reason, and uses the challenge up",
        arguments: [
            Fault("another ceremony", "format") { $0.client.type = "webauthn.get" },
            Fault("another challenge", "challenge") { $0.client.challenge[31] ^= 1 },
            Fault("another origin", "origin") { $0.client.origin = "https://juliet.example.evil.example" },
            Fault("within a frame", "origin") { $0.client.more = #","crossOrigin":true"# },
            Fault("below a frame", "origin") { $0.client.more = #","topOrigin":"https://juliet.example""# },
            Fault("another relying party", "relyingParty") { $0.said.relyingParty = "evil.example" },
            Fault("nobody there", "userPresence") { $0.said.flags &= ~1 },
            Fault("no CBOR", "format") { $0.object = [0xFF] },
            Fault("BS without BE", "format") { $0.said.flags |= 0b10000 },
            Fault("a key that is none", "algorithm") {
                $0.said.rest = Array($0.said.rest.prefix(18 + 16)) + [0xA0]
            },
        ])
    func faults(fault: Fault) async throws {
        let player = try await V2Client.player()
        let options = try await player.passkeyOptions()
        var phone = Phone()
        let reply = try await phone.register(with: player, options: options, fault.change)
        #expect(reply.summary == "422 passkey-refused")
        #expect(reply.json.reason.text == fault.reason)
        let again = try await phone.register(with: player, options: options)
        if ["webauthn.get"].contains(fault.testDescription) || fault.reason == "challenge"
            || fault.testDescription == "another ceremony"
        {
            #expect(again.status == 201, "the challenge was not read, or not this one: \(again)")
        } else {
            #expect(again.json.reason == "challenge", "\(again)")
        }
    }

    @Test("a challenge is the player's own, good once, on all nodes, after a restart, and not for signing in")
    func challenges() async throws {
        let (one, two) = (try await service(), try await service())
        let (player, other) = (try await V2Client.player(on: one), try await V2Client.player(on: one))
        let options = try await player.passkeyOptions()
        var phone = Phone()
        let stolen = try await phone.register(with: other, options: options)
        #expect(stolen.json.reason == "challenge")
        let forSignIn = try await V2Client.newcomer(on: one).signInChallenge()
        let mixed = try await phone.register(with: player) {
            $0.client.challenge = Base64URL.decode(forSignIn) ?? []
        }
        #expect(mixed.json.reason == "challenge")
        try await one.stop()
        #expect(try await phone.register(with: player.at(two), options: options).status == 201)
        let three = try await service()
        var second = Phone()
        #expect(try await second.register(with: player.at(three), options: options).json.reason == "challenge")

        let challenge = try await V2Client.newcomer(on: two).signInChallenge()
        #expect(try await phone.signIn(on: three, challenge: options.challenge.text).status == 401)
        #expect(try await phone.signIn(on: three, challenge: challenge).status == 201)
        #expect(try await phone.signIn(on: two, challenge: challenge).status == 401)
        try await two.stop()
        try await three.stop()
    }

    @Test("a credential that is registered is known, whoever's it is; when it is deleted it is not")
    func known() async throws {
        let (player, other) = (try await V2Client.player(), try await V2Client.player())
        var phone = Phone()
        let first = try await phone.register(with: player)
        #expect(first.status == 201)
        for client in [player, other] {
            let reply = try await phone.register(with: client)
            #expect(reply.summary == "422 passkey-refused")
            #expect(reply.json.reason == "known")
        }
        #expect(try await player.delete("/v2/passkeys/\(first.json.passkey.id.text)").status == 204)
        #expect(try await phone.register(with: other).status == 201)
    }

    @Test(
        "a malformed answer of an authenticator is 400, and uses nothing up",
        arguments: [
            (#"{}"#, "/credential"), (#"{"credential": null}"#, "/credential"), (#"{"credential": []}"#, "/credential"),
            (#"{"credential": "x"}"#, "/credential"), (#"{"credential": {}, "name": 5}"#, "/name"),
            (#"{"credential": {"id": 5}}"#, "/credential/id"), (#"{"credential": {"id": "x"}}"#, "/credential/rawId"),
            (#"{"credential": {"id": "x", "rawId": "x"}}"#, "/credential/type"),
            (
                #"{"credential": {"id": "x", "rawId": "x", "type": "public-key"}}"#,
                "/credential/response/clientDataJSON"
            ),
            (
                #"{"credential": {"id": "x", "rawId": "x", "type": "public-key", "response": 1}}"#,
                "/credential/response"
            ),
        ])
    func shape(body: String, path: String) async throws {
        let reply = try await V2Client.player().post("/v2/passkeys", body)
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path.text == path)
    }

    @Test("a name has 1 to 40 characters, and one that is refused leaves the challenge good")
    func names() async throws {
        let player = try await V2Client.player()
        let options = try await player.passkeyOptions()
        var phone = Phone()
        for name in ["", "  ", "a\\u0007b", String(repeating: "n", count: 41)] {
            let reply = try await phone.register(with: player, options: options, name: name)
            #expect(reply.summary == "422 name-refused")
            #expect(name.count < 41 || reply.json.detail.text.contains("1 to 40"))
        }
        let reply = try await phone.register(with: player, options: options)
        #expect(reply.json.passkey.name == "Passkey")
        var second = Phone()
        let long = String(repeating: "n", count: 40)
        #expect(try await second.register(with: player, name: long).json.passkey.name.text == long)
        #expect(try await player.get("/v2/passkeys").json.passkeys.items.map(\.name.text) == [long, "Passkey"])
    }

    @Test("a player has 20 passkeys at most, at options too")
    func tooMany() async throws {
        let player = try await V2Client.player()
        let options = try await player.passkeyOptions()
        for _ in 0..<20 {
            var phone = Phone()
            #expect(try await phone.register(with: player).status == 201)
        }
        #expect(try await player.post("/v2/passkeys/options").summary == "409 too-many")
        var phone = Phone()
        #expect(try await phone.register(with: player, options: options).summary == "409 too-many")
        let first = try await player.get("/v2/passkeys").json.passkeys[0]
        #expect(try await player.delete("/v2/passkeys/\(first.id.text)").status == 204)
        #expect(try await phone.register(with: player, options: options).status == 201, "the challenge stayed good")
    }

    @Test("of ten registrations with one challenge at the same moment one is kept")
    func parallel() async throws {
        let player = try await V2Client.player()
        let options = try await player.passkeyOptions()
        let challenge = try #require(Base64URL.decode(options.challenge.text))
        let requests = (0..<10).map { _ in
            var registration = Phone().authenticator.registration()
            registration.client.challenge = challenge
            return player.request("POST", "/v2/passkeys", Phone.body(registration))
        }
        let replies = try await player.replies(toAll: requests)
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(replies.count { $0.json.reason == "challenge" } == 9)
        #expect(try await player.get("/v2/passkeys").json.passkeys.items.count == 1)
    }

    // MARK: Signing in

    @Test("whatever is wrong is 401, and uses the challenge up; without a reason, unless the signature was right")
    func signIn() async throws {
        let service = try await service()
        let player = try await V2Client.player(on: service)
        var phone = Phone()
        #expect(try await phone.register(with: player) { $0.said.count = 5 }.status == 201)
        let faults: [(String, (inout Phone.Assertion) -> Void)] = [
            ("origin", { $0.client.origin = "https://evil.example" }),
            ("relying party", { $0.said.relyingParty = "evil.example" }),
            ("presence", { $0.said.flags &= ~1 }), ("handle", { $0.userHandle = nil }),
            ("handle of another", { $0.userHandle = Base64URL.encode(Array(repeating: 7, count: 16)) }),
            ("signature", { $0.signature = [0x30, 0] }),
            ("unknown credential", { ($0.id, $0.rawId) = ("AAAA", "AAAA") }),
            ("counter", { $0.said.count = 5 }), ("no counter", { $0.said.count = 0 }),
            ("BE", { $0.said.flags |= 0b1000 }), ("ceremony", { $0.client.type = "webauthn.create" }),
        ]
        for (name, fault) in faults {
            let challenge = try await V2Client.newcomer(on: service).signInChallenge()
            let reply = try await phone.signIn(on: service, challenge: challenge) {
                $0.said.count = 6
                fault(&$0)
            }
            #expect(reply.summary == "401 unauthorized", "\(name)")
            let reasons: [String: JSON] = [
                "counter": "signCount", "no counter": "signCount", "BE": "backupEligibility",
            ]
            #expect(reply.json.reason == reasons[name] ?? .missing, "\(name)")
            guard name != "ceremony" else { continue }
            let again = try await phone.signIn(on: service, challenge: challenge) { $0.said.count = 6 }
            #expect(again.summary == "401 unauthorized", "\(name): the challenge is used up")
        }
        #expect(try await phone.signIn(on: service) { $0.said.count = 6 }.status == 201)
        #expect(try await phone.signIn(on: service) { $0.said.count = 6 }.status == 401, "it has not grown")
        #expect(try await phone.signIn(on: service) { $0.said.count = 7 }.status == 201)
        try await service.stop()
    }

    @Test("a passkey that is locked out is told what to do, at both URLs; it is logged and counted, without a name")
    func lockedOut() async throws {
        let lines = LogLines()
        let port = try Command.freePort()
        let service = try await TestService.start(
            ["accounts.origin": "https://juliet.example", "admin.port": "\(port)"], on: .shared(), logger: lines.logger)
        let (player, other) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let newcomer = V2Client.newcomer(on: service)
        var phone = Phone()
        let registered = try await phone.register(with: player) { $0.said.count = 5 }
        #expect(registered.status == 201)
        let faults: [(String, (inout Phone.Assertion) -> Void)] = [
            ("signCount", { $0.said.count = 5 }), ("backupEligibility", { $0.said.flags |= 0b1000 }),
        ]
        for (reason, fault) in faults {
            for (client, path) in [(newcomer, "/v2/sessions"), (other, "/v2/players/me/merge")] {
                let body = try phone.body(try await newcomer.signInChallenge()) {
                    $0.said.count = 6
                    fault(&$0)
                }
                let reply = try await client.post(path, body)
                #expect(reply.summary == "401 unauthorized", "\(path)")
                #expect(reply["WWW-Authenticate"] == "Bearer")
                #expect(reply.json.reason.text == reason, "\(path)")
                #expect(reply.json.detail.text.contains("This passkey was refused"), "\(path)")
                #expect(reply.json.detail.text.contains("delete this one, and register a new one"), "\(path)")
                let again = try await client.post(path, body)
                #expect(again.summary == "401 unauthorized", "\(path)")
                #expect(again.json.reason == .missing, "\(path): the challenge is used up, and may be why")
                // Whoever does not have the key learns nothing.
                let forged = try phone.body(try await newcomer.signInChallenge()) {
                    $0.signature = [0x30, 0]
                    fault(&$0)
                }
                #expect(try await client.post(path, forged).json.reason == .missing, "\(path)")
            }
        }
        // An answer that is lost and sent again is no lockout.
        let merge = try phone.body(try await newcomer.signInChallenge()) { $0.said.count = 6 }
        #expect(try await other.post("/v2/players/me/merge", merge).status == 200)
        let again = try await other.post("/v2/players/me/merge", merge)
        #expect(again.summary == "401 unauthorized")
        #expect(again.json.reason == .missing)
        #expect(try await phone.signIn(on: service) { $0.said.count = 7 }.status == 201)

        let told = lines.all.filter { $0.contains("a passkey") }
        #expect(
            Set(told) == [
                "warning: a passkey is locked out: its signature is right, but its counter has not grown since it was last used",
                "warning: a passkey is locked out: its signature is right, but it says something else about backups than when it was registered",
            ])
        #expect(told.count == 4)
        let id = registered.json.passkey.id.text
        #expect(!lines.details.contains { $0.contains("passkey is locked out") && $0.contains(id) })
        let metrics = try await AdminClient(port: UInt16(port)).page("/metrics").text.split(separator: "\n")
        for line in [
            #"juliet_passkey_refusals_total{reason="signCount"} 2"#,
            #"juliet_passkey_refusals_total{reason="backupEligibility"} 2"#,
            #"juliet_passkey_refusals_total{reason="signature"} 4"#,
            #"juliet_passkey_refusals_total{reason="challenge"} 5"#,
            #"juliet_passkey_refusals_total{reason="unknown"} 0"#,
        ] { #expect(metrics.contains { $0 == line }, "\(line)") }
        try await service.stop()
    }

    @Test("a passkey is registered whatever order and form surround its key")
    func lax() async throws {
        let player = try await V2Client.player()
        var phone = Phone()
        let reply = try await phone.register(with: player) {
            let (data, format) = (WrittenCBOR.string($0.said.bytes), WrittenCBOR.text("packed"))
            // A statement with a tag, a float, a number that is longer than it must be, and no length.
            let statement: [UInt8] = [0xBF, 0x61, 0x62, 0xC0, 0xF9, 0x7E, 0, 0x61, 0x61, 0x18, 1, 0xFF]
            $0.object = WrittenCBOR.map([
                (WrittenCBOR.text("authData"), data), (WrittenCBOR.text("attStmt"), statement),
                (WrittenCBOR.text("fmt"), format),
            ])
        }
        #expect(reply.status == 201, "\(reply)")
    }

    @Test(
        "a request names exactly one way to sign in; its members are checked",
        arguments: [
            (#"{"passkey": 5}"#, "/passkey"), (#"{"passkey": {}}"#, "/passkey/id"),
            (
                #"{"passkey": {"id": "x", "rawId": "x", "type": "x", "response": {"clientDataJSON": 1}}}"#,
                "/passkey/response/clientDataJSON"
            ),
            (#"{}"#, ""), (#"{"passkey": null}"#, ""), (#"{"passkey": {}, "recoveryCode": "x"}"#, ""),
            (#"{"passkey": {}, "provider": "x"}"#, ""), (#"{"provider": "x", "idToken": "x"}"#, "/nonce"),
            (#"{"nonce": "x"}"#, "/provider"), (#"{"provider": "x", "nonce": "x", "idToken": 5}"#, "/idToken"),
            (#"{"recoveryCode": 5}"#, "/recoveryCode"),
        ])
    func ways(body: String, path: String) async throws {
        let reply = try await V2Client.newcomer().post("/v2/sessions", body)
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path.text == path)
    }

    @Test("thirty guesses in ten minutes from an address, then 429; other mistakes and recovery codes do not count")
    func guesses() async throws {
        let service = try await service()
        let created = try await V2Client.newcomer(on: service).post("/v2/players")
        var phone = Phone()
        #expect(try await phone.register(with: created.client).status == 201)
        for number in 0..<30 {
            let challenge = try await V2Client.newcomer(on: service).signInChallenge()
            let reply = try await phone.signIn(on: service, challenge: challenge) {
                if number.isMultiple(of: 2) { $0.signature = [0x30, 0] } else { ($0.id, $0.rawId) = ("AAAA", "AAAA") }
            }
            #expect(reply.status == 401)
            if number < 29 {
                #expect(try await phone.signIn(on: service, challenge: challenge).status == 401, "that is no guess")
            }
        }
        let refused = try await phone.signIn(on: service, challenge: "AAAA")
        #expect(refused.summary == "429 too-many-requests")
        #expect((500...600).contains(refused["Retry-After"].flatMap { Int($0) } ?? 0))
        let code = created.json.recoveryCode.text
        let byCode = try await V2Client.newcomer(on: service).post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#)
        #expect(byCode.status == 201)
        try await service.stop()
    }

    @Test("an address gets sixty challenges a minute")
    func limit() async throws {
        let service = try await service()
        let newcomer = V2Client.newcomer(on: service)
        let request = newcomer.request("POST", "/v2/sessions/options")
        let replies = try await newcomer.replies(toAll: Array(repeating: request, count: 70))
        #expect(replies.count { $0.status == 200 } == 60)
        let refused = replies.filter { $0.summary == "429 too-many-requests" }
        #expect(refused.count == 10)
        #expect(refused.allSatisfy { (1...60).contains($0["Retry-After"].flatMap { Int($0) } ?? 0) })
        try await service.stop()
    }

    // MARK: What else there is

    @Test("without an origin there are no passkeys, and a passkey is an unknown member")
    func off() async throws {
        let service = try await TestService.start(on: .shared())
        let player = try await V2Client.player(on: service)
        for (method, path) in [
            ("POST", "/v2/sessions/options"), ("POST", "/v2/passkeys/options"), ("POST", "/v2/passkeys"),
            ("GET", "/v2/passkeys"),
            ("DELETE", "/v2/passkeys/x"), ("POST", "/v2/nonces"), ("POST", "/v2/identities"),
            ("GET", "/v2/identities"), ("DELETE", "/v2/identities/x"),
        ] {
            #expect(try await player.ask(method, path).summary == "404 not-found", "\(path)")
        }
        #expect(try await player.get("/v2/service").json.passkeys == false)
        #expect(try await player.get("/v2/service").json.identityProviders == [])
        let newcomer = V2Client.newcomer(on: service)
        let unknown = try await newcomer.post("/v2/sessions", #"{"passkey": 5, "provider": 5}"#)
        #expect(unknown.summary == "400 request-invalid")
        #expect(unknown.json.path == "")
        #expect(try await newcomer.post("/v2/players", #"{"identity": 5}"#).status == 201)
        let code = try await newcomer.post("/v2/players").json.recoveryCode.text
        let signedIn = try await newcomer.post("/v2/sessions", #"{"recoveryCode": "\#(code)", "passkey": 5}"#)
        #expect(signedIn.status == 201)
        #expect(signedIn.json.names == ["player", "token", "recoveryCode"])
        #expect(try await signedIn.client.get("/v2/sessions").json.sessions[0].by == "recoveryCode")
        try await service.stop()
    }

    @Test("the export has passkeys without their keys, and deletion takes them with it")
    func exportAndDeletion() async throws {
        let player = try await V2Client.player()
        var phone = Phone()
        let registered = try await phone.register(with: player, name: "P")
        #expect(registered.status == 201)
        let export = try await player.get("/v2/players/me/export").json
        #expect(export.passkeys == [registered.json.passkey])
        #expect(export.identities == [])
        #expect(export.sessions[0].by == "registration")
        let id = try await player.id()
        #expect(try await player.delete("/v2/players/me").status == 204)
        let database = try await TestDatabase.shared()
        #expect(try await database.psql("SELECT count(*) FROM passkeys WHERE user_id = '\(id)'") == "0")
        #expect(try await phone.signIn(on: .shared(.standard)).status == 401)
    }

    @Test("apps find what they may use at the root of the host")
    func wellKnown() async throws {
        let digits = String(repeating: "0a", count: 32)
        let pairs = Array(repeating: "0A", count: 32).joined(separator: ":")
        let service = try await service([
            "http.basePath": "/prod", "accounts.appleApps": "TEAMID.com.example.juliet",
            "accounts.androidApps": "com.example.juliet=\(digits),com.example.juliet=\(pairs),org.example.b=\(pairs)",
        ])
        func get(_ path: String, _ fields: [String] = []) async throws -> HTTPReply {
            let head = ["GET /.well-known/\(path) HTTP/1.1", "Host: h"] + fields
            return try await service.exchange(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        }
        let apple = try await get("apple-app-site-association")
        #expect(apple["Content-Type"] == "application/json" && apple["Cache-Control"] == "no-cache")
        #expect(try await get("apple-app-site-association", ["If-None-Match: \(apple["ETag"] ?? "")"]).status == 304)
        #expect(
            String(decoding: apple.body, as: UTF8.self)
                == #"{"applinks":{"details":[{"appIDs":["TEAMID.com.example.juliet"],"components":[{"/":"/prod/c/*"}]}]},"#
                + #""webcredentials":{"apps":["TEAMID.com.example.juliet"]}}"#)
        let android = try JSON(try await get("assetlinks.json").body)
        #expect(android.items.map(\.target.package_name) == ["com.example.juliet", "org.example.b"])
        #expect(android[0].relation == ["delegate_permission/common.get_login_creds"])
        #expect(android[0].target.namespace == "android_app")
        #expect(android[0].target.sha256_cert_fingerprints == [.string(pairs), .string(pairs)])
        try await service.stop()
        let other = try await TestService.shared(.lowerOnly)
        for path in ["apple-app-site-association", "assetlinks.json"] {
            let reply = try await other.exchange(Array("GET /.well-known/\(path) HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            #expect(reply.status == 404)
        }
    }
}
