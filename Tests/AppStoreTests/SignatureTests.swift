import AppStore
import AppStoreTesting
import Crypto
import Foundation
import StrictEncoding
import Testing
import X509

@Suite("Signatures")
struct SignatureTests {
    private let shop: Shop
    private let jws: String

    init() throws {
        shop = try Shop.shared.get()
        jws = try shop.authority.sign(TestTransaction().payload)
    }

    /// The three parts put together again, one of them changed.
    private func jws(header: String? = nil, payload: String? = nil, signature: String? = nil) -> String {
        let parts = jws.parts
        return [header ?? parts[0], payload ?? parts[1], signature ?? parts[2]].joined(separator: ".")
    }

    private static func base64URL(_ json: JSONValue) -> String { Base64URL.encode(json.json.utf8) }

    @Test("by the leaf are accepted")
    func valid() async {
        #expect(await shop.refusal(of: jws) == nil)
    }

    @Test("with the algorithm `none` are refused, whether they are empty or not")
    func none() async throws {
        let authority = shop.authority
        for name in ["none", "None", "NONE", ""] {
            let header = authority.header(authority.certificates, algorithm: name)
            let encoded = Self.base64URL(header)
            #expect(await shop.refusal(of: jws(header: encoded, signature: "")) == .algorithm)
            #expect(await shop.refusal(of: jws(header: encoded)) == .algorithm)
            #expect(await shop.refusal(of: try authority.sign(TestTransaction().payload, header: header)) == .algorithm)
        }
    }

    @Test("by HS256 with the certificate or its public key as the secret are refused")
    func symmetric() async throws {
        let authority = shop.authority
        let header = Self.base64URL(authority.header(authority.certificates, algorithm: "HS256"))
        let key = authority.leafKey.publicKey
        for secret in [
            Data(authority.certificates[0]), key.derRepresentation, key.x963Representation,
            Data(key.pemRepresentation.utf8),
        ] {
            let signed = Data((header + "." + jws.parts[1]).utf8)
            let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
            let forged = jws(header: header, signature: Base64URL.encode(code))
            #expect(await shop.refusal(of: forged) == .algorithm)
        }
    }

    @Test("of other algorithms, and of none in the header, are refused", arguments: ["ES384", "RS256", "es256"])
    func algorithms(name: String) async throws {
        let authority = shop.authority
        let header = authority.header(authority.certificates, algorithm: name)
        #expect(await shop.refusal(of: try authority.sign(TestTransaction().payload, header: header)) == .algorithm)
        let nameless: JSONValue = ["x5c": .array(authority.certificates.map { .text(Data($0).base64EncodedString()) })]
        #expect(await shop.refusal(of: try authority.sign(TestTransaction().payload, header: nameless)) == .algorithm)
    }

    @Test("are of this payload and this header, byte for byte")
    func tampered() async throws {
        let other = Self.base64URL(TestTransaction(product: "com.example.game.thirty").payload)
        #expect(await shop.refusal(of: jws(payload: other)) == .signature)
        guard case .object(var header) = shop.authority.header else { return }
        header["kid"] = "x"
        #expect(await shop.refusal(of: jws(header: Self.base64URL(.object(header)))) == .signature)
        let spaced = Base64URL.encode((shop.authority.header.json + " ").utf8)
        #expect(await shop.refusal(of: jws(header: spaced)) == .signature)
    }

    @Test("with a bit changed in any byte are refused")
    func bits() async throws {
        let signature = try shop.authority.leafKey.signature(for: Data(jws.parts[..<2].joined(separator: ".").utf8))
        for index in 0..<64 {
            var bytes = Array(signature.rawRepresentation)
            bytes[index] ^= 1 << UInt8(index % 8)
            let changed = jws(signature: Base64URL.encode(bytes))
            #expect(await shop.refusal(of: changed) == .signature)
        }
    }

