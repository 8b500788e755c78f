import CredentialTesting
import StrictEncoding
import Testing
import WebAuthn

@Suite("Registrations")
struct RegistrationTests {
    private let authenticator = SoftwareAuthenticator(.es256())

    @Test("are taken in all three algorithms, and say what the authenticator said")
    func good() throws {
        for (key, algorithm) in zip(try TestKey.all.get(), CredentialPublicKey.Algorithm.allCases) {
            let authenticator = SoftwareAuthenticator(key)
            let found = try authenticator.registration { $0.said.count = 0x0102_0304 }.verify()
            #expect(found.credentialID == authenticator.credentialID)
            #expect(found.publicKey.algorithm == algorithm)
            #expect(found.publicKey.coseKey == key.cose)
            #expect(found.signCount == 0x0102_0304)
            #expect(found.aaguid == authenticator.aaguid)
            #expect(found.challenge == SoftwareAuthenticator.challenge)
            #expect(found.isUserVerified && !found.isBackupEligible && !found.isBackedUp)
            #expect(CredentialPublicKey(coseKey: key.cose) == found.publicKey)
        }
    }

    @Test("tell UV, BE and BS as they are")
    func flags() throws {
        for (flags, expected) in [
            (0b1, (false, false, false)), (0b1001, (false, true, false)), (0b1_1101, (true, true, true)),
        ]
            as [(UInt8, (Bool, Bool, Bool))]
        {
            let found = try authenticator.registration { $0.said.flags = flags | 1 << 6 }.verify()
            #expect((found.isUserVerified, found.isBackupEligible, found.isBackedUp) == expected)
        }
        // Reserved bits mean nothing yet.
        #expect(authenticator.registration { $0.said.flags |= 0b10_0010 }.refusal == nil)
    }

    @Test("may have a statement of any format, which is not looked at")
    func statements() {
        let forged = WrittenCBOR.map([
            (WrittenCBOR.text("alg"), WrittenCBOR.integer(-7)),
            (WrittenCBOR.text("sig"), WrittenCBOR.string([1, 2, 3])),
        ])
        let registration = authenticator.registration {
            $0.format = WrittenCBOR.text("packed")
            $0.statement = forged
        }
        #expect(registration.refusal == nil)
        // A compound one is an array.
        #expect(authenticator.registration { $0.statement = WrittenCBOR.array([forged, forged]) }.refusal == nil)
    }

    @Test(
        "may have a statement that is not in the canonical form",
        arguments: [
            // Lengths without a number, in chunks and not.
            "bf ff", "bf 63 616c67 26 ff", "9f 01 9f ff ff", "a1 63 736967 5f 42 0102 40 41 03 ff",
            "a1 7f 61 61 62 6263 ff 01", "a1 61 61 5f ff",
            // Numbers and lengths longer than they must be.
            "b8 01 63 616c67 38 06", "a1 78 03 616c67 1b 0000000000000001", "a1 61 61 98 01 59 0001 00",
            // Floats, tags, and simple values: unassigned, in a byte of their own, null and undefined.
            "a1 61 61 f9 7e00", "a1 61 61 fa 7f800000", "a1 61 61 fb 3ff199999999999a", "a1 61 61 c0 61 61",
            "d9 d9f7 a0", "a1 c1 00 c2 41 01", "a3 e0 f8 ff f8 20 f6 f3 f7",
            // Keys in any order, of any type.
            "a2 61 62 01 61 61 02", "a3 63 616c67 00 61 61 00 20 00", "a2 a1 02 01 00 a1 01 02 00",
        ])
    func laxStatements(hexadecimal: String) {
        let registration = authenticator.registration {
            $0.format = WrittenCBOR.text("packed")
            $0.statement = Self.bytes(hexadecimal)
        }
        #expect(registration.refusal == nil)
    }

