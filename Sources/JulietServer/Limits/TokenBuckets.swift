/// Limits how much each name may do: a bucket of tokens for each, which holds a number of them and fills up evenly.
///
/// A bucket is stored as one number, the time when it will be full again, and a full one need not be stored at all ("virtual
/// scheduling", ITU-T I.371, "generic cell rate algorithm"). So the table has a fixed size: if there is no room for a
/// new name, the bucket that is nearest to full is dropped, which loses the least.
///
/// A value without a clock: moments are durations since any one moment.
struct TokenBuckets {
    /// How much is allowed.
    struct Allowance: Equatable {
        /// How often at once, and in each period; 1 or more.
        var count: Int
        /// In what time an empty bucket fills up.
        var period: Duration
    }

    private struct Bucket {
        var name: UInt64 = 0
        var isFullAt = Duration.zero
    }

    /// Buckets that a name may be kept in.
    private static let ways = 8

    private let period: Duration
    /// How long it takes until a token is added.
    private let interval: Duration
    /// How many names can be stored.
    let capacity: Int
    /// Empty until somebody takes a token.
    private var buckets: [Bucket] = []

    /// Full buckets for everybody.
    ///
    /// - Parameter capacity: Names that can be stored, 24 bytes each; a multiple of 8.
    init(_ allowance: Allowance, capacity: Int) {
        precondition(capacity > 0 && capacity.isMultiple(of: Self.ways) && allowance.count > 0)
        period = allowance.period
        interval = allowance.period / allowance.count
        self.capacity = capacity
    }

    /// Takes a token from a bucket.
    ///
    /// - Parameters:
    ///   - name: Whose bucket; a good hash, because its bits choose the place.
    ///   - now: Never earlier than in the calls before.
    /// - Returns: nil if there was one; otherwise how long until there is one, and nothing is taken.
    mutating func take(_ name: UInt64, now: Duration) -> Duration? {
        if buckets.isEmpty { buckets = Array(repeating: Bucket(), count: capacity) }
        let first = Int(name % UInt64(capacity / Self.ways)) * Self.ways
        var place = first
        for candidate in first..<first + Self.ways {
            if buckets[candidate].name == name {
                place = candidate
                break
            }
            if buckets[candidate].isFullAt < buckets[place].isFullAt { place = candidate }
        }
        let isFullAt = (buckets[place].name == name ? max(buckets[place].isFullAt, now) : now) + interval
        let wait = isFullAt - now - period
        guard wait <= .zero else { return wait }
        buckets[place] = Bucket(name: name, isFullAt: isFullAt)
        return nil
    }
}
