import EventLoop

/// A guess of a game that is over, with how much it could have told and how much it told.
package struct ReviewedGuess: Sendable, Hashable {
    /// The guess that was expected to leave the fewest candidates.
    package struct Best: Sendable, Hashable {
        /// A candidate before the guess.
        package let word: String
        /// As ``ReviewedGuess/expectedHundredths``.
        package let expectedHundredths: Int
    }

    /// The guess, as it was given.
    package let word: String
    /// How many candidates fit the marks of all guesses before this one. At least 1: the game's word.
    package let before: Int
    /// How many of them fit the marks of this guess, too. At least 1.
    package let left: Int
    /// The mean of `left` if each of the `before` candidates is equally likely to be the game's word, in hundredths of
    /// a candidate, rounded half up. At least 100.
    package let expectedHundredths: Int
    /// The candidate with the smallest mean, compared before rounding; the first by Unicode code points among equals.
    /// Nil where `before` is 1.
    package let best: Best?
}

/// The secrets of a list, for looking back at games that are over.
///
/// Immutable but for the best first guess, which is kept once it is known. Keeps 16 bytes per word and 4 per letter of
/// the alphabet: 36 KiB for 2,300 English words.
package final class ReviewedList: Sendable {
    private let list: NumberedWords
    /// The best first guess and the words nearly as good; nil until somebody needs it.
    private let first = Locked<Candidates.Search?>(nil)

    /// Numbers the letters and sorts the words: about 1 ms for 2,300 words, 20 ms for 20,000.
    ///
    /// - Parameters:
    ///   - words: The secrets that are not retired, in any order; a word given twice counts once. May be empty.
    ///   - letters: How many Unicode scalars each word has, 4...8. A word or a guess of another length traps: the
    ///     database has none.
    /// - Returns: Nil for more than 65,527 different letters, which no language has: they are numbered in 16 bits.
    package init?(words: [String], letters: Int) {
        guard let list = NumberedWords(words, letters: letters) else { return nil }
        self.list = list
    }

    /// The bytes that the list keeps, without the headers of its arrays.
    package var keptBytes: Int {
        list.keptBytes + first.withLock { ($0?.nearBest.count ?? 0) * MemoryLayout<Candidates.Trial>.stride }
    }

    /// Looks back at a game.
    ///
    /// Blocks its thread: call it outside of the event loops. A step costs the square of its `before`, unless that is
    /// the whole list, whose best guess is kept. Takes about 50 bytes per candidate while it runs.
    ///
    /// - Parameters:
    ///   - guesses: The guesses in their order, each of as many letters as the list's words. They need not be in the
    ///     list and may have letters that it does not have. Empty for a game that was resigned without a guess.
    ///   - secret: The game's word. A candidate even if it is not in the list.
    /// - Returns: One element for each guess, in their order.
    package func review(guesses: [String], secret: String) -> [ReviewedGuess] {
        let isListed = list.contains(secret)
        let list = isListed ? self.list : self.list.inserting(secret)
        let secret = list.number(secret)
        var candidates = Candidates(list.words, letters: list.letters)
        var best: Candidates.Trial?
        var reviewed: [ReviewedGuess] = []
        for guess in guesses {
            let before = candidates.words.count
            if before == 1 {
                best = nil
            } else if before == list.words.count {
                best = isListed ? findFirst().best : findFirst(in: list, with: secret)
            } else if before != reviewed.last?.before {
                // Where the last guess ruled nothing out, the best guess stays the same.
                best = candidates.search(candidates.words).best
            }
            let split = candidates.split(by: list.number(guess), secret: secret)
            candidates = Candidates(split.left, letters: list.letters)
            reviewed.append(
                ReviewedGuess(
                    word: guess, before: before, left: split.left.count,
                    expectedHundredths: Self.meanHundredths(pairs: split.pairs, of: before),
                    best: best.map {
                        ReviewedGuess.Best(
                            word: list.text($0.word),
                            expectedHundredths: Self.meanHundredths(pairs: $0.pairs, of: before))
                    }))
        }
        return reviewed
    }

    /// The best first guess of the list. Two callers at the same time may both search: the lock is not held meanwhile.
    private func findFirst() -> Candidates.Search {
        if let known = first.withLock({ $0 }) { return known }
        let found = Candidates(list.words, letters: list.letters).search(list.words)
        first.withLock { $0 = found }
        return found
    }

    /// The best first guess if a word is added to the list: one that was nearly the best without it, or that word.
    private func findFirst(
        in extended: NumberedWords, with word: NumberedWords.Word
    ) -> Candidates.Trial? {
        // The added letters may have changed the numbers of the others.
        var tries = findFirst().nearBest.map { extended.number(list.text($0.word)) }
        tries.insert(word, at: NumberedWords.place(of: word, in: tries))
        return Candidates(extended.words, letters: extended.letters).search(tries).best
    }

    /// The mean number of candidates left, in hundredths, half up. Each candidate leaves itself and those it makes a
    /// pair with, so the sum over all is twice the pairs and the candidates themselves.
    private static func meanHundredths(pairs: Int, of before: Int) -> Int {
        (200 * (2 * pairs + before) + before) / (2 * before)
    }
}
