import Crypto
import EventLoop

/// A cache of recently verified chains. The App Store uses one for years, so there are few; a full cache is emptied.
final class ChainCache: Sendable {
    /// Three certificates, by the digest of each.
    struct Key: Hashable {
        private let digests: [SHA256Digest]

        init(_ certificates: [[UInt8]]) { digests = certificates.map { SHA256.hash(data: $0) } }
    }

    /// More than the App Store has had.
    static let capacity = 32

    private let chains = Locked<[Key: VerifiedChain]>([:])

    /// A verified chain.
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
