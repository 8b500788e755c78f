import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("The player at the game")
struct PlayTests {
    private static let list = GuessList(["crane", "speed", "abide", "erase", "music"])

    /// A play that names what it makes `1`, `2` and so on.
    private static func play(_ saved: SavedPlay = SavedPlay(), list: GuessList = list) -> Play {
        let ids = Counter()
        return Play(saved, list: list) { ids.next() }
    }

    /// A play with a game under way.
    private static func playing(_ secret: String = "SPEED", guesses: [String] = []) -> Play {
        var game = Game(id: "g", secret: secret)
        for guess in guesses { game.take(guess) }
        return play(SavedPlay(phase: .playing(game), energy: 25, wins: 2))
    }

    private static func type(_ text: String, _ play: inout Play) -> [Play.Effect] {
        for letter in text { #expect(play.handle(.letter(letter)) == []) }
        return play.handle(.enter)
    }

    @Test("registers first, and asks for the wins")
    func begins() {
        var play = Self.play()
        #expect(play.begin() == [.append([.register, .fetchWins])])
    }

    @Test("a game is asked for once it is saved under its name, and only its own answer begins it")
    func starts() {
        var play = Self.play()
        let starting = SavedPlay(phase: .starting(id: "1"))
        #expect(play.handle(.enter) == [.save(starting), .append([.startGame(id: "1")])])
        #expect(play.handle(.enter) == [.retry], "one is under way")
        _ = play.handle(.answered(.startGame(id: "0"), .game(energy: 20, secret: "MUSIC")))
        #expect(play.game == nil)
        let effects = play.handle(.answered(.startGame(id: "1"), .game(energy: 25, secret: "CRANE")))
        #expect(play.game == Game(id: "1", secret: "CRANE"))
        #expect(effects == [.save(SavedPlay(phase: .playing(Game(id: "1", secret: "CRANE")), energy: 25))])
        _ = Self.type("speed", &play)
        #expect(play.handle(.answered(.startGame(id: "1"), .game(energy: 25, secret: "CRANE"))).count == 1)
        #expect(play.game?.guesses == ["SPEED"], "the same answer once more begins nothing anew")
    }

    @Test("too little energy is reported, and the next try has a name of its own")
    func noEnergy() {
        var play = Self.play()
        _ = play.handle(.enter)
        #expect(play.handle(.answered(.startGame(id: "1"), .refused(.notEnoughEnergy))) == [.save(SavedPlay())])
        #expect(play.notice == .notEnoughEnergy)
        #expect(play.handle(.buy(.large)) == [.append([.buyEnergy(.large, id: "2")])])
        #expect(
            play.handle(.answered(.buyEnergy(.large, id: "2"), .energy(30))) == [.save(SavedPlay(energy: 30))])
        #expect(play.handle(.enter).last == .append([.startGame(id: "3")]))
    }

    @Test("a guess has the secret's length and is in the list; each is saved")
    func guesses() {
        var play = Self.playing()
        #expect(Self.type("cran", &play) == [])
        #expect(play.notice == .tooShort)
        #expect(Self.type("xy", &play) == [])
        #expect(play.notice == .notAWord("CRANX"), "a sixth letter is none")
        _ = play.handle(.erase)
        #expect(play.notice == nil)
        guard case .save(let saved)? = Self.type("e", &play).first else {
            Issue.record("not saved")
            return
        }
        #expect(saved == play.saved)
        #expect(play.game?.guesses == ["CRANE"])
        #expect(play.entry == [])
        #expect(play.handle(.enter) == [] && play.notice == nil, "Enter once more says nothing")
    }

    @Test("with a secret that the list lacks anything may be guessed, accents and all")
    func otherLanguage() {
        var play = Self.playing("ÄPFEL")
        // The accent comes by itself, as some keyboards send it.
        for letter in ["a", "\u{308}", "p", "F", "e", "L"] as [Character] { _ = play.handle(.letter(letter)) }
        #expect(play.entry == ["Ä", "P", "F", "E", "L"])
        _ = play.handle(.enter)
        #expect(play.game?.outcome == .won)
    }

