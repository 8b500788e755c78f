import Crypto
import LotteryEntities

/// Which entries the rounds of a draw show. Everything follows from the seed and the frozen list, and anybody can compute it
/// again; `lottery_index` of the schema is the same function.
public enum DrawFunction {
    /// How many rounds a draw has; the last one decides.
    public static var rounds: Int { LotteryDraw.rounds }

    /// The places in the list that the rounds show, from 0.
    ///
    /// - Parameters:
    ///   - seed: 32 bytes.
    ///   - listDigest: The SHA-256 of the frozen list.
    ///   - count: How many entries the list has, 1 or more.
    public static func places(seed: [UInt8], listDigest: [UInt8], count: Int) -> [Int] {
        (1...rounds).map { place(seed: seed, listDigest: listDigest, round: $0, count: count) }
    }

    /// The place that one round shows: each is equally likely.
    ///
    /// The first eight bytes of SHA-256(seed, list digest, round, attempt) are a number x, big-endian. If x is
    /// below the largest multiple of count that is at most 2^64, the place is x mod count; otherwise the next attempt
    /// is made.
    ///
    /// - Parameter round: From 1.
    public static func place(seed: [UInt8], listDigest: [UInt8], round: Int, count: Int) -> Int {
        precondition(count > 0, "nobody can be drawn from an empty list")
        let count = UInt64(count)
        // 2^64 mod count, with what fits into 64 bits.
        let excess = (0 &- count) % count
        for attempt in UInt8.min...UInt8.max {
            let digest = SHA256.hash(data: seed + listDigest + [UInt8(round), attempt])
            let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if excess == 0 || number < 0 &- excess { return Int(number % count) }
        }
        preconditionFailure("no number that is fair in 256 attempts: one chance in 2^256")
    }

    /// The SHA-256 of some bytes.
    public static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] { Array(SHA256.hash(data: Array(bytes))) }
}
