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

    private let tenAtOnce = TokenBuckets.Allowance(count: 10, period: .seconds(600), refill: .atOnce)

    @Test("a bucket that fills up all at once does so when the first token has been away for the period")
    func atOnce() {
        var buckets = TokenBuckets(tenAtOnce, capacity: 8)
        for second in 100..<110 { #expect(buckets.take(7, now: .seconds(second)) == nil) }
        #expect(buckets.take(7, now: .seconds(110)) == .seconds(590))
        #expect(buckets.take(7, now: .milliseconds(699_999)) == .milliseconds(1), "what is refused costs nothing")
        for _ in 0..<10 { #expect(buckets.take(7, now: .seconds(700)) == nil) }
        #expect(buckets.take(7, now: .milliseconds(700_500)) == .milliseconds(599_500))
        #expect(buckets.take(8, now: .milliseconds(700_500)) == nil, "each name has its own")
        for second in [2000, 2550, 2700] { #expect(buckets.take(7, now: .seconds(second)) == nil) }
        for _ in 0..<9 { #expect(buckets.take(7, now: .seconds(2700)) == nil, "full again since 2600") }
        #expect(buckets.take(7, now: .seconds(2700)) == .seconds(600))
    }

    @Test("a token that is given back can be taken again", arguments: [false, true])
    func givingBack(isAtOnce: Bool) {
        let allowance = isAtOnce ? tenAtOnce : tenAMinute
        let wait = isAtOnce ? allowance.period : .seconds(6)
        var buckets = TokenBuckets(allowance, capacity: 8)
        buckets.giveBack(7)
        for _ in 0..<9 { #expect(buckets.take(7, now: .seconds(5)) == nil) }
        for _ in 0..<100 {
            #expect(buckets.take(7, now: .seconds(5)) == nil)
            buckets.giveBack(7)
        }
        #expect(buckets.take(7, now: .seconds(5)) == nil)
        #expect(buckets.take(7, now: .seconds(5)) == wait)
        buckets.giveBack(8)
        #expect(buckets.take(7, now: .seconds(5)) == wait, "another name's")
        for _ in 0..<20 { buckets.giveBack(7) }
        for _ in 0..<10 { #expect(buckets.take(7, now: .seconds(2000)) == nil) }
        #expect(buckets.take(7, now: .seconds(2000)) == wait, "more than full it does not get")
    }

    @Test("asking whether there is a token takes none", arguments: [false, true])
    func asking(isAtOnce: Bool) {
        var buckets = TokenBuckets(isAtOnce ? tenAtOnce : tenAMinute, capacity: 8)
        #expect(buckets.wait(7, now: .zero) == nil)
        for _ in 0..<10 {
            for _ in 0..<5 { #expect(buckets.wait(7, now: .zero) == nil) }
            #expect(buckets.take(7, now: .zero) == nil)
        }
        #expect(buckets.wait(7, now: .zero) == (isAtOnce ? .seconds(600) : .seconds(6)))
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
    func many(isAtOnce: Bool) {
        var buckets = TokenBuckets(isAtOnce ? tenAtOnce : tenAMinute, capacity: 1024)
        let wait: Duration = isAtOnce ? .seconds(600) : .seconds(6)
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