    @Test(
        "are refused when the statement is not CBOR, or has a key twice",
        arguments: [
            // Not well-formed: ends that are missing or out of place, chunks of another type, reserved values.
            "", "ff", "bf", "bf 01", "bf 01 ff", "5f 41", "5f 41 01", "5f 61 61 ff", "7f 41 61 ff", "5f 5f 41 01 ff ff",
            "9f",
            "1f", "df a0", "c0", "f8 18", "f8 1f", "f8", "1c", "5d", "fc", "a1 61 ff 00",
            // Twice, in the same spelling or in another.
            "a2 01 00 01 00", "a2 01 00 18 01 00", "a2 61 61 00 7f 61 61 ff 00", "bf 41 01 00 5f 41 01 ff 00 ff",
            "a2 f5 00 f5 00", "a1 00 a2 20 00 38 00 00",
            // Nine levels, with the attestation object.
            "81 81 81 81 81 81 81 80", "c1 c1 c1 c1 c1 c1 c1 c1 00", "9f 9f 9f 9f 9f 9f 9f 9f ff ff ff ff ff ff ff ff",
            // More than there is.
            "5b ffffffffffffffff", "9b 7fffffffffffffff", "bb ffffffffffffffff 00",
        ])
    func statements(hexadecimal: String) {
        let refusal = authenticator.registration { $0.statement = Self.bytes(hexadecimal) }.refusal
        #expect(refusal?.reason == .format)
        #expect(refusal?.challenge == SoftwareAuthenticator.challenge)
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test("may have an attestation object in any order and form")
    func lax() {
        let good = authenticator.registration()
        let format = (WrittenCBOR.text("fmt"), good.format)
        let statement = (WrittenCBOR.text("attStmt"), good.statement)
        let data = (WrittenCBOR.text("authData"), WrittenCBOR.string(good.said.bytes))
        let other = (WrittenCBOR.text("ep"), [0xF5] as [UInt8])
        let objects: [[UInt8]] = [
            WrittenCBOR.map([data, statement, format]), WrittenCBOR.map([statement, format, data]),
            WrittenCBOR.map([format, data, statement]), WrittenCBOR.map([other, data, format, statement]),
            [0xBF] + good.attestation.dropFirst() + [0xFF], [0xB8, 3] + good.attestation.dropFirst(),
            WrittenCBOR.map([format, statement, (data.0, [0x5F] + data.1 + [0xFF])]),
        ]
        for object in objects {
            #expect(authenticator.registration { $0.object = object }.refusal == nil, "\(object.prefix(80))")
        }
    }

    @Test("may have extensions in any order and form, but not a key")
    func laxExtensions() {
        func registration(_ key: [UInt8], _ extensions: String) -> SoftwareAuthenticator.Registration {
            authenticator.registration {
                $0.said.flags |= 1 << 7
                $0.said.rest = authenticator.attested(key: key) + Self.bytes(extensions)
            }
        }
        for extensions in ["bf ff", "b8 00", "a2 61 62 01 61 61 f9 0000", "a1 61 61 c0 00"] {
            #expect(registration(authenticator.key.cose, extensions).refusal == nil, "\(extensions)")
        }
        #expect(registration(authenticator.key.cose, "a2 61 61 01 61 61 02").refusal?.reason == .format)
        let entries = authenticator.key.entries
        let keys: [[UInt8]] = [
            TestKey.cose(entries.reversed()), [0xBF] + authenticator.key.cose.dropFirst() + [0xFF],
            [0xB8, 5] + authenticator.key.cose.dropFirst(), [0xC0] + authenticator.key.cose,
        ]
        for key in keys { #expect(registration(key, "a0").refusal?.reason == .format, "\(key)") }
    }

    @Test("may have extensions, and client data nobody knows yet")
    func extensions() {
        let registration = authenticator.registration {
            $0.said.flags |= 1 << 7
            $0.said.rest += WrittenCBOR.map([(WrittenCBOR.text("credProtect"), [2])])
            $0.client.more = #","crossOrigin":false,"tokenBinding":{"status":"x"},"later":[null,1e9,{"a":"\u00e9"}]"#
        }
        #expect(registration.refusal == nil)
        #expect(authenticator.registration { $0.client.more = "" }.refusal == nil)
        #expect(
            authenticator.registration { $0.client.origin = SoftwareAuthenticator.party.origins.sorted()[0] }.refusal
                == nil)
    }

    // MARK: Client data

    @Test(
        "whose client data are not what the standard says are refused",
        arguments: [
            "", "null", "[]", "\"x\"", "{", "{}", "x",
            #"{"challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","challenge":"$"}"#,
            #"{"type":"webauthn.get","challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":"Webauthn.create","challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create ","challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":null,"challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":["webauthn.create"],"challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","challenge":null,"origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","challenge":["$"],"origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":null}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":["https://juliet.example"]}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","crossOrigin":"false"}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","crossOrigin":null}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","crossOrigin":0}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","topOrigin":false}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","topOrigin":null}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"","origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","type":"webauthn.create","challenge":"$","origin":"https://juliet.example"}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example"}x"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example",}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","x":"\u0000"}"#,
            #"{"type":"webauthn.create","challenge":"$","origin":"https://juliet.example","x":"\ud800"}"#,
            "\u{FEFF}{\"type\":\"webauthn.create\",\"challenge\":\"$\",\"origin\":\"https://juliet.example\"}",
        ])
    func clientData(text: String) {
        let challenge = Base64URL.encode(SoftwareAuthenticator.challenge)
        let text = text.split(separator: "$", omittingEmptySubsequences: false).joined(separator: challenge)
        let refusal = authenticator.registration { $0.client.text = text }.refusal
        #expect(refusal?.reason == .format)
        #expect(refusal?.challenge == nil)
    }

    @Test("whose client data are no base64url, or no UTF-8, are refused")
    func clientDataText() {
        let good = Base64URL.encode(authenticator.registration().client.json)
        for text in ["", "=", good + "=", good + "A", " " + good, "é", "AA"] {
            let refusal = authenticator.registration { $0.clientDataText = text }.refusal
            #expect(refusal?.reason == .format)
            #expect(refusal?.challenge == nil)
        }
        let json = authenticator.registration().client.json
        let spoiled = json.dropLast(2) + [0xFF] + json.suffix(2)
        #expect(authenticator.registration { $0.clientDataText = Base64URL.encode(spoiled) }.refusal?.reason == .format)
    }

    @Test("of another challenge are refused, and use no challenge up")
    func challenge() {
        let other = Array(repeating: 7 as UInt8, count: 32)
        for challenge in [
            other, [], Array(SoftwareAuthenticator.challenge.dropLast()), SoftwareAuthenticator.challenge + [0],
        ] {
            let refusal = authenticator.registration { $0.client.challenge = challenge }.refusal
            #expect(refusal?.reason == .challenge)
            #expect(refusal?.challenge == nil)
        }
        let text = Base64URL.encode(SoftwareAuthenticator.challenge)
        for text in [text + "=", text + "\\n", text.dropLast() + "9", "", "\\u0041"] {
            let refusal = authenticator.registration {
                $0.client.text = #"{"type":"webauthn.create","challenge":"\#(text)","origin":"https://juliet.example"}"#
            }.refusal
            #expect(refusal?.reason == .challenge, "\(text)")
        }
    }

    @Test(
        "of another origin are refused, and use the challenge up",
        arguments: [
            "https://juliet.example.evil", "https://evil.example", "https://juliet.example/", "http://juliet.example",
            "https://juliet.example:443", "https://Juliet.example", "https://www.juliet.example", "juliet.example", "",
            "null",
            "https://juliet.exampl\u{212F}", "android:apk-key-hash:R7m0nBzCMOTTKxnnbvZnWzHd2rq84yrBbAnKMYTBnLm",
        ])
    func origin(origin: String) {
        let refusal = authenticator.registration { $0.client.origin = origin }.refusal
        #expect(refusal?.reason == .origin)
        #expect(refusal?.challenge == SoftwareAuthenticator.challenge)
    }

    @Test(
        "in a frame are refused",
        arguments: [
            #","crossOrigin":true"#, #","crossOrigin":true,"topOrigin":"https://juliet.example""#,
            #","crossOrigin":false,"topOrigin":"https://juliet.example""#, #","topOrigin":"https://juliet.example""#,
        ])
    func frames(more: String) {
        #expect(authenticator.registration { $0.client.more = more }.refusal?.reason == .origin)
    }

    @Test("are refused by a relying party without origins")
    func noOrigins() {
        let party = RelyingParty(id: "juliet.example", name: "Juliet", origins: [])
        #expect(throws: WebAuthnRefusal.self) {
            try party.registration(authenticator.registration().response) { _ in true }
        }
    }

