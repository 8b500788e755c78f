import EventLoop

/// The words of each language that games have accepted as guesses. They stay valid: a retired word still counts, and none
/// is deleted. So the database need not look up these words again, only others.
///
/// There are never more than the lists have, because no other words are accepted.
final class KnownWords: Sendable {
    private let words = Locked<[String: Set<String>]>([:])

    func contains(_ word: String, of language: String) -> Bool {
        words.withLock { $0[language]?.contains(word) ?? false }
    }

    func insert(_ word: String, of language: String) {
        words.withLock { _ = $0[language, default: []].insert(word) }
    }
}
