import EventLoop

/// One limit for all loops: buckets behind a few locks, chosen by the name, so that loops seldom wait for each other.
///
/// Everything it knows fits into 400 KB, however many names there are.
final class RateLimit: Sendable {
    private let shards: [Locked<TokenBuckets>]
    private let start = ContinuousClock.now

    private static let shardCount = 16
    private static let namesPerShard = 1024

    /// A limit; nil where nothing is limited.
    init?(_ allowance: TokenBuckets.Allowance) {
        guard allowance.count > 0 else { return nil }
        shards = (0..<Self.shardCount).map { _ in Locked(TokenBuckets(allowance, capacity: Self.namesPerShard)) }
    }

    /// Counts one action.
    ///
    /// - Returns: nil: it may be done. Otherwise how long to wait, whole seconds.
    func secondsToWait(_ name: some Hashable) -> Int? {
        // The hash has another seed in each process, so nobody can choose names that collide.
        let name = UInt64(bitPattern: Int64(name.hashValue))
        let now = start.duration(to: .now)
        let wait = shards[Int(name >> 60)].withLock { $0.take(name, now: now) }
        return wait.map { Int(($0 / .seconds(1)).rounded(.up)) }
    }
}
