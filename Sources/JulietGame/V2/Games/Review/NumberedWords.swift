/// Words of one length whose letters are small numbers, sorted by Unicode code points.
struct NumberedWords: Sendable {
    /// The numbers of a word's letters from left to right, then zeros. Compared as numbers from left to right, words
    /// are in the order of their code points.
    typealias Word = SIMD8<UInt16>

    /// Numbers begin with 1, a lane has 16 bits, and a word that is inserted can bring eight letters.
    static let mostLetters = Int(UInt16.max) - 8

    /// How many letters each word has, 4...8.
    let letters: Int
    /// Sorted, each once.
    let words: [Word]
    /// The letters of all words, sorted: the number of a letter is its index and 1.
    private let alphabet: [Unicode.Scalar]

    /// Words in any order; one given twice counts once. Nil for more than ``mostLetters`` different letters.
    init?(_ texts: [String], letters: Int) {
        precondition((4...8).contains(letters), "words have 4 to 8 letters")
        var seen: Set<Unicode.Scalar> = []
        for text in texts { seen.formUnion(text.unicodeScalars) }
        guard seen.count <= Self.mostLetters else { return nil }
        let alphabet = seen.sorted()
        var words: [Word] = []
        words.reserveCapacity(texts.count)
        for word in texts.map({ Self.number($0, alphabet, letters) }).sorted(by: Self.precedes)
        where word != words.last {
            words.append(word)
        }
        self.init(letters: letters, words: words, alphabet: alphabet)
    }

    private init(letters: Int, words: [Word], alphabet: [Unicode.Scalar]) {
        self.letters = letters
        self.words = words
        self.alphabet = alphabet
    }

    /// The bytes of the words and of the alphabet.
    var keptBytes: Int {
        words.capacity * MemoryLayout<Word>.stride + alphabet.capacity * MemoryLayout<Unicode.Scalar>.stride
    }

    /// The numbers of a text's letters: 0 for one that no word has. It is no letter of any word, so it is always
    /// absent.
    func number(_ text: String) -> Word { Self.number(text, alphabet, letters) }

    /// The text of a word that is one of these.
    func text(_ word: Word) -> String {
        var text = String.UnicodeScalarView()
        for place in 0..<letters { text.append(alphabet[Int(word[place]) - 1]) }
        return String(text)
    }

    /// Whether a text is one of the words.
    func contains(_ text: String) -> Bool {
        let word = number(text)
        let place = Self.place(of: word, in: words)
        return place < words.count && words[place] == word
    }

    /// These words and one more, which may have new letters. Costs a copy of the words.
    func inserting(_ text: String) -> NumberedWords {
        let added = Set(text.unicodeScalars).subtracting(alphabet)
        let larger = (alphabet + added).sorted()
        var words = words
        if !added.isEmpty {
            // The old letters keep their order, hence the words theirs.
            let numbers = [0] + alphabet.map { Self.number($0, larger) }
            for index in words.indices {
                for place in 0..<letters { words[index][place] = numbers[Int(words[index][place])] }
            }
        }
        let word = Self.number(text, larger, letters)
        words.insert(word, at: Self.place(of: word, in: words))
        return NumberedWords(letters: letters, words: words, alphabet: larger)
    }

    /// Where a word is, or would be, in sorted words.
    static func place(of word: Word, in words: [Word]) -> Int {
        lowerBound(in: words) { precedes($0, word) }
    }

    /// Whether a word comes first by code points.
    private static func precedes(_ word: Word, _ other: Word) -> Bool {
        for place in word.indices where word[place] != other[place] { return word[place] < other[place] }
        return false
    }

    private static func number(_ text: String, _ alphabet: [Unicode.Scalar], _ letters: Int) -> Word {
        var word = Word()
        var count = 0
        for letter in text.unicodeScalars {
            precondition(count < letters, "a word has too many letters")
            word[count] = number(letter, alphabet)
            count += 1
        }
        precondition(count == letters, "a word has too few letters")
        return word
    }

    private static func number(_ letter: Unicode.Scalar, _ alphabet: [Unicode.Scalar]) -> UInt16 {
        let index = lowerBound(in: alphabet) { $0 < letter }
        return index < alphabet.count && alphabet[index] == letter ? UInt16(index + 1) : 0
    }

    /// The first index of a sorted array whose element is not before what is looked for.
    private static func lowerBound<Element>(in elements: [Element], isBefore: (Element) -> Bool) -> Int {
        var range = 0..<elements.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBefore(elements[middle]) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
