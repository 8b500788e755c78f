import JulietClient
package import PlayUseCase

/// The picture where the service speaks `/v2`.
extension Presenter {
    /// The whole picture.
    package func frame(of desk: Desk, size: Size) -> Frame {
        let message = desk.showsHelp ? Line("Any key: back", .faint) : message(of: desk)
        return frame(
            head: heading(desk, size.columns), message: message, state: state(of: desk, size),
            hasHelp: !desk.takesSentence, size: size
        ) { room in
            desk.showsHelp ? help(keys(of: desk), room) : body(of: desk, room, size)
        }
    }

    private func heading(_ desk: Desk, _ columns: Int) -> Line {
        guard let player = desk.saved.player else { return Line(" Juliet", .strong) }
        let energy = count("energy", player.energy, player.refill?.due ?? 0)
        return heading(energy + Line("  ") + count("wins", player.statistics.won, 0), columns)
    }

    private func state(of desk: Desk, _ size: Size) -> Line {
        switch desk.delay {
        case .outOfReach: return Line(" out of reach", .alert)
        case .busy: return Line(" the service is busy", .alert)
        case nil: break
        }
        guard desk.screen == .board, let game = desk.saved.game else { return Line() }
        // Where there is room for it; the help has all keys.
        let look = desk.canLookBack ? "  L: look back" : ""
        if desk.canChallenge { return Line(" C: challenge your friends to it\(look)", .faint) }
        let day = game.day.map { " No. \($0.number)" } ?? ""
        let kind =
            switch game.kind {
            case .game: " Your word"
            case .daily: " Word of the day\(day)"
            case .archive: " Past day\(day)"
            case .challenge: " Challenge"
            }
        let any = game.anyWord == true ? ", any letters" : ""
        let hint = hint(of: game, size).isEmpty ? game.hint.map { ": \($0)" } ?? "" : ""
        return Line(kind + (game.isHard ? ", hard" : "") + any + hint + look, .faint)
    }

    private func hint(of game: V2.Game, _ size: Size) -> [String] {
        hint(game.hint, guesses: game.maximumGuesses, in: size)
    }

    private func body(of desk: Desk, _ room: Int, _ size: Size) -> [Line] {
        switch desk.screen {
        case .welcome: block(welcome(desk))
        case .signingIn: block(signingIn(desk))
        case .code: block(code(desk))
        case .menu: block(menu(desk, room))
        case .board:
            board(desk.saved.game, entry: desk.entry, room, size)
        case .review: block(review(desk.review, language: desk.saved.game?.language ?? "", room))
        case .days: block(days(desk, room))
        case .friends: block(friends(desk, room))
        case .typingCode(let purpose): block(typingCode(desk, purpose))
        case .league: block(league(desk, room))
        case .challenge: block(challenge(desk, room))
        case .making: block(making(desk))
        case .statistics: block(statistics(desk.saved.player?.statistics))
        case .signingOut: block(signingOut())
        }
    }

    private func board(_ game: V2.Game?, entry: [Character], _ room: Int, _ size: Size) -> [Line] {
        guard let game else { return board(Board(nil), entry: entry, room, columns: size.columns) }
        return board(
            Board(game), entry: entry.map { $0.inUpperCase(of: game.language) }, room, columns: size.columns,
            hint: hint(of: game, size), meaning: game.meaning.map { wrapped($0, to: size.columns - 2) } ?? [])
    }

    /// Lines of one width, so that they stand below each other when each is put in the middle.
    func block(_ lines: [Line]) -> [Line] {
        let width = lines.map(\.width).max() ?? 0
        return lines.map { $0 + .blank(width - $0.width) }
    }

    /// `E  Take energy      10 due`: a key, what it does, and its state.
    func choice(_ key: String, _ label: String, _ state: String = "") -> Line {
        let line = Line(key, .strong) + Line("  \(label)")
        return state.isEmpty ? line : line + .blank(19 - line.width) + Line(state, .faint)
    }
}

// MARK: - Players

extension Presenter {
    private func welcome(_ desk: Desk) -> [Line] {
        var lines = [choice("N", "New player"), choice("R", "I have a recovery code")]
        if let energy = desk.service?.energy {
            lines += [Line(), Line("A new player has \(energy.start) energy,"), Line("a game costs \(energy.price).")]
        }
        if desk.hasAppGames {
            lines += [
                Line(), Line("The games you have here go on", .faint), Line("with juliet play --contract app", .faint),
            ]
        }
        return lines
    }

