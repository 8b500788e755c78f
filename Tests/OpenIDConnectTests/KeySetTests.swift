import CredentialTesting
import CryptoExtras
import Foundation
import StrictEncoding
import Testing

@testable import OpenIDConnect

@Suite("Key sets")
struct KeySetTests {
    private let provider: TestProvider

    init() throws { provider = try TestProvider.shared.get() }

    private func reason(_ key: [String: String], _ changes: [String: String?]) throws -> JSONWebKeyFlaw? {
        let set = try TestProvider.set([TestProvider.with(key, changes), provider.p256Key])
        // The other one is good all the same.
        #expect(set.keyIDs.last == "ec")
        #expect(try provider.refusal(of: provider.token([:]), keys: set) == nil)
        return set.skipped.first?.reason
    }

    @Test(
        "that are not valid are refused as a whole",
        arguments: [
            "", "null", "[]", "{}", "{\"keys\":null}", "{\"keys\":{}}", "{\"keys\":[1]}", "{\"keys\":[null]}",
            "{\"keys\":[[]]}",
            "{\"keys\":[],\"keys\":[]}", "{\"keys\":[]}x", "{\"keys\":[],}", "<html>", "\u{FEFF}{\"keys\":[]}",
            "{\"Keys\":[]}",
            "{\"keys\":[{\"kid\":\"a\",\"kid\":\"a\"}]}",
        ])
    func nonsense(text: String) {
        #expect(throws: JSONWebKeySet.ParseError.self) { try JSONWebKeySet(json: Array(text.utf8)) }
    }

