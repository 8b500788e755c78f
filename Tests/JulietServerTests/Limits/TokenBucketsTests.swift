import Testing

@testable import JulietServer

@Suite("Buckets of tokens")
struct TokenBucketsTests {
    private let tenAMinute = TokenBuckets.Allowance(count: 10, period: .seconds(60))

    @Test("a full bucket gives all its tokens at once, and then one whenever one has grown")
    func rule() {
        var buckets = TokenBuckets(tenAMinute, capacity: 8)
        for _ in 0..<10 { #expect(buckets.take(7, now: .seconds(100)) == nil) }
        #expect(buckets.take(7, now: .seconds(100)) == .seconds(6))
        #expect(buckets.take(7, now: .seconds(105)) == .seconds(1), "what is refused costs nothing")
        #expect(buckets.take(7, now: .seconds(106)) == nil)
        #expect(buckets.take(7, now: .seconds(106)) == .seconds(6))
        for _ in 0..<10 { #expect(buckets.take(7, now: .seconds(1000)) == nil, "more than full it does not get") }
        #expect(buckets.take(7, now: .seconds(1000)) == .seconds(6))
    }

    @Test("each name has its own")
    func names() {
        var buckets = TokenBuckets(tenAMinute, capacity: 8)
        for name in 1...8 as ClosedRange<UInt64> {
            for _ in 0..<10 { #expect(buckets.take(name, now: .zero) == nil) }
            #expect(buckets.take(name, now: .zero) == .seconds(6))
        }
    }

    private let tenInTen = TokenBuckets.Allowance(count: 10, period: .seconds(600), refill: .afterPeriod)

    @Test("a bucket whose tokens are away for the period is full when a period has passed without one taken")
    func afterPeriod() {
        var buckets = TokenBuckets(tenInTen, capacity: 8)
        for second in 100..<110 { #expect(buckets.take(7, now: .seconds(second)) == nil) }
        #expect(buckets.take(7, now: .seconds(110)) == .seconds(599))
        #expect(buckets.take(8, now: .seconds(110)) == nil, "each name has its own")
        #expect(buckets.take(7, now: .milliseconds(708_999)) == .milliseconds(1), "what is refused costs nothing")
        for _ in 0..<10 { #expect(buckets.take(7, now: .seconds(709)) == nil) }
        #expect(buckets.take(7, now: .seconds(709)) == .seconds(600))
    }

    @Test("around the moment when the first token comes back no more can be taken than are back")
    func edge() {
        var buckets = TokenBuckets(tenInTen, capacity: 8)
        #expect(buckets.take(7, now: .seconds(5)) == nil)
        for _ in 0..<9 { #expect(buckets.take(7, now: .seconds(599)) == nil) }
        #expect(buckets.take(7, now: .seconds(605)) == .nanoseconds(80_714_285_720), "at most a seventh later")
        #expect(buckets.take(7, now: .seconds(686)) == nil)
        #expect(buckets.take(7, now: .seconds(686)) == .nanoseconds(514_000_000_010), "the other nine are 87 s old")
    }

    @Test(
        "in no period more than the count is taken; after one without any, all are back; nobody waits much longer",
        arguments: 0..<20 as Range<UInt64>)
    func anyPeriod(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let count = try #require([1, 2, 10, 60, 255].randomElement(using: &random))
        let periods: [Duration] = [.seconds(1), .seconds(60), .seconds(600)]
        let period = try #require(periods.randomElement(using: &random))
        let longest = period * 8 / 7 + .nanoseconds(8)
        var buckets = TokenBuckets(.init(count: count, period: period, refill: .afterPeriod), capacity: 8)
        var now = Duration.seconds(5)
        var taken: [Duration] = []
        for _ in 0..<3000 {
            let pause = Int.random(in: 0..<40, using: &random) == 0 ? period : period / (2 * count)
            now += .nanoseconds(Int64.random(in: 0...Int64(pause / .nanoseconds(1)), using: &random))
            // Those that must still be away, and those that may.
            let must = taken.count { $0 + period > now }
            let may = taken.count { $0 + longest > now }
            #expect(!buckets.has(count - must + 1, 7, now: now))
            if must == 0 { #expect(buckets.has(count, 7, now: now)) }
            if may < count { #expect(buckets.has(count - may, 7, now: now)) }
            let asked = buckets.wait(7, now: now)
            #expect((asked == nil) == buckets.has(1, 7, now: now))
            let wait = buckets.take(7, now: now)
            #expect(wait == asked)
            if let wait {
                #expect(may >= count && wait > .zero && wait <= longest)
                #expect(!buckets.has(1, 7, now: now + wait - .nanoseconds(1)) && buckets.has(1, 7, now: now + wait))
            } else {
                #expect(must < count)
                taken.append(now)
            }
        }
    }

    @Test("asking whether there are tokens takes none", arguments: [false, true])
    func asking(isAfterPeriod: Bool) {
        var buckets = TokenBuckets(isAfterPeriod ? tenInTen : tenAMinute, capacity: 8)
        #expect(buckets.wait(7, now: .zero) == nil && buckets.has(10, 7, now: .zero))
        for taken in 0..<10 {
            for _ in 0..<5 { #expect(buckets.wait(7, now: .zero) == nil) }
            #expect(buckets.has(10 - taken, 7, now: .zero) && !buckets.has(11 - taken, 7, now: .zero))
            #expect(buckets.take(7, now: .zero) == nil)
        }
        #expect(buckets.wait(7, now: .zero) == (isAfterPeriod ? .seconds(600) : .seconds(6)))
        #expect(buckets.wait(8, now: .zero) == nil)
        #expect(buckets.wait(7, now: .seconds(600)) == nil)
    }

    /// A bucket as anybody would write it down.
    private struct Model {
        let allowance: TokenBuckets.Allowance
        /// For how long each bucket has been filling up since it was empty; and since when that is so.
        var levels: [UInt64: (level: Duration, at: Duration)] = [:]

        mutating func take(_ name: UInt64, now: Duration) -> Duration? {
            let token = allowance.period / allowance.count
            let known = levels[name] ?? (allowance.period, now)
            let level = min(allowance.period, known.level + (now - known.at))
            levels[name] = (level >= token ? level - token : level, now)
            return level >= token ? nil : token - level
        }
    }

    @Test("they do as a plain model does, whatever is asked when", arguments: 0..<20 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let allowance = TokenBuckets.Allowance(
            count: [1, 2, 5, 60, 1000].randomElement(using: &random) ?? 1, period: .seconds(60))
        var buckets = TokenBuckets(allowance, capacity: 64)
        var model = Model(allowance: allowance)
        // At most as many names as fit into one place.
        let names = (0..<8).map { _ in random.next() }
        var now = Duration.seconds(5)
        for _ in 0..<2000 {
            if Int.random(in: 0..<3, using: &random) == 0 {
                now += .milliseconds(Int.random(in: 0...Int.random(in: 0...10_000, using: &random), using: &random))
            }
            guard let name = names.randomElement(using: &random) else { continue }
            #expect(buckets.take(name, now: now) == model.take(name, now: now))
        }
    }

    @Test("where names are more than room they are let off rather than refused")
    func crowd() {
        var random = SeededGenerator(state: 1)
        var buckets = TokenBuckets(tenAMinute, capacity: 16)
        var model = Model(allowance: tenAMinute)
        var now = Duration.zero
        for _ in 0..<20_000 {
            now += .milliseconds(Int.random(in: 0...100, using: &random))
            let name = UInt64.random(in: 1...100, using: &random)
            let isRefused = buckets.take(name, now: now) != nil
            let isRefusedByModel = model.take(name, now: now) != nil
            #expect(!isRefused || isRefusedByModel)
            // The bucket was forgotten once, and so full. It has as much as the model's at least; also after this token.
            if !isRefused, isRefusedByModel { model.levels[name] = (.zero, now) }
        }
    }

    @Test(
        "many names need no more memory than one, and a name that spent all is still known", arguments: [false, true])
    func many(isAfterPeriod: Bool) {
        var buckets = TokenBuckets(isAfterPeriod ? tenInTen : tenAMinute, capacity: 1024)
        let wait: Duration = isAfterPeriod ? .seconds(600) : .seconds(6)
        let spender: UInt64 = 0x1234_5678_9ABC_DEF0
        for _ in 0..<10 { _ = buckets.take(spender, now: .zero) }
        #expect(buckets.take(spender, now: .zero) == wait)
        var random = SeededGenerator(state: 2)
        var refused = 0
        for _ in 0..<100_000 where buckets.take(random.next(), now: .zero) != nil { refused += 1 }
        #expect(refused == 0)
        #expect(buckets.capacity == 1024)
        #expect(buckets.take(spender, now: .zero) == wait)
    }

    /// SplitMix64: the same numbers every time.
    struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