    private func signingIn(_ desk: Desk) -> [Line] {
        [
            Line("Your recovery code:"), Line(), Line(String(desk.entry.suffix(29)) + "_", .strong), Line(),
            Line("It works once. A new one"), Line("comes in its place."),
        ]
    }

    private func code(_ desk: Desk) -> [Line] {
        [
            Line("Your recovery code:"), Line(), Line(desk.saved.session?.newCode ?? "", .strong), Line(),
            Line("Write it down: it is shown"), Line("once. It signs you in on"), Line("another device. Nobody can"),
            Line("recover a lost code."),
        ]
    }

    private func signingOut() -> [Line] {
        [
            Line("To come back you need the"), Line("recovery code. Without it"), Line("the player is lost."), Line(),
            choice("O", "Sign out"), choice("C", "Make a new recovery code"), choice("Esc", "Stay"),
        ]
    }

    /// For each guess how many words it left, of how many, and how many it could be expected to leave; where there is room, the
    /// best of those words, too.
    private func review(_ review: V2.Review?, language: String, _ room: Int) -> [Line] {
        guard let review else { return [] }
        func rounded(_ number: Double) -> String {
            number < 10 ? "\((number * 10).rounded() / 10)" : "\(Int(number.rounded()))"
        }
        return review.guesses.flatMap { guess in
            let line =
                Line(guess.word.inUpperCase(of: language), .strong)
                + Line(" left \(guess.left) of \(guess.before) words")
            guard room >= 2 * review.guesses.count else { return [line] }
            let better = guess.best.flatMap { $0.expected < guess.expected ? $0 : nil }
            let best = better.map { ", \(rounded($0.expected)) of \($0.word.inUpperCase(of: language))" } ?? ""
            let expected = "  expected were \(rounded(guess.expected))\(best)"
            return [line, Line(guess.before == 1 ? "  it was the only one" : expected, .faint)]
        }
    }

    private func statistics(_ statistics: V2.Statistics?) -> [Line] {
        guard let statistics, statistics.played > 0 else {
            return [Line("Play your first game,"), Line("and it is counted here.")]
        }
        let most = max(statistics.distribution.max() ?? 0, 1)
        let head = [
            Line("Played \(statistics.played), won \(statistics.won)"),
            Line("Days won in a row \(statistics.days.currentStreak), longest \(statistics.days.longestStreak)"),
            Line("Wins in a row \(statistics.currentStreak), longest \(statistics.longestStreak)"), Line(),
        ]
        return head
            + statistics.distribution.enumerated().map { index, wins in
                let bar = String(repeating: "█", count: wins * 18 / most)
                return Line("\(index + 1) ", .strong) + Line("\(bar) \(wins)")
            }
    }
}

// MARK: - The menu

extension Presenter {
    private func menu(_ desk: Desk, _ room: Int) -> [Line] {
        let price = desk.service.map { "\($0.energy.price) energy" } ?? ""
        var lines = [
            choice("D", "Word of the day", day(of: desk)),
            choice("P", "A word for you", desk.running.map(state) ?? price),
        ]
        if desk.service?.daysGoneBy != false { lines.append(choice("G", "Past days")) }
        if desk.hasFriends { lines.append(choice("F", "Friends")) }
        lines.append(choice("H", "Hard mode", desk.saved.isHard ? "on" : "off"))
        if desk.comesBack { lines.append(choice("E", "Take energy", refill(desk.saved.player?.refill, desk.now))) }
        lines += [choice("S", "Statistics"), choice("C", "Recovery code", "a new one"), choice("O", "Sign out")]
        if desk.lists.count > 1, let list = desk.list ?? desk.lists.first, lines.count < room {
            lines.insert(choice("W", "Words for you", "\(list.language), \(list.length) letters"), at: 2)
        }
        guard lines.count + 2 <= room else { return lines }
        return [Line(desk.saved.player?.name ?? "", .strong), Line()] + lines
    }

    private func day(of desk: Desk) -> String {
        guard let day = desk.day, desk.now < day.endsAt else { return "" }
        if let game = day.game { return state(game) }
        return desk.service?.energy.dailyReward.map { "+\($0) energy" } ?? "free"
    }

    private func state(_ game: V2.Game) -> String { state(game.state, guesses: game.guesses.count) }

