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
            /// Token by token: for what is done all the time. In one period up to twice the count can be taken.
            case evenly
            /// A token comes back when it has been away for the period, at most a seventh of it later, and all are
            /// back when a period has passed without one taken: for what should happen seldom. In no period more
            /// than the count is taken. The count is at most 255.
            case afterPeriod
        }

        /// How many tokens a full bucket has; 1 or more.
        var count: Int
        /// In what time an empty bucket fills up.
        var period: Duration
        /// How it fills up.
        var refill = Refill.evenly
    }

    private struct Bucket {
        var name: UInt64 = 0
        var isFullAt = Duration.zero
        /// How many tokens were taken in each seventh of a period, one byte each: in the lowest byte those of the seventh
        /// in which the last was taken, in the next byte those of the one before. Unused if the bucket fills up evenly.
        var taken: UInt64 = 0

        /// How many tokens are missing.
        var missing: Int { (0..<8).reduce(0) { $0 + Int(taken >> ($1 * 8) & 255) } }
    }

    /// Buckets that a name may be kept in.
    private static let ways = 8

    private let allowance: Allowance
    /// How long it takes until a token is added.
    private let interval: Duration
    /// A seventh of the period, rounded up, in nanoseconds: what is older than seven of them is older than the period.
    private let seventh: Int64
    /// How many names can be stored.
    let capacity: Int
    /// Empty until somebody takes a token.
    private var buckets: [Bucket] = []

    /// Full buckets for everybody.
    ///
    /// - Parameter capacity: Names that can be stored, 32 bytes each; a multiple of 8.
    init(_ allowance: Allowance, capacity: Int) {
        precondition(capacity > 0 && capacity.isMultiple(of: Self.ways) && allowance.count > 0)
        precondition(allowance.refill == .evenly || allowance.count <= 255)
        self.allowance = allowance
        interval = allowance.period / allowance.count
        seventh = Self.nanoseconds(allowance.period) / 7 + 1
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
        case .afterPeriod:
            bucket.taken += 1
            bucket.isFullAt = now + allowance.period
        }
        buckets[place] = bucket
        return nil
    }

    /// How long until there is a token in a bucket; nil: there is one now.
    func wait(_ name: UInt64, now: Duration) -> Duration? {
        place(of: name).flatMap { wait(for: bucket(at: $0, of: name, now), now) }
    }

    /// Whether a bucket has a number of tokens now.
    func has(_ tokens: Int, _ name: UInt64, now: Duration) -> Bool {
        guard let place = place(of: name) else { return tokens <= allowance.count }
        let bucket = bucket(at: place, of: name, now)
        return switch allowance.refill {
        case .evenly: bucket.isFullAt + interval * tokens - now <= allowance.period
        case .afterPeriod: bucket.missing + tokens <= allowance.count
        }
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
        case .afterPeriod:
            (filled(bucket, now).missing, bucket.isFullAt) < (filled(other, now).missing, other.isFullAt)
        }
    }

    /// The bucket of a name, a full one if it has none at its place.
    private func bucket(at place: Int, of name: UInt64, _ now: Duration) -> Bucket {
        buckets[place].name == name ? filled(buckets[place], now) : Bucket(name: name, isFullAt: now)
    }

    /// A bucket with the tokens that have come back.
    private func filled(_ bucket: Bucket, _ now: Duration) -> Bucket {
        guard bucket.isFullAt > now else { return Bucket(name: bucket.name, isFullAt: now) }
        guard allowance.refill == .afterPeriod else { return bucket }
        var bucket = bucket
        bucket.taken <<= (number(now) - number(bucket.isFullAt - allowance.period)) * 8
        return bucket
    }

    /// - Parameter bucket: As ``filled(_:_:)`` returns it.
    private func wait(for bucket: Bucket, _ now: Duration) -> Duration? {
        switch allowance.refill {
        case .evenly:
            let wait = bucket.isFullAt + interval - now - allowance.period
            return wait > .zero ? wait : nil
        case .afterPeriod:
            guard bucket.missing >= allowance.count else { return nil }
            // The oldest tokens come back when their byte leaves the number.
            let sevenths = number(now) + Int64(bucket.taken.leadingZeroBitCount / 8 + 1)
            return min(bucket.isFullAt, .nanoseconds(sevenths * seventh)) - now
        }
    }

    /// The number of the seventh of a period in which a moment is.
    private func number(_ moment: Duration) -> Int64 { Self.nanoseconds(moment) / seventh }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
