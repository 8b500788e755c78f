import CredentialTesting
import Crypto
import CryptoExtras
import Foundation
import StrictEncoding
import Testing

@testable import OpenIDConnect

@Suite("ID tokens")
struct TokenTests {
    private let provider: TestProvider
    private let keys: JSONWebKeySet
    private let now = TestProvider.now

    init() throws {
        provider = try TestProvider.shared.get()
        keys = try provider.keys
    }

    private func refusal(_ changes: [String: String?]) throws -> IdentityRefusal? {
        try provider.refusal(of: provider.token(changes), keys: keys)
    }

    @Test("signed by ES256 or RS256 are accepted, and name the issuer and the subject")
    func good() throws {
        for byRSA in [false, true] {
            let found = try provider.provider.verify(
                provider.token(byRSA: byRSA), nonce: TestProvider.nonce, keys: keys, now: .seconds(now))
            #expect(found == VerifiedIdentity(issuer: TestProvider.issuer, subject: "001234.abc"))
        }
    }

    // MARK: Format

    @Test("that are no compact JWS are refused")
    func notJWS() throws {
        let good = try provider.token([:])
        let parts = good.split(separator: ".").map(String.init)
        let texts = [
            "", ".", "..", "...", parts[0] + "." + parts[1], good + ".", "." + good, good + "." + parts[2], good + "=",
            good + " ", " " + good, good + "\n", good.replacing(".", with: ".."),
            parts[0] + "=." + parts[1] + "." + parts[2],
            parts[0] + "." + parts[1] + "=." + parts[2], parts[0] + "." + parts[1] + ".é",
            "é." + parts[1] + "." + parts[2],
            String(repeating: "A", count: 70_000),
            #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#,
        ]
        for text in texts { #expect(try provider.refusal(of: text, keys: keys) == .format, "\(text)") }
    }

    @Test(
        "whose header is not a JSON object, or has critical members, are refused",
        arguments: [
            "", "null", "[]", "\"ES256\"", "{", #"{"alg":"ES256","kid":"ec"}x"#,
            #"{"alg":"ES256","alg":"ES256","kid":"ec"}"#,
            #"{"alg":"none","alg":"ES256","kid":"ec"}"#, #"{"alg":1,"kid":"ec"}"#, #"{"alg":["ES256"],"kid":"ec"}"#,
            #"{"alg":"ES256","kid":1}"#, #"{"alg":"ES256","kid":null}"#, #"{"alg":"ES256","kid":"ec","crit":[]}"#,
            #"{"alg":"ES256","kid":"ec","crit":["exp"],"exp":1}"#,
            #"{"alg":"ES256","kid":"ec","b64":false,"crit":["b64"]}"#,
            #"{"alg":"ES256","kid":"ec","crit":null}"#, #"{"alg":"ES256","kid":"ec","x":"\u0000"}"#,
            "\u{FEFF}{\"alg\":\"ES256\",\"kid\":\"ec\"}",
        ])
    func headers(text: String) throws {
        #expect(try provider.refusal(of: provider.token(header: text), keys: keys) == .format)
    }

    @Test(
        "that are access tokens by their header are refused",
        arguments: ["at+jwt", "AT+JWT", "At+Jwt", "application/at+jwt", "Application/AT+jwt"])
    func accessTokens(type: String) throws {
        #expect(try provider.refusal(of: provider.token(header: ["typ": "\"\(type)\""]), keys: keys) == .format)
    }

    @Test("may have another type, or none", arguments: [nil, "\"JWT\"", "\"jwt\"", "\"\"", "\"at\"", "5", "null"])
    func types(type: String?) throws {
        #expect(try provider.refusal(of: provider.token(header: ["typ": type]), keys: keys) == nil)
    }

    @Test(
        "whose payload is no JSON object are refused",
        arguments: ["", "null", "[]", "1", "\"x\"", "{", "{}", String(repeating: "[", count: 5000)])
    func payloads(text: String) throws {
        #expect(try provider.refusal(of: provider.token(claims: text), keys: keys) == .format)
    }

    @Test("with a claim twice are refused")
    func twice() throws {
        for name in ["sub", "exp", "iss", "email"] {
            let good = TestProvider.json(TestProvider.claims)
            let value = try #require(TestProvider.claims[name])
            let claims = good.dropLast() + ",\"\(name)\":\(value)}"
            #expect(try provider.refusal(of: provider.token(claims: String(claims)), keys: keys) == .format)
        }
    }

    @Test("need exp, iat and sub, as they are")
    func required() throws {
        for name in ["exp", "iat", "sub"] {
            for value in [nil, "null", "[]", "{}", "true"] as [String?] {
                #expect(try refusal([name: value]) == .format, "\(name) \(value ?? "missing")")
            }
        }
        for name in ["exp", "iat", "nbf"] {
            #expect(try refusal([name: "\"\(now)\""]) == .format)
            #expect(try refusal([name: "\(now)x"]) == .format)
            #expect(try refusal([name: "0\(now)"]) == .format)
        }
        #expect(try refusal(["nbf": "null"]) == .format)
        #expect(try refusal(["sub": "5"]) == .format)
        #expect(try refusal(["sub": "\"\""]) == .format)
        for (count, isTaken) in [(1, true), (255, true), (256, false)] {
            for character in ["a", "ü", "🔑"] {
                let subject = String(repeating: character, count: count)
                #expect((try refusal(["sub": "\"\(subject)\""]) == nil) == isTaken, "\(count) \(character)")
            }
        }
    }

    // MARK: Signature

    @Test("that somebody else signed, or that were changed, are refused")
    func signatures() throws {
        let stranger = try TestProvider()
        for byRSA in [false, true] {
            #expect(try provider.refusal(of: stranger.token(byRSA: byRSA), keys: keys) == .signature)
            let token = try provider.token(byRSA: byRSA)
            let other = try provider.token(claims: TestProvider.json(TestProvider.claims), byRSA: byRSA)
            let parts = token.split(separator: ".").map(String.init)
            let claims = Base64URL.encode(
                TestProvider.json(TestProvider.with(TestProvider.claims, ["sub": "\"another\""])).utf8)
            #expect(
                try provider.refusal(of: [parts[0], claims, parts[2]].joined(separator: "."), keys: keys) == .signature)
            #expect(try provider.refusal(of: other, keys: keys) == nil)
            let signature = try #require(Base64URL.decode(parts[2]))
            var forged: [[UInt8]] = [
                [], [0], signature + [0], [0] + signature, signature.dropLast(),
                Array(repeating: 0, count: signature.count),
                Array(repeating: 0xFF, count: signature.count), signature.reversed(),
            ]
            for bit in stride(from: 0, to: signature.count * 8, by: 41) {
                var spoiled = signature
                spoiled[bit / 8] ^= 1 << UInt8(bit % 8)
                forged.append(spoiled)
            }
            for signature in forged {
                let text = parts[0] + "." + parts[1] + "." + Base64URL.encode(signature)
                #expect(try provider.refusal(of: text, keys: keys) == .signature)
            }
        }
        // DER is certificates'.
        let signed = try provider.token([:]).split(separator: ".").prefix(2).joined(separator: ".")
        let der = try provider.p256.signature(for: Data(signed.utf8)).derRepresentation
        #expect(try provider.refusal(of: signed + "." + Base64URL.encode(der), keys: keys) == .signature)
    }

