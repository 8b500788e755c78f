import PlayUseCase

/// The guesses and the keyboard.
extension Presenter {
    /// The rows of a keyboard. Other letters that were guessed come in a row of their own.
    private static let keyboard = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"].map(Array.init)

    /// All rows of guesses, and below them the keys, coloured by the best that is known of each.
    ///
    /// - Parameters:
    ///   - entry: The letters that are typed, in upper case.
    ///   - room: Lines there are; with enough of them the guesses stand apart.
    ///   - hint: What is told of the word; it stands below the guesses.
    ///   - meaning: What the word means, when the game is over: it stands in the place of the keys.
    func board(
        _ board: Board, entry: [Character], _ room: Int, columns: Int, hint: [String] = [], meaning: [String] = []
    ) -> [Line] {
        let guesses = guesses(board, entry: entry, columns)
        let keys = meaning.isEmpty ? keys(board.knowledge) : cut(meaning, to: room - guesses.count - hint.count - 1)
        var below = hint.map { Line($0) } + keys
        if !hint.isEmpty, guesses.count + below.count < room { below.insert(Line(), at: hint.count) }
        let spare = room - guesses.count - below.count
        guard spare >= guesses.count else {
            return guesses + Array(repeating: Line(), count: min(max(spare, 0), 1)) + below
        }
        return guesses.flatMap { [$0, Line()] } + below
    }

    /// The lines of a hint below the board; none where it has no room beside guesses and keys.
    func hint(_ text: String?, guesses: Int, in size: Size) -> [String] {
        let lines = text.map { wrapped("Hint: \($0)", to: size.columns - 2) } ?? []
        return guesses + lines.count + Self.keyboard.count <= room(in: size) ? lines : []
    }

    private func cut(_ texts: [String], to count: Int) -> [Line] {
        let lines = texts.prefix(count).map { Line($0) }
        return texts.count > count ? lines.dropLast() + [Line((texts[count - 1].dropLast()) + "…")] : lines
    }

    /// A text in lines, broken between words, and within a word that is longer than a line.
    func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.columns + 1 + word.columns <= width {
                lines[lines.count - 1] = "\(last) \(word)"
                continue
            }
            var rest = word
            while !rest.isEmpty {
                let piece = rest.prefix(columns: max(width, 2))
                lines.append(String(piece))
                rest = rest[piece.endIndex...]
            }
        }
        return lines
    }

    private func guesses(_ board: Board, entry: [Character], _ columns: Int) -> [Line] {
        let entry = board.takesGuess ? entry : []
        // One wide letter widens all tiles, so that they stand below each other.
        let width = (board.rows.joined().map(\.letter) + entry).map(\.columns).reduce(1, max)
        let gap = (width + 3) * board.length - 1 <= columns ? " " : ""
        var lines = board.rows.map { row in
            joined(
                row.map { tile($0.letter, $0.mark, width) }, gap, isFromRight: row.first?.letter.runsFromRight == true)
        }
        if board.takesGuess {
            let tiles = (0..<board.length).map { place in tile(place < entry.count ? entry[place] : "_", nil, width) }
            lines.append(joined(tiles, gap, isFromRight: entry.first?.runsFromRight == true))
        }
        let place = Line(" · " + String(repeating: " ", count: width - 1), .faint)
        let free = joined(Array(repeating: place, count: board.length), gap)
        return lines + Array(repeating: free, count: max(board.attempts - lines.count, 0))
    }

    private func keys(_ knowledge: [Character: Mark]) -> [Line] {
        let others = Set(knowledge.keys).subtracting(Self.keyboard.joined()).sorted()
        let width = others.map(\.columns).reduce(1, max)
        let most = Self.minimum.columns / (width + 2)
        let rows = stride(from: 0, to: others.count, by: most).map { Array(others[$0..<min($0 + most, others.count)]) }
        // Whoever guesses in other letters alone has no use for these.
        let isInUse = others.isEmpty || others.count < knowledge.count
        return ((isInUse ? Self.keyboard : []) + rows).map { row in
            row.reduce(Line()) { line, letter in line + tile(letter, knowledge[letter], rows.contains(row) ? width : 1)
            }
        }
    }

    /// Tiles side by side.
    ///
    /// - Parameter isFromRight: Whether the first is at the right. Some terminals reverse such letters by themselves, others do
    ///   not: with a mark of the other direction between the letters, none does.
    private func joined(_ tiles: [Line], _ gap: String, isFromRight: Bool = false) -> Line {
        let mark = isFromRight ? "\u{200E}" : ""
        let tiles = isFromRight ? tiles.reversed() : tiles
        return tiles.dropFirst().reduce(Line(mark) + (tiles.first ?? Line())) { $0 + Line(gap + mark) + $1 }
    }

    /// A letter and what is known of it, with a column at either side.
    ///
    /// - Parameter width: The columns of the letter; a narrower one is filled up.
    func tile(_ letter: Character, _ mark: Mark?, _ width: Int = 1) -> Line {
        func shown(_ text: String) -> String {
            // A letter that has no place of its own is put on a sign that stands for any.
            let text = text.columns == 0 ? "◌\(text)" : text
            return text + String(repeating: " ", count: max(width - text.columns, 0))
        }
        let text = shown("\(letter)")
        return switch mark {
        case .correct: Line(usesSigns ? "[\(text)]" : " \(text) ", .correct)
        case .present: Line(usesSigns ? "(\(text))" : " \(text) ", .present)
        case .absent: Line(usesSigns ? " \(shown(letter.lowercased())) " : " \(text) ", .absent)
        case nil: Line(" \(text) ", .fresh)
        }
    }
}
