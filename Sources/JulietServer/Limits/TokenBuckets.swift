/// Limits how much each name may do: a bucket of tokens for each, which holds a number of them and fills up again.
///
/// A bucket is stored as the time when it will be full again ("virtual scheduling", ITU-T I.371, "generic cell rate
/// algorithm"), and a full one need not be stored at all. So the table has a fixed size: if there is no room for a new name,
/// the bucket with the most tokens is dropped, which loses the least.
///
/// A value without a clock: moments are durations since any one moment.
struct TokenBuckets {
    /// How much is allowed.
    struct Allowance: Equatable {
        /// How a bucket fills up.
        enum Refill {
            /// Token by token: for what is done all the time.
            case evenly
            /// All at once, when the first token that was taken has been away for the period: for what should happen
            /// seldom. Whoever uses them all up has to wait for the rest of the period.
            case atOnce
        }

        /// How often at once, and in each period; 1 or more.
        var count: Int
        /// In what time an empty bucket fills up.
        var period: Duration
        /// How it fills up.
        var refill = Refill.evenly
    }

    private struct Bucket {
        var name: UInt64 = 0
        var isFullAt = Duration.zero
        /// How many tokens are missing, if they come back all at once.
        var taken = 0
    }

    /// Buckets that a name may be kept in.
    private static let ways = 8

    private let allowance: Allowance
    /// How long it takes until a token is added.
    private let interval: Duration
    /// How many names can be stored.
    let capacity: Int
    /// Empty until somebody takes a token.
    private var buckets: [Bucket] = []

    /// Full buckets for everybody.
    ///
    /// - Parameter capacity: Names that can be stored, 32 bytes each; a multiple of 8.
    init(_ allowance: Allowance, capacity: Int) {
        precondition(capacity > 0 && capacity.isMultiple(of: Self.ways) && allowance.count > 0)
        self.allowance = allowance
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
        let place = place(of: name) ?? placeWithMostTokens(for: name, now)
        var bucket = bucket(at: place, of: name, now)
        if let wait = wait(for: bucket, now) { return wait }
        switch allowance.refill {
        case .evenly: bucket.isFullAt += interval
        case .atOnce:
            if bucket.taken == 0 { bucket.isFullAt = now + allowance.period }
            bucket.taken += 1
        }
        buckets[place] = bucket
        return nil
    }

    /// Gives a token back that was taken from a bucket. If the bucket is not stored, nothing happens. If
    /// it became full since and tokens were taken anew, one of these is given back.
    mutating func giveBack(_ name: UInt64) {
        guard let place = place(of: name) else { return }
        switch allowance.refill {
        case .evenly: buckets[place].isFullAt -= interval
        case .atOnce: buckets[place].taken = max(0, buckets[place].taken - 1)
        }
    }

    /// How long until there is a token in a bucket; nil: there is one now.
    func wait(_ name: UInt64, now: Duration) -> Duration? {
        place(of: name).flatMap { wait(for: bucket(at: $0, of: name, now), now) }
    }

    /// Where a name's bucket may be.
    private func places(of name: UInt64) -> Range<Int> {
        let first = Int(name % UInt64(capacity / Self.ways)) * Self.ways
        return first..<first + Self.ways
    }

    /// Where a name's bucket is, if it has one.
    private func place(of name: UInt64) -> Int? {
        buckets.isEmpty ? nil : places(of: name).first { buckets[$0].name == name }
    }

    /// Which bucket a new name replaces.
    private func placeWithMostTokens(for name: UInt64, _ now: Duration) -> Int {
        let places = places(of: name)
        var most = places.lowerBound
        for place in places.dropFirst() where hasMoreTokens(buckets[place], than: buckets[most], now) { most = place }
        return most
    }

    private func hasMoreTokens(_ bucket: Bucket, than other: Bucket, _ now: Duration) -> Bool {
        switch allowance.refill {
        case .evenly: bucket.isFullAt < other.isFullAt
        case .atOnce:
            (bucket.isFullAt > now ? bucket.taken : 0, bucket.isFullAt)
                < (other.isFullAt > now ? other.taken : 0, other.isFullAt)
        }
    }

    /// The bucket of a name, a full one if it has none at its place.
    private func bucket(at place: Int, of name: UInt64, _ now: Duration) -> Bucket {
        let bucket = buckets[place]
        return bucket.name == name && bucket.isFullAt > now ? bucket : Bucket(name: name, isFullAt: now)
    }

    private func wait(for bucket: Bucket, _ now: Duration) -> Duration? {
        switch allowance.refill {
        case .evenly:
            let wait = bucket.isFullAt + interval - now - allowance.period
            return wait > .zero ? wait : nil
        case .atOnce: return bucket.taken < allowance.count ? nil : bucket.isFullAt - now
        }
    }
}
