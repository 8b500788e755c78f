/// How the words of a language are written here: lower case by the language's own rules, composed (NFC), letters only.
package struct WordSpelling: Sendable {
    /// Why a text is not a word.
    package enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// The bytes are not UTF-8.
        case encoding
        /// A character that is no letter, or one that cannot be composed into one code point.
        case letter(Character)
        /// Too few or too many letters.
        case length(Int)

        /// What is wrong, in a few words.
        package var description: String {
            switch self {
            case .encoding: "is not UTF-8"
            case .letter(let character) where character.isWhitespace: "is more than one word"
            case .letter(let character): "has a character that is not a letter: \(character)"
            case .length(1): "has 1 letter, words have 4 to 8"
            case .length(let count): "has \(count) letters, words have 4 to 8"
            }
        }
    }

    /// How many letters a word can have.
    package static let lengths = 4...8

    /// The spelling of nearly all languages.
    static let common = WordSpelling(language: "")
    /// The others, in the order of `take_guess`, which also names the languages: those of Turkish and Azerbaijani, of any
    /// words, and of any words in these languages.
    static let others = [
        WordSpelling(language: "tr"), WordSpelling(language: "", takesAnyLetters: true),
        WordSpelling(language: "tr", takesAnyLetters: true),
    ]

    /// Whether i has its dot in both cases and ı in neither.
    private let hasDottedCapital: Bool
    /// Whether all letters of Unicode are taken, as in words that need not be in a list.
    private let takesAnyLetters: Bool

    /// The spelling of a language.
    ///
    /// - Parameters:
    ///   - language: An ISO 639 code as in `words.language`: "en", "de", "tr".
    ///   - takesAnyLetters: Whether the word need not be in a list: then it may have all that are letters after NFC and in
    ///     lower case, by their categories (Ll, Lo, Lm).
    package init(language: String, takesAnyLetters: Bool = false) {
        // By its bytes: comparing characters takes long if a client sent a text of many marks.
        hasDottedCapital = ["tr", "az"].contains { language.utf8.elementsEqual($0.utf8) }
        self.takesAnyLetters = takesAnyLetters
    }

    /// Appends the word that a text spells, as UTF-8.
    ///
    /// - Parameters:
    ///   - text: UTF-8 without blanks around it, in any case, composed or not.
    ///   - bytes: Unchanged when the text is no word.
    package func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) throws(Fault) {
        let start = bytes.count
        // Nearly every word of nearly every list is ASCII letters; this path allocates nothing.
        for byte in text {
            let lower = byte | 0x20
            guard (0x61...0x7A).contains(lower), !(hasDottedCapital && byte == UInt8(ascii: "I")) else {
                bytes.removeSubrange(start...)
                guard let text = String(validating: text, as: UTF8.self) else { throw .encoding }
                bytes.append(contentsOf: try composedWord(text).utf8)
                return
            }
            bytes.append(lower)
        }
        guard Self.lengths.contains(text.count) else {
            bytes.removeSubrange(start...)
            throw .length(text.count)
        }
    }

    /// The word that a text spells.
    package func word(_ text: String) throws(Fault) -> String {
        var bytes: [UInt8] = []
        try append(Array(text.utf8)[...], to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func composedWord(_ text: String) throws(Fault) -> String {
        // No letter is composed of more than four code points: what is longer is not looked at.
        guard text.unicodeScalars.prefix(4 * Self.lengths.upperBound + 1).count <= 4 * Self.lengths.upperBound else {
            throw .length(text.unicodeScalars.count)
        }
        if !takesAnyLetters, let sign = text.unicodeScalars.first(where: Self.isSign) { throw .letter(Character(sign)) }
        var text = text
        if hasDottedCapital {
            text = text.replacing("I\u{307}", with: "i").replacing("İ", with: "i").replacing("I", with: "ı")
        }
        // Unicode's final sigma: at the end of a word Σ is ς.
        if text.last == "Σ", text.count > 1 { text = text.dropLast() + "ς" }
        var word = String.UnicodeScalarView()
        for character in text.lowercased() {
            if takesAnyLetters {
                guard let letters = ComposedLetters.letters(character) else { throw .letter(character) }
                word.append(contentsOf: letters)
            } else {
                guard let letter = ComposedLetters.letter(character) else { throw .letter(character) }
                word.append(letter)
            }
        }
        guard Self.lengths.contains(word.count) else { throw .length(word.count) }
        return String(word)
    }

    /// Whether a character is a sign of which only the lower case is a letter of words: the Kelvin sign's lower case
    /// is k, but the upper case of k is another character. A letter is the upper case, or the title case, of its lower
    /// case; the lower case of ẞ has no upper case of its own.
    private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        guard lower.count == 1, let letter = lower.first, letter != scalar else { return false }
        let upper = letter.properties.uppercaseMapping.unicodeScalars
        return upper.count == 1 && upper.first != scalar
            && !letter.properties.titlecaseMapping.unicodeScalars.elementsEqual([scalar])
    }

    /// A word with upper case for the letters whose upper case is special to this language: the Turkish i becomes İ.
    /// Writing all letters in upper case by the usual rules, and in lower case again by this language's, gives the
    /// word.
    package func capitalizingOwnLetters(_ word: String) -> String {
        hasDottedCapital ? word.replacing("i", with: "İ") : word
    }
}
