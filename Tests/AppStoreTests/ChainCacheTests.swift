import AppStoreTesting
import Crypto
import Testing

@testable import AppStore

@Suite("The cache of chains")
struct ChainCacheTests {
    private let chain = VerifiedChain(key: P256.Signing.PrivateKey().publicKey, validity: 1...2)

    private func key(_ number: UInt8) -> ChainCache.Key { ChainCache.Key([[number], [2], [3]]) }

    @Test("finds a chain by all of its certificates")
    func keys() {
        let cache = ChainCache()
        cache[ChainCache.Key([[1], [2], [3]])] = chain
        #expect(cache[ChainCache.Key([[1], [2], [3]])]?.validity == 1...2)
        let others: [[[UInt8]]] = [
            [[1], [2], [4]], [[1], [4], [3]], [[4], [2], [3]], [[1, 2], [], [3]], [[1], [2]], [[2], [1], [3]],
        ]
        for other in others {
            #expect(cache[ChainCache.Key(other)] == nil)
        }
    }

    @Test("never grows beyond its capacity, and keeps the last chain")
    func bound() {
        let cache = ChainCache()
        for number in 0..<200 as Range<UInt8> {
            cache[key(number)] = chain
            #expect(cache.count <= ChainCache.capacity)
            #expect(cache[key(number)] != nil)
        }
    }

    @Test("keeps each valid chain once, and nothing else")
    func onlyGood() async throws {
        let authority = try TestAuthority()
        let verifier = ChainVerifier(roots: try RootCertificates([authority.rootDER]))
        for _ in 0..<3 { _ = try await verifier.verify(authority.certificates) }
        #expect(verifier.cache.count == 1)
        let foreign = try TestAuthority()
        for bad in [foreign.certificates, [foreign.certificates[0]] + authority.certificates[1...]] {
            await #expect(throws: AppStoreRefusal.chain) { try await verifier.verify(bad) }
        }
        #expect(verifier.cache.count == 1)
    }
}