    @Test("digits and signs are not letters")
    func signs() {
        var play = Self.playing()
        for sign in "1 .😀\u{308}" { _ = play.handle(.letter(sign)) }
        #expect(play.entry == [])
    }

    @Test("a win is reported as one: word and win, named after the game; then a new game can begin")
    func wins() {
        var play = Self.playing(guesses: ["CRANE"])
        let effects = Self.type("speed", &play)
        let report: [Deed] = [.recordWord("SPEED", game: "g"), .countWin(game: "g")]
        #expect(effects == [.save(play.saved), .append(report)])
        #expect(report.map(\.operation) == ["g-word", "g-win"])
        #expect(play.handle(.enter) == [.append(report)], "no new game before the queue has the end of this one")
        let ended = play.handle(.appended(report))
        #expect(ended == [.save(play.saved)])
        guard case .over(let game) = play.saved.phase else {
            Issue.record("\(play.saved)")
            return
        }
        #expect(game.outcome == .won)
        #expect(play.handle(.enter).last == .append([.startGame(id: "1")]))
    }

    @Test("the sixth wrong guess loses: the word is reported, no win")
    func loses() {
        var play = Self.playing(guesses: Array(repeating: "CRANE", count: 5))
        #expect(Self.type("erase", &play).last == .append([.recordWord("SPEED", game: "g")]))
        #expect(play.game?.outcome == .lost)
        #expect(Self.type("speed", &play).last == .append([.recordWord("SPEED", game: "g")]))
        #expect(play.game?.guesses.count == 6)
    }

    @Test("what was half done when the program stopped is done again under its name")
    func resumes() {
        let hello = Play.Effect.append([.register, .fetchWins])
        var starting = Self.play(SavedPlay(phase: .starting(id: "s")))
        #expect(starting.begin() == [hello, .append([.startGame(id: "s")])])
        var unreported = Self.playing(guesses: ["SPEED"])
        #expect(
            unreported.begin() == [hello, .append([.recordWord("SPEED", game: "g"), .countWin(game: "g")])])
        var under = Self.playing(guesses: ["CRANE"])
        #expect(under.begin() == [hello])
        #expect(under.notice == .resumed)
        var over = Self.play(SavedPlay(phase: .over(Game(id: "g", secret: "SPEED"))))
        #expect(over.begin() == [hello])
    }

    @Test("a queue that cannot take a game's start leaves no game waited for")
    func diskFull() {
        var play = Self.play()
        _ = play.handle(.enter)
        #expect(play.handle(.notAppended([.startGame(id: "1")], "disk full")) == [.save(SavedPlay())])
        #expect(play.notice == .notKept("disk full"))
        var won = Self.playing()
        let report = [Deed.recordWord("SPEED", game: "g"), .countWin(game: "g")]
        _ = Self.type("speed", &won)
        #expect(won.handle(.notAppended(report, "disk full")) == [])
        #expect(won.handle(.enter) == [.append(report)], "Enter tries again")
    }

    @Test("help covers everything until a key closes it, which does nothing else")
    func help() {
        var play = Self.playing()
        _ = play.handle(.help)
        #expect(play.showsHelp)
        _ = play.handle(.letter("a"))
        #expect(!play.showsHelp)
        #expect(play.entry == [])
        _ = play.handle(.help)
        #expect(play.handle(.buy(.small)) == [])
    }

    @Test("whatever is pressed and heard, wherever it is killed: games are paid, reported and won once")
    func random() {
        var wins = 0
        for seed in 0..<1_000 {
            var session = Session(seed: UInt64(seed))
            for _ in 0..<120 { session.step() }
            session.settle()
            let named = session.all.filter { $0.operation != nil }
            #expect(Set(named).count == named.count)
            for game in session.won { #expect(named.contains(.countWin(game: game)), "seed \(seed)") }
            for case .countWin(let game) in named {
                wins += 1
                #expect(named.contains(.startGame(id: game)))
                #expect(named.contains(.recordWord("SPEED", game: game)))
            }
        }
        #expect(wins > 500)
    }
}

