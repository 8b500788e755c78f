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
