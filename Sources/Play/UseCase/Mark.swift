/// What a guess tells about one of its letters. The greater mark is the better knowledge.
package enum Mark: Int, Comparable, Sendable {
    /// No such letter, or no more of them than are marked already.
    case absent
    /// The letter stands at another place.
    case present
    /// The letter stands here.
    case correct

    package static func < (left: Mark, right: Mark) -> Bool { left.rawValue < right.rawValue }

    /// Judges a guess, one mark for each letter of it.
    ///
    /// The correct letters first. Each other letter is then present, from left to right, as long as the secret has one of
    /// it that nothing is marked for: of two E's guessed for a secret with one E, one is marked.
    static func marks(of guess: [Character], for secret: [Character]) -> [Mark] {
        var marks = guess.indices.map { $0 < secret.count && guess[$0] == secret[$0] ? Mark.correct : .absent }
        var left: [Character: Int] = [:]
        for (place, letter) in secret.enumerated() where place >= marks.count || marks[place] != .correct {
            left[letter, default: 0] += 1
        }
        for (place, letter) in guess.enumerated() where marks[place] != .correct {
            guard let count = left[letter], count > 0 else { continue }
            marks[place] = .present
            left[letter] = count - 1
        }
        return marks
    }
}
