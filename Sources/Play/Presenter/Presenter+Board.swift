import PlayUseCase

/// The guesses and the keyboard.
extension Presenter {
    /// The rows of a keyboard. Other letters that were guessed come in a row of their own.
    private static let keyboard = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"].map(Array.init)

    /// All rows of guesses, and below them the keys, coloured by the best that is known of each.
    ///
    /// - Parameters:
    ///   - room: Lines there are; with enough of them the guesses stand apart.
    ///   - meaning: What the word means, when the game is over: it stands in the place of the keys.
    func board(_ board: Board, entry: [Character], _ room: Int, meaning: [String] = []) -> [Line] {
        let guesses = guesses(board, entry: entry)
        let keys = meaning.isEmpty ? keys(board.knowledge) : cut(meaning, to: room - guesses.count - 1)
        let spare = room - guesses.count - keys.count
        guard spare >= guesses.count else { return guesses + Array(repeating: Line(), count: min(spare, 1)) + keys }
        return guesses.flatMap { [$0, Line()] } + keys
    }

    private func cut(_ texts: [String], to count: Int) -> [Line] {
        let lines = texts.prefix(count).map { Line($0) }
        return texts.count > count ? lines.dropLast() + [Line((texts[count - 1].dropLast()) + "…")] : lines
    }

    /// A text in lines, broken between words.
    func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    private func guesses(_ board: Board, entry: [Character]) -> [Line] {
        let length = board.length
        var lines = board.rows.map { row in joined(row.map { tile($0.letter, $0.mark) }) }
        if board.takesGuess {
            lines.append(joined((0..<length).map { place in tile(place < entry.count ? entry[place] : "_", nil) }))
        }
        let free = joined(Array(repeating: Line(" · ", .faint), count: length))
        return lines + Array(repeating: free, count: max(board.attempts - lines.count, 0))
    }

    private func keys(_ knowledge: [Character: Mark]) -> [Line] {
        let others = Set(knowledge.keys).subtracting(Self.keyboard.joined()).sorted()
        let rows = Self.keyboard + (others.isEmpty ? [] : [others])
        return rows.map { row in
            row.reduce(Line()) { line, letter in line + tile(letter, knowledge[letter]) }
        }
    }

    private func joined(_ tiles: [Line]) -> Line {
        tiles.dropFirst().reduce(tiles.first ?? Line()) { $0 + Line(" ") + $1 }
    }

    /// Three columns: a letter and what is known of it.
    func tile(_ letter: Character, _ mark: Mark?) -> Line {
        switch mark {
        case .correct: Line(usesSigns ? "[\(letter)]" : " \(letter) ", .correct)
        case .present: Line(usesSigns ? "(\(letter))" : " \(letter) ", .present)
        case .absent: Line(usesSigns ? " \(letter.lowercased()) " : " \(letter) ", .absent)
        case nil: Line(" \(letter) ", .fresh)
        }
    }
}
