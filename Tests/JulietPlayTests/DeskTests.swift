import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("The player of /v2 at the game")
struct DeskTests {
    private static let noon = V2.Timestamp(microsecondsSince1970: 1_790_000_000_000_000)

    static func player(energy: Int = 30, refill: V2.Refill? = nil) -> V2.Player {
        V2.Player(
            id: "p", name: "Ada", energy: energy, createdAt: noon,
            statistics: V2.Statistics(
                played: 0, won: 0, currentStreak: 0, longestStreak: 0, distribution: [0, 0, 0, 0, 0, 0]),
            refill: refill)
    }

    /// A game whose guesses had no letter right; a state of `won` has the last one right.
    static func game(
        _ guesses: String..., id: V2.Game.ID = "g", kind: V2.Game.Kind = .game, state: V2.Game.State = .playing,
        day: V2.Day? = nil, reward: Int? = nil
    ) -> V2.Game {
        let last = guesses.count - 1
        return V2.Game(
            id: id, kind: kind, state: state, language: "en", length: 5,
            guesses: guesses.enumerated().map { index, word in
                let isRight = state == .won && index == last
                return V2.Guess(word: word, marks: Array(repeating: isRight ? .correct : .absent, count: 5))
            }, commitment: "", startedAt: noon, secret: state == .playing ? nil : "nifty", day: day, reward: reward)
    }

    /// A desk with a player signed in, which names what it makes `1`, `2` and so on.
    static func desk(game: V2.Game? = nil, pending: DeskRequest? = nil, energy: Int = 30) -> Desk {
        var saved = SavedDesk(session: SavedDesk.Session(token: "jt_a"))
        saved.player = player(energy: energy)
        saved.game = game
        saved.isAtBoard = game != nil
        saved.pending = pending
        return desk(saved)
    }

    static func desk(_ saved: SavedDesk) -> Desk {
        let ids = Counter()
        return Desk(saved, now: noon) { ids.next() }
    }

