import EventLoop

/// The words of the language that games have taken as guesses. They stay words: one that is retired still counts, and none
/// is deleted. So the records need not look a word up again; of any other they say what it is.
///
/// Never more than the lists have, since nothing else is ever taken.
final class KnownWords: Sendable {
    private let words = Locked<Set<String>>([])

    func contains(_ word: String) -> Bool { words.withLock { $0.contains(word) } }

    func insert(_ word: String) { words.withLock { _ = $0.insert(word) } }
}
