import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("The picture")
struct PresenterTests {
    private static func play(
        _ phase: SavedPlay.Phase = .idle, energy: Int? = nil, wins: Int? = nil, outbox: Outbox = Outbox(),
        typed: String = ""
    ) -> Play {
        var play = Play(SavedPlay(phase: phase, energy: energy, wins: wins), list: GuessList()) { "id" }
        _ = play.handle(.outbox(outbox))
        for letter in typed { _ = play.handle(.letter(letter)) }
        return play
    }

    private static func game(_ guesses: String...) -> Game {
        var game = Game(id: "g", secret: "SPEED")
        for guess in guesses { game.take(guess) }
        return game
    }

    private static func text(_ play: Play, _ columns: Int, _ rows: Int, usesSigns: Bool = true) -> String {
        Presenter(usesSigns: usesSigns).frame(of: play, size: Size(columns: columns, rows: rows)).text
    }

    /// Trailing blanks do not matter.
    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    @Test("of a game in the least room there may be, with signs for colours")
    func small() {
        let play = Self.play(.playing(Self.game("ERASE", "CREEP")), energy: 25, wins: 2, typed: "sp")
        let expected = """
             Juliet       energy 25  wins 2
                  (E)  r   a  (S) (E)
                   c   r  [E] [E] (P)
                   S   P   _   _   _
                   ·   ·   ·   ·   ·
                   ·   ·   ·   ·   ·
                   ·   ·   ·   ·   ·

              Q  W [E] r  T  Y  U  I  O (P)
               a (S) D  F  G  H  J  K  L
                  Z  X  c  V  B  N  M
                      Guess 3 of 6
                                     ? help
            """
        let shown = Self.lines(Self.text(play, 32, 13))
        #expect(shown.count == 13)
        #expect(shown == Self.lines(expected))
    }

    @Test("of a large window has the guesses apart, in the middle")
    func large() {
        let play = Self.play(.playing(Self.game("ERASE")), energy: 5)
        let lines = Self.lines(Self.text(play, 80, 24))
        #expect(lines.count == 24)
        let first = lines.firstIndex { $0.contains("(E)  r   a  (S) (E)") } ?? 0
        #expect(first > 1)
        #expect(lines[first].hasPrefix(String(repeating: " ", count: 30) + "(E)"))
        #expect(lines[first + 1] == "")
        #expect(lines[first + 2].contains("_   _   _   _   _"))
        #expect(lines[23].hasSuffix("? help"))
    }

    @Test(
        "fills the window and no more, of whatever size, and says so when there is too little room",
        arguments: [1, 5, 31, 32, 60, 80, 120, 300], [1, 3, 12, 13, 14, 20, 24, 40, 100])
    func sizes(columns: Int, rows: Int) {
        var other = Game(id: "g", secret: "ÄPFEL")
        other.take("ÖÜÄ語E")
        let waiting = Outbox(
            waiting: Array(repeating: .buyEnergy(.large, id: "1"), count: 1_000), link: .keyRefused)
        for game in [Self.game("ERASE", "CREEP"), other] {
            var play = Self.play(.playing(game), energy: 1_000_000, wins: 1_000_000, outbox: waiting)
            for _ in 0..<2 {
                let frame = Presenter(usesSigns: true).frame(of: play, size: Size(columns: columns, rows: rows))
                #expect(frame.lines.allSatisfy { $0.width <= columns })
                if columns >= 32, rows >= 13 {
                    #expect(frame.lines.count == rows)
                    #expect(frame.lines[0].text.contains("energy"))
                } else {
                    #expect(frame.lines.count <= rows)
                    #expect(frame.text.hasPrefix("T"))
                }
                _ = play.handle(.help)
            }
        }
    }

    @Test("shows letters that no key has in a row of their own, once guessed")
    func otherLetters() {
        var game = Game(id: "g", secret: "ÄPFEL")
        #expect(!Self.text(Self.play(.playing(game)), 80, 24).contains("Ä"))
        game.take("ÖPÄEL")
        #expect(Self.lines(Self.text(Self.play(.playing(game)), 80, 24)).contains { $0.hasSuffix("   (Ä) ö") })
    }

    @Test("with colours says by styles what signs say without")
    func styles() {
        let play = Self.play(.playing(Self.game("SPEAR")))
        let frame = Presenter(usesSigns: false).frame(of: play, size: Size(columns: 80, rows: 24))
        let row = frame.lines.first { $0.text.contains("S   P   E   A   R") }
        let styles = row?.spans.filter { $0.text.contains(where: \.isLetter) }.map(\.style)
        #expect(styles == [.correct, .correct, .correct, .absent, .absent])
        let keys = frame.lines.first { $0.text.contains("Q  W  E") }
        #expect(keys?.spans.first { $0.text == " E " }?.style == .correct)
        #expect(keys?.spans.first { $0.text == " Q " }?.style == .fresh)
    }

    @Test(
        "says what the player needs to know",
        arguments: [
            (play(), "Enter starts a game (5 energy)"),
            (play(.starting(id: "1")), "Asking for a word"),
            (play(.starting(id: "1"), outbox: Outbox(link: .offline)), "A new word needs the service"),
            (play(.starting(id: "1"), outbox: Outbox(link: .keyRefused)), "Give the right key: --key"),
            (play(.playing(game("ERASE"))), "Guess 2 of 6"),
            (play(.over(game("ERASE", "SPEED"))), "Won in 2. Enter: next game"),
            (
                play(.over(game("ERASE", "ERASE", "ERASE", "ERASE", "ERASE", "ERASE"))),
                "It was SPEED. Enter: next game"
            ),
        ])
    func messages(play: Play, message: String) {
        #expect(Self.lines(Self.text(play, 32, 13))[11].drop { $0 == " " } == message)
    }

    @Test("says what waits, and what it will add")
    func waiting() {
        let done: [Deed] = [
            .register, .fetchWins, .buyEnergy(.large, id: "1"), .buyEnergy(.small, id: "2"),
            .recordWord("SPEED", game: "g"), .countWin(game: "g"),
        ]
        let offline = Self.play(energy: 0, wins: 7, outbox: Outbox(waiting: done, link: .offline))
        let text = Self.lines(Self.text(offline, 60, 13))
        #expect(text[0].hasSuffix("energy 0 +35  wins 7 +1"))
        #expect(text[12].hasPrefix(" 4 waiting, offline"))
        let online = Self.play(outbox: Outbox(waiting: [.register, .fetchWins]))
        #expect(Self.lines(Self.text(online, 60, 13))[12].drop { $0 == " " } == "? help")
        let hello = Self.play(outbox: Outbox(waiting: [.register], link: .offline))
        #expect(Self.lines(Self.text(hello, 60, 13))[12].hasPrefix(" offline"))
    }

    @Test("of the keys has all of them in the least room")
    func help() {
        var play = Self.play()
        _ = play.handle(.help)
        let text = Self.text(play, 32, 13)
        for word in [
            "Enter", "Backspace", "buy 30", "Ctrl-C", "[A] is in the right place", "(B) is elsewhere", " c  is not",
        ] {
            #expect(text.contains(word), "\(word)")
        }
    }
}
