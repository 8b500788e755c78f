/// Words of a list: what a deal chooses from.
package struct WordList: Sendable, Hashable, Codable {
    /// What the published app plays, where there is such a list.
    package static let app = WordList(language: "en", letters: 5)

    /// `words.language`, for example "en".
    package let language: String
    /// Letters per word.
    package let letters: Int

    /// Names a list.
    package init(language: String, letters: Int) {
        self.language = language
        self.letters = letters
    }
}

/// A list that can be dealt from, and what its words are written with.
package struct OfferedList: Sendable, Decodable {
    /// Its language, as in ``WordList``.
    package let language: String
    /// Letters per word.
    package let letters: Int
    /// All letters of its words, secret or not, by their code points, 64 at most; nil: they are a to z, or more than 64.
    package let alphabet: String?

    /// Which list it is.
    var name: WordList { WordList(language: language, letters: letters) }
}
