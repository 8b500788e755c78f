import Crypto
import Foundation
import StrictEncoding
package import WebAuthn

/// A client and an authenticator in one, which do and say whatever a test wants.
package struct SoftwareAuthenticator {
    package static let party = RelyingParty(
        id: "juliet.example", name: "Juliet",
        origins: ["https://juliet.example", "android:apk-key-hash:R7m0nBzCMOTTKxnnbvZnWzHd2rq84yrBbAnKMYTBnLM"])

    /// What the client says.
    package struct Client {
        package var type: String
        package var challenge = SoftwareAuthenticator.challenge
        package var origin = "https://juliet.example"
        /// Members behind these three, as JSON.
        package var more = #","crossOrigin":false"#

        /// The whole text, if it is to be another.
        package var text: String?

        package init(type: String, text: String? = nil) {
            self.type = type
            self.text = text
        }

        package var json: [UInt8] {
            let members =
                #""type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"\#(more)"#
            return Array((text ?? "{\(members)}").utf8)
        }
    }

    /// What the authenticator says.
    package struct Said {
        package var relyingParty = "juliet.example"
        /// UP and UV; and AT in registrations.
        package var flags: UInt8 = 0b101
        package var count = 0
        /// What follows the count.
        package var rest: [UInt8] = []

        package var bytes: [UInt8] {
            Array(SHA256.hash(data: Array(relyingParty.utf8))) + [flags] + WrittenCBOR.bytes(count, 4) + rest
        }
    }

    package static let challenge = Array(1...32 as ClosedRange<UInt8>)
    package static let userHandle = Array("player of 16 byt".utf8)

    package let key: TestKey
    package let credentialID: [UInt8]
    package let aaguid = Array(repeating: 0xAA as UInt8, count: 16)

    package init(_ key: TestKey, credentialID: [UInt8] = Array("a credential's name".utf8)) {
        self.key = key
        self.credentialID = credentialID
    }

    /// A registration, to be changed at will.
    package struct Registration {
        package var client = Client(type: "webauthn.create")
        package var said = Said()
        package var format = WrittenCBOR.text("none")
        package var statement = WrittenCBOR.map([])
        package var id: String
        package var rawId: String
        package var type = "public-key"
        /// The attestation object, if it is to be another.
        package var object: [UInt8]?
        /// Texts that are sent in the place of the right ones.
        package var clientDataText: String?
        package var objectText: String?

        package var attestation: [UInt8] {
            object
                ?? WrittenCBOR.map([
                    (WrittenCBOR.text("fmt"), format), (WrittenCBOR.text("attStmt"), statement),
                    (WrittenCBOR.text("authData"), WrittenCBOR.string(said.bytes)),
                ])
        }

        package var response: RegistrationResponse {
            RegistrationResponse(
                id: id, rawId: rawId, type: type, clientDataJSON: clientDataText ?? Base64URL.encode(client.json),
                attestationObject: objectText ?? Base64URL.encode(attestation))
        }

        /// Verified; the challenge is taken if it is the right one.
        package func verify() throws(WebAuthnRefusal) -> VerifiedRegistration {
            try SoftwareAuthenticator.party.registration(response) { $0 == SoftwareAuthenticator.challenge }
        }

        /// Why it is refused; nil: it is not.
        package var refusal: WebAuthnRefusal? {
            do {
                _ = try verify()
                return nil
            } catch {
                return error
            }
        }
    }

    /// What follows the count in a registration.
    package func attested(id: [UInt8]? = nil, key: [UInt8]? = nil, length: Int? = nil) -> [UInt8] {
        let id = id ?? credentialID
        return aaguid + WrittenCBOR.bytes(length ?? id.count, 2) + id + (key ?? self.key.cose)
    }

    package func registration(_ change: (inout Registration) -> Void = { _ in }) -> Registration {
        let name = Base64URL.encode(credentialID)
        var registration = Registration(id: name, rawId: name)
        registration.said.flags |= 1 << 6
        registration.said.rest = attested()
        change(&registration)
        return registration
    }

    /// An assertion, to be changed at will.
    package struct Assertion {
        package var client = Client(type: "webauthn.get")
        package var said = Said()
        package var id: String
        package var rawId: String
        package var type = "public-key"
        package var userHandle: String? = Base64URL.encode(SoftwareAuthenticator.userHandle)
        package var clientDataText: String?
        package var saidText: String?
        /// The signature, if it is to be another.
        package var signature: [UInt8]?
        package var signatureText: String?
        package let key: TestKey

        package func response() throws -> AuthenticationResponse {
            let signed = said.bytes + Array(SHA256.hash(data: client.json))
            let signature = try self.signature ?? key.sign(signed)
            return AuthenticationResponse(
                id: id, rawId: rawId, type: type, clientDataJSON: clientDataText ?? Base64URL.encode(client.json),
                authenticatorData: saidText ?? Base64URL.encode(said.bytes),
                signature: signatureText ?? Base64URL.encode(signature), userHandle: userHandle)
        }

        /// Verified with a credential as it was kept.
        package func verify(with record: CredentialRecord) throws -> VerifiedAssertion {
            try SoftwareAuthenticator.party.assertion(response()) { $0 == SoftwareAuthenticator.challenge }
                .verify(with: record)
        }

        /// Why it is refused; nil: it is not.
        package func refusal(with record: CredentialRecord) throws -> WebAuthnRefusal? {
            do {
                _ = try verify(with: record)
                return nil
            } catch let refusal as WebAuthnRefusal {
                return refusal
            }
        }
    }

    package func assertion(_ change: (inout Assertion) -> Void = { _ in }) -> Assertion {
        let name = Base64URL.encode(credentialID)
        var assertion = Assertion(id: name, rawId: name, key: key)
        change(&assertion)
        return assertion
    }

    /// The credential, kept as it was registered.
    package func record(count: UInt32 = 0, isBackupEligible: Bool = false) throws -> CredentialRecord {
        CredentialRecord(
            publicKey: try registration().verify().publicKey, userHandle: Self.userHandle, signCount: count,
            isBackupEligible: isBackupEligible)
    }
}