    static func type(_ text: String, _ desk: inout Desk) -> [Desk.Effect] {
        for letter in text { #expect(desk.handle(.typed(letter)) == []) }
        return desk.handle(.enter)
    }

    private static func answer(_ request: DeskRequest, _ answer: DeskAnswer, _ desk: inout Desk) -> [Desk.Effect] {
        desk.handle(.answered(DeskErrand(request, token: "jt_a"), answer))
    }

    private static func sent(_ effects: [Desk.Effect]) -> [DeskRequest] {
        effects.compactMap { effect in
            if case .send(let errand) = effect { errand.request } else { nil }
        }
    }

    private static func saved(_ effects: [Desk.Effect]) -> SavedDesk? {
        effects.reduce(nil) { last, effect in
            if case .save(let saved) = effect { saved } else { last }
        }
    }

    // MARK: Players

    @Test("a new player's recovery code is shown until it is written down, over restarts too")
    func newPlayer() {
        var desk = Self.desk(SavedDesk())
        #expect(Self.sent(desk.begin()) == [.fetchService])
        #expect(desk.screen == .welcome)
        let create = DeskErrand(.createPlayer, token: nil)
        #expect(desk.handle(.typed("n")) == [.send(create)])
        #expect(desk.handle(.typed("n")) == [], "one is under way")
        let credentials = V2.PlayerCredentials(player: Self.player(), token: "jt_a", recoveryCode: "CODE")
        let effects = desk.handle(.answered(create, .credentials(credentials)))
        #expect(desk.screen == .code)
        guard let kept = Self.saved(effects) else {
            Issue.record("nothing is kept")
            return
        }
        #expect(kept.session == SavedDesk.Session(token: "jt_a", newCode: "CODE"))

        var again = Self.desk(kept)
        _ = again.begin()
        #expect(again.screen == .code)
        let after = again.handle(.enter)
        #expect(again.screen == .menu)
        #expect(Self.saved(after)?.session == SavedDesk.Session(token: "jt_a"))
    }

    @Test("a recovery code is read as people write it; a malformed one is not sent, and an unknown one is reported")
    func recoveryCode() {
        var desk = Self.desk(SavedDesk())
        _ = desk.begin()
        _ = desk.handle(.typed("r"))
        #expect(Self.type("abc", &desk) == [])
        #expect(desk.notice == .codeMalformed)
        for _ in 0..<3 { _ = desk.handle(.erase) }
        let request = DeskRequest.signIn(recoveryCode: "01110-22222-33333-44444")
        #expect(Self.sent(Self.type("oil10 22222-3333344444", &desk)) == [request])
        let errand = DeskErrand(request, token: nil)
        _ = desk.handle(.answered(errand, .refused(V2.Problem(.unauthorized))))
        #expect(desk.notice == .codeUnknown)
        #expect(desk.screen == .signingIn)
        #expect(Self.sent(desk.handle(.enter)) == [request], "once more")
        _ = desk.handle(.answered(errand, .failed(mayBeDone: true)))
        #expect(desk.notice == .noAnswer(mayBeDone: true))
    }

    @Test("a session that has ended elsewhere ends here, and answers to it change nothing for the next player")
    func signedOut() {
        var desk = Self.desk(game: Self.game())
        _ = desk.begin()
        let effects = Self.answer(.fetchPlayer, .refused(V2.Problem(.unauthorized)), &desk)
        #expect(desk.screen == .welcome)
        #expect(desk.notice == .signedOut)
        #expect(Self.saved(effects) == SavedDesk())
        _ = desk.handle(.typed("n"))
        let credentials = V2.PlayerCredentials(player: Self.player(), token: "jt_b", recoveryCode: "CODE")
        _ = desk.handle(.answered(DeskErrand(.createPlayer, token: nil), .credentials(credentials)))
        #expect(Self.answer(.fetchDay, .refused(V2.Problem(.unauthorized)), &desk) == [])
        #expect(desk.saved.session?.token == "jt_b")
    }

    @Test("signing out asks first, forgets the session, and keeps it when there is no answer")
    func signOut() {
        var desk = Self.desk()
        _ = desk.begin()
        #expect(desk.handle(.typed("o")) == [])
        #expect(Self.sent(desk.handle(.typed("o"))) == [.signOut])
        _ = Self.answer(.signOut, .failed(mayBeDone: false), &desk)
        #expect(desk.saved.session != nil)
        _ = desk.handle(.typed("o"))
        #expect(Self.saved(Self.answer(.signOut, .done, &desk)) == SavedDesk())
        #expect(desk.screen == .welcome)
    }

    // MARK: Games

    @Test("a game is paid for under a key that is kept first, and goes out under it again after a restart")
    func startGame() {
        var desk = Self.desk()
        _ = desk.begin()
        let start = DeskRequest.startGame(isHard: false, list: nil, key: "1")
        let effects = desk.handle(.typed("p"))
        #expect(effects.first == .save(desk.saved))
        #expect(desk.saved.pending == start)
        #expect(Self.sent(effects) == [start])
        #expect(desk.handle(.typed("d")) == [.retry], "one thing after the other")
        #expect(desk.notice == .waits)

        var again = Self.desk(desk.saved)
        #expect(Self.sent(again.begin()).first == start)
        let answered = Self.answer(start, .game(Self.game(), energy: 25), &again)
        #expect(again.screen == .board)
        #expect(again.saved.player?.energy == 25)
        #expect(Self.saved(answered)?.pending == nil)
    }

    @Test("a list that the service has no more is forgotten, and the service asked for its lists")
    func listGone() {
        var saved = SavedDesk(session: SavedDesk.Session(token: "jt_a"))
        let german = V2.Service.Language(language: "de", length: 5)
        saved.list = german
        var desk = Self.desk(saved)
        _ = desk.begin()
        // Before the service has told its lists the chosen one is asked for.
        let start = DeskRequest.startGame(isHard: false, list: german, key: "1")
        #expect(Self.sent(desk.handle(.typed("p"))) == [start])
        _ = Self.answer(.fetchService, .failed(mayBeDone: false), &desk)
        let effects = Self.answer(start, .refused(V2.Problem(.listUnknown)), &desk)
        #expect(Self.sent(effects) == [.fetchService])
        #expect(Self.saved(effects)?.list == nil && desk.saved.pending == nil)
        #expect(desk.notice == .refused(V2.Problem(.listUnknown).title))
    }

    @Test("a guess is kept with its number first; a restart shows it and sends it again")
    func guess() {
        var desk = Self.desk(game: Self.game("crane"))
        _ = desk.begin()
        let guess = DeskRequest.guess("speed", number: 2, game: "g")
        let effects = Self.type("speed", &desk)
        #expect(effects == [.save(desk.saved), .send(DeskErrand(guess, token: "jt_a"))])
        #expect(desk.saved.pending == guess)
        #expect(desk.handle(.typed("x")) == [])
        #expect(desk.handle(.erase) == [])
        #expect(desk.entry == Array("speed"), "it is on its way")
        #expect(desk.handle(.enter) == [.retry])

        var again = Self.desk(desk.saved)
        #expect(Self.sent(again.begin()).first == guess)
        #expect(again.entry == Array("speed"))
        _ = Self.answer(guess, .game(Self.game("crane", "speed"), energy: nil), &again)
        #expect(again.entry == [])
        #expect(again.saved.game?.guesses.count == 2)
        #expect(again.handle(.enter) == [] && again.notice == nil, "Enter once more says nothing")
        #expect(Self.type("cran", &again) == [] && again.notice == .tooShort)
    }

    @Test("a won game brings its reward, and what the player has is asked for")
    func reward() {
        let day = V2.Day(of: Self.noon)
        var desk = Self.desk(game: Self.game(kind: .daily, day: day))
        _ = desk.begin()
        _ = Self.answer(.fetchPlayer, .player(Self.player(energy: 20)), &desk)
        _ = Self.type("nifty", &desk)
        let effects = Self.answer(
            .guess("nifty", number: 1, game: "g"),
            .game(Self.game("nifty", kind: .daily, state: .won, day: day, reward: 5), energy: nil), &desk)
        #expect(desk.saved.player?.energy == 25)
        #expect(Self.sent(effects) == [.fetchPlayer])
        _ = desk.handle(.enter)
        #expect(desk.screen == .menu)
    }

    @Test(
        "a refused guess stays to be changed, and why is said",
        arguments: [
            (V2.Problem(.wordUnknown), Desk.Notice.notAWord("zzzzz")),
            (
                V2.Problem(.guessHard, rule: V2.HardRule(letter: "e", position: 3)),
                .hardRule(V2.HardRule(letter: "e", position: 3))
            ),
        ])
    func refusedGuess(problem: V2.Problem, notice: Desk.Notice) {
        var desk = Self.desk(game: Self.game())
        _ = desk.begin()
        _ = Self.type("zzzzz", &desk)
        let effects = Self.answer(.guess("zzzzz", number: 1, game: "g"), .refused(problem), &desk)
        #expect(desk.notice == notice)
        #expect(desk.entry == Array("zzzzz"))
        #expect(Self.saved(effects)?.pending == nil)
        #expect(desk.handle(.erase) == [])
        #expect(desk.entry.count == 4)
    }

    @Test("a guess that another device made first is shown in its place")
    func wentOn() {
        var desk = Self.desk(game: Self.game())
        _ = desk.begin()
        _ = Self.type("speed", &desk)
        _ = Self.answer(
            .guess("speed", number: 1, game: "g"), .refused(V2.Problem(.guessTaken, game: Self.game("crane"))), &desk)
        #expect(desk.notice == .wentOn)
        #expect(desk.entry == [])
        #expect(desk.saved.game?.guesses.map(\.word) == ["crane"])
    }

    @Test("a game that is in the way is shown, and too little energy says what is due")
    func refusedGame() {
        var desk = Self.desk()
        _ = desk.begin()
        _ = desk.handle(.typed("p"))
        let refill = V2.Refill(due: 5)
        _ = Self.answer(
            .startGame(isHard: false, list: nil, key: "1"),
            .refused(V2.Problem(.energyInsufficient, energy: 3, refill: refill)), &desk)
        #expect(desk.notice == .notEnoughEnergy)
        #expect(desk.saved.player?.energy == 3)
        #expect(desk.saved.player?.refill == refill)
        _ = desk.handle(.typed("p"))
        let other = Self.game("crane", id: "other")
        _ = Self.answer(
            .startGame(isHard: false, list: nil, key: "2"), .refused(V2.Problem(.gameUnfinished, game: other)), &desk)
        #expect(desk.screen == .board)
        #expect(desk.saved.game == other)
        #expect(desk.notice == .unfinished)
        #expect(desk.running == other)
    }

    @Test("hard mode is of the games that begin from then on, and is remembered")
    func hardMode() {
        var desk = Self.desk()
        _ = desk.begin()
        #expect(Self.saved(desk.handle(.typed("h")))?.isHard == true)
        #expect(Self.sent(desk.handle(.typed("d"))) == [.startDaily(isHard: true)])
    }

    // MARK: What comes back

    @Test("what is due is taken under a key; too early and nothing missing are said")
    func refill() {
        var desk = Self.desk(energy: 15)
        _ = desk.begin()
        let effects = desk.handle(.typed("e"))
        #expect(effects.first == .save(desk.saved))
        #expect(Self.sent(effects) == [.takeRefill(key: "1")])
        _ = Self.answer(.takeRefill(key: "1"), .energy(V2.RefilledEnergy(energy: 25)), &desk)
        #expect(desk.notice == .refilled(10))
        #expect(desk.saved.player?.energy == 25)
        _ = desk.handle(.typed("e"))
        _ = Self.answer(.takeRefill(key: "2"), .refused(V2.Problem(.refillEarly, retryAfter: 60)), &desk)
        #expect(desk.notice == .refillEarly(seconds: 60))
        _ = desk.handle(.typed("e"))
        _ = Self.answer(.takeRefill(key: "3"), .refused(V2.Problem(.refillFull)), &desk)
        #expect(desk.notice == .refillFull)
    }

    @Test("the menu asks again when energy is due and when the day is over")
    func ticks() {
        var desk = Self.desk()
        _ = desk.begin()
        let later = V2.Timestamp(microsecondsSince1970: Self.noon.microsecondsSince1970 + 1_000_000)
        let refill = V2.Refill(due: 0, nextAt: later)
        _ = Self.answer(.fetchPlayer, .player(Self.player(energy: 25, refill: refill)), &desk)
        #expect(desk.handle(.tick(Self.noon)) == [])
        #expect(Self.sent(desk.handle(.tick(later))) == [.fetchPlayer])
        let today = V2.DailyWord(
            day: V2.Day(of: Self.noon), language: "en", length: 5, commitment: "",
            endsAt: V2.Day(of: Self.noon).next.start, tomorrow: .unnamed)
        _ = Self.answer(.fetchDay, .day(today), &desk)
        #expect(Self.sent(desk.handle(.tick(today.endsAt))) == [.fetchDay])
    }

    // MARK: Past days

    @Test("past days come page by page, and a chosen one is played; today's is the day's game")
    func days() {
        let today = V2.Day(of: Self.noon)
        var desk = Self.desk()
        _ = desk.begin()
        let word = V2.DailyWord(
            day: today, language: "en", length: 5, commitment: "", endsAt: today.next.start, tomorrow: .unnamed)
        _ = Self.answer(.fetchDay, .day(word), &desk)
        #expect(Self.sent(desk.handle(.typed("g"))) == [.listDays(before: nil)])
        let first = [
            V2.ListedDay(day: today, language: "en", length: 5),
            V2.ListedDay(day: today.previous, language: "en", length: 5),
        ]
        _ = Self.answer(.listDays(before: nil), .days(V2.DayList(days: first, next: today.previous)), &desk)
        #expect(Self.sent(desk.handle(.down)) == [.listDays(before: today.previous)])
        let oldest = today.previous.previous
        _ = Self.answer(
            .listDays(before: today.previous),
            .days(V2.DayList(days: [V2.ListedDay(day: oldest, language: "en", length: 5)])), &desk)
        #expect(desk.handle(.down) == [])
        #expect(desk.handle(.down) == [], "that was the last one")
        let start = DeskRequest.startDay(oldest, isHard: false)
        #expect(Self.sent(desk.handle(.enter)) == [start])
        _ = Self.answer(start, .game(Self.game(id: "a", kind: .archive, day: oldest), energy: nil), &desk)
        #expect(desk.screen == .board)
        #expect(desk.days[2].game?.state == .playing)
        _ = desk.handle(.escape)
        #expect(desk.screen == .days)
        _ = desk.handle(.up)
        _ = desk.handle(.up)
        #expect(Self.sent(desk.handle(.enter)) == [.startDaily(isHard: false)])
    }
}

extension V2.TomorrowsWord {
    /// A word of which the terminal shows nothing.
    static let unnamed = V2.TomorrowsWord(
        language: "en", length: 5, commitment: "", endsAt: V2.Day(daysSince1970: 1).start)
}
