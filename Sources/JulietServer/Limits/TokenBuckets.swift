/// Who may do how much: a bucket of tokens for each name, which holds a number of them and fills up evenly.
///
/// A bucket is known by one figure, when it will be full again, and a full one need not be known at all ("virtual
/// scheduling", ITU-T I.371, "generic cell rate algorithm"). So the table has a fixed size: where a new name finds no
/// room, the one goes that is the nearest to full, which loses the least; who has spent the most stays the longest.
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
    /// In what time a token grows again.
    private let interval: Duration
    private var buckets: [Bucket]

    /// Full buckets for everybody.
    ///
    /// - Parameter capacity: Names that are known at a time, 24 bytes each; a multiple of 8.
    init(_ allowance: Allowance, capacity: Int) {
        precondition(capacity > 0 && capacity.isMultiple(of: Self.ways) && allowance.count > 0)
        period = allowance.period
        interval = allowance.period / allowance.count
        buckets = Array(repeating: Bucket(), count: capacity)
    }

    /// How many names are known at most.
    var capacity: Int { buckets.count }

    /// Takes a token from a bucket.
    ///
    /// - Parameters:
    ///   - name: Whose; well mixed, for its bits choose the place.
    ///   - now: Never earlier than in the calls before.
    /// - Returns: nil if there was one; else how long it takes to grow, and nothing is taken.
    mutating func take(_ name: UInt64, now: Duration) -> Duration? {
        let first = Int(name % UInt64(buckets.count / Self.ways)) * Self.ways
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
