import CredentialTesting
import StrictEncoding
import Testing

@testable import WebAuthn

@Suite("Assertions")
struct AuthenticationTests {
    private let authenticator = SoftwareAuthenticator(.es256())
    private let record: CredentialRecord

    init() throws { record = try authenticator.record() }

    private func refusal(
        _ change: (inout SoftwareAuthenticator.Assertion) -> Void
    ) throws -> WebAuthnRefusal.Reason? {
        try authenticator.assertion(change).refusal(with: record)?.reason
    }

    @Test("are taken in all three algorithms, and say what the authenticator said")
    func good() throws {
        for key in try TestKey.all.get() {
            let authenticator = SoftwareAuthenticator(key)
            let assertion = authenticator.assertion {
                $0.said.count = 9
                $0.said.flags = 0b1_1101
            }
            let party = SoftwareAuthenticator.party
            let found = try party.assertion(assertion.response()) { $0 == SoftwareAuthenticator.challenge }
            #expect(found.credentialID == authenticator.credentialID)
            #expect(found.userHandle == SoftwareAuthenticator.userHandle)
            #expect(found.challenge == SoftwareAuthenticator.challenge)
            let verified = try found.verify(with: authenticator.record(count: 8, isBackupEligible: true))
            #expect(verified.signCount == 9)
            #expect(verified.isUserVerified && verified.isBackedUp)
            let plain = try authenticator.assertion { $0.said.flags = 1 }.verify(with: authenticator.record())
            #expect(plain.signCount == 0 && !plain.isUserVerified && !plain.isBackedUp)
        }
    }

    @Test("may have extensions, and client data nobody knows yet")
    func extensions() throws {
        let reason = try refusal {
            $0.said.flags |= 1 << 7
            $0.said.rest = WrittenCBOR.map([(WrittenCBOR.text("x"), WrittenCBOR.array([[1]]))])
            $0.client.more = #","later":{"a":[]}"#
        }
        #expect(reason == nil)
    }

    @Test("are refused for what registrations are refused for")
    func common() throws {
        #expect(try refusal { $0.client.type = "webauthn.create" } == .format)
        #expect(try refusal { $0.client.text = "{}" } == .format)
        #expect(try refusal { $0.client.more = #","type":"webauthn.get""# } == .format)
        #expect(try refusal { $0.clientDataText = Base64URL.encode($0.client.json) + "=" } == .format)
        #expect(try refusal { $0.client.challenge[31] ^= 1 } == .challenge)
        #expect(try refusal { $0.client.origin = "https://evil.example" } == .origin)
        #expect(try refusal { $0.client.more = #","crossOrigin":true"# } == .origin)
        #expect(try refusal { $0.client.more = #","topOrigin":"https://juliet.example""# } == .origin)
        #expect(try refusal { $0.said.relyingParty = "evil.example" } == .relyingParty)
        #expect(try refusal { $0.said.flags &= ~1 } == .userPresence)
        #expect(try refusal { $0.said.flags |= 1 << 4 } == .format)
    }