    @Test("are 64 bytes, not the DER of certificates, and nothing more")
    func form() async throws {
        let signature = try shop.authority.leafKey.signature(for: Data(jws.parts[..<2].joined(separator: ".").utf8))
        let raw = Array(signature.rawRepresentation)
        #expect(await shop.refusal(of: jws(signature: Base64URL.encode(raw))) == nil)
        for bytes in [
            Array(signature.derRepresentation), [], Array(raw.dropLast()), raw + [0], Array(repeating: 0, count: 64),
            Array(raw[..<32]) + Array(repeating: 0, count: 32), Array(repeating: 0xFF, count: 64),
        ] {
            #expect(await shop.refusal(of: jws(signature: Base64URL.encode(bytes))) == .signature)
        }
    }

    @Test("by another leaf's key are refused")
    func otherKey() async throws {
        let other = try TestAuthority()
        let forged = try other.sign(TestTransaction().payload, header: shop.authority.header)
        #expect(await shop.refusal(of: forged) == .signature)
    }

    @Test("by a P-384 key are refused, even valid ones")
    func otherCurve() async throws {
        let key = P384.Signing.PrivateKey()
        let leaf = try shop.authority.leaf(holding: Certificate.PublicKey(key.publicKey))
        for algorithm in ["ES256", "ES384"] {
            let header = shop.authority.header(
                [leaf] + shop.authority.certificates[1...], algorithm: algorithm)
            let signed = Self.base64URL(header) + "." + jws.parts[1]
            let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)))
            let forged = signed + "." + Base64URL.encode(signature.rawRepresentation)
            #expect(await shop.refusal(of: forged) == (algorithm == "ES256" ? .chain : .algorithm))
        }
    }

    @Test("are in a text of three parts, in base64url without padding, in its only valid spelling")
    func text() async throws {
        let parts = jws.parts
        // The last of 86 characters has four bits that mean nothing.
        let last = try #require(parts[2].last)
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        let digit = try #require(alphabet.firstIndex(of: last))
        let misspelled = parts[2].dropLast() + String(alphabet[alphabet.index(after: digit)])
        for text in [
            "", ".", "..", "...", "a", parts[0], parts[0] + "." + parts[1], jws + ".", "." + jws, jws + "." + parts[2],
            jws + "=", jws + "==", jws + "\n", " " + jws, jws(header: parts[0] + "="), jws(header: ""),
            jws(signature: String(misspelled)), jws(signature: parts[2] + "AAA"), jws(payload: parts[1] + "é"),
            jws(payload: "+/" + parts[1]), jws(payload: "\0" + parts[1]), jws(header: Base64URL.encode([0xFF])),
            jws(header: Base64URL.encode("[]".utf8)), String(repeating: ".", count: 70_000),
            String(repeating: "A", count: 70_000),
        ] {
            #expect(await shop.refusal(of: text) == .malformed, "\(text.prefix(40))")
        }
    }

    @Test("are malformed when the header has `crit`, or members of other types")
    func header() async throws {
        guard case .object(let header) = shop.authority.header else { return }
        for (name, value) in [
            ("crit", ["exp"]), ("crit", nil), ("alg", 5), ("alg", ["ES256"]), ("x5c", "x"), ("x5c", [1, 2, 3]),
            ("x5c", ["*", "*", "*"]), ("x5c", ["A", "A", "A"]),
        ] as [(String, JSONValue)] {
            let changed = JSONValue.object(header.merging([name: value]) { _, new in new })
            let jws = try shop.authority.sign(TestTransaction().payload, header: changed)
            #expect(await shop.refusal(of: jws) == .malformed, "\(name)")
        }
        let known = JSONValue.object(header.merging(["kid": "x", "typ": "JWT", "new": [nil]]) { _, new in new })
        let jws = try shop.authority.sign(TestTransaction().payload, header: known)
        #expect(await shop.refusal(of: jws) == nil)
    }

    @Test("are of at most 64 KiB of text")
    func size() async throws {
        let fits = try shop.authority.sign(
            TestTransaction().with("x", .text(String(repeating: "x", count: 40_000))).payload)
        #expect(fits.utf8.count < 65_536)
        #expect(await shop.refusal(of: fits) == nil)
        let big = try shop.authority.sign(
            TestTransaction().with("x", .text(String(repeating: "x", count: 50_000))).payload)
        #expect(big.utf8.count > 65_536)
        #expect(await shop.refusal(of: big) == .malformed)
    }
}
