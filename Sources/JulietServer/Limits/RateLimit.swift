import EventLoop

/// One limit for all loops: buckets behind locks, one of a few by the name, so that loops seldom meet at one.
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

    /// Counts something that somebody wants to do.
    ///
    /// - Returns: nil: it may be done. Otherwise how long to wait, whole seconds.
    func secondsToWait(_ name: some Hashable) -> Int? {
        // Seeded anew in each process: nobody can choose names that meet in one place.
        let name = UInt64(bitPattern: Int64(name.hashValue))
        let now = start.duration(to: .now)
        let wait = shards[Int(name >> 60)].withLock { $0.take(name, now: now) }
        return wait.map { Int(($0 / .seconds(1)).rounded(.up)) }
    }
}
