package import Crypto
package import CryptoExtras
import Foundation
package import OpenIDConnect
import StrictEncoding

/// A provider that signs whatever a test wants.
package struct TestProvider: Sendable {
    package static let issuer = "https://id.example"
    package static let audience = "com.example.juliet"
    package static let nonce = "n-0S6_WzA2Mj"
    package static let now = 1_800_000_000
    /// For all tests that do not change its keys: RSA's take time to make.
    package static let shared = Result { try TestProvider() }

    package let provider = IdentityProvider(
        issuers: [issuer, "https://id2.example"], audiences: [audience, "another.of.ours"])
    package let p256 = P256.Signing.PrivateKey()
    package let rsa: _RSA.Signing.PrivateKey

    package init() throws { rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// The header of a token.
    package static let header = ["alg": #""ES256""#, "kid": #""ec""#, "typ": #""JWT""#]

    /// The claims of a good token, each as JSON.
    package static let claims = [
        "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"001234.abc\"", "iat": "\(now - 10)",
        "exp": "\(now + 600)",
        "nonce": "\"\(nonce)\"", "email": "\"ada@example.org\"",
    ]

    /// The same with other members; nil: without it.
    package static func with(_ members: [String: String], _ changes: [String: String?]) -> [String: String] {
        changes.reduce(into: members) { $0[$1.key] = $1.value }
    }

    package static func json(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A token signed by the P-256 key, or by RSA's.
    package func token(header: String? = nil, claims: String? = nil, byRSA: Bool = false) throws -> String {
        let header =
            header ?? Self.json(byRSA ? Self.with(Self.header, ["alg": #""RS256""#, "kid": #""rsa""#]) : Self.header)
        let signed =
            Base64URL.encode(header.utf8) + "." + Base64URL.encode((claims ?? Self.json(Self.claims)).utf8)
        let signature =
            byRSA
            ? try rsa.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5).rawRepresentation
            : try p256.signature(for: Data(signed.utf8)).rawRepresentation
        return signed + "." + Base64URL.encode(signature)
    }

    /// A good token but for these claims.
    package func token(_ changes: [String: String?]) throws -> String {
        try token(claims: Self.json(Self.with(Self.claims, changes)))
    }

    /// A good token but for these members of its header.
    package func token(header changes: [String: String?], byRSA: Bool = false) throws -> String {
        try token(header: Self.json(Self.with(Self.header, changes)), byRSA: byRSA)
    }

    /// The P-256 key as JWK, each member as JSON.
    package var p256Key: [String: String] {
        let point = [UInt8](p256.publicKey.x963Representation)
        return [
            "kty": #""EC""#, "crv": #""P-256""#, "kid": #""ec""#, "x": "\"\(Base64URL.encode(point[1..<33]))\"",
            "y": "\"\(Base64URL.encode(point[33...]))\"", "use": #""sig""#, "alg": #""ES256""#,
        ]
    }

    /// The RSA key as JWK.
    package var rsaKey: [String: String] {
        get throws {
            let numbers = try rsa.publicKey.getKeyPrimitives()
            return [
                "kty": #""RSA""#, "kid": #""rsa""#, "n": "\"\(Base64URL.encode(numbers.modulus))\"",
                "e": "\"\(Base64URL.encode(numbers.publicExponent))\"", "use": #""sig""#, "alg": #""RS256""#,
            ]
        }
    }

    package static func set(_ keys: [[String: String]]) throws -> JSONWebKeySet {
        try JSONWebKeySet(json: Array(("{\"keys\":[" + keys.map(json).joined(separator: ",") + "]}").utf8))
    }

    package var keys: JSONWebKeySet { get throws { try Self.set([p256Key, rsaKey]) } }

    /// Why a token is refused; nil: it is not.
    package func refusal(
        of token: String, nonce: String = nonce, keys: JSONWebKeySet? = nil, now: Duration = .seconds(now)
    ) throws -> IdentityRefusal? {
        let keys = try keys ?? self.keys
        do {
            _ = try provider.verify(token, nonce: nonce, keys: keys, now: now)
            return nil
        } catch {
            return error
        }
    }
}