    // MARK: Authenticator data

    @Test("of another relying party are refused")
    func relyingParty() {
        for party in ["evil.example", "example", "https://juliet.example", "Juliet.example", ""] {
            let refusal = authenticator.registration { $0.said.relyingParty = party }.refusal
            #expect(refusal?.reason == .relyingParty)
            #expect(refusal?.challenge == SoftwareAuthenticator.challenge)
        }
    }

    @Test("without anybody there are refused")
    func userPresence() {
        #expect(authenticator.registration { $0.said.flags &= ~1 }.refusal?.reason == .userPresence)
    }

    @Test("that are backed up and may not be are refused")
    func backupState() {
        #expect(authenticator.registration { $0.said.flags |= 1 << 4 }.refusal?.reason == .format)
    }

    @Test("whose authenticator data are not as long as they say are refused")
    func lengths() {
        let good = authenticator.registration().said.bytes
        for count in 0..<good.count {
            let refusal = authenticator.registration {
                $0.object = WrittenCBOR.map([
                    (WrittenCBOR.text("fmt"), WrittenCBOR.text("none")),
                    (WrittenCBOR.text("attStmt"), WrittenCBOR.map([])),
                    (WrittenCBOR.text("authData"), WrittenCBOR.string(Array(good.prefix(count)))),
                ])
            }.refusal
            #expect(refusal?.reason == .format, "\(count) bytes")
        }
        for tail in [[0], WrittenCBOR.map([]), [0xFF]] as [[UInt8]] {
            #expect(authenticator.registration { $0.said.rest += tail }.refusal?.reason == .format)
        }
        for length in [0, 1, authenticator.credentialID.count - 1, authenticator.credentialID.count + 1, 1024, 65_535] {
            let rest = authenticator.attested(length: length)
            #expect(authenticator.registration { $0.said.rest = rest }.refusal?.reason == .format, "\(length)")
        }
    }

