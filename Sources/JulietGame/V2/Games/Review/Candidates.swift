/// The words that a game's secret can be, and how guesses would split them by their marks.
struct Candidates: Sendable {
    typealias Word = NumberedWords.Word

    /// A guess that was tried.
    struct Trial: Sendable {
        let word: Word
        /// How many pairs of candidates get the same marks. For groups of n candidates with the same marks this is
        /// Σ n(n−1)/2: the fewer pairs, the smaller Σ n².
        let pairs: Int
    }

    /// What a search found.
    struct Search: Sendable {
        /// The guess with the fewest pairs, the first among equals; nil if nothing was tried.
        let best: Trial?
        /// All guesses, in their order, that can be the best once there is one more candidate: it makes a pair with
        /// each candidate of one group, so no guess gets fewer pairs, and one of them gets at most as many as the limit
        /// below.
        let nearBest: [Trial]
    }

    /// Sorted by code points.
    let words: [Word]
    private let letters: Int

    /// - Parameters:
    ///   - words: Sorted, each once.
    ///   - letters: How many letters each has, 4...8.
    init(_ words: [Word], letters: Int) {
        self.words = words
        self.letters = letters
    }

    /// What a guess leaves of the candidates, and how many pairs get the same marks.
    ///
    /// - Parameter secret: One of the candidates.
    func split(by guess: Word, secret: Word) -> (left: [Word], pairs: Int) {
        let marks =
            switch letters {
            case 4: WordBlocks<4>(words).marks(of: guess)
            case 5: WordBlocks<5>(words).marks(of: guess)
            case 6: WordBlocks<6>(words).marks(of: guess)
            case 7: WordBlocks<7>(words).marks(of: guess)
            default: WordBlocks<8>(words).marks(of: guess)
            }
        var groups: [Int16: Int] = [:]
        var pairs = 0
        for marks in marks {
            pairs += groups[marks, default: 0]
            groups[marks, default: 0] += 1
        }
        let place = NumberedWords.place(of: secret, in: words)
        return (words.indices.filter { marks[$0] == marks[place] }.map { words[$0] }, pairs)
    }

    /// Finds the best of some guesses. Costs `guesses.count` times the candidates, at 2 to 4 ns each. Guesses that turn
    /// out worse than the best so far are given up on the way, which saves about half.
    ///
    /// - Parameter guesses: Sorted by code points: the first among equals is the best.
    func search(_ guesses: [Word]) -> Search {
        // Each length has code of its own, with the loops over letters unrolled. Generic code would be many times
        // slower, so the blocks stay in this file, where the compiler always sees both.
        switch letters {
        case 4: WordBlocks<4>(words).search(guesses)
        case 5: WordBlocks<5>(words).search(guesses)
        case 6: WordBlocks<6>(words).search(guesses)
        case 7: WordBlocks<7>(words).search(guesses)
        default: WordBlocks<8>(words).search(guesses)
        }
    }
}

/// Candidates side by side: a block has the first letters of eight words, then their second letters, and so on.
private struct WordBlocks<let letters: Int> {
    typealias Word = NumberedWords.Word
    /// One number for each word of a block.
    typealias Lanes = SIMD8<UInt16>
    typealias Counts = SIMD8<Int16>

    private let blocks: [InlineArray<letters, Lanes>]
    private let count: Int

    init(_ words: [Word]) {
        count = words.count
        blocks = stride(from: 0, to: words.count, by: Lanes.scalarCount).map { start in
            // A letter is never 0, so the lanes after the last word fit no guess; they are not counted either.
            var block = InlineArray<letters, Lanes>(repeating: Lanes())
            for lane in 0..<min(Lanes.scalarCount, words.count - start) {
                for place in 0..<letters { block[place][lane] = words[start + lane][place] }
            }
            return block
        }
    }

    /// The marks of a guess for each word, as numbers: see ``marks(of:for:)``.
    func marks(of guess: Word) -> [Int16] {
        let guess = Guess<letters>(guess)
        var all: [Int16] = []
        all.reserveCapacity(blocks.count * Lanes.scalarCount)
        for block in blocks {
            let marks = Self.marks(of: guess, for: block)
            for lane in 0..<Lanes.scalarCount { all.append(marks[lane]) }
        }
        all.removeLast(all.count - count)
        return all
    }

