package import JulietClient

// What keys mean, by what the screen shows.
extension Desk {
    mutating func pressed(_ event: Event) -> [Effect] {
        switch screen {
        case .welcome: pressedAtWelcome(event)
        case .signingIn: pressedAtSigningIn(event)
        case .code: pressedAtCode(event)
        case .menu: pressedAtMenu(event)
        case .board: pressedAtBoard(event)
        case .review: pressedAtReview(event)
        case .days: pressedAtDays(event)
        case .friends: pressedAtFriends(event)
        case .typingCode(let purpose): pressedAtTypingCode(event, for: purpose)
        case .league: pressedAtLeague(event)
        case .challenge: pressedAtChallenge(event)
        case .making: pressedAtMaking(event)
        case .statistics: pressedAtStatistics(event)
        case .signingOut: pressedAtSigningOut(event)
        }
    }

    /// Shows the menu, and asks for the current state.
    mutating func showMenu() -> [Effect] {
        screen = .menu
        entry = []
        saved.isAtBoard = false
        return [.save(saved)] + refresh()
    }

    /// Shows a game.
    mutating func open(_ game: V2.Game) -> [Effect] {
        if saved.game?.id != game.id { entry = [] }
        screen = .board
        notice = nil
        saved.game = game
        saved.isAtBoard = true
        return [.save(saved)]
    }

    /// Whether a guess in the game on the board waits for its answer.
    package var isGuessing: Bool {
        if case .guess(_, _, saved.game?.id) = saved.pending { true } else { false }
    }
}

// MARK: - Without a player

extension Desk {
    private mutating func pressedAtWelcome(_ event: Event) -> [Effect] {
        switch event {
        case .typed("n"), .typed("N"):
            notice = nil
            return ask(.createPlayer)
        case .typed("r"), .typed("R"):
            notice = nil
            entry = []
            screen = .signingIn
        case .enter:
            return [.retry]
        default:
            break
        }
        return []
    }

    private mutating func pressedAtSigningIn(_ event: Event) -> [Effect] {
        if edits(event, upTo: 40) { return [] }
        switch event {
        case .enter:
            return signIn()
        case .escape:
            notice = nil
            entry = []
            screen = .welcome
        default:
            break
        }
        return []
    }

    /// Adds what is typed to a code or text, or takes a letter back, of a sentence a character as readers count them.
    ///
    /// - Parameter length: The most characters (grapheme clusters), each with four Unicode scalars on average, as the service
    ///   counts names.
    /// - Returns: Whether the event was one of these.
    mutating func edits(_ event: Event, upTo length: Int) -> Bool {
        switch event {
        case .typed(let character):
            // It may join what is there: a mark does, or the next part of an emoji.
            let text = String(entry + [character])
            guard text.count <= length, text.unicodeScalars.count <= 4 * length else { return false }
            entry.append(character)
        case .erase where takesSentence && !entry.isEmpty:
            entry = String(entry).dropLast().unicodeScalars.map { Character($0) }
        case .erase where !entry.isEmpty: entry.removeLast()
        default: return false
        }
        notice = nil
        return true
    }

    mutating func signIn() -> [Effect] {
        guard let code = V2.RecoveryCode(String(entry)) else {
            notice = .codeMalformed
            return []
        }
        notice = nil
        return ask(.signIn(recoveryCode: code.groups))
    }

    private mutating func pressedAtCode(_ event: Event) -> [Effect] {
        guard event == .enter else { return [] }
        notice = nil
        saved.session?.newCode = nil
        return showMenu()
    }
}

// MARK: - At the menu

extension Desk {
    private mutating func pressedAtMenu(_ event: Event) -> [Effect] {
        guard case .typed(let character) = event else { return event == .enter ? [.retry] : [] }
        notice = nil
        switch character.lowercased() {
        case "d":
            return playDay()
        case "p":
            if let running { return open(running) + ask(.fetchGame(running.id)) }
            return attempt(.startGame(isHard: saved.isHard, list: list, key: makeKey()))
        case "g" where service?.daysGoneBy != false:
            screen = .days
            days = []
            selection = 0
            return ask(.listDays(before: nil))
        case "f" where hasFriends:
            selection = 0
            return showFriends()
        case "h":
            saved.isHard.toggle()
            return [.save(saved)]
        case "w" where lists.count > 1:
            let next = list.flatMap { lists.firstIndex(of: $0) }.map { $0 + 1 } ?? 1
            saved.list = next < lists.count ? lists[next] : nil
            return [.save(saved)]
        case "e" where comesBack:
            return attempt(.takeRefill(key: makeKey()))
        case "s":
            screen = .statistics
            return ask(.fetchPlayer)
        case "c":
            return ask(.renewCode)
        case "o":
            screen = .signingOut
            return []
        default:
            return []
        }
    }

