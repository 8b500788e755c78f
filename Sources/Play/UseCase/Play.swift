/// The game by the app's contract: takes what the player types and the service answers, and returns what to keep and to send.
///
/// It does no I/O. The rule behind its effects: an intention is saved, with a name, before the queue gets it. So
/// what a crash leaves half done is done again under the same name, and takes effect once.
package struct Play: Sendable {
    /// What happens.
    package enum Event: Equatable, Sendable {
        /// A letter was typed, or a mark that belongs on the last one.
        case letter(Character)
        case erase
        case enter
        case buy(EnergyPack)
        case help
        case escape
        /// The queue has these for good.
        case appended([Deed])
        /// The queue could not take these, and why: a full disk, for instance.
        case notAppended([Deed], String)
        /// What was to be kept could not be, and why.
        case notSaved(String)
        /// The service answered.
        case answered(Deed, DeedAnswer)
        /// The queue has moved on.
        case outbox(Outbox)
    }

    /// What is to be done, in this order.
    package enum Effect: Equatable, Sendable {
        /// Keep this.
        case save(SavedPlay)
        /// Tell the service: all of them or, on a failure, none.
        case append([Deed])
        /// Try at once what waits for the service.
        case retry
    }

    /// Something to say once.
    package enum Notice: Equatable, Sendable {
        /// An unfinished game was found.
        case resumed
        /// The guess has too few letters.
        case tooShort
        /// The list does not have it.
        case notAWord(String)
        case notEnoughEnergy
        /// The service refused a deed, in its words.
        case refused(String)
        /// A disk is full or broken: what was done may not outlive the program.
        case notKept(String)
    }

    /// What is kept.
    package private(set) var saved: SavedPlay
    /// The letters typed so far.
    package private(set) var entry: [Character] = []
    /// A message; nil: the phase's own.
    package private(set) var notice: Notice?
    /// What waits for the service.
    package private(set) var outbox = Outbox()
    /// Whether the keys are explained.
    package private(set) var showsHelp = false

    private let list: GuessList
    private let makeID: @Sendable () -> String

    /// Goes on from what was kept.
    ///
    /// - Parameter makeID: Makes unique names.
    package init(_ saved: SavedPlay, list: GuessList, makeID: @escaping @Sendable () -> String) {
        self.saved = saved
        self.list = list
        self.makeID = makeID
    }

    /// The game on the board, whether it goes on or has ended.
    package var game: Game? {
        switch saved.phase {
        case .idle, .starting: nil
        case .playing(let game), .over(let game): game
        }
    }

    /// What to do first: register, ask for the wins, and finish what was half done when the program stopped.
    package mutating func begin() -> [Effect] {
        let hello = Effect.append([.register, .fetchWins])
        switch saved.phase {
        case .idle, .over:
            return [hello]
        case .starting(let id):
            return [hello, .append([.startGame(id: id)])]
        case .playing(let game):
            if game.outcome != nil { return [hello, report(game)] }
            notice = .resumed
            return [hello]
        }
    }

    /// Takes an event.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .letter(let letter):
            if !closesHelp() { type(letter) }
        case .erase:
            if !closesHelp() { erase() }
        case .enter:
            return closesHelp() ? [] : enter()
        case .buy(let pack):
            return closesHelp() ? [] : [.append([.buyEnergy(pack, id: makeID())])]
        case .help:
            showsHelp.toggle()
        case .escape:
            if !closesHelp() { entry = [] }
        case .appended(let deeds):
            return appended(deeds)
        case .notAppended(let deeds, let reason):
            return notAppended(deeds, reason)
        case .notSaved(let reason):
            notice = .notKept(reason)
        case .answered(let deed, let answer):
            return answered(deed, answer)
        case .outbox(let outbox):
            self.outbox = outbox
        }
        return []
    }
}

// MARK: - Keys

extension Play {
    private mutating func closesHelp() -> Bool {
        defer { showsHelp = false }
        return showsHelp
    }

    private mutating func type(_ letter: Character) {
        guard case .playing(let game) = saved.phase, game.outcome == nil else { return }
        notice = nil
        entry.add(letter, upTo: game.length)
        entry = entry.map { $0.inUpperCase(of: "en") }
    }

    private mutating func erase() {
        guard !entry.isEmpty else { return }
        notice = nil
        entry.removeLast()
    }

    private mutating func enter() -> [Effect] {
        guard case .playing(var game) = saved.phase else { return start() }
        guard game.outcome == nil else { return [report(game)] }
        // Enter once more, after a guess.
        if entry.isEmpty { return [] }
        guard entry.count == game.length else {
            notice = .tooShort
            return []
        }
        let guess = String(entry)
        guard list.allows(guess, for: game.secret) else {
            notice = .notAWord(guess)
            return []
        }
        game.take(guess)
        entry = []
        notice = nil
        saved.phase = .playing(game)
        return game.outcome == nil ? [.save(saved)] : [.save(saved), report(game)]
    }

    private mutating func start() -> [Effect] {
        if case .starting = saved.phase { return [.retry] }
        let id = makeID()
        notice = nil
        saved.phase = .starting(id: id)
        return [.save(saved), .append([.startGame(id: id)])]
    }

    private func report(_ game: Game) -> Effect {
        let played = Deed.recordWord(game.secret, game: game.id)
        return .append(game.outcome == .won ? [played, .countWin(game: game.id)] : [played])
    }
}

// MARK: - The queue and the service

extension Play {
    private mutating func appended(_ deeds: [Deed]) -> [Effect] {
        guard case .playing(let game) = saved.phase, deeds.contains(.recordWord(game.secret, game: game.id)) else {
            return []
        }
        saved.phase = .over(game)
        return [.save(saved)]
    }

    private mutating func notAppended(_ deeds: [Deed], _ reason: String) -> [Effect] {
        notice = .notKept(reason)
        guard case .starting(let id) = saved.phase, deeds.contains(.startGame(id: id)) else { return [] }
        saved.phase = .idle
        return [.save(saved)]
    }

    private mutating func answered(_ deed: Deed, _ answer: DeedAnswer) -> [Effect] {
        switch answer {
        case .done:
            return []
        case .energy(let energy):
            saved.energy = energy
            if notice == .notEnoughEnergy { notice = nil }
        case .wins(let wins):
            saved.wins = wins
        case .game(let energy, let secret):
            saved.energy = energy
            // An answer to a game that is not waited for is an earlier one, repeated.
            if case .startGame(let id) = deed, saved.phase == .starting(id: id) {
                saved.phase = .playing(Game(id: id, secret: secret))
                entry = []
                notice = nil
            }
        case .refused(let refusal):
            refused(deed, refusal)
        }
        return [.save(saved)]
    }

    private mutating func refused(_ deed: Deed, _ refusal: DeedAnswer.Refusal) {
        switch refusal {
        case .notEnoughEnergy: notice = .notEnoughEnergy
        case .other(let reason): notice = .refused(reason)
        }
        if case .startGame(let id) = deed, saved.phase == .starting(id: id) { saved.phase = .idle }
    }
}