    func state(_ state: V2.Game.State, guesses: Int) -> String {
        switch state {
        case .playing: "goes on"
        case .won: "won in \(guesses)"
        case .lost: "lost"
        }
    }

    private func refill(_ refill: V2.Refill?, _ now: V2.Timestamp) -> String {
        guard let refill else { return "full" }
        if refill.due > 0 { return "\(refill.due) due" }
        return refill.nextAt.map { "in \(time(from: now, to: $0))" } ?? "full"
    }

    func time(from now: V2.Timestamp, to then: V2.Timestamp) -> String {
        time(seconds: Int((then.microsecondsSince1970 - now.microsecondsSince1970) / 1_000_000))
    }

    /// `3 h 12 min`, rounded up to the minute.
    private func time(seconds: Int) -> String {
        let minutes = max((seconds + 59) / 60, 1)
        return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

// MARK: - Past days

extension Presenter {
    private func days(_ desk: Desk, _ room: Int) -> [Line] {
        guard !desk.days.isEmpty else { return [] }
        let count = min(room, desk.days.count)
        let first = min(max(desk.selection - count / 2, 0), desk.days.count - count)
        return desk.days.indices[first..<first + count].map { index in
            let day = desk.days[index]
            let isChosen = index == desk.selection
            let number = "\(day.number)"
            let game = day.game.map { state($0.state, guesses: $0.guesses) } ?? ""
            let text = "\(isChosen ? ">" : " ") " + String(repeating: " ", count: max(4 - number.count, 0)) + number
            return Line("\(text)  \(day.day)  ", isChosen ? .strong : .plain)
                + Line(game + String(repeating: " ", count: max(9 - game.count, 0)), isChosen ? .strong : .faint)
        }
    }
}

// MARK: - What there is to say

extension Presenter {
    private func message(of desk: Desk) -> Line {
        if let notice = desk.notice, desk.screen != .making { return Line(text(notice, desk), .alert) }
        if desk.delay != nil, let late = late(desk) { return Line(late, .alert) }
        switch desk.screen {
        case .welcome:
            return desk.waiting.contains { $0.request == .createPlayer } ? Line("Asking the service") : Line()
        case .signingIn:
            let isAsking = desk.waiting.contains { $0.request.kind == .credentials }
            return Line(isAsking ? "Asking the service" : "Enter: sign in")
        case .code:
            return Line("Enter: I wrote it down")
        case .menu:
            return menuMessage(desk)
        case .board:
            return desk.saved.game.map { message(of: $0, isGuessing: desk.isGuessing, desk) } ?? Line()
        case .days:
            if desk.days.isEmpty { return Line("Asking for the days") }
            let chosen = desk.days[desk.selection]
            if chosen.planned == true { return Line("The host's word. Enter plays") }
            if chosen.day == desk.day?.day { return Line("Enter: the word of the day") }
            return Line("Enter plays; it counts nowhere")
        case .friends, .typingCode, .league, .challenge:
            return friendsMessage(desk)
        case .making:
            return makingMessage(desk)
        case .review:
            return Line(desk.review == nil ? "Asking the service" : "Enter: your game", .faint)
        case .statistics:
            return Line("Esc: menu", .faint)
        case .signingOut:
            return Line()
        }
    }

    private func menuMessage(_ desk: Desk) -> Line {
        switch desk.saved.pending {
        case .startGame, .startDaily, .startDay, .startChallenge: return Line("Asking for a word")
        case .takeRefill: return Line("Asking for energy")
        default: break
        }
        guard let day = desk.day, desk.now < day.endsAt else { return Line() }
        return Line("No. \(day.number), \(time(from: desk.now, to: day.endsAt)) left", .faint)
    }

    private func message(of game: V2.Game, isGuessing: Bool, _ desk: Desk) -> Line {
        let back =
            if game.kind == .challenge, desk.friends.challenge != nil {
                "Enter: results"
            } else {
                game.kind == .archive && !desk.days.isEmpty ? "Enter: days" : "Enter: menu"
            }
        let reward = game.reward.map { "+\($0) energy. " } ?? ""
        switch game.state {
        case .won: return Line("Won in \(game.guesses.count). \(reward)", .strong) + Line(back)
        case .lost:
            return Line("It was \((game.secret ?? "").inUpperCase(of: game.language)). \(reward)", .strong) + Line(back)
        case .playing where isGuessing: return Line("Asking the service", .faint)
        case .playing: return Line("Guess \(game.guesses.count + 1) of \(game.maximumGuesses)", .faint)
        }
    }

    /// What waits while the service does not answer.
    private func late(_ desk: Desk) -> String? {
        switch desk.saved.pending {
        case .guess: "Your guess waits: trying again"
        case .startGame, .startDaily, .startDay, .startChallenge: "A word needs the service"
        case .makeChallenge, .rename, .joinLeague: "Trying again. Enter: now"
        case .takeRefill: "Energy needs the service"
        default: desk.screen == .board || desk.waiting.isEmpty ? nil : "Trying again. Enter: now"
        }
    }

    func text(_ notice: Desk.Notice, _ desk: Desk) -> String {
        switch notice {
        case .codeMalformed: "A code has 20 letters and digits"
        case .codeUnknown: "Wrong code, or already used"
        case .signedOut: "This device was signed out"
        case .noAnswer(mayBeDone: false): "No answer. Try again"
        case .noAnswer(mayBeDone: true):
            desk.screen == .signingIn ? "No answer: code may be used up" : "No answer came. Try again"
        case .waits: "Wait: the service has to answer"
        case .resumed: "Your game goes on"
        case .tooShort: "A guess has \(desk.saved.game?.length ?? 0) letters"
        case .notAWord where desk.saved.game?.anyWord == true: "Guess with letters alone"
        case .notAWord(let word): "\(word.inUpperCase(of: language(desk))) is not in the word list"
        case .hardRule(let rule): "Hard mode: \(text(rule, of: language(desk)))"
        case .wentOn: "The game went on elsewhere"
        case .gone: "There is no such game any more"
        case .notEnoughEnergy where desk.screen == .making: "A challenge costs more energy than you have."
        case .notEnoughEnergy: notEnough(desk)
        case .unfinished: "End this game first"
        case .refilled(let energy): "+\(energy) energy"
        case .refillEarly(let seconds): "More energy in \(time(seconds: seconds))"
        case .refillFull: "No energy is missing"
        case .tooManyDays: "Too many games wait: end one"
        case .tooManyTries(let seconds): "Too many tries: wait \(time(seconds: seconds))"
        case .dayMissing: "That day has no word here"
        case .shareCodeMalformed: "A code has 8 letters and digits"
        case .shareCodeUnknown: "That code is not valid"
        case .leagueFull: "The league is full"
        case .tooManyLeagues: "You are in 20 leagues already"
        case .challengeOver: "The challenge is over"
        case .challengeFull: "The challenge is full"
        case .tooManyChallenges: "You have 50 running challenges: end one, or wait until one ends."
        case .noWord: "Write a word first."
        case .wordMalformed: "A word has 4 to 8 letters, and nothing else."
        case .wordUnlisted: "Not in the word list"
        case .wordRefused: "This word is not allowed here."
        case .hintTells: "The hint must not contain the word."
        case .refused(let reason): reason
        case .notKept(let reason): "Not saved: \(reason)"
        }
    }

    private func language(_ desk: Desk) -> String { desk.saved.game?.language ?? "" }

    private func text(_ rule: V2.HardRule, of language: String) -> String {
        let letter = rule.letter.inUpperCase(of: language)
        if let position = rule.position { return "letter \(position) is \(letter)" }
        switch rule.count ?? 1 {
        case 1: return "use \(letter)"
        case 2: return "use \(letter) twice"
        case let count: return "use \(letter) \(count) times"
        }
    }

    private func notEnough(_ desk: Desk) -> String {
        guard let refill = desk.saved.player?.refill else { return "Not enough energy" }
        if refill.due > 0 { return "No energy: press E for \(refill.due)" }
        return refill.nextAt.map { "No energy: more in \(time(from: desk.now, to: $0))" } ?? "Not enough energy"
    }

    private func keys(of desk: Desk) -> [(String, String)] {
        let isAtBoard = desk.screen == .board || desk.screen == .review
        return (isAtBoard ? [("A-Z", "type a guess"), ("Enter", "guess; go on")] : [("Enter", "go on")])
            + [("Backspace", "take a letter back"), ("Esc", isAtBoard ? "to the menu" : "back")]
            + (isAtBoard ? [("C", "when over: challenge"), ("L", "when over: look back")] : [("↑ ↓", "choose")])
            + [("Ctrl-C", "leave; the game stays")]
    }
}
