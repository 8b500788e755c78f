import Testing

@testable import JulietGame

@Suite("The look back, compared with its definition")
struct GuessReviewModelTests {
    /// The letters of the words of a case.
    enum Alphabet: String, CaseIterable {
        case three, fourBytes, vowels, latin, hebrew, greek, mixed, hangul

        var letters: [Unicode.Scalar] {
            switch self {
            case .three: Array("abc".unicodeScalars)
            // Of one to four bytes in UTF-8.
            case .fourBytes: Array("aß中𐐨".unicodeScalars)
            case .vowels: Array("aeiou".unicodeScalars)
            case .latin: Array("abcdefghijklmnopqrstuvwxyz".unicodeScalars)
            case .hebrew: Array("אבגדהוזחטיךכלםמןנסעףפץצקרשת".unicodeScalars)
            case .greek: Array("αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώ".unicodeScalars)
            case .mixed: Self.latin.letters + Self.hebrew.letters + Self.greek.letters
            // More than a byte has numbers.
            case .hangul: (0xAC00..<0xAE00).compactMap { Unicode.Scalar($0) }
            }
        }
    }

    @Test("random games are what the definition says", arguments: Alphabet.allCases, 4...8)
    func randomGames(alphabet: Alphabet, letters: Int) throws {
        var generator = SplitMix(state: UInt64(alphabet.letters.count * 10 + letters))
        for round in 0..<10 {
            let count = Int.random(in: 1...[3, 10, 25][round % 3], using: &generator)
            var pool = alphabet.letters
            // With few letters of a large alphabet, guesses do meet the words.
            if round % 2 == 0 { pool = Array(pool.shuffled(using: &generator).prefix(8)) }
            let words = (0..<count).map { _ in Self.word(of: pool, letters, &generator) }
            // Guesses and secrets that may have letters of no candidate.
            let strange = (0..<4).map { _ in Self.word(of: pool.prefix(6) + ["q", "ж"], letters, &generator) }
            let list = try #require(ReviewedList(words: words.shuffled(using: &generator), letters: letters))
            // With and without the best first guess known before.
            for secret in [words[0], strange[0], words[count / 2], strange[1]] {
                let guesses = (0..<Int.random(in: 1...6, using: &generator)).compactMap { _ in
                    (words + strange).randomElement(using: &generator)
                }
                let reviewed = list.review(guesses: guesses, secret: secret)
                let expected = Model.review(words, guesses, secret: secret)
                guard reviewed == expected else {
                    Issue.record("\(words), \(guesses), \(secret): \(reviewed), not \(expected)")
                    return
                }
            }
        }
    }

    @Test("the best is compared before rounding")
    func exactness() throws {
        var generator = SplitMix(state: 161)
        let words = Array(Model.words(of: "abcdefg", 4).shuffled(using: &generator).prefix(420))
        let sums = words.map { Model.sumOfSquares($0, words) }
        let least = try #require(sums.min())
        let best = try #require(words.indices.filter { sums[$0] == least }.map { words[$0] }.min(by: Model.precedes))
        // One that comes first is as good when rounded: else this test would show nothing.
        let mean = Model.hundredths(least, 420)
        #expect(
            words.indices.contains { Model.precedes(words[$0], best) && Model.hundredths(sums[$0], 420) == mean })

        let list = try #require(ReviewedList(words: words, letters: 4))
        let reviewed = list.review(guesses: ["abcd"], secret: words[0])
        #expect(reviewed.first?.best == ReviewedGuess.Best(word: best, expectedHundredths: mean))
    }

    private static func word(
        of letters: some Collection<Unicode.Scalar>, _ count: Int, _ generator: inout SplitMix
    ) -> String {
        String(String.UnicodeScalarView((0..<count).compactMap { _ in letters.randomElement(using: &generator) }))
    }
}

/// The definition, in strings and dictionaries.
private enum Model {
    static func review(_ words: [String], _ guesses: [String], secret: String) -> [ReviewedGuess] {
        var candidates = Array(Set(words + [secret])).sorted(by: precedes)
        return guesses.map { guess in
            let before = candidates
            let sums = before.map { sumOfSquares($0, before) }
            candidates = before.filter { marks(of: guess, for: $0) == marks(of: guess, for: secret) }
            var best: ReviewedGuess.Best?
            if before.count > 1, let least = sums.min(), let index = sums.firstIndex(of: least) {
                best = ReviewedGuess.Best(word: before[index], expectedHundredths: hundredths(least, before.count))
            }
            return ReviewedGuess(
                word: guess, before: before.count, left: candidates.count,
                expectedHundredths: hundredths(sumOfSquares(guess, before), before.count), best: best)
        }
    }

    /// Σ n² over the marks that a guess can get.
    static func sumOfSquares(_ guess: String, _ candidates: [String]) -> Int {
        let groups = Dictionary(grouping: candidates) { marks(of: guess, for: $0) }
        return groups.values.reduce(0) { $0 + $1.count * $1.count }
    }

    /// A sum by a count in hundredths, half up.
    static func hundredths(_ sum: Int, _ count: Int) -> Int {
        let (quotient, remainder) = (100 * sum).quotientAndRemainder(dividingBy: count)
        return remainder * 2 >= count ? quotient + 1 : quotient
    }

    /// As `mark_guess`: c, p or a for each letter.
    static func marks(of guess: String, for word: String) -> String {
        let guess = Array(guess.unicodeScalars)
        var others: [Unicode.Scalar?] = Array(word.unicodeScalars)
        var marks = [Character](repeating: "a", count: guess.count)
        for place in guess.indices where guess[place] == others[place] {
            marks[place] = "c"
            others[place] = nil
        }
        for place in guess.indices where marks[place] != "c" {
            guard let other = others.firstIndex(of: guess[place]) else { continue }
            marks[place] = "p"
            others[other] = nil
        }
        return String(marks)
    }

    /// Whether a word comes first by code points.
    static func precedes(_ word: String, _ other: String) -> Bool {
        word.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    }

    /// All words of some letters.
    static func words(of letters: String, _ count: Int) -> [String] {
        guard count > 0 else { return [""] }
        return words(of: letters, count - 1).flatMap { word in letters.map { word + String($0) } }
    }
}

/// Random numbers that are the same each time.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