/// A player, a disk, a queue and a service at random, and crashes between any two steps of them.
private struct Session {
    private var random: SplitMix
    private var play: Play
    private var effects: [Play.Effect]
    private let ids = Counter()
    private var disk = SavedPlay()
    /// What the service has not answered yet.
    private var queue: [Deed] = []
    private var isDealt: [String: Bool] = [:]
    /// Everything that was ever taken, once under each name: the queue and the service see to that.
    private(set) var all: [Deed] = []
    /// The games whose last guess was saved.
    private(set) var won: Set<String> = []

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        let ids = ids
        play = Play(disk, list: GuessList(["speed", "crane"])) { ids.next() }
        effects = play.begin()
    }

    mutating func step() {
        switch Int.random(in: 0..<16, using: &random) {
        case 0:
            let ids = ids
            play = Play(disk, list: GuessList(["speed", "crane"])) { ids.next() }
            effects = play.begin()
        case 1...7:
            if effects.isEmpty { press() } else { perform(effects.removeFirst()) }
        case 8...11 where effects.isEmpty && !queue.isEmpty:
            answer(queue.removeFirst())
        default:
            if effects.isEmpty { press() }
        }
    }

    /// Starts it once more, on a disk with room.
    mutating func settle() {
        play = Play(disk, list: GuessList()) { "last" }
        for case .append(let deeds) in play.begin() {
            for deed in deeds where deed.operation == nil || !all.contains(deed) { all.append(deed) }
        }
    }

    private mutating func press() {
        guard Bool.random(using: &random) else {
            effects = play.handle(.enter)
            return
        }
        for letter in ["SPEED", "CRANE"].randomElement(using: &random) ?? "" { _ = play.handle(.letter(letter)) }
        effects = play.handle(.enter)
    }

    private mutating func perform(_ effect: Play.Effect) {
        switch effect {
        case .save(let saved):
            disk = saved
            if case .playing(let game) = saved.phase, game.outcome == .won { won.insert(game.id) }
        case .retry:
            break
        case .append(let deeds):
            guard Int.random(in: 0..<8, using: &random) > 0 else {
                effects = play.handle(.notAppended(deeds, "full")) + effects
                return
            }
            for deed in deeds where !queue.contains(deed) {
                queue.append(deed)
                if deed.operation == nil || !all.contains(deed) { all.append(deed) }
            }
            // The crash may come between the two.
            if Int.random(in: 0..<8, using: &random) > 0 { effects = play.handle(.appended(deeds)) + effects }
        }
    }

    private mutating func answer(_ deed: Deed) {
        let answer: DeedAnswer
        switch deed {
        case .startGame(let id):
            // The first answer holds for every repeat.
            let deals = isDealt[id] ?? Bool.random(using: &random)
            isDealt[id] = deals
            answer = deals ? .game(energy: 5, secret: "SPEED") : .refused(.notEnoughEnergy)
        case .countWin, .fetchWins: answer = .wins(1)
        case .buyEnergy: answer = .energy(5)
        case .register, .recordWord: answer = .done
        }
        effects = play.handle(.answered(deed, answer))
    }
}

/// Names without end. Only one task of a test uses it.
final class Counter: @unchecked Sendable {
    private var last: Int

    init(_ last: Int = 0) { self.last = last }

    func next() -> String {
        last += 1
        return String(last)
    }
}

@Suite("The list of guesses")
struct GuessListTests {
    @Test("allows what is in it, in any letter case, and everything when it lacks the secret or is empty")
    func allows() {
        let list = GuessList(["crane", "SPEED"])
        #expect(list.allows("CRANE", for: "SPEED"))
        #expect(!list.allows("ZZZZZ", for: "SPEED"))
        #expect(list.allows("ZZZZZ", for: "MUSIC"))
        #expect(GuessList().allows("ZZZZZ", for: "MUSIC"))
    }

    @Test("a file that does not exist is no list")
    func noFile() {
        #expect(GuessList(path: "/nowhere/words.txt") == nil)
    }
}
