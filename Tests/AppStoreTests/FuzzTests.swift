import AppStore
import AppStoreTesting
import Testing

@Suite("Fuzzing")
struct FuzzTests {
    /// Numbers that depend on the seed only (SplitMix64).
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.+/= \n\0".utf8)

    /// A text with a few changes, or pieces of another in it.
    private static func mutate(_ text: [UInt8], with other: [UInt8], _ random: inout Random) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = Int.random(in: 0..<text.count, using: &random)
            let end = min(text.count, start + Int.random(in: 1...9, using: &random))
            let character = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: text[start] = character
            case 1: text.insert(character, at: start)
            case 2: text.removeSubrange(start..<end)
            case 3: text.insert(contentsOf: text[start..<end], at: start)
            case 4: text.replaceSubrange(start..., with: other.dropFirst(start))
            default: text.swapAt(start, Int.random(in: 0..<text.count, using: &random))
            }
            if text.isEmpty { return other }
        }
        return text
    }

    @Test("of two valid texts: no altered text is accepted, only these two")
    func mutations() async throws {
        let shop = try Shop.shared.get()
        let texts = try [TestTransaction("1"), TestTransaction("2", product: "com.example.game.thirty", quantity: 2)]
            .map { Array(try shop.authority.sign($0.payload).utf8) }
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = Random(state: seed)
        for round in 0..<1000 {
            let mutated = Self.mutate(texts[round % 2], with: texts[1 - round % 2], &random)
            let refusal = await shop.refusal(of: String(decoding: mutated, as: UTF8.self))
            try #require((refusal == nil) == texts.contains(mutated), "seed \(seed), round \(round): \(mutated)")
        }
    }
}
