import Crypto
import Foundation
import StrictEncoding
import WebAuthn

/// A client and an authenticator in one, which do and say whatever a test wants.
struct SoftwareAuthenticator {
    static let party = RelyingParty(
        id: "juliet.example", name: "Juliet",
        origins: ["https://juliet.example", "android:apk-key-hash:R7m0nBzCMOTTKxnnbvZnWzHd2rq84yrBbAnKMYTBnLM"])

    /// What the client says.
    struct Client {
        var type: String
        var challenge = SoftwareAuthenticator.challenge
        var origin = "https://juliet.example"
        /// Members behind these three, as JSON.
        var more = #","crossOrigin":false"#

        /// The whole text, if it is to be another.
        var text: String?

        var json: [UInt8] {
            let members =
                #""type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"\#(more)"#
            return Array((text ?? "{\(members)}").utf8)
        }
    }

    /// What the authenticator says.
    struct Said {
        var relyingParty = "juliet.example"
        /// UP and UV; and AT in registrations.
        var flags: UInt8 = 0b101
        var count = 0
        /// What follows the count.
        var rest: [UInt8] = []

        var bytes: [UInt8] {
            Array(SHA256.hash(data: Array(relyingParty.utf8))) + [flags] + WrittenCBOR.bytes(count, 4) + rest
        }
    }

    static let challenge = Array(1...32 as ClosedRange<UInt8>)
    static let userHandle = Array("player of 16 byt".utf8)

    let key: TestKey
    let credentialID: [UInt8]
    let aaguid = Array(repeating: 0xAA as UInt8, count: 16)

    init(_ key: TestKey, credentialID: [UInt8] = Array("a credential's name".utf8)) {
        self.key = key
        self.credentialID = credentialID
    }

    /// A registration, to be changed at will.
    struct Registration {
        var client = Client(type: "webauthn.create")
        var said = Said()
        var format = WrittenCBOR.text("none")
        var statement = WrittenCBOR.map([])
        var id: String
        var rawId: String
        var type = "public-key"
        /// The attestation object, if it is to be another.
        var object: [UInt8]?
        /// Texts that are sent in the place of the right ones.
        var clientDataText: String?
        var objectText: String?

        var attestation: [UInt8] {
            object
                ?? WrittenCBOR.map([
                    (WrittenCBOR.text("fmt"), format), (WrittenCBOR.text("attStmt"), statement),
                    (WrittenCBOR.text("authData"), WrittenCBOR.string(said.bytes)),
                ])
        }

        var response: RegistrationResponse {
            RegistrationResponse(
                id: id, rawId: rawId, type: type, clientDataJSON: clientDataText ?? Base64URL.encode(client.json),
                attestationObject: objectText ?? Base64URL.encode(attestation))
        }

        /// Verified; the challenge is taken if it is the right one.
        func verify() throws(WebAuthnRefusal) -> VerifiedRegistration {
            try SoftwareAuthenticator.party.registration(response) { $0 == SoftwareAuthenticator.challenge }
        }

        /// Why it is refused; nil: it is not.
        var refusal: WebAuthnRefusal? {
            do {
                _ = try verify()
                return nil
            } catch {
                return error
            }
        }
    }

    /// What follows the count in a registration.
    func attested(id: [UInt8]? = nil, key: [UInt8]? = nil, length: Int? = nil) -> [UInt8] {
        let id = id ?? credentialID
        return aaguid + WrittenCBOR.bytes(length ?? id.count, 2) + id + (key ?? self.key.cose)
    }

    func registration(_ change: (inout Registration) -> Void = { _ in }) -> Registration {
        let name = Base64URL.encode(credentialID)
        var registration = Registration(id: name, rawId: name)
        registration.said.flags |= 1 << 6
        registration.said.rest = attested()
        change(&registration)
        return registration
    }

    /// An assertion, to be changed at will.
    struct Assertion {
        var client = Client(type: "webauthn.get")
        var said = Said()
        var id: String
        var rawId: String
        var type = "public-key"
        var userHandle: String? = Base64URL.encode(SoftwareAuthenticator.userHandle)
        var clientDataText: String?
        var saidText: String?
        /// The signature, if it is to be another.
        var signature: [UInt8]?
        var signatureText: String?
        let key: TestKey

        func response() throws -> AuthenticationResponse {
            let signed = said.bytes + Array(SHA256.hash(data: client.json))
            let signature = try self.signature ?? key.sign(signed)
            return AuthenticationResponse(
                id: id, rawId: rawId, type: type, clientDataJSON: clientDataText ?? Base64URL.encode(client.json),
                authenticatorData: saidText ?? Base64URL.encode(said.bytes),
                signature: signatureText ?? Base64URL.encode(signature), userHandle: userHandle)
        }

        /// Verified with a credential as it was kept.
        func verify(with record: CredentialRecord) throws -> VerifiedAssertion {
            try SoftwareAuthenticator.party.assertion(response()) { $0 == SoftwareAuthenticator.challenge }
                .verify(with: record)
        }

        /// Why it is refused; nil: it is not.
        func refusal(with record: CredentialRecord) throws -> WebAuthnRefusal? {
            do {
                _ = try verify(with: record)
                return nil
            } catch let refusal as WebAuthnRefusal {
                return refusal
            }
        }
    }

    func assertion(_ change: (inout Assertion) -> Void = { _ in }) -> Assertion {
        let name = Base64URL.encode(credentialID)
        var assertion = Assertion(id: name, rawId: name, key: key)
        change(&assertion)
        return assertion
    }

    /// The credential, kept as it was registered.
    func record(count: UInt32 = 0, isBackupEligible: Bool = false) throws -> CredentialRecord {
        CredentialRecord(
            publicKey: try registration().verify().publicKey, userHandle: Self.userHandle, signCount: count,
            isBackupEligible: isBackupEligible)
    }
}