    @Test("may be empty, may have unknown members, and are at most 1 MiB")
    func empty() throws {
        let set = try JSONWebKeySet(json: Array(#"{"keys":[],"later":1}"#.utf8))
        #expect(set.keyIDs.isEmpty && set.skipped.isEmpty)
        #expect(try provider.refusal(of: provider.token([:]), keys: set) == .signature)
        let blanks = Array(#"{"keys":[]}"#.utf8) + Array(repeating: 0x20, count: 1 << 20)
        #expect(throws: JSONWebKeySet.ParseError.self) { try JSONWebKeySet(json: blanks) }
    }

    @Test("may have keys without use, operations or algorithm, or with those of signatures")
    func optional() throws {
        for key in [provider.p256Key, try provider.rsaKey] {
            #expect(try reason(key, ["use": nil, "alg": nil]) == nil)
            #expect(try reason(key, ["use": nil, "key_ops": "[\"verify\"]"]) == nil)
            #expect(try reason(key, ["key_ops": "[\"verify\",\"encrypt\"]", "x5c": "[1]", "later": "null"]) == nil)
        }
    }

    @Test("skip keys that are of no use, and say why")
    func skipped() throws {
        for key in [provider.p256Key, try provider.rsaKey] {
            for (changes, expected) in [
                (["kty": nil], .type), (["kty": "\"oct\""], .type), (["kty": "\"OKP\""], .type),
                (["kty": "\"rsa\""], .type),
                (["kty": "1"], .type), (["use": "\"enc\""], .use), (["use": "1"], .use), (["use": "null"], .use),
                (["key_ops": "[\"sign\"]"], .use), (["key_ops": "[]"], .use), (["key_ops": "\"verify\""], .use),
                (["alg": "\"PS256\""], .algorithm), (["alg": "\"HS256\""], .algorithm),
                (["alg": "\"none\""], .algorithm),
                (["alg": "1"], .algorithm), (["kid": "null"], .keyID), (["kid": "1"], .keyID),
            ] as [([String: String?], JSONWebKeyFlaw)] {
                #expect(try reason(key, changes) == expected, "\(changes)")
            }
        }
        #expect(try reason(provider.rsaKey, ["alg": "\"ES256\""]) == .algorithm)
        #expect(try reason(provider.p256Key, ["alg": "\"RS256\""]) == .algorithm)
        for curve in [nil, "\"P-384\"", "\"P-521\"", "\"secp256k1\"", "1"] as [String?] {
            #expect(try reason(provider.p256Key, ["crv": curve]) == .type)
        }
        let set = try TestProvider.set([
            TestProvider.with(provider.p256Key, ["kid": "1"]), TestProvider.with(provider.p256Key, ["use": "\"enc\""]),
        ])
        #expect(
            set.skipped == [
                .init(index: 0, keyID: nil, reason: .keyID), .init(index: 1, keyID: "ec", reason: .use),
            ])
    }

    @Test("skip keys whose numbers are none")
    func malformed() throws {
        let zeros = "\"\(Base64URL.encode(Array(repeating: 0, count: 32)))\""
        for name in ["x", "y"] {
            let text = try #require(provider.p256Key[name])
            let bytes = try #require(Base64URL.decode(text.dropFirst().dropLast().utf8))
            for value in [
                nil, "1", "\"\"", "\"=\"", zeros, text.dropLast() + "=\"", "\"\(Base64URL.encode(bytes.dropLast()))\"",
                "\"\(Base64URL.encode([0] + bytes))\"", "\"\(Base64URL.encode(bytes + [0]))\"",
            ] as [String?] {
                #expect(try reason(provider.p256Key, [name: value]) == .malformed, "\(name) \(value ?? "missing")")
            }
        }
        let key = try provider.rsaKey
        for name in ["n", "e"] {
            let text = try #require(key[name])
            let bytes = try #require(Base64URL.decode(text.dropFirst().dropLast().utf8))
            for value in [nil, "1", "\"\"", "\"=\"", "\"AA\"", "\"\(Base64URL.encode([0] + bytes))\"", "65537"]
                as [String?]
            {
                #expect(try reason(key, [name: value]) == .malformed, "\(name) \(value ?? "missing")")
            }
        }
        for exponent in [[1], [2], [1, 0, 0], Array(repeating: 0xFF, count: 9)] as [[UInt8]] {
            #expect(try reason(key, ["e": "\"\(Base64URL.encode(exponent))\""]) == .malformed)
        }
    }

    @Test("skip RSA of less than 2,048 bits, and of more than 8,192")
    func sizes() throws {
        for (bits, expected) in [
            (1024, .size), (2047, .size), (2048, nil), (4096, nil), (8192, nil), (8193, .size), (16_384, .size),
        ] as [(Int, JSONWebKeyFlaw?)] {
            let count = (bits + 7) / 8
            let modulus = [1 << UInt8((bits - 1) % 8)] + Array(repeating: 0x5A as UInt8, count: count - 2) + [0x5B]
            #expect(try reason(provider.rsaKey, ["n": "\"\(Base64URL.encode(modulus))\""]) == expected, "\(bits)")
        }
    }

    @Test("may have keys without a name, for tokens that name none")
    func nameless() throws {
        let key = TestProvider.with(provider.p256Key, ["kid": nil])
        let set = try TestProvider.set([key, provider.rsaKey])
        #expect(set.keyIDs == [nil, "rsa"] && set.skipped.isEmpty)
        #expect(try provider.refusal(of: provider.token(header: ["kid": nil]), keys: set) == nil)
        // A token that names a key is not signed by one without a name.
        for kid in ["ec", ""] {
            #expect(try provider.refusal(of: provider.token(header: ["kid": "\"\(kid)\""]), keys: set) == .signature)
        }
        #expect(
            try provider.refusal(of: provider.token(header: ["kid": nil]), keys: TestProvider.set([key, key]))
                == .signature)
    }

    @Test("may have several keys of one name: any of them will do")
    func sameName() throws {
        let other = try TestProvider()
        let set = try TestProvider.set([
            TestProvider.with(provider.rsaKey, ["kid": "\"ec\""]), other.p256Key, provider.p256Key,
        ])
        #expect(try provider.refusal(of: provider.token([:]), keys: set) == nil)
        #expect(try provider.refusal(of: other.token([:]), keys: set) == nil)
        // The RSA key has not signed it, whatever its name.
        let rsa = try TestProvider.set([TestProvider.with(provider.rsaKey, ["kid": "\"ec\""])])
        #expect(try provider.refusal(of: provider.token([:]), keys: rsa) == .signature)
        #expect(try provider.refusal(of: provider.token(header: ["alg": "\"RS256\""], byRSA: true), keys: rsa) == nil)
    }
}
