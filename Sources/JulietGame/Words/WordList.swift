/// Words of a list: what a deal chooses from.
package struct WordList: Sendable {
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
