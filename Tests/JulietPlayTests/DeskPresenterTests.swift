import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("The picture of /v2")
struct DeskPresenterTests {
    private static func answered(_ request: DeskRequest, _ answer: DeskAnswer, _ desk: inout Desk) {
        _ = desk.handle(.answered(DeskErrand(request, token: desk.saved.session?.token), answer))
    }

    private static let service = V2.Service(
        name: "Juliet",
        energy: V2.Service.Energy(
            price: 5, start: 30, refill: V2.Service.Energy.Refill(amount: 5, every: 14_400, upTo: 30), dailyReward: 5),
        languages: [V2.Service.Language(language: "en", length: 5)], daysGoneBy: true)

    private static func text(_ desk: Desk, _ columns: Int = 32, _ rows: Int = 13) -> [String] {
        Presenter(usesSigns: true).frame(of: desk, size: Size(columns: columns, rows: rows)).lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("of the menu says briefly what each entry costs and brings, and its state")
    func menu() {
        var desk = DeskTests.desk()
        _ = desk.begin()
        Self.answered(.fetchService, .service(Self.service), &desk)
        let today = V2.Day(of: desk.now)
        let word = V2.DailyWord(
            day: today, language: "en", length: 5, commitment: "", endsAt: today.next.start, tomorrow: .unnamed)
        Self.answered(.fetchDay, .day(word), &desk)
        Self.answered(.fetchPlayer, .player(DeskTests.player(energy: 15, refill: V2.Refill(due: 10))), &desk)
        let expected = [
            " Juliet   energy 15 +10  wins 0",
            "  Ada",
            "",
            "  D  Word of the day +5 energy",
            "  P  A word for you  5 energy",
            "  G  Past days",
            "  H  Hard mode       off",
            "  E  Take energy     10 due",
            "  S  Statistics",
            "  C  Recovery code   a new one",
            "  O  Sign out",
        ]
        #expect(Self.text(desk).prefix(expected.count) == expected[...])
        #expect(Self.text(desk)[11].contains("No. \(today.number), "))
    }

    @Test(
        "of the menu names the list that games are of, where there are several and room for it; a key goes through them"
    )
    func lists() {
        var desk = DeskTests.desk()
        _ = desk.begin()
        var service = Self.service
        Self.answered(.fetchService, .service(service), &desk)
        #expect(desk.handle(.typed("w")) == [], "there is one")
        #expect(!Self.text(desk, 32, 24).contains { $0.contains("Words for you") })
        let german = V2.Service.Language(language: "de", length: 6)
        service.languages.append(german)
        Self.answered(.fetchService, .service(service), &desk)
        let shown = { (desk: Desk) in Self.text(desk, 40, 24).first { $0.contains("Words for you") }?.drop { $0 == " " }
        }
        #expect(shown(desk) == "W  Words for you   en, 5 letters")
        #expect(desk.handle(.typed("w")) == [.save(desk.saved)])
        #expect(desk.saved.list == german)
        #expect(shown(desk) == "W  Words for you   de, 6 letters")
        var other = desk
        let effects = other.handle(.typed("p"))
        #expect(effects.first == .save(other.saved))
        #expect(other.saved.pending == .startGame(isHard: false, list: german, key: "1"))
        #expect(desk.handle(.typed("W")) == [.save(desk.saved)])
        #expect(desk.saved.list == nil, "after the last comes the usual one")
        // A list whose letters have changed is still the same.
        _ = desk.handle(.typed("w"))
        service.languages[1].letters = "abcö"
        Self.answered(.fetchService, .service(service), &desk)
        #expect(desk.list == service.languages[1])
        // A list that the service has no more is not asked for.
        Self.answered(.fetchService, .service(Self.service), &desk)
        #expect(desk.list == nil)
    }

    @Test("of a game that is over has what the word means in the place of the keys, cut where there is no room")
    func meaning() {
        var game = DeskTests.game("crane", "nifty", state: .won)
        game.meaning =
            "very good at something, or quick and easy to use; a word that nobody has said for years and everybody knows"
        let desk = DeskTests.desk(game: game)
        let tall = Self.text(desk, 40, 24).joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(tall.contains(game.meaning ?? "") && !tall.contains("Q W E R T Y"))
        let small = Self.text(desk)
        #expect(small.contains { $0.hasSuffix("…") } && small[11].contains("Won in 2."))
        #expect(small.allSatisfy { $0.count <= 32 } && small.count == 13)
    }

    @Test("of the board names the game, its mode and what it brought")
    func board() {
        let day = V2.Day(of: DeskTests.desk().now)
        var game = DeskTests.game("crane", "nifty", kind: .daily, state: .won, day: day, reward: 5)
        game.hard = true
        let desk = DeskTests.desk(game: game)
        let lines = Self.text(desk)
        #expect(lines[1].hasSuffix(" c   r   a   n   e"))
        #expect(lines[2].hasSuffix("[N] [I] [F] [T] [Y]"))
        #expect(lines[11].drop { $0 == " " } == "Won in 2. +5 energy. Enter: menu")
        #expect(Self.text(desk, 60)[12].hasPrefix(" Word of the day No. \(day.number), hard"))
    }

    @Test("of the days says what a game of the chosen one counts")
    func days() {
        var desk = DeskTests.desk()
        _ = desk.begin()
        let today = V2.Day(of: desk.now)
        let word = V2.DailyWord(
            day: today, language: "en", length: 5, commitment: "", endsAt: today.next.start, tomorrow: .unnamed)
        Self.answered(.fetchDay, .day(word), &desk)
        _ = desk.handle(.typed("g"))
        let lost = V2.ListedGame(id: "a", kind: .archive, state: .lost, guesses: 6)
        let days = [
            V2.ListedDay(day: today, language: "en", length: 5),
            V2.ListedDay(day: today.previous, language: "en", length: 5, game: lost),
            V2.ListedDay(day: today.previous.previous, language: "en", length: 5, isPlanned: true),
        ]
        Self.answered(.listDays(before: nil), .days(V2.DayList(days: days)), &desk)
        #expect(Self.text(desk)[11].drop { $0 == " " } == "Enter: the word of the day")
        _ = desk.handle(.down)
        #expect(Self.text(desk)[11].drop { $0 == " " } == "Enter plays; it counts nowhere")
        #expect(Self.text(desk).contains { $0.hasSuffix("\(today.previous)  lost") && $0.contains(">") })
        _ = desk.handle(.down)
        #expect(Self.text(desk)[11].drop { $0 == " " } == "The host's word. Enter plays")
    }

    @Test("says rules of hard mode and delays in plain words")
    func words() {
        var desk = DeskTests.desk(game: DeskTests.game())
        _ = desk.begin()
        let guess = DeskRequest.guess("crane", number: 1, game: "g")
        let rules: [(V2.HardRule, String)] = [
            (V2.HardRule(letter: "e", position: 3), "Hard mode: letter 3 is E"),
            (V2.HardRule(letter: "a", count: 1), "Hard mode: use A"),
            (V2.HardRule(letter: "a", count: 2), "Hard mode: use A twice"),
            (V2.HardRule(letter: "a", count: 3), "Hard mode: use A 3 times"),
        ]
        _ = DeskTests.type("crane", &desk)
        for (rule, text) in rules {
            Self.answered(guess, .refused(V2.Problem(.guessHard, rule: rule)), &desk)
            #expect(Self.text(desk)[11].drop { $0 == " " } == text)
            _ = desk.handle(.enter)
        }
        _ = desk.handle(.delayed(DeskErrand(guess, token: "jt_a"), .outOfReach))
        #expect(Self.text(desk)[11].contains("Your guess waits: trying again"))
        #expect(Self.text(desk)[12].hasPrefix(" out of reach"))
    }

    @Test(
        "fills the window and no more, of whatever size, on every screen",
        arguments: [1, 31, 32, 60, 80, 200], [1, 12, 13, 14, 24, 60])
    func sizes(columns: Int, rows: Int) {
        let today = V2.Day(of: DeskTests.desk().now)
        for screen in [
            Desk.Screen.welcome, .signingIn, .code, .menu, .board, .friends, .making, .days, .statistics,
            .signingOut,
        ] {
            var desk = DeskTests.desk(game: DeskTests.game("crane", kind: .archive, day: today))
            desk.saved.session?.newCode = "0123A-4567B-89CDE-FGHJK"
            desk.saved.player?.statistics = V2.Statistics(
                played: 1_000, won: 999, currentStreak: 500, longestStreak: 999,
                distribution: [1, 8, 90, 300, 500, 100])
            desk.days = (0..<120).map {
                V2.ListedDay(day: V2.Day(daysSince1970: today.daysSince1970 - $0), language: "en", length: 5)
            }
            desk.selection = 60
            desk.screen = screen
            for _ in 0..<2 {
                let frame = Presenter(usesSigns: true).frame(of: desk, size: Size(columns: columns, rows: rows))
                #expect(frame.lines.allSatisfy { $0.width <= columns })
                if columns >= 32, rows >= 13 {
                    #expect(frame.lines.count == rows)
                    if !desk.showsHelp, screen == .code { #expect(frame.text.contains("0123A-4567B-89CDE-FGHJK")) }
                    if !desk.showsHelp, screen == .days { #expect(frame.text.contains(">")) }
                } else {
                    #expect(frame.text.hasPrefix("T"))
                }
                _ = desk.handle(.help)
            }
        }
    }
}