    /// Whether energy comes back with time here, as far as that is known.
    package var comesBack: Bool { service.map { $0.energy.refill != nil } ?? true }

    /// The lists that games can be of, the usual one first.
    package var lists: [V2.Service.Language] { service?.languages ?? [] }

    /// The list that games for energy are of; nil: the usual one.
    package var list: V2.Service.Language? {
        guard let chosen = saved.list, service != nil else { return saved.list }
        // Its letters may be others by now.
        return lists.dropFirst().first { $0.language == chosen.language && $0.length == chosen.length }
    }

    private mutating func playDay() -> [Effect] {
        guard let day, now < day.endsAt, let game = day.game else {
            return attempt(.startDaily(isHard: saved.isHard))
        }
        return open(game) + (game.state == .playing ? ask(.fetchGame(game.id)) : [])
    }

    private mutating func pressedAtStatistics(_ event: Event) -> [Effect] {
        event == .escape || event == .enter ? showMenu() : []
    }

    private mutating func pressedAtSigningOut(_ event: Event) -> [Effect] {
        switch event {
        case .typed("o"), .typed("O"):
            notice = nil
            return ask(.signOut)
        case .typed("c"), .typed("C"):
            notice = nil
            return ask(.renewCode)
        case .escape:
            notice = nil
            return showMenu()
        default:
            return []
        }
    }
}

// MARK: - Past days

extension Desk {
    private mutating func pressedAtDays(_ event: Event) -> [Effect] {
        switch event {
        case .up where selection > 0:
            selection -= 1
        case .down where selection + 1 < days.count:
            selection += 1
            if selection + 1 == days.count, let daysBefore { return ask(.listDays(before: daysBefore)) }
        case .enter where selection < days.count:
            let chosen = days[selection].day
            if chosen == day?.day { return playDay() }
            return attempt(.startDay(chosen, isHard: saved.isHard))
        case .enter:
            return [.retry]
        case .escape:
            notice = nil
            return showMenu()
        default:
            break
        }
        return []
    }
}

// MARK: - At the board

extension Desk {
    private mutating func pressedAtBoard(_ event: Event) -> [Effect] {
        guard let game = saved.game else { return showMenu() }
        switch event {
        case .typed(let letter) where game.state == .playing && !isGuessing:
            notice = nil
            entry.add(letter, upTo: game.length)
        case .typed("c") where canChallenge, .typed("C") where canChallenge:
            return makeChallenge(of: game)
        case .typed("l") where canLookBack, .typed("L") where canLookBack:
            notice = nil
            review = nil
            screen = .review
            return ask(.fetchReview(game.id))
        case .erase where !entry.isEmpty && !isGuessing:
            notice = nil
            entry.removeLast()
        case .enter where game.state == .playing:
            return guess(in: game)
        case .enter, .escape:
            notice = nil
            if game.kind == .challenge, let challenge = friends.challenge {
                screen = .challenge
                entry = []
                saved.isAtBoard = false
                return [.save(saved)] + look(at: challenge.code)
            }
            guard game.kind == .archive, !days.isEmpty else { return showMenu() }
            screen = .days
            entry = []
            saved.isAtBoard = false
            return [.save(saved)]
        default:
            break
        }
        return []
    }

    private mutating func pressedAtReview(_ event: Event) -> [Effect] {
        guard event == .escape || event == .enter else { return [] }
        notice = nil
        screen = .board
        return []
    }

    /// Whether there is something to look back at in the game on the board.
    package var canLookBack: Bool {
        guard let game = saved.game else { return false }
        return game.state != .playing && !game.guesses.isEmpty && game.anyWord == nil
    }

    private mutating func guess(in game: V2.Game) -> [Effect] {
        guard !isGuessing else { return [.retry] }
        // Enter once more, after a guess.
        if entry.isEmpty { return [] }
        guard entry.count == game.length else {
            notice = .tooShort
            return []
        }
        return attempt(.guess(String(entry), number: game.guesses.count + 1, game: game.id))
    }
}
