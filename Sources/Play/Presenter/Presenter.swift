package import PlayUseCase

/// Makes frames of the game's state: a value from a value. It does not know the terminal.
package struct Presenter: Sendable {
    /// The smallest window that the game can be played in.
    package static let minimum = Size(columns: 32, rows: 13)

    /// Whether letters carry signs besides their style, since the view has no colours: `[E]` correct, `(E)` present.
    let usesSigns: Bool

    package init(usesSigns: Bool) {
        self.usesSigns = usesSigns
    }

    /// The whole picture.
    package func frame(of play: Play, size: Size) -> Frame {
        frame(
            head: heading(play, size.columns), message: message(of: play), state: state(of: play.outbox), size: size
        ) { room in
            play.showsHelp ? help(room) : board(Board(play.game), entry: play.entry, room, columns: size.columns)
        }
    }

    /// The lines of the body.
    func room(in size: Size) -> Int { size.rows - 3 }

    /// A heading, a body in the middle, a message, and a last line with the state and the key for help.
    ///
    /// - Parameter hasHelp: Whether that key does so, and is not typed.
    func frame(
        head: Line, message: Line, state: Line, hasHelp: Bool = true, size: Size, body: (Int) -> [Line]
    ) -> Frame {
        guard size.columns >= Self.minimum.columns, size.rows >= Self.minimum.rows else { return tooSmall(size) }
        let keys = Line(hasHelp ? "? help " : "", .faint)
        let foot = [message.centred(in: size.columns), state + .blank(size.columns - state.width - keys.width) + keys]
        let room = room(in: size)
        let lines = [head] + pad(body(room).prefix(room).map { $0.centred(in: size.columns) }, to: room) + foot
        return Frame(lines.map { $0.clipped(to: size.columns) })
    }

    private func tooSmall(_ size: Size) -> Frame {
        let need = "\(Self.minimum.columns)×\(Self.minimum.rows)"
        let texts = ["Too small", "to play:", "needs \(need),", "has \(size.columns)×\(size.rows)"]
        return Frame(texts.map { Line($0) }.prefix(max(size.rows, 0)).map { $0.clipped(to: size.columns) })
    }

    /// Blank lines around it, one more below than above.
    private func pad(_ lines: [Line], to count: Int) -> [Line] {
        let spare = max(count - lines.count, 0)
        return Array(repeating: Line(), count: spare / 2) + lines + Array(repeating: Line(), count: spare - spare / 2)
    }
}

// MARK: - Top and bottom

extension Presenter {
    private func heading(_ play: Play, _ columns: Int) -> Line {
        var bought = 0
        var won = 0
        for deed in play.outbox.waiting {
            if case .buyEnergy(let pack, _) = deed { bought += pack.rawValue }
            if case .countWin = deed { won += 1 }
        }
        return heading(
            count("energy", play.saved.energy, bought) + Line("  ") + count("wins", play.saved.wins, won), columns)
    }

    /// The game's name and, at the right, the score.
    func heading(_ score: Line, _ columns: Int) -> Line {
        let title = Line(" Juliet", .strong)
        let gap = columns - title.width - score.width - 1
        return gap > 0 ? title + .blank(gap) + score : Line(" ") + score
    }

    /// `energy 25 +30`: as last heard, and what waits to be added.
    func count(_ name: String, _ known: Int?, _ waiting: Int) -> Line {
        let number = Line("\(name) ") + Line(known.map(String.init) ?? "?", .strong)
        return waiting == 0 ? number : number + Line(" +\(waiting)", .faint)
    }

    /// `2 waiting, offline`; nothing when all is well.
    private func state(of outbox: Outbox) -> Line {
        let waiting = outbox.count == 0 ? "" : "\(outbox.count) waiting, "
        switch outbox.link {
        case .online: return outbox.count == 0 ? Line() : Line(" \(outbox.count) on the way", .faint)
        case .offline: return Line(" \(waiting)offline", .alert)
        case .keyRefused: return Line(" \(waiting)key refused", .alert)
        }
    }

    private func message(of play: Play) -> Line {
        if let notice = play.notice { return Line(text(notice, play.game), .alert) }
        switch play.saved.phase {
        case .idle:
            return Line("Enter starts a game (5 energy)")
        case .starting:
            return switch play.outbox.link {
            case .online: Line("Asking for a word")
            case .offline: Line("A new word needs the service", .alert)
            case .keyRefused: Line("Give the right key: --key", .alert)
            }
        case .playing(let game), .over(let game):
            return message(of: game)
        }
    }

    private func message(of game: Game) -> Line {
        switch game.outcome {
        case .won: Line("Won in \(game.guesses.count). ", .strong) + Line("Enter: next game")
        case .lost: Line("It was \(game.secret). ", .strong) + Line("Enter: next game")
        case nil: Line("Guess \(game.guesses.count + 1) of \(Game.attempts)", .faint)
        }
    }

    private func text(_ notice: Play.Notice, _ game: Game?) -> String {
        switch notice {
        case .resumed: "Your game goes on"
        case .tooShort: "A guess has \(game?.length ?? 0) letters"
        case .notAWord(let word): "\(word) is not in the list"
        case .notEnoughEnergy: "No energy: press 5 or 3 to buy"
        case .refused(let reason): "Refused: \(reason)"
        case .notKept(let reason): "Not saved: \(reason)"
        }
    }
}

// MARK: - Help

extension Presenter {
    private func help(_ room: Int) -> [Line] {
        help(
            [
                ("A-Z", "type a guess"),
                ("Enter", "guess; start a game"),
                ("Backspace", "take a letter back"),
                ("5", "buy 5 energy"),
                ("3", "buy 30 energy"),
                ("Ctrl-C", "leave; the game stays"),
            ], room)
    }

    /// Keys with their meanings, and what the colours of letters say.
    func help(_ keys: [(String, String)], _ room: Int) -> [Line] {
        let names = keys.map { key, meaning in Line(" " + key, .strong) + .blank(10 - key.count) + Line(meaning) }
        let marks = [
            tile("A", .correct) + Line(" is in the right place"),
            tile("B", .present) + Line(" is elsewhere in it"),
            tile("C", .absent) + Line(" is not in the word"),
        ]
        let lines = names + (names.count + marks.count < room ? [Line()] : []) + marks
        let width = lines.map(\.width).max() ?? 0
        return lines.prefix(room).map { $0 + .blank(width - $0.width) }
    }
}