    @Test(
        "by another algorithm, or none, are refused",
        arguments: [
            "none", "None", "NONE", "", "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "ES384",
            "ES256K", "EdDSA",
            "es256", "ES256 ", "\u{212F}S256",
        ])
    func algorithms(algorithm: String) throws {
        let header = ["alg": "\"\(algorithm)\"" as String?]
        #expect(try provider.refusal(of: provider.token(header: header), keys: keys) == .signature)
        let unsigned = try provider.token(header: header).split(separator: ".").prefix(2).joined(separator: ".") + "."
        #expect(try provider.refusal(of: unsigned, keys: keys) == .signature)
    }

    @Test("without an algorithm, or that name a key that is not in the set, are refused")
    func missing() throws {
        #expect(try provider.refusal(of: provider.token(header: ["alg": nil]), keys: keys) == .signature)
        #expect(try provider.refusal(of: provider.token(header: ["alg": nil, "kid": nil]), keys: keys) == .signature)
        for kid in ["", "EC", "ec ", "rsa", "unknown"] {
            #expect(try provider.refusal(of: provider.token(header: ["kid": "\"\(kid)\""]), keys: keys) == .signature)
        }
        #expect(try provider.refusal(of: provider.token([:]), keys: JSONWebKeySet()) == .signature)
    }

