import CredentialTesting
import StrictEncoding
import Testing

@testable import WebAuthn

@Suite("Fuzzing")
struct FuzzTests {
    /// Numbers that depend on the seed only (SplitMix64).
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// Bytes with a few changes, or pieces of others in them.
    private static func mutate(_ bytes: [UInt8], with other: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if bytes.isEmpty { return other }
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let end = min(bytes.count, start + Int.random(in: 1...9, using: &random))
            let byte = UInt8.random(in: .min ... .max, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[start] = byte
            case 1: bytes[start] ^= 1 << (byte & 7)
            case 2: bytes.insert(byte, at: start)
            case 3: bytes.removeSubrange(start..<end)
            case 4: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 5: bytes.replaceSubrange(start..., with: other.dropFirst(start))
            default: bytes.swapAt(start, Int.random(in: 0..<bytes.count, using: &random))
            }
        }
        return bytes
    }

    @Test("of CBOR: what is read is what was written, and the canonical form is one encoding")
    func cbor() throws {
        let texts = [
            SoftwareAuthenticator(.es256()).registration().attestation,
            WrittenCBOR.map([
                ([0], WrittenCBOR.array([[0xF5], [0xF6], [0xF9, 0x3C, 0], WrittenCBOR.integer(-70_000)])),
                (WrittenCBOR.text("ü"), WrittenCBOR.map([(WrittenCBOR.string([1]), [0x1B, 1, 2, 3, 4, 5, 6, 7, 8])])),
            ]),
        ]
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Random(state: seed)
        var (count, looseCount) = (0, 0)
        for round in 0..<20_000 {
            let mutated = Self.mutate(texts[round % 2], with: texts[1 - round % 2], &random)
            guard let loose = try? CBORReader.item(mutated, form: .wellFormed) else {
                try #require((try? CBORReader.item(mutated)) == nil, "seed \(seed), round \(round): \(mutated)")
                continue
            }
            looseCount += 1
            let again = try? CBORReader.item(written(loose), form: .wellFormed)
            try #require(again == loose, "seed \(seed), round \(round): \(mutated)")
            guard let item = try? CBORReader.item(mutated) else { continue }
            count += 1
            try #require(item == loose && written(item) == mutated, "seed \(seed), round \(round): \(mutated)")
        }
        #expect(count > 100 && looseCount > count)
    }

    @Test("of a valid registration: no altered one with another challenge, origin or relying party is accepted")
    func registrations() throws {
        let authenticators = [SoftwareAuthenticator(.es256()), SoftwareAuthenticator(.edDSA(), credentialID: [1])]
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Random(state: seed)
        for round in 0..<3000 {
            let (right, other) = (
                authenticators[round % 2].registration(), authenticators[1 - round % 2].registration()
            )
            var registration = right
            if round % 3 == 0 {
                registration.client.text = String(
                    decoding: Self.mutate(right.client.json, with: other.client.json, &random), as: UTF8.self)
            } else {
                registration.object = Self.mutate(right.attestation, with: other.attestation, &random)
            }
            guard let found = try? registration.verify() else { continue }
            try #require(found.challenge == SoftwareAuthenticator.challenge, "seed \(seed), round \(round)")
            try #require(
                found.credentialID == authenticators[round % 2].credentialID, "seed \(seed), round \(round)")
        }
    }

    @Test("of valid assertions: no altered one is accepted")
    func assertions() throws {
        for key in try TestKey.all.get() {
            let authenticator = SoftwareAuthenticator(key)
            let record = try authenticator.record()
            let response = try authenticator.assertion().response()
            let party = SoftwareAuthenticator.party
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = Random(state: seed)
            let parts = [response.clientDataJSON, response.authenticatorData, response.signature].compactMap {
                Base64URL.decode($0)
            }
            try #require(parts.count == 3)
            for round in 0..<500 {
                var mutated = parts
                mutated[round % 3] = Self.mutate(parts[round % 3], with: parts[(round + 1) % 3], &random)
                let texts = mutated.map { Base64URL.encode($0) }
                let forged = AuthenticationResponse(
                    id: response.credential.id, rawId: response.credential.rawId, type: response.credential.type,
                    clientDataJSON: texts[0], authenticatorData: texts[1], signature: texts[2],
                    userHandle: response.userHandle)
                let assertion = try? party.assertion(forged) { $0 == SoftwareAuthenticator.challenge }
                let verified = try? assertion?.verify(with: record)
                try #require((verified == nil) == (mutated != parts), "seed \(seed), round \(round)")
            }
        }
    }
}