    @Test("whose authenticator data are not as long as they say are refused")
    func lengths() throws {
        let good = authenticator.assertion().said.bytes
        for count in 0..<good.count {
            #expect(try refusal { $0.saidText = Base64URL.encode(good.prefix(count)) } == .format)
        }
        #expect(try refusal { $0.said.rest = [0] } == .format)
        #expect(try refusal { $0.said.rest = WrittenCBOR.map([]) } == .format)
        #expect(try refusal { $0.said.flags |= 1 << 7 } == .format)
        #expect(try refusal { $0.saidText = Base64URL.encode(good) + "=" } == .format)
        // A new credential is no part of an assertion.
        #expect(try refusal { $0.said.flags |= 1 << 6 } == .format)
        #expect(
            try refusal {
                $0.said.flags |= 1 << 6
                $0.said.rest = authenticator.attested()
            } == .format)
    }

    @Test("are refused when their names or the signature's text are none")
    func texts() throws {
        #expect(try refusal { $0.id = "AAAA" } == .format)
        #expect(try refusal { $0.rawId = "AAAA" } == .format)
        #expect(try refusal { $0.type = "password" } == .format)
        #expect(try refusal { ($0.id, $0.rawId) = ("", "") } == .format)
        #expect(try refusal { ($0.id, $0.rawId) = ("A", "A") } == .format)
        let long = Base64URL.encode(Array(repeating: 1, count: 1024))
        #expect(try refusal { ($0.id, $0.rawId) = (long, long) } == .format)
        #expect(try refusal { $0.signatureText = "é" } == .format)
        #expect(try refusal { $0.signatureText = "MEUC=" } == .format)
        #expect(try refusal { $0.userHandle = "=" } == .format)
        #expect(try refusal { $0.userHandle = "" } == .format)
        #expect(try refusal { $0.userHandle = Base64URL.encode(Array(repeating: 1, count: 65)) } == .format)
    }

    @Test("must name the user")
    func userHandle() throws {
        #expect(try refusal { $0.userHandle = nil } == .userHandle)
        #expect(try refusal { $0.userHandle = Base64URL.encode("another player..".utf8) } == .userHandle)
        #expect(
            try refusal { $0.userHandle = Base64URL.encode(SoftwareAuthenticator.userHandle.dropLast()) } == .userHandle
        )
    }

    @Test("may not change what was said of backups")
    func backupEligibility() throws {
        #expect(try refusal { $0.said.flags |= 1 << 3 } == .backupEligibility)
        let synced = try authenticator.record(isBackupEligible: true)
        #expect(try authenticator.assertion().refusal(with: synced)?.reason == .backupEligibility)
        for flags in [0b1001, 0b1_1001] as [UInt8] {
            #expect(try authenticator.assertion { $0.said.flags = flags }.refusal(with: synced) == nil)
        }
    }

    @Test("must increase the signature counter, unless the authenticator keeps none")
    func signCount() throws {
        for (before, now, isTaken) in [
            (0, 0, true), (0, 1, true), (1, 2, true), (41, 1000, true), (0xFFFF_FFFE, 0xFFFF_FFFF, true), (1, 0, false),
            (1, 1, false), (2, 1, false), (0xFFFF_FFFF, 0, false), (0xFFFF_FFFF, 0xFFFF_FFFF, false),
            (0x0100_0000, 0x00FF_FFFF, false),
        ] {
            let record = try authenticator.record(count: UInt32(before))
            let refusal = try authenticator.assertion { $0.said.count = now }.refusal(with: record)
            #expect(refusal?.reason == (isTaken ? nil : .signCount), "\(before), \(now)")
        }
    }

    @Test("are good for the credential that signed them, and for what it signed")
    func signatures() throws {
        for key in try TestKey.all.get() {
            let authenticator = SoftwareAuthenticator(key)
            let record = try authenticator.record()
            let other = try SoftwareAuthenticator(.es256()).record()
            let good = authenticator.assertion()
            #expect(try good.refusal(with: record) == nil)
            #expect(try good.refusal(with: other)?.reason == .signature)
            let signature = try #require(try Base64URL.decode(good.response().signature))
            var forged: [[UInt8]] = [
                [], [0], signature + [0], signature.dropLast(), Array(repeating: 0, count: signature.count),
                Array(repeating: 0xFF, count: signature.count), signature.reversed(),
            ]
            for bit in stride(from: 0, to: signature.count * 8, by: 37) {
                var spoiled = signature
                spoiled[bit / 8] ^= 1 << UInt8(bit % 8)
                forged.append(spoiled)
            }
            for signature in forged {
                #expect(
                    try authenticator.assertion { $0.signature = signature }.refusal(with: record)?.reason == .signature
                )
            }
            // What is signed: every bit of both.
            let changes: [(inout SoftwareAuthenticator.Assertion) -> Void] = [
                { $0.said.count = 1 }, { $0.said.flags ^= 1 << 2 }, { $0.said.flags |= 1 << 1 },
                { $0.client.more += " " },
                { $0.client.more += #","a":1"# },
                {
                    $0.said.flags |= 1 << 7
                    $0.said.rest = WrittenCBOR.map([])
                },
            ]
            for change in changes {
                let refusal = try authenticator.assertion {
                    change(&$0)
                    $0.signature = signature
                }.refusal(with: record)
                #expect(refusal?.reason == .signature)
            }
        }
    }

    @Test("of ES256 are in DER, not in 64 bytes")
    func raw() throws {
        let der = try #require(try Base64URL.decode(authenticator.assertion().response().signature))
        func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let digits = Array(bytes.drop { $0 == 0 })
            return Array(repeating: 0, count: 32 - digits.count) + digits
        }
        let count = Int(der[3])
        let raw = number(der[4..<4 + count]) + number(der[(6 + count)...])
        #expect(raw.count == 64)
        #expect(try refusal { $0.signature = raw } == .signature)
    }

    @Test("of a registration are none")
    func kinds() throws {
        // What a self attestation signs is not what an assertion signs.
        #expect(try refusal { $0.client = .init(type: "webauthn.create") } == .format)
    }

    @Test("are refused for the first rule that they break, and say which challenge is used up")
    func order() throws {
        typealias Change = (inout SoftwareAuthenticator.Assertion) -> Void
        let record = try authenticator.record(count: 5)
        let breaks: [(WebAuthnRefusal.Reason, Change)] = [
            (.format, { $0.client.type = "webauthn.create" }),
            (.challenge, { $0.client.challenge = [1] }),
            (.origin, { $0.client.origin = "https://evil.example" }),
            (.relyingParty, { $0.said.relyingParty = "evil.example" }),
            (.userPresence, { $0.said.flags &= ~1 }),
            (.format, { $0.id = "AAAA" }),
            (.userHandle, { $0.userHandle = nil }),
            (.signature, { $0.signature = [1] }),
            (.backupEligibility, { $0.said.flags |= 1 << 3 }),
            (.signCount, { $0.said.count = 5 }),
        ]
        for (index, first) in breaks.enumerated() {
            for second in breaks[index...] {
                let refusal = try authenticator.assertion {
                    $0.said.count = 6
                    second.1(&$0)
                    first.1(&$0)
                }.refusal(with: record)
                #expect(refusal?.reason == first.0)
                #expect((refusal?.challenge == nil) == (index < 2))
            }
        }
    }
}