    @Test("that name no key are signed by the only key that fits, or refused")
    func onlyKey() throws {
        let stranger = try TestProvider()
        let ours = (ec: provider.p256Key, rsa: try provider.rsaKey)
        let theirs = (ec: stranger.p256Key, rsa: try stranger.rsaKey)
        for byRSA in [false, true] {
            let header = TestProvider.json(["alg": byRSA ? #""RS256""# : #""ES256""#])
            let token = try provider.token(header: header, byRSA: byRSA)
            let own = byRSA ? ours.rsa : ours.ec
            let other = TestProvider.with(byRSA ? theirs.rsa : theirs.ec, ["kid": "\"other\""])
            // A key for the other algorithm, and those of no use, do not fit.
            let unfit: [[String: String]] = [
                byRSA ? ours.ec : ours.rsa, TestProvider.with(other, ["use": "\"enc\""]),
                TestProvider.with(other, ["key_ops": "[\"sign\"]"]), TestProvider.with(other, ["alg": "\"PS256\""]),
            ]
            for key in unfit {
                #expect(try provider.refusal(of: token, keys: TestProvider.set([key, own])) == nil, "\(key)")
            }
            for keys in [[own, other], [other, own], [own, own], [other], []] {
                #expect(try provider.refusal(of: token, keys: TestProvider.set(keys)) == .signature)
            }
            #expect(try provider.refusal(of: stranger.token(header: header, byRSA: byRSA), keys: keys) == .signature)
        }
    }

    @Test("signed by HMAC with a public key are refused")
    func confusion() throws {
        let numbers = try provider.rsa.publicKey.getKeyPrimitives()
        let secrets: [Data] = [
            provider.p256.publicKey.x963Representation, provider.p256.publicKey.rawRepresentation,
            provider.p256.publicKey.derRepresentation, Data(provider.p256.publicKey.pemRepresentation.utf8),
            numbers.modulus,
            provider.rsa.publicKey.derRepresentation, Data(provider.rsa.publicKey.pemRepresentation.utf8),
            Data(TestProvider.json(provider.p256Key).utf8), Data(),
        ]
        for (kid, secret) in secrets.flatMap({ [("ec", $0), ("rsa", $0)] }) {
            for algorithm in ["HS256", "ES256", "RS256"] {
                let header = TestProvider.json(["alg": "\"\(algorithm)\"", "kid": "\"\(kid)\""])
                let signed =
                    Base64URL.encode(header.utf8) + "." + Base64URL.encode(TestProvider.json(TestProvider.claims).utf8)
                let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
                #expect(try provider.refusal(of: signed + "." + Base64URL.encode(code), keys: keys) == .signature)
            }
        }
    }

    @Test("that bring a key of their own are refused, unless one of the set signed them")
    func ownKeys() throws {
        let stranger = try TestProvider()
        let own = TestProvider.json(stranger.p256Key)
        for member in [
            ("jwk", own), ("jku", "\"https://evil.example/keys\""), ("x5u", "\"https://evil.example/chain\""),
            ("x5c", "[\"AAAA\"]"), ("x5t", "\"AAAA\""),
        ] {
            #expect(try provider.refusal(of: stranger.token(header: [member.0: member.1]), keys: keys) == .signature)
            #expect(try provider.refusal(of: provider.token(header: [member.0: member.1]), keys: keys) == nil)
        }
    }

    // MARK: Claims

    @Test("of another issuer are refused")
    func issuer() throws {
        for value in [
            nil, "null", "5", "[\"\(TestProvider.issuer)\"]", "\"\"", "\"https://id.example/\"",
            "\"https://ID.example\"",
        ]
            as [String?]
        {
            #expect(try refusal(["iss": value]) == .issuer)
        }
        #expect(try refusal(["iss": "\"https://id2.example\""]) == nil)
        #expect(try refusal(["iss": "\"https://id.ex\\u0061mple\""]) == nil)
    }

    @Test("for somebody else are refused, and for somebody else as well")
    func audience() throws {
        let audience = TestProvider.audience
        for value in [
            nil, "null", "5", "{}", "[]", "\"\"", "\"com.example\"", "\"com.example.juliet.x\"",
            "[\"com.example.other\"]",
            "[\"\(audience)\",\"com.example.other\"]", "[\"\(audience)\",5]", "[\"\(audience)\",null]",
            "[[\"\(audience)\"]]",
        ] as [String?] {
            #expect(try refusal(["aud": value]) == .audience, "\(value ?? "missing")")
        }
        for value in [
            "[\"\(audience)\"]", "[\"\(audience)\",\"another.of.ours\"]", "[\"\(audience)\",\"\(audience)\"]",
        ] {
            #expect(try refusal(["aud": value]) == nil)
        }
    }

    @Test("that another client requested are refused")
    func authorizedParty() throws {
        let (audience, both) = (TestProvider.audience, "[\"\(TestProvider.audience)\",\"another.of.ours\"]")
        for aud in ["\"\(audience)\"", both] {
            for azp in [audience, "another.of.ours"] {
                #expect(try refusal(["aud": aud, "azp": "\"\(azp)\""]) == nil, "\(aud) \(azp)")
            }
            for azp in [
                "\"com.example.other\"", "\"\"", "\"\(audience.uppercased())\"", "null", "5", "[\"\(audience)\"]", "[]",
            ] {
                #expect(try refusal(["aud": aud, "azp": azp]) == .audience, "\(aud) \(azp)")
            }
        }
        // It does not take the place of an audience.
        #expect(try refusal(["aud": nil, "azp": "\"\(audience)\""]) == .audience)
        #expect(try refusal(["aud": "[]", "azp": "\"\(audience)\""]) == .audience)
    }

    @Test("are good from a minute before they say to a minute after")
    func dates() throws {
        for (changes, reason) in [
            (["exp": "\(now - 59)"], nil), (["exp": "\(now - 60)"], .expired), (["exp": "\(now - 61)"], .expired),
            (["exp": "\(now - 60).5"], nil), (["exp": "\(now - 61).5"], .expired), (["exp": "0"], .expired),
            (["exp": "-1"], .expired),
            (["exp": "1e400"], .format), (["exp": "-1e400"], .expired), (["exp": "1.8000006e9"], nil),
            (["exp": "18000006E2"], nil),
            (["iat": "\(now + 60)"], nil), (["iat": "\(now + 61)"], .expired), (["iat": "\(now + 60).5"], .expired),
            (["iat": "1e400"], .expired), (["iat": "0"], nil), (["nbf": "\(now + 60)"], nil),
            (["nbf": "\(now + 61)"], .expired),
            (["nbf": "\(now + 60).000001"], .expired), (["nbf": "0"], nil),
        ] as [([String: String], IdentityRefusal?)] {
            #expect(try refusal(changes) == reason, "\(changes)")
        }
        let token = try provider.token([:])
        #expect(try provider.refusal(of: token, keys: keys, now: .milliseconds((now + 660) * 1000 - 1)) == nil)
        #expect(try provider.refusal(of: token, keys: keys, now: .seconds(now + 660)) == .expired)
        #expect(try provider.refusal(of: token, keys: keys, now: .seconds(now - 70)) == nil)
        #expect(try provider.refusal(of: token, keys: keys, now: .milliseconds((now - 70) * 1000 - 1)) == .expired)
    }

    @Test("that end more than a year from now are refused")
    func longLife() throws {
        let year = 365 * 86_400
        for (end, reason) in [
            ("\(now + 86_400)", nil), ("\(now + year)", nil), ("\(now + year).5", .format),
            ("\(now + year + 1)", .format),
            ("9007199254740993", .format), ("1e300", .format),
        ] as [(String, IdentityRefusal?)] {
            #expect(try refusal(["exp": end]) == reason, "\(end)")
        }
        let token = try provider.token(["exp": "\(now + year + 20)", "iat": "\(now)"])
        #expect(try provider.refusal(of: token, keys: keys, now: .seconds(now + 19)) == .format)
        #expect(try provider.refusal(of: token, keys: keys, now: .seconds(now + 20)) == nil)
    }

    @Test("are of the nonce that was given, or of its SHA-256")
    func nonce() throws {
        // printf n-0S6_WzA2Mj | sha256sum
        let hash = "0823a09b54cb9381561068b00aaf4e539b3f54604631d3e6a820879b6b04cc19"
        #expect(try refusal(["nonce": "\"\(hash)\""]) == nil)
        for value in [
            nil, "null", "5", "\"\"", "\"another\"", "\"\(hash.uppercased())\"", "\"\(hash)0\"",
            "[\"\(TestProvider.nonce)\"]",
            "\"\(TestProvider.nonce) \"",
        ] as [String?] {
            #expect(try refusal(["nonce": value]) == .nonce)
        }
        #expect(try provider.refusal(of: provider.token([:]), nonce: hash, keys: keys) == .nonce)
        #expect(try provider.refusal(of: provider.token([:]), nonce: "", keys: keys) == .nonce)
    }

    @Test("are refused for the first rule that they break")
    func order() throws {
        let breaks: [(IdentityRefusal, (inout [String: String], inout [String: String]) -> Void)] = [
            (.format, { $1["sub"] = nil }), (.signature, { header, _ in header["kid"] = "\"unknown\"" }),
            (.issuer, { $1["iss"] = "\"x\"" }), (.audience, { $1["aud"] = "\"x\"" }), (.expired, { $1["exp"] = "1" }),
            (.nonce, { $1["nonce"] = "\"x\"" }),
        ]
        #expect(breaks.map(\.0) == IdentityRefusal.allCases)
        for (index, first) in breaks.enumerated() {
            for second in breaks[index...] {
                var (header, claims) = (TestProvider.header, TestProvider.claims)
                second.1(&header, &claims)
                first.1(&header, &claims)
                let token = try provider.token(header: TestProvider.json(header), claims: TestProvider.json(claims))
                #expect(try provider.refusal(of: token, keys: keys) == first.0)
            }
        }
    }

    @Test("are all refused by a provider without issuers, or without audiences")
    func nobody() throws {
        let token = try provider.token([:])
        for (issuers, audiences, reason) in [
            ([], [TestProvider.audience], .issuer), ([TestProvider.issuer], [], .audience),
        ] as [(Set<String>, Set<String>, IdentityRefusal)] {
            #expect(throws: reason) {
                try IdentityProvider(issuers: issuers, audiences: audiences)
                    .verify(token, nonce: TestProvider.nonce, keys: keys, now: .seconds(now))
            }
        }
    }
}
