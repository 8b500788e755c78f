import CredentialTesting
import Testing
import WebAuthn

@Suite("Public keys")
struct KeyTests {
    private func refusal(of key: [UInt8]) -> WebAuthnRefusal.Reason? {
        let authenticator = SoftwareAuthenticator(.es256())
        let rest = authenticator.attested(key: key)
        let reason = authenticator.registration { $0.said.rest = rest }.refusal?.reason
        #expect((CredentialPublicKey(coseKey: key) == nil) == (reason != nil))
        return reason
    }

    @Test("that cannot verify are refused, once their CBOR is CBOR")
    func notKeys() {
        for key in [[0x01], [0xF6], WrittenCBOR.map([]), WrittenCBOR.array([]), WrittenCBOR.text("key"), [0x40]]
            as [[UInt8]]
        {
            #expect(refusal(of: key) == .algorithm)
        }
        for key in [[], [0xA1], [0xBF, 0xFF], [0xA2, 1, 2, 1, 2], [0xC0, 0xA0], [0xA1, 0x18, 1, 1]] as [[UInt8]] {
            #expect(refusal(of: key) == .format)
        }
    }

    @Test("must have every member, as it is, and no other")
    func members() throws {
        for key in try TestKey.all.get() {
            #expect(refusal(of: key.cose) == nil)
            for (label, value) in key.entries {
                #expect(refusal(of: key.with(label, nil)) == .algorithm)
                for other in [[0xF6], [0x18, 99], WrittenCBOR.text("x"), WrittenCBOR.string([]), [0x80], [0xF5]]
                    as [[UInt8]]
                {
                    #expect(refusal(of: key.with(label, other)) == .algorithm, "\(label)")
                }
                guard value.count > 20 else { continue }
                let bytes = Array(value.dropFirst(value[0] & 31 == 24 ? 2 : 3))
                // Shorter, longer, with a zero before it.
                for other in [Array(bytes.dropLast()), bytes + [0], [0] + bytes] where bytes.count < 256 {
                    #expect(refusal(of: key.with(label, WrittenCBOR.string(other))) == .algorithm, "\(label)")
                }
            }
            // key_ops, kid, a private number: optional ones are forbidden.
            let more: [(Int, [UInt8])] = [(2, WrittenCBOR.string([1])), (4, WrittenCBOR.array([[2]]))]
            for entry in more {
                let entries = key.entries + [entry]
                let sorted = entries.sorted { ($0.0 < 0 ? 100 - $0.0 : $0.0) < ($1.0 < 0 ? 100 - $1.0 : $1.0) }
                #expect(refusal(of: TestKey.cose(sorted)) == .algorithm)
            }
            #expect(refusal(of: TestKey.cose(key.entries + [(-4, WrittenCBOR.string([1]))])) == .algorithm)
            // Written in another order.
            #expect(refusal(of: TestKey.cose(key.entries.reversed())) == .format)
        }
    }

    @Test("of an algorithm that was not asked for, or of another key type or curve, are refused")
    func algorithms() throws {
        let keys = try TestKey.all.get()
        for key in keys {
            for algorithm in [-7, -8, -257, -35, -36, -37, -39, -47, -65535, 0, 7, 5] {
                let right = WrittenCBOR.integer(algorithm) == key.entries[1].1
                #expect((refusal(of: key.with(3, WrittenCBOR.integer(algorithm))) == nil) == right)
            }
            for type in 0...5 {
                let right = WrittenCBOR.integer(type) == key.entries[0].1
                #expect((refusal(of: key.with(1, WrittenCBOR.integer(type))) == nil) == right)
            }
        }
        for key in keys.prefix(2) {
            for curve in 0...8 {
                let right = WrittenCBOR.integer(curve) == key.entries[2].1
                #expect((refusal(of: key.with(-1, WrittenCBOR.integer(curve))) == nil) == right)
            }
        }
    }

