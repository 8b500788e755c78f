import Testing

@testable import JulietGame

@Suite("The look back at a game")
struct GuessReviewTests {
    private func review(
        _ words: [String], _ guesses: [String], secret: String
    ) throws -> [ReviewedGuess] {
        let list = try #require(ReviewedList(words: words, letters: secret.unicodeScalars.count))
        return list.review(guesses: guesses, secret: secret)
    }

    private func guess(
        _ word: String, before: Int, left: Int, expected: Int, best: (word: String, expected: Int)? = nil
    ) -> ReviewedGuess {
        ReviewedGuess(
            word: word, before: before, left: left, expectedHundredths: expected,
            best: best.map { ReviewedGuess.Best(word: $0.word, expectedHundredths: $0.expected) })
    }

    @Test("a letter that comes twice is marked as often as the word has it")
    func doubleLetters() throws {
        // AABB is cccc for itself, cppc for ABAB, pccp for BABA and pppp for BBAA.
        #expect(
            try review(["bbaa", "baba", "abab", "aabb"], ["aabb"], secret: "abab") == [
                guess("aabb", before: 4, left: 1, expected: 100, best: ("aabb", 100))
            ])
        // EERIE is papac for THERE and WHERE, pacac for THREE: (1 + 4 + 1) / 4.
        #expect(
            try review(["eerie", "there", "where", "three"], ["eerie", "where", "there"], secret: "there") == [
                guess("eerie", before: 4, left: 2, expected: 150, best: ("there", 100)),
                guess("where", before: 2, left: 1, expected: 100, best: ("there", 100)),
                guess("there", before: 1, left: 1, expected: 100),
            ])
    }

    @Test("a guess whose letters no candidate has rules nothing out, and the best guess stays the best")
    func strangeLetters() throws {
        let words = ["there", "where", "three", "eerie"]
        let best = ("there", 100)
        #expect(
            try review(words, ["zzzzz", "äßäßx", "there"], secret: "where") == [
                guess("zzzzz", before: 4, left: 4, expected: 400, best: best),
                guess("äßäßx", before: 4, left: 4, expected: 400, best: best),
                guess("there", before: 4, left: 1, expected: 100, best: best),
            ])
        // Later in the game, too: CCCC leaves the three without a C.
        #expect(
            try review(["aaab", "aaba", "dddd", "cccc"], ["cccc", "zzzz", "aaad"], secret: "aaab") == [
                guess("cccc", before: 4, left: 3, expected: 250, best: ("aaab", 150)),
                guess("zzzz", before: 3, left: 3, expected: 300, best: ("aaab", 100)),
                guess("aaad", before: 3, left: 1, expected: 100, best: ("aaab", 100)),
            ])
    }

    @Test("the game's word is a candidate, in the list or not")
    func secretOutside() throws {
        #expect(
            try review(["abcd", "abce"], ["abcd", "ωxyz"], secret: "ωxyz") == [
                guess("abcd", before: 3, left: 1, expected: 100, best: ("abcd", 100)),
                guess("ωxyz", before: 1, left: 1, expected: 100),
            ])
    }

    @Test("a word that is second without the game's word can be the best with it")
    func nearBest() throws {
        // GCCB and GGBC get no pair of the three, DDEE one. EAFE makes a pair with DDEE for each of the two, and none
        // for DDEE: all have one, and DDEE is the first.
        #expect(
            try review(["ddee", "gccb", "ggbc"], ["zzzz"], secret: "eafe") == [
                guess("zzzz", before: 4, left: 4, expected: 400, best: ("ddee", 150))
            ])
    }

    @Test("one candidate leaves nothing to choose", arguments: [["abcd"], []])
    func oneCandidate(words: [String]) throws {
        #expect(
            try review(words, ["efgh", "abcd"], secret: "abcd") == [
                guess("efgh", before: 1, left: 1, expected: 100), guess("abcd", before: 1, left: 1, expected: 100),
            ])
    }

    @Test("a game resigned without a guess has nothing to look back at")
    func noGuess() throws {
        #expect(try review(["abcd", "abce"], [], secret: "abcd").isEmpty)
        #expect(try review([], [], secret: "abcd").isEmpty)
    }

    @Test(
        "among equals the first by code points is the best",
        arguments: [
            ["zaun", "äste"], ["\u{FF41}bcd", "\u{10428}bcd"], ["aaab", "aaba", "dddd"],
            // By canonical equivalence the Å of the ångström sign would be that of the alphabet, U+00C5.
            ["\u{100}bcd", "\u{212B}bcd"],
        ])
    func ties(words: [String]) throws {
        for secret in words {
            let reviewed = try review(words.reversed() + words, ["zzzz"], secret: secret)
            #expect(reviewed.first?.before == words.count)
            let best = try #require(reviewed.first?.best)
            #expect(Array(best.word.unicodeScalars) == Array(words[0].unicodeScalars))
            #expect(best.expectedHundredths == 100)
        }
    }

    /// One for each set of places where ABCD is correct.
    private static let places = (0..<16).map { set in
        String(zip(0..<4, "abcd").map { place, letter in set >> place & 1 == 1 ? letter : "z" })
    }

    @Test(
        "means are rounded half up",
        arguments: [
            // 18/16 = 1.125 and 34/16 = 2.125.
            (places.dropLast() + ["yyyy"], 113),
            (places.prefix(11) + ["yyyy", "xxxx", "wwww", "ayyy", "axxx"], 213),
            // 5/3 = 1.666…, 8/6 = 1.333…, 9/7 = 1.2857…
            (places.prefix(2) + ["yyyy"], 167), (places.prefix(5) + ["yyyy"], 133), (places.prefix(6) + ["yyyy"], 129),
            (places.prefix(16), 100), (["zzzz", "yyyy", "xxxx"], 300),
        ] as [(ArraySlice<String>, Int)])
    func rounding(words: ArraySlice<String>, expected: Int) throws {
        #expect(try review(Array(words), ["abcd"], secret: "zzzz").first?.expectedHundredths == expected)
    }

    @Test("a list keeps 16 bytes per word and 4 per letter, each word once")
    func memory() throws {
        let list = try #require(ReviewedList(words: Self.places + Self.places, letters: 4))
        #expect(list.keptBytes < 2 * 16 * 16 + 100)
    }

    @Test("65,527 letters are the most that a list can have; the game's word may bring others")
    func letters() throws {
        let scalars = (0..<65_528).compactMap { Unicode.Scalar(0x20000 + $0) }
        let words = stride(from: 0, to: scalars.count, by: 4).map { start in
            String(String.UnicodeScalarView(scalars[start..<start + 4]))
        }
        #expect(ReviewedList(words: words, letters: 4) == nil)

        // All but four, so that the secret's are the last numbers: nothing tells the others apart.
        let list = try #require(NumberedWords(Array(words.dropLast()), letters: 4))
        #expect(list.inserting("abcd").words.count == words.count)
        let larger = list.inserting("\u{1FFFE}\u{1FFFF}\u{1FFFF}\u{2FFFF}")
        let added = larger.number("\u{1FFFE}\u{1FFFF}\u{1FFFF}\u{2FFFF}")
        #expect(larger.words.first == added)
        #expect(larger.words.dropFirst().map(larger.text) == Array(words.dropLast()))
        #expect(Candidates(larger.words, letters: 4).split(by: added, secret: added).left == [added])
    }
}
