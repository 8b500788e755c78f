#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The words that may be guessed.
///
/// The service deals words but has no URL that lists them, so the list is a file: one word a line, what follows a # is
/// passed over. A game whose secret is not in it is in another language: then any letters may be guessed.
package struct GuessList: Sendable {
    private let words: Set<String>

    /// A list of words in any letter case; with an empty list every guess is allowed.
    package init(_ words: [String] = []) {
        self.words = Set(words.map { $0.uppercased() })
    }

    /// Reads a file; nil when there is none, or it cannot be read.
    package init?(path: String) {
        guard let contents = FileManager.default.contents(atPath: path) else { return nil }
        let lines = String(decoding: contents, as: UTF8.self).split(whereSeparator: \.isNewline)
        self.init(lines.map { String($0.prefix { $0 != "#" && !$0.isWhitespace }) }.filter { !$0.isEmpty })
    }

    /// Whether a guess, in upper case, may be made for a secret.
    func allows(_ guess: String, for secret: String) -> Bool {
        words.contains(guess) || !words.contains(secret)
    }
}
