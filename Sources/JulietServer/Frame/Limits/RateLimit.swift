import EventLoop

/// One limit for all loops: buckets behind a few locks, chosen by the name, so that loops seldom wait for each other.
///
/// Everything it knows fits into 512 KB, however many names there are. Each process counts for itself.
final class RateLimit: Sendable {
    private let shards: [Locked<TokenBuckets>]
    private let start = ContinuousClock.now

    private static let shardCount = 16
    private static let namesPerShard = 1024

    /// A limit.
    init(_ allowance: TokenBuckets.Allowance) {
        shards = (0..<Self.shardCount).map { _ in Locked(TokenBuckets(allowance, capacity: Self.namesPerShard)) }
    }

    /// Counts one action.
    ///
    /// - Returns: nil: it may be done. Otherwise how long to wait, whole seconds, at least 1; it is not counted then.
    func take(_ name: some Hashable) -> Int? {
        let name = Self.hash(name)
        // The clock is read under the lock: buckets never see an earlier moment than before.
        return Self.seconds(shard(name).withLock { $0.take(name, now: start.duration(to: .now)) })
    }

    /// How long to wait before an action may be done, as ``take(_:)`` says it; nothing is counted.
    func wait(_ name: some Hashable) -> Int? {
        let name = Self.hash(name)
        return Self.seconds(shard(name).withLock { $0.wait(name, now: start.duration(to: .now)) })
    }

    /// A name for ``TokenBuckets``. The hash has another seed in each process, so nobody can choose names that collide.
    static func hash(_ name: some Hashable) -> UInt64 { UInt64(bitPattern: Int64(name.hashValue)) }

    private func shard(_ name: UInt64) -> Locked<TokenBuckets> { shards[Int(name >> 60)] }

    /// A wait in whole seconds, at least 1; nil: none.
    static func seconds(_ wait: Duration?) -> Int? { wait.map { Int(($0 / .seconds(1)).rounded(.up)) } }
}
