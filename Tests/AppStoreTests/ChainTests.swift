import AppStore
import AppStoreTesting
import Foundation
import Testing

@Suite("Chains of certificates")
struct ChainTests {
    private let shop: Shop

    init() throws { shop = try Shop.shared.get() }

    /// Why a chain is refused whose leaf has signed.
    private func refusal(_ certificates: [[UInt8]], signedBy authority: TestAuthority? = nil) async throws
        -> AppStoreRefusal?
    {
        let authority = authority ?? shop.authority
        let jws = try authority.sign(TestTransaction().payload, header: authority.header(certificates))
        return await shop.refusal(of: jws)
    }

    /// Why an App Store is refused that has everything but one thing.
    private func refusal(signed: Date = .now, _ change: (inout TestAuthority.Shape) -> Void) async throws
        -> AppStoreRefusal?
    {
        var shape = TestAuthority.Shape()
        change(&shape)
        return try await Shop(TestAuthority(shape)).refusal(of: TestTransaction(signed: signed))
    }

    @Test("are leaf, intermediate and root, in this order, and nothing else")
    func shape() async throws {
        let chain = shop.authority.certificates
        let (leaf, intermediate, root) = (chain[0], chain[1], chain[2])
        #expect(try await refusal(chain) == nil)
        for wrong in [
            [], [leaf], [leaf, intermediate], [leaf, root], [leaf, intermediate, root, root],
            [leaf, intermediate, intermediate, root], [root, intermediate, leaf], [intermediate, leaf, root],
            [leaf, root, root], [leaf, intermediate, intermediate], [leaf, leaf, root], [root, root, root],
        ] {
            let refusal = try await refusal(wrong)
            #expect(refusal == .chain, "\(wrong.count)")
        }
        guard case .object(var header) = shop.authority.header else { return }
        header["x5c"] = nil
        let jws = try shop.authority.sign(TestTransaction().payload, header: .object(header))
        #expect(await shop.refusal(of: jws) == .chain)
    }

    @Test("end at the pinned root, byte for byte, whatever another one is called")
    func root() async throws {
        let chain = shop.authority.certificates
        let foreign = try TestAuthority()
        // All of it is another's, with the same names; or its leaf and intermediate under our root.
        #expect(try await refusal(foreign.certificates, signedBy: foreign) == .chain)
        #expect(
            try await refusal([foreign.certificates[0], foreign.certificates[1], chain[2]], signedBy: foreign) == .chain
        )
        #expect(try await refusal([foreign.certificates[0], chain[1], chain[2]], signedBy: foreign) == .chain)
        // The same key and name in another certificate is another root; under the pinned one that chain is right.
        let reissued = try shop.authority.reissued(TestAuthority.Shape())
        #expect(try await refusal(reissued.certificates, signedBy: reissued) == .chain)
        #expect(
            try await refusal([reissued.certificates[0], reissued.certificates[1], chain[2]], signedBy: reissued) == nil
        )
        #expect(try await refusal([chain[0], chain[1], chain[2] + [0]]) == .chain)
    }

    @Test("hold certificates: no bit of them may be changed")
    func bits() async throws {
        let chain = shop.authority.certificates
        var random = SystemRandomNumberGenerator()
        for place in 0..<3 {
            for _ in 0..<40 {
                var changed = chain
                changed[place][Int.random(in: 0..<changed[place].count, using: &random)] ^= 1 << UInt8.random(in: 0...7)
                let refusal = try await refusal(changed)
                #expect(refusal == .chain, "\(Data(changed[place]).base64EncodedString())")
            }
        }
        for rubbish in [[], [0], [0x30], [0x30, 0], Array(repeating: 0x30, count: 5000)] as [[UInt8]] {
            #expect(try await refusal([rubbish, chain[1], chain[2]]) == .chain)
            #expect(try await refusal([chain[0], rubbish, chain[2]]) == .chain)
        }
        #expect(try await refusal([chain[0] + [0], chain[1], chain[2]]) == .chain)
    }

    @Test("have Apple's markers, on the leaf and on the intermediate")
    func markers() async throws {
        #expect(try await refusal { $0.hasLeafMarker = false } == .chain)
        #expect(try await refusal { $0.hasIntermediateMarker = false } == .chain)
    }

    @Test("are refused when an intermediate is no authority, or a certificate in them must not sign")
    func authority() async throws {
        #expect(try await refusal { $0.intermediateIsAuthority = false } == .chain)
        #expect(try await refusal { $0.intermediateMaySign = false } == .chain)
        #expect(try await refusal { $0.leafMaySign = false } == .chain)
        #expect(try await refusal { $0.hasUnknownCriticalExtension = true } == .chain)
    }

    @Test("are refused when a leaf's key signed one of their certificates")
    func soldLeaf() async throws {
        // Whoever has a leaf's key can sign certificates with it, markers and all.
        let (sold, chain) = (try shop.authority.issuedByLeaf(), shop.authority.certificates)
        #expect(try await refusal([sold, chain[0], chain[2]]) == .chain)
        #expect(try await refusal([sold] + chain) == .chain)
    }

    @Test("were valid when the leaf signed, whatever is today")
    func validity() async throws {
        let (before, start, middle, end, after) = (
            TestAuthority.time(years: -3.5), TestAuthority.time(years: -3), TestAuthority.time(years: -2),
            TestAuthority.time(years: -1), TestAuthority.time(years: -0.5)
        )
        for change in [
            { $0.leafValidity = start...end }, { $0.intermediateValidity = start...end },
        ] as [(inout TestAuthority.Shape) -> Void] {
            var shape = TestAuthority.Shape()
            shape.leafValidity = TestAuthority.time(years: -4)...TestAuthority.time(years: 4)
            change(&shape)
            let shop = try Shop(TestAuthority(shape))
            // Of one chain, so all but the first answer come from what is remembered.
            for (date, expected) in [
                (middle, nil), (before, .chain), (start.addingTimeInterval(-0.001), .chain), (start, nil), (end, nil),
                (end.addingTimeInterval(0.999), nil), (end.addingTimeInterval(1), .chain), (after, .chain),
                (.now, .chain), (middle, nil),
            ] as [(Date, AppStoreRefusal?)] {
                let refusal = try await shop.refusal(of: TestTransaction(signed: date))
                #expect(refusal == expected, "\(date)")
            }
        }
    }

    @Test("whose certificates were never all valid at once are refused")
    func neverValid() async throws {
        let refusal = try await refusal(signed: TestAuthority.time(years: -2.5)) {
            $0.leafValidity = TestAuthority.time(years: -2)...TestAuthority.time(years: -1)
            $0.intermediateValidity = TestAuthority.time(years: -4)...TestAuthority.time(years: -3)
        }
        #expect(refusal == .chain)
    }

    @Test("are checked by many tasks at once")
    func concurrency() async throws {
        let shop = try Shop(shop.authority)
        let good = try shop.authority.sign(TestTransaction().payload)
        let bad = try TestAuthority().sign(TestTransaction().payload)
        let refusals = await withTaskGroup(of: (Bool, AppStoreRefusal?).self) { group in
            for index in 0..<100 {
                group.addTask {
                    (index.isMultiple(of: 2), await shop.refusal(of: index.isMultiple(of: 2) ? good : bad))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.count == 100)
        #expect(refusals.allSatisfy { $0.1 == ($0.0 ? nil : .chain) })
    }
}
