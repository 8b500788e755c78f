/// Finds faults in lists of words, from files or from the table.
package struct WordListCheck {
    /// One fault.
    package struct Finding: Sendable, Hashable, Encodable, CustomStringConvertible {
        /// What is wrong.
        package enum Problem: String, Sendable, Hashable, Encodable {
            /// A secret that no guessable list names.
            case unguessable
            /// The same word twice under case and Unicode normalisation.
            case duplicate
            /// A word on the block list.
            case blocked
            /// A planned word that has been retired since.
            case retired
            /// No word.
            case malformed
        }

        /// What is wrong.
        package let problem: Problem
        /// The word as it is written there.
        package let word: String
        /// Where it is: `english-secret.txt:12`, or `words` for the table.
        package let place: String
        /// What is wrong, in words.
        let detail: String

        /// The place, the word, and what is wrong with it.
        package var description: String { "\(place): \(word.quoted) \(detail)" }
    }

    /// Which words can be guessed.
    package enum Guessable: Sendable {
        /// Those that are added as guessable, if any are: for files, which have secrets and guessable words apart.
        case listed
        /// All words: for the table, where every secret is guessable.
        case all
        /// These, spelled as the language spells them.
        case only(Set<String>)
    }

    private let spelling: WordSpelling
    private let blocked: Set<String>
    private let guessable: Guessable
    private let keepsKindsApart: Bool
    private var secrets: [(word: String, written: String, place: String)] = []
    /// Where each word was seen first, by kind.
    private var seen: [WordListImport.Kind: [String: String]] = [:]
    private var found: [Finding] = []

    /// Begins a check.
    ///
    /// - Parameters:
    ///   - language: Whose spelling decides which words are the same.
    ///   - blocked: Words that must not be there, spelled as that language spells them.
    ///   - guessable: Which words can be guessed.
    ///   - keepsKindsApart: Whether a word may be there once as a secret and once as guessable, as in files.
    package init(language: String, blocked: Set<String>, guessable: Guessable, keepsKindsApart: Bool) {
        spelling = WordSpelling(language: language)
        self.blocked = blocked
        self.guessable = guessable
        self.keepsKindsApart = keepsKindsApart
    }

    /// Adds the word of a planned day.
    package mutating func add(_ planned: DayPlanRecords.Planned) {
        guard let word = planned.word else { return }
        if blocked.contains(word) {
            note(
                .blocked, word, "day \(planned.day)",
                "is on the block list; the day keeps it unless it is planned again")
        } else if planned.isRetired {
            note(.retired, word, "day \(planned.day)", "is retired; the day keeps it unless it is planned again")
        }
    }

    /// Adds a word to the check.
    package mutating func add(_ written: String, kind: WordListImport.Kind, place: String) {
        let word: String
        do {
            word = try spelling.word(written)
        } catch {
            note(.malformed, written, place, "\(error)")
            return
        }
        let list = keepsKindsApart ? kind : .guessable
        if let earlier = seen[list]?[word] {
            note(.duplicate, written, place, "is already listed: \(earlier)")
            return
        }
        seen[list, default: [:]][word] = word == written ? place : "\(place) as \(written.quoted)"
        if blocked.contains(word) { note(.blocked, written, place, "is on the block list") }
        if kind == .secret { secrets.append((word, written, place)) }
    }

    /// The faults, those of the lists as a whole last.
    package func findings() -> [Finding] {
        let guessed: (String) -> Bool
        switch guessable {
        case .only(let words): guessed = words.contains
        case .listed:
            guard let listed = seen[.guessable] else { return found }
            guessed = { listed[$0] != nil }
        case .all: return found
        }
        return found
            + secrets.filter { !guessed($0.word) }.map { secret in
                Finding(
                    problem: .unguessable, word: secret.written, place: secret.place,
                    detail: "is a secret that cannot be guessed")
            }
    }

    private mutating func note(_ problem: Finding.Problem, _ word: String, _ place: String, _ detail: String) {
        found.append(Finding(problem: problem, word: word, place: place, detail: detail))
    }
}
