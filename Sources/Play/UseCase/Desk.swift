package import JulietClient

/// The game of `/v2`: takes what the player types and the service answers, and returns what to keep and to ask.
///
/// The service judges. What the player does is saved before it is sent, and what is sent takes effect once however often it
/// is repeated: a guess has its number, a payment and a refill have a key. It does no I/O.
package struct Desk: Sendable {
    /// What is looked at.
    package enum Screen: Equatable, Sendable {
        /// Nobody is signed in.
        case welcome
        /// A recovery code is typed.
        case signingIn
        /// A new recovery code is shown.
        case code
        case menu
        case board
        /// A look back at the game on the board.
        case review
        case days
        /// Leagues and challenges.
        case friends
        /// A code is typed.
        case typingCode(DeskFriends.Code)
        /// A league's table.
        case league
        case challenge
        /// A challenge is made.
        case making
        case statistics
        /// Asks whether to sign out.
        case signingOut
    }

    /// What happens.
    package enum Event: Equatable, Sendable {
        case typed(Character)
        case erase
        case enter
        case escape
        case up
        case down
        case help
        /// The time is this now.
        case tick(V2.Timestamp)
        /// What was to be kept could not be, and why.
        case notSaved(String)
        case answered(DeskErrand, DeskAnswer)
        case delayed(DeskErrand, DeskDelay)
    }

    /// What is to be done, in this order.
    package enum Effect: Equatable, Sendable {
        /// Keep this.
        case save(SavedDesk)
        /// Ask the service, after what it was asked before.
        case send(DeskErrand)
        /// Try at once what waits for its next attempt.
        case retry
    }

    /// Something to say once.
    package enum Notice: Equatable, Sendable {
        case codeMalformed
        case codeUnknown
        /// The session has ended elsewhere.
        case signedOut
        case noAnswer(mayBeDone: Bool)
        /// Something else waits for its answer.
        case waits
        /// An unfinished game was found.
        case resumed
        case tooShort
        case notAWord(String)
        case hardRule(V2.HardRule)
        /// Another device went on with the game.
        case wentOn
        case gone
        case notEnoughEnergy
        /// One game at a time: this one is not over.
        case unfinished
        case refilled(Int)
        case refillEarly(seconds: Int)
        case refillFull
        case tooManyDays
        case tooManyTries(seconds: Int)
        case dayMissing
        case shareCodeMalformed
        /// Wrong code, or already used.
        case shareCodeUnknown
        case leagueFull
        case tooManyLeagues
        case challengeOver
        case challengeFull
        case tooManyChallenges
        case noWord
        /// It cannot be a word.
        case wordMalformed
        /// It is in no list of its language.
        case wordUnlisted
        case wordRefused
        case hintTells
        /// The service refused, in its words.
        case refused(String)
        case notKept(String)
    }

    /// What is kept.
    package internal(set) var saved: SavedDesk
    package internal(set) var screen: Screen
    /// What is typed so far: a guess, a code or a text.
    package internal(set) var entry: [Character] = []
    /// A message; nil: the screen's own.
    package internal(set) var notice: Notice?
    /// Whether the keys are explained.
    package internal(set) var showsHelp = false
    /// What waits for an answer, in its order.
    package internal(set) var waiting: [DeskErrand] = []
    /// Why the answer is late; nil: it is not.
    package internal(set) var delay: DeskDelay?
    package internal(set) var service: V2.Service?
    package internal(set) var day: V2.DailyWord?
    /// The game that was paid for and goes on.
    package internal(set) var running: V2.Game?
    /// Today and past days, newest first, as far as they were listed.
    package internal(set) var days: [V2.ListedDay] = []
    package internal(set) var friends = DeskFriends()
    /// The challenge that is being made.
    package internal(set) var making: DeskMaking?
    /// The look back at the game on the board; nil: not answered yet.
    package internal(set) var review: V2.Review?
    package internal(set) var selection = 0
    package internal(set) var now: V2.Timestamp
    /// Whether games by the app's contract are kept here too.
    package let hasAppGames: Bool

    var daysBefore: V2.Day?
    let makeKey: @Sendable () -> String

    /// Goes on from what was kept.
    ///
    /// - Parameters:
    ///   - hasAppGames: Whether games by the app's contract are kept here too.
    ///   - makeKey: Makes unique names.
    package init(
        _ saved: SavedDesk, now: V2.Timestamp, hasAppGames: Bool = false, makeKey: @escaping @Sendable () -> String
    ) {
        self.saved = saved
        self.now = now
        self.hasAppGames = hasAppGames
        self.makeKey = makeKey
        screen =
            switch saved.session {
            case nil: .welcome
            case .some(let session) where session.newCode != nil: .code
            case .some: saved.isAtBoard && saved.game != nil ? .board : .menu
            }
    }

    /// What to do first: send what had no answer when the program stopped, and ask for the current state.
    ///
    /// - Parameter code: A recovery code to sign in with; for when nobody is signed in.
    package mutating func begin(signingInWith code: String? = nil) -> [Effect] {
        guard saved.session != nil else {
            let effects = ask(.fetchService)
            guard let code else { return effects }
            screen = .signingIn
            entry = Array(code)
            return effects + signIn()
        }
        var effects: [Effect] = []
        if let pending = saved.pending {
            if case .guess(let word, _, saved.game?.id) = pending { entry = Array(lettersOf: word) }
            if case .makeChallenge(let wish, _) = pending { showMaking(wish) }
            effects = ask(pending)
        }
        if screen == .board, let game = saved.game, game.state == .playing {
            notice = .resumed
            effects += ask(.fetchGame(game.id))
        }
        return effects + ask(.fetchService) + refresh()
    }

    /// Takes an event.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .help:
            if takesSentence, !showsHelp { return pressed(.typed("?")) }
            showsHelp.toggle()
        case .typed, .erase, .enter, .escape, .up, .down:
            if showsHelp { showsHelp = false } else { return pressed(event) }
        case .tick(let now):
            self.now = now
            return refreshWhatIsOld() + refreshFriends()
        case .notSaved(let reason):
            notice = .notKept(reason)
        case .answered(let errand, let answer):
            return answered(errand, answer)
        case .delayed(_, let delay):
            self.delay = delay
        }
        return []
    }
}

// MARK: - Asking

extension Desk {
    /// Asks, unless the same request is under way.
    mutating func ask(_ requests: DeskRequest...) -> [Effect] {
        var effects: [Effect] = []
        for request in requests {
            let errand = DeskErrand(request, token: saved.session?.token)
            guard !waiting.contains(errand) else { continue }
            waiting.append(errand)
            effects.append(.send(errand))
        }
        return effects
    }

    /// Keeps what the player did, and sends it; one at a time.
    mutating func attempt(_ deed: DeskRequest) -> [Effect] {
        guard saved.pending == nil else {
            notice = .waits
            return [.retry]
        }
        notice = nil
        saved.pending = deed
        return [.save(saved)] + ask(deed)
    }

    /// Asks for the current state.
    mutating func refresh() -> [Effect] { ask(.fetchPlayer, .fetchDay, .findRunningGame) }

    private mutating func refreshWhatIsOld() -> [Effect] {
        guard screen == .menu else { return [] }
        var effects: [Effect] = []
        if let next = saved.player?.refill?.nextAt, next <= now { effects += ask(.fetchPlayer) }
        if let day, day.endsAt <= now { effects += ask(.fetchDay) }
        return effects
    }
}
