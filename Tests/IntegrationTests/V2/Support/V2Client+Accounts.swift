import CredentialTesting
import Crypto
import Foundation
import StrictEncoding
import Testing
import WebAuthn

/// A player's authenticator: one credential, and what it says and signs.
struct Phone {
    typealias Registration = SoftwareAuthenticator.Registration
    typealias Assertion = SoftwareAuthenticator.Assertion

    let authenticator: SoftwareAuthenticator
    /// `user.id` of the registration.
    var handle = ""

    init(_ key: TestKey = .es256(), named name: [UInt8] = (0..<16).map { _ in .random(in: .min ... .max) }) {
        authenticator = SoftwareAuthenticator(key, credentialID: name)
    }

    /// How the authenticator names the credential.
    var name: String { Base64URL.encode(authenticator.credentialID) }

    /// Registers with the player, whatever they are to be told.
    ///
    /// - Parameter change: What is wrong about it.
    mutating func register(
        with player: V2Client, options: JSON? = nil, name: String? = nil,
        _ change: (inout Registration) -> Void = { _ in }
    ) async throws -> V2Reply {
        let asked: JSON
        if let options { asked = options } else { asked = try await player.passkeyOptions() }
        handle = asked.user.id.text
        var registration = authenticator.registration()
        registration.client.challenge = try #require(Base64URL.decode(asked.challenge.text))
        change(&registration)
        return try await player.post("/v2/passkeys", Self.body(registration, name: name))
    }

    /// The body of a registration.
    static func body(_ registration: Registration, name: String? = nil) -> String {
        let name = name.map { #", "name": "\#($0)""# } ?? ""
        return #"{"credential": \#(registration.json)\#(name)}"#
    }

    /// The body of somebody who signs in.
    func body(_ challenge: String, _ change: (inout Assertion) -> Void = { _ in }) throws -> String {
        var assertion = authenticator.assertion()
        assertion.client.challenge = try #require(Base64URL.decode(challenge))
        assertion.userHandle = handle
        change(&assertion)
        return #"{"passkey": \#(try assertion.json)}"#
    }

    /// Signs in.
    func signIn(
        on service: TestService, challenge: String? = nil, _ change: (inout Assertion) -> Void = { _ in }
    ) async throws -> V2Reply {
        let newcomer = V2Client.newcomer(on: service)
        let asked: String
        if let challenge { asked = challenge } else { asked = try await newcomer.signInChallenge() }
        return try await newcomer.post("/v2/sessions", try body(asked, change))
    }
}

extension Phone.Registration {
    /// As a browser sends it.
    var json: String {
        let response =
            #""clientDataJSON":"\#(clientDataText ?? Base64URL.encode(client.json))","attestationObject":"\#(objectText ?? Base64URL.encode(attestation))","transports":["internal"]"#
        return
            #"{"id":"\#(id)","rawId":"\#(rawId)","type":"\#(type)","response":{\#(response)},"authenticatorAttachment":"platform","clientExtensionResults":{}}"#
    }
}

extension Phone.Assertion {
    /// As a browser sends it.
    var json: String {
        get throws {
            let signed = said.bytes + Array(SHA256.hash(data: client.json))
            let signature = Base64URL.encode(try self.signature ?? key.sign(signed))
            let handle = userHandle.map { #","userHandle":"\#($0)""# } ?? ""
            let response =
                #""clientDataJSON":"\#(clientDataText ?? Base64URL.encode(client.json))","authenticatorData":"\#(saidText ?? Base64URL.encode(said.bytes))","signature":"\#(signatureText ?? signature)"\#(handle)"#
            return
                #"{"id":"\#(id)","rawId":"\#(rawId)","type":"\#(type)","response":{\#(response)},"clientExtensionResults":{}}"#
        }
    }
}

/// A provider, its keys in a file, and tokens of this moment.
struct Voucher: Sendable {
    let provider: TestProvider
    let file: URL

    init() throws {
        provider = try TestProvider()
        file = FileManager.default.temporaryDirectory.appending(path: "juliet-keys-\(UUID().uuidString).json")
        try write([provider.p256Key, provider.rsaKey])
    }

    /// Writes other keys.
    func write(_ keys: [[String: String]]) throws {
        try write("{\"keys\":[" + keys.map(TestProvider.json).joined(separator: ",") + "]}")
    }

    /// Writes anything.
    func write(_ text: String) throws { try Data(text.utf8).write(to: file, options: .atomic) }

    /// The settings of a service that takes its tokens.
    func settings(as name: String = "company") -> [String: String] {
        [
            "identities.providers": name, "identities.\(name).issuers": "https://id.example,https://id2.example",
            "identities.\(name).audiences": "com.example.juliet,another.of.ours",
            "identities.\(name).keys": file.path(percentEncoded: false),
        ]
    }

    /// A token for a nonce.
    ///
    /// - Parameter changes: Claims as JSON; nil: without it.
    func token(
        of subject: String, for nonce: String, _ changes: [String: String?] = [:], header: [String: String?] = [:],
        byRSA: Bool = false
    ) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        var claims: [String: String?] = [
            "sub": "\"\(subject)\"", "iat": "\(now)", "exp": "\(now + 600)", "nonce": "\"\(nonce)\"",
        ]
        claims.merge(changes) { $1 }
        let head = byRSA ? ["alg": #""RS256""#, "kid": #""rsa""#] : [:]
        return try provider.token(
            header: TestProvider.json(
                TestProvider.with(
                    TestProvider.with(TestProvider.header, head.mapValues { Optional($0) }), header)),
            claims: TestProvider.json(TestProvider.with(TestProvider.claims, claims)), byRSA: byRSA)
    }

    /// The members that prove an identity.
    static func members(_ token: String, _ nonce: String, provider: String = "company") -> String {
        #""provider": "\#(provider)", "idToken": "\#(token)", "nonce": "\#(nonce)""#
    }

    /// A body that proves an identity, with a nonce of the service's.
    func body(
        of subject: String, on service: TestService, provider: String = "company", _ changes: [String: String?] = [:]
    ) async throws -> String {
        let nonce = try await V2Client.newcomer(on: service).nonce()
        return "{\(Self.members(try token(of: subject, for: nonce, changes), nonce, provider: provider))}"
    }
}

extension V2Client {
    /// What it takes to make a passkey.
    func passkeyOptions() async throws -> JSON {
        let reply = try await post("/v2/passkeys/options", "{}")
        #expect(reply.status == 200, "\(reply)")
        return reply.json.publicKey
    }

    /// A challenge for signing in.
    func signInChallenge() async throws -> String {
        let reply = try await post("/v2/sessions/options", "{}")
        #expect(reply.status == 200, "\(reply)")
        return reply.json.publicKey.challenge.text
    }

    /// A nonce.
    func nonce() async throws -> String {
        let reply = try await post("/v2/nonces", "{}")
        #expect(reply.status == 201, "\(reply)")
        return reply.json.nonce.text
    }

    /// The player's id.
    func id() async throws -> String { try await me().id.text }
}
