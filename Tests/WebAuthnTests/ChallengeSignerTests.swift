import Testing
import WebAuthn

@Suite("Challenges")
struct ChallengeSignerTests {
    private let signer: ChallengeSigner
    private let now = Duration.seconds(1_800_000_000)
    private let player = ChallengeSigner.Purpose.registration(of: Array("player".utf8))

    init() throws { signer = try ChallengeSigner(key: Array(repeating: 1, count: 32)) }

    @Test("are 32 bytes, read back until they end")
    func lifetime() {
        let challenge = signer.challenge(for: player, now: now)
        #expect(challenge.bytes.count == 32)
        #expect(challenge.end == now + .seconds(300))
        for later in [0, 1, 299] {
            #expect(signer.challenge(challenge.bytes, for: player, now: now + .seconds(later)) == challenge)
        }
        #expect(signer.challenge(challenge.bytes, for: player, now: now + .milliseconds(299_999)) == challenge)
        #expect(signer.challenge(challenge.bytes, for: player, now: now + .seconds(300)) == nil)
        // Another process's clock may be behind.
        #expect(signer.challenge(challenge.bytes, for: player, now: now - .seconds(5)) == challenge)
    }

    @Test("end in whole seconds, never early")
    func rounding() {
        let challenge = signer.challenge(for: player, now: now + .milliseconds(1), lifetime: .seconds(600))
        #expect(challenge.end == now + .seconds(601))
    }

    @Test("after 2106 are refused, without a trap")
    func overflow() {
        let later = Duration.seconds(1 << 33)
        let challenge = signer.challenge(for: player, now: later)
        #expect(signer.challenge(challenge.bytes, for: player, now: later) == nil)
    }

    @Test("are good for what they were made for, by their key")
    func purposes() throws {
        let challenge = signer.challenge(for: player, now: now).bytes
        let others: [ChallengeSigner.Purpose] = [
            .authentication, .registration(of: Array("playe".utf8)), .registration(of: Array("player2".utf8)),
            .registration(of: []), .init("registratio", subject: Array("nplayer".utf8)),
            .init("registrationp", subject: Array("layer".utf8)), .init("", subject: Array("player".utf8)),
        ]
        for purpose in others { #expect(signer.challenge(challenge, for: purpose, now: now) == nil) }
        let other = try ChallengeSigner(key: Array(repeating: 2, count: 32))
        #expect(other.challenge(challenge, for: player, now: now) == nil)
        let same = try ChallengeSigner(key: Array(repeating: 1, count: 32))
        #expect(same.challenge(challenge, for: player, now: now) != nil)
    }

    @Test("with any bit changed are none")
    func bits() {
        let challenge = signer.challenge(for: .authentication, now: now).bytes
        for bit in 0..<256 {
            var changed = challenge
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(signer.challenge(changed, for: .authentication, now: now) == nil, "\(bit)")
        }
        for bytes in [[], Array(challenge.dropLast()), challenge + [0], Array(repeating: 0, count: 32)] as [[UInt8]] {
            #expect(signer.challenge(bytes, for: .authentication, now: now) == nil)
        }
    }

    @Test("are all different")
    func unique() {
        let all = (0..<1000).map { _ in signer.challenge(for: .authentication, now: now).bytes }
        #expect(Set(all).count == 1000)
        #expect(Set(all.map { $0[4..<16] }).count == 1000)
        #expect(Set(all.map { $0[16...] }).count == 1000)
    }

    @Test("are the same everywhere: the construction never changes")
    func pinned() throws {
        // Python: hmac.digest(b"\x01" * 32, b"challenge 1" + len4(b"registration") + len4(b"player") + end + random,
        // "sha256")[:16]
        let challenge: [UInt8] = [
            0x6B, 0x49, 0xD3, 0x2C, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
        ]
        let code: [UInt8] = [
            0x2D, 0x01, 0xB0, 0x18, 0x78, 0x63, 0x42, 0x76, 0xCD, 0x91, 0x67, 0xB9, 0x4D, 0x43, 0xA8, 0xA7,
        ]
        #expect(signer.challenge(challenge + code, for: player, now: now)?.end == now + .seconds(300))
    }

    @Test("need a key of 32 bytes")
    func keys() {
        for count in [0, 16, 31] {
            #expect(throws: ChallengeSigner.KeyTooShort.self) {
                try ChallengeSigner(key: Array(repeating: 1, count: count))
            }
        }
    }
}