    @Test("name their credential by 1 to 1,023 bytes")
    func credentialID() {
        for (count, reason) in [(0, .format), (1, nil), (1023, nil), (1024, .format)]
            as [(Int, WebAuthnRefusal.Reason?)]
        {
            let authenticator = SoftwareAuthenticator(.es256(), credentialID: Array(repeating: 5, count: count))
            #expect(authenticator.registration().refusal?.reason == reason, "\(count) bytes")
        }
    }

    @Test("without a credential, or with the flags of others, are refused")
    func missingData() {
        #expect(authenticator.registration { $0.said.flags &= ~(1 << 6) }.refusal?.reason == .format)
        #expect(
            authenticator.registration {
                $0.said.flags &= ~(1 << 6)
                $0.said.rest = []
            }.refusal?.reason == .format)
        // Extensions that the flag does not tell of, that are missing, no map, or two.
        let extensions = WrittenCBOR.map([(WrittenCBOR.text("a"), [1])])
        #expect(authenticator.registration { $0.said.rest += extensions }.refusal?.reason == .format)
        let others: [[UInt8]] = [
            [], [1], extensions + extensions, extensions.dropLast(), WrittenCBOR.array([[1]]), [0xBF],
        ]
        for bytes in others {
            let refusal = authenticator.registration {
                $0.said.flags |= 1 << 7
                $0.said.rest += bytes
            }.refusal
            #expect(refusal?.reason == .format)
        }
    }

    @Test("are refused when the attestation object is not CBOR, or not one")
    func attestationObject() {
        let good = authenticator.registration()
        let (format, statement) = (
            (WrittenCBOR.text("fmt"), good.format), (WrittenCBOR.text("attStmt"), good.statement)
        )
        let data = (WrittenCBOR.text("authData"), WrittenCBOR.string(good.said.bytes))
        var objects: [[UInt8]] = [
            [], [0xA0], WrittenCBOR.array([]), [0xF6], WrittenCBOR.string(good.attestation), good.attestation + [0],
            good.attestation.dropLast(), [0xBF] + good.attestation.dropFirst(), [0xC0] + good.attestation,
            // A member that is missing, twice, or of another type.
            WrittenCBOR.map([statement, data]), WrittenCBOR.map([format, data]), WrittenCBOR.map([format, statement]),
            WrittenCBOR.map([format, format, statement, data]), WrittenCBOR.map([format, statement, data, data]),
            WrittenCBOR.map([(format.0, WrittenCBOR.string([1])), statement, data]),
            WrittenCBOR.map([format, statement, (data.0, WrittenCBOR.text("x"))]),
            WrittenCBOR.map([format, statement, (data.0, WrittenCBOR.array([data.1]))]),
            WrittenCBOR.map([format, (statement.0, [0xA2, 1, 1, 1, 1]), data]),
        ]
        objects.append(good.attestation + Array(repeating: 0, count: 70_000))
        for object in objects {
            let refusal = authenticator.registration { $0.object = object }.refusal
            #expect(refusal?.reason == .format, "\(object.prefix(80))")
            #expect(refusal?.challenge == SoftwareAuthenticator.challenge)
        }
        for text in [Base64URL.encode(good.attestation) + "=", "é", "A"] {
            #expect(authenticator.registration { $0.objectText = text }.refusal?.reason == .format)
        }
    }

    @Test("are refused when their names are not the credential's")
    func names() {
        let name = Base64URL.encode(authenticator.credentialID)
        for (id, rawId, type) in [
            ("x", name, "public-key"), (name, "x", "public-key"), (name, name, "password"),
            ("AAAA", "AAAA", "public-key"),
            (name + "=", name + "=", "public-key"), ("", "", "public-key"), (name, name, ""),
            (name, name, "PUBLIC-KEY"),
        ] {
            let refusal = authenticator.registration {
                $0.id = id
                $0.rawId = rawId
                $0.type = type
            }.refusal
            #expect(refusal?.reason == .format)
        }
    }

    // MARK: Order

    @Test("are refused for the first rule that they break")
    func order() {
        typealias Change = (inout SoftwareAuthenticator.Registration) -> Void
        let breaks: [(WebAuthnRefusal.Reason, Change)] = [
            (.format, { $0.client.type = "webauthn.get" }),
            (.challenge, { $0.client.challenge = [1] }),
            (.origin, { $0.client.origin = "https://evil.example" }),
            (.relyingParty, { $0.said.relyingParty = "evil.example" }),
            (.userPresence, { $0.said.flags &= ~1 }),
            (.format, { $0.said.flags |= 1 << 4 }),
            (.algorithm, { $0.said.rest = Self.withoutAlgorithm }),
        ]
        for (index, first) in breaks.enumerated() {
            for second in breaks[index...] {
                let refusal = authenticator.registration {
                    second.1(&$0)
                    first.1(&$0)
                }.refusal
                #expect(refusal?.reason == first.0)
                #expect((refusal?.challenge == nil) == (index < 2))
            }
        }
    }

    private static let withoutAlgorithm: [UInt8] = {
        let authenticator = SoftwareAuthenticator(.es256())
        return authenticator.attested(key: authenticator.key.with(3, nil))
    }()
}
