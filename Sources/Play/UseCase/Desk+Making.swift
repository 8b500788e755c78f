import JulietClient

// Making a challenge: of which word, with which hint, by whom, and how it is played.
extension Desk {
    /// How long a challenge can run, in days.
    private static let durations = [1, 7, 30]

    /// Whether a challenge was asked for and waits for its answer.
    package var isMaking: Bool {
        if case .makeChallenge = saved.pending { true } else { false }
    }

    /// Whether a sentence is typed, in which every key writes what it says.
    package var takesSentence: Bool { screen == .making && (making?.step == .hint || making?.step == .name) }

    /// Whether the others would see a name that the service made.
    private var isNameless: Bool { saved.player.map { V2.GivenName.isMade($0.name) } ?? false }

    /// The languages that own words can be of, the usual one first.
    package var languages: [String] {
        lists.map(\.language).reduce(into: []) { known, language in
            if !known.contains(language) { known.append(language) }
        }
    }

    /// Begins a challenge, or shows the one that waits for its answer.
    ///
    /// - Parameter game: A game that is over, whose word it is to be of.
    mutating func makeChallenge(of game: V2.Game? = nil) -> [Effect] {
        notice = nil
        screen = .making
        guard !isMaking || making == nil else { return [] }
        var wish = ChallengeWish()
        wish.isHard = game?.isHard ?? saved.isHard
        wish.word = game?.secret
        wish.language = game?.language
        making = DeskMaking(wish: wish, isOfGame: game != nil)
        ask(for: game == nil ? .kind : .word)
        return []
    }

    /// Shows the challenge that was asked for before the program stopped.
    mutating func showMaking(_ wish: ChallengeWish) {
        making = DeskMaking(step: .terms, wish: wish, isOfGame: false)
        screen = .making
    }

    /// The player has the name that was asked for.
    mutating func renamed() {
        if screen == .making, making?.step == .name { ask(for: .terms) }
    }

    /// Asks for what has to be mended in a challenge that was refused; the texts are those that were sent.
    ///
    /// - Returns: Whether anything is to be mended.
    mutating func mend(_ wish: ChallengeWish, _ problem: V2.Problem) -> Bool {
        guard screen == .making || screen == .friends, let isOfGame = making?.isOfGame else { return false }
        let (step, mistake): (DeskMaking.Step, Notice)
        switch problem.knownCode {
        case .wordUnknown where wish.canBeAnyWord && !wish.isAnyWord:
            (step, mistake) = (service?.anyWords == true ? .anyWord : .word, .wordUnlisted)
        case .wordUnknown: (step, mistake) = (.word, .wordMalformed)
        case .wordRefused: (step, mistake) = (.word, .wordRefused)
        case .hintTells: (step, mistake) = (.hint, .hintTells)
        case .nameRefused: (step, mistake) = (.hint, .refused(problem.detail ?? problem.title))
        case .tooMany: (step, mistake) = (.terms, .tooManyChallenges)
        default: return false
        }
        screen = .making
        making = DeskMaking(wish: wish, isOfGame: isOfGame)
        if step == .word { making?.wish.isAnyWord = false }
        ask(for: step)
        notice = mistake
        return true
    }

    /// Goes to a question, and shows what was answered to it before.
    private mutating func ask(for step: DeskMaking.Step) {
        notice = nil
        making?.step = step
        let text =
            switch step {
            case .word: making?.wish.word ?? ""
            case .hint: making?.wish.hint ?? ""
            case .kind, .name, .terms, .anyWord: ""
            }
        entry = text.unicodeScalars.map { Character($0) }
    }
}

// MARK: - Keys

extension Desk {
    mutating func pressedAtMaking(_ event: Event) -> [Effect] {
        guard let making else { return showFriends() }
        if isMaking {
            switch event {
            case .enter: return [.retry]
            case .escape: return leaveMaking()
            default: return []
            }
        }
        switch making.step {
        case .kind: return pressedAtKind(event)
        case .word: pressedAtWord(event)
        case .hint: pressedAtHint(event)
        case .name: return pressedAtName(event)
        case .terms: return pressedAtTerms(event)
        case .anyWord: return pressedAtAnyWord(event)
        }
        return []
    }

