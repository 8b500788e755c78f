import Crypto
import EventLoop

/// The good chains of late. The App Store signs with one for years, so there are few; a full cache forgets all of them.
final class ChainCache: Sendable {
    /// Three certificates, by the digest of each.
    struct Key: Hashable {
        private let digests: [SHA256Digest]

        init(_ certificates: [[UInt8]]) { digests = certificates.map { SHA256.hash(data: $0) } }
    }

    /// More than the App Store has had.
    static let capacity = 32

    private let chains = Locked<[Key: VerifiedChain]>([:])

    /// A chain that was found good.
    subscript(key: Key) -> VerifiedChain? {
        get { chains.withLock { $0[key] } }
        set {
            chains.withLock { chains in
                if chains.count >= Self.capacity { chains.removeAll() }
                chains[key] = newValue
            }
        }
    }

    /// How many there are.
    var count: Int { chains.withLock { $0.count } }
}