    func search(_ guesses: [Word]) -> Candidates.Search {
        // One for each of the different marks: 3 to the power of `letters`.
        var counts = [UInt32](repeating: 0, count: (0..<letters).reduce(1) { power, _ in 3 * power })
        var found: [Candidates.Trial] = []
        var limit = Int.max
        for guess in guesses {
            guard let (pairs, largest) = split(by: guess, upTo: limit, counts: counts.mutableSpan) else { continue }
            found.append(Candidates.Trial(word: guess, pairs: pairs))
            // With one more candidate this guess gets at most so many pairs, hence the best one, too.
            limit = min(limit, pairs + largest)
        }
        return Candidates.Search(
            best: found.min { $0.pairs < $1.pairs }, nearBest: found.filter { $0.pairs <= limit })
    }

    /// Counts the pairs that get the same marks, and the largest group of such words.
    ///
    /// - Parameters:
    ///   - limit: With more pairs than this it stops early: pairs only become more.
    ///   - counts: Room for a number for each possible marks, kept by the caller; what is in it does not matter.
    /// - Returns: Nil for more pairs than the limit.
    private func split(
        by guess: Word, upTo limit: Int, counts: consuming MutableSpan<UInt32>
    ) -> (pairs: Int, largest: Int)? {
        for index in counts.indices { counts[index] = 0 }
        let guess = Guess<letters>(guess)
        var pairs = 0
        for index in blocks.indices {
            let marks = Self.marks(of: guess, for: blocks[index])
            let words = count - index * Lanes.scalarCount
            for lane in 0..<Lanes.scalarCount where lane < words {
                let same = counts[Int(marks[lane])]
                pairs &+= Int(same)
                counts[Int(marks[lane])] = same &+ 1
            }
            if pairs > limit { return nil }
        }
        var largest: UInt32 = 0
        for index in counts.indices { largest = max(largest, counts[index]) }
        return (pairs, Int(largest))
    }

    /// The marks of a guess for the eight words of a block, as numbers below 3 to the power of `letters`: the sum of
    /// 3^place for present letters and twice that for correct ones.
    @inline(__always)
    private static func marks(of guess: Guess<letters>, for words: InlineArray<letters, Lanes>) -> Counts {
        var marks = Counts()
        var power: Int16 = 1
        for place in 0..<letters {
            let letter = guess.letters[place]
            var occurs = Counts()
            for other in 0..<letters { occurs &+= counts(1, where: words[other] .== letter) }
            // The same letter of the guess elsewhere comes first if it is further left, or further right and correct.
            // This one is present if the word has the letter more often than that.
            var taken = guess.earlier[place]
            if guess.isRepeating {
                for later in place + 1..<letters {
                    taken &+= counts(1, where: words[later] .== letter) & guess.isSame[place][later]
                }
            }
            let isCorrect = words[place] .== letter
            marks &+= counts(power, where: isCorrect)
            marks &+= counts(power, where: isCorrect .| (occurs .> taken))
            power &*= 3
        }
        return marks
    }

    /// A number in some lanes, 0 in the others.
    @inline(__always)
    private static func counts(_ number: Int16, where mask: SIMDMask<Counts>) -> Counts {
        Counts().replacing(with: Counts(repeating: number), where: mask)
    }
}

/// A guess, prepared for many blocks.
private struct Guess<let count: Int> {
    typealias Lanes = SIMD8<UInt16>
    typealias Counts = SIMD8<Int16>

    /// The letter of each place, for all words of a block.
    private(set) var letters = InlineArray<count, Lanes>(repeating: Lanes())
    /// How often the letter of a place comes further left.
    private(set) var earlier = InlineArray<count, Counts>(repeating: Counts())
    /// For each place, 1 for those further right with the same letter, 0 for the others.
    private(set) var isSame = InlineArray<count, InlineArray<count, Counts>>(
        repeating: InlineArray(repeating: Counts()))
    /// Whether a letter comes twice. Most guesses are spared the other two.
    private(set) var isRepeating = false

    init(_ word: NumberedWords.Word) {
        for place in 0..<count {
            letters[place] = Lanes(repeating: word[place])
            for other in 0..<place where word[other] == word[place] {
                earlier[place] &+= 1
                isSame[other][place] = Counts(repeating: 1)
                isRepeating = true
            }
        }
    }
}