    private mutating func leaveMaking() -> [Effect] {
        notice = nil
        entry = []
        guard making?.isOfGame == true, saved.game != nil else { return showFriends() }
        screen = .board
        return []
    }

    private mutating func pressedAtKind(_ event: Event) -> [Effect] {
        switch event {
        case .typed("j"), .typed("J"):
            making?.wish.word = nil
            making?.wish.hint = nil
            choose(lists.count > 1 ? list ?? lists.first : nil)
            askWho()
        case .typed("o"), .typed("O"):
            guard var wish = making?.wish else { return [] }
            wish.word = wish.word ?? ""
            wish.length = nil
            if languages.count > 1 { wish.language = wish.language ?? list?.language ?? languages.first }
            making?.wish = wish
            ask(for: .word)
        case .escape:
            return leaveMaking()
        default:
            break
        }
        return []
    }

    private mutating func choose(_ list: V2.Service.Language?) {
        making?.wish.language = list?.language
        making?.wish.length = list?.length
    }

    private mutating func pressedAtWord(_ event: Event) {
        if edits(event, upTo: 24) {
            making?.wish.isAnyWord = false
            return
        }
        let word = typedText
        making?.wish.word = word
        switch event {
        case .enter where word.isEmpty: notice = .noWord
        case .enter: ask(for: .hint)
        case .escape: ask(for: .kind)
        case .up: changeLanguage(by: -1)
        case .down: changeLanguage(by: 1)
        default: break
        }
    }

    private mutating func changeLanguage(by step: Int) {
        let languages = languages
        guard languages.count > 1 else { return }
        notice = nil
        let current = making?.wish.language.flatMap { languages.firstIndex(of: $0) } ?? 0
        making?.wish.language = languages[(current + step + languages.count) % languages.count]
        making?.wish.isAnyWord = false
    }

    private mutating func pressedAtHint(_ event: Event) {
        if edits(event, upTo: 80) { return }
        let hint = typedText
        making?.wish.hint = hint.isEmpty ? nil : hint
        switch event {
        case .enter: askWho()
        case .escape: ask(for: .word)
        default: break
        }
    }

    /// Asks who the player is, if nobody has said that.
    private mutating func askWho() { ask(for: isNameless ? .name : .terms) }

    private mutating func pressedAtName(_ event: Event) -> [Effect] {
        if edits(event, upTo: 24) { return [] }
        switch event {
        case .enter where typedText.isEmpty: ask(for: .terms)
        case .enter: return attempt(.rename(typedText))
        case .escape: goBack()
        default: break
        }
        return []
    }

    private mutating func goBack() { ask(for: making?.wish.word == nil ? .kind : .hint) }

    private mutating func pressedAtTerms(_ event: Event) -> [Effect] {
        guard let wish = making?.wish else { return [] }
        switch event {
        case .typed("h"), .typed("H"):
            making?.wish.isHard.toggle()
        case .typed("d"), .typed("D"):
            let next = (Self.durations.firstIndex(of: wish.days) ?? 0) + 1
            making?.wish.days = Self.durations[next % Self.durations.count]
        case .typed("w") where wish.word == nil && lists.count > 1,
            .typed("W") where wish.word == nil && lists.count > 1:
            let current = lists.firstIndex { $0.language == wish.language && $0.length == wish.length } ?? 0
            choose(lists[(current + 1) % lists.count])
        case .enter:
            return attempt(.makeChallenge(wish, key: makeKey()))
        case .escape:
            goBack()
            return []
        default:
            return []
        }
        notice = nil
        return []
    }

    private mutating func pressedAtAnyWord(_ event: Event) -> [Effect] {
        switch event {
        case .enter:
            guard var wish = making?.wish else { return [] }
            wish.isAnyWord = true
            return attempt(.makeChallenge(wish, key: makeKey()))
        case .escape:
            ask(for: .word)
        default:
            break
        }
        return []
    }

    /// What is typed, without the blanks around it.
    private var typedText: String {
        let text = entry.drop(while: \.isWhitespace)
        return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }
}