    @Test("on P-256 must be a point of it, not compressed")
    func points() {
        let key = TestKey.es256()
        let zeros = WrittenCBOR.string(Array(repeating: 0, count: 32))
        let ones = WrittenCBOR.string(Array(repeating: 0xFF, count: 32))
        for other in [zeros, ones, [0xF4], [0xF5], key.entries[3].1] {
            #expect(refusal(of: key.with(-3, other)) == .algorithm)
        }
        #expect(refusal(of: key.with(-2, zeros)) == .algorithm)
        #expect(refusal(of: key.with(-2, ones)) == .algorithm)
    }

    @Test(
        "of RSA have 2,048 to 4,096 bits",
        arguments: [(1024, false), (2040, false), (2056, true), (4096, true), (4104, false)])
    func sizes(bits: Int, isTaken: Bool) throws {
        let bytes = bits / 8
        // Nothing here asks whether it is the product of two primes: odd and of that size.
        let modulus = [0x80] + Array(repeating: 0x5A as UInt8, count: bytes - 2) + [0x5B]
        let key = TestKey.cose([
            (1, [3]), (3, WrittenCBOR.integer(-257)), (-1, WrittenCBOR.string(modulus)),
            (-2, WrittenCBOR.string([1, 0, 1])),
        ])
        #expect((refusal(of: key) == nil) == isTaken)
    }

    @Test("of RSA have an exponent that is one")
    func exponents() throws {
        let key = try TestKey.all.get()[2]
        for exponent in [[], [0], [1], [2], [0, 1, 0, 1], [1, 0, 0], Array(repeating: 0xFF, count: 9)] as [[UInt8]] {
            #expect(refusal(of: key.with(-2, WrittenCBOR.string(exponent))) == .algorithm, "\(exponent)")
        }
        #expect(refusal(of: key.with(-2, WrittenCBOR.string([3]))) == nil)
    }

    @Test("of EdDSA are points of the curve that only their owner signs for")
    func edwards() throws {
        let key = TestKey.edDSA()
        func reason(_ y: [UInt8]) -> WebAuthnRefusal.Reason? { refusal(of: key.with(-2, WrittenCBOR.string(y))) }
        // Reckoned with Python's integers: y from 2, and from p - 6 up, of which some belong to no point.
        let points: Set<Int> = [
            3, 4, 5, 6, 9, 10, 14, 15, 16, 18, 19, 21, 23, 24, 25, 26, 27, 28, 29, 30, 32, 33, 35, 37, 39,
        ]
        for y in 2..<40 {
            for sign in [0, 0x80] as [UInt8] {
                let bytes = [UInt8(y)] + Array(repeating: 0, count: 30) + [sign]
                #expect((reason(bytes) == nil) == points.contains(y), "\(y)")
            }
        }
        let high = Array(repeating: 0xFF as UInt8, count: 30) + [0x7F]
        for (low, isPoint) in [(0xE7, true), (0xE8, true), (0xE9, true), (0xEA, true), (0xEB, false)] as [(UInt8, Bool)]
        {
            #expect((reason([low] + high) == nil) == isPoint, "\(low)")
        }
        // Of small order: -1, and with p or more, 0, 1, 2 written in a second way; then those of order 8.
        for low in 0xEC...0xFF as ClosedRange<UInt8> {
            #expect(reason([low] + high) == .algorithm)
            #expect(reason([low] + high.dropLast() + [0xFF]) == .algorithm)
        }
        let orderEight: [[UInt8]] = [
            [
                0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0, 0xD5,
                0xDF,
                0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
            ],
            [
                0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F, 0x2A,
                0x20,
                0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
            ],
        ]
        for bytes in orderEight + [[0], [1]].map({ $0 + Array(repeating: 0, count: 31) }) {
            #expect(reason(bytes) == .algorithm)
            #expect(reason(bytes.dropLast() + [bytes[31] | 0x80]) == .algorithm)
        }
        for _ in 0..<20 { #expect(refusal(of: TestKey.edDSA().cose) == nil) }
    }
}
