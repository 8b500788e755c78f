import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("Letters of every script")
struct LettersTests {
    /// A game of any letters.
    private static func game(_ guesses: (String, [V2.Mark])..., length: Int, hint: String? = nil) -> V2.Game {
        var game = V2.Game(
            id: "c", kind: .challenge, state: .playing, language: "en", length: length,
            guesses: guesses.map { V2.Guess(word: $0.0, marks: $0.1) }, commitment: "", startedAt: DeskTests.desk().now)
        game.anyWord = true
        game.hint = hint
        return game
    }

    private static func lines(_ desk: Desk, columns: Int = 40, rows: Int = 24) -> [Line] {
        Presenter(usesSigns: true).frame(of: desk, size: Size(columns: columns, rows: rows)).lines
    }

    private static func text(_ line: Line) -> String {
        String(line.text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    @Test(
        "are counted as the service does: code points of the composed form, whatever the terminal sends",
        arguments: [
            ("กำกำ", ["ก", "ำ", "ก", "ำ"]), ("e\u{301}ta\u{302}t", ["é", "t", "â", "t"]),
            ("tiê\u{301}ng", ["t", "i", "ế", "n", "g"]),
            ("\u{1112}\u{1161}\u{11AB}국", ["한", "국"]), ("\u{1161}\u{1161}", ["\u{1161}", "\u{1161}"]),
            ("ｶ\u{FF9E}", ["ｶ", "\u{FF9E}"]), ("a1 b\u{3164}c", ["a", "b", "c"]),
        ] as [(String, [Character])])
    func counted(text: String, letters: [Character]) {
        #expect([Character](lettersOf: text) == letters)
    }

    @Test("are typed one by one, an accent onto the letter before, and sent as they were typed")
    func typed() {
        var desk = DeskTests.desk(game: Self.game(length: 4))
        _ = desk.begin()
        for scalar in "กำกำก".unicodeScalars { _ = desk.handle(.typed(Character(scalar))) }
        #expect(desk.entry.count == 4)
        _ = desk.handle(.erase)
        #expect(String(desk.entry) == "กำก")
        _ = desk.handle(.typed("ำ"))
        let effects = desk.handle(.enter)
        #expect(effects.contains(.send(DeskErrand(.guess("กำกำ", number: 1, game: "c"), token: "jt_a"))))

        // In upper case it would be another word: its last letter would become ς.
        var greek = DeskTests.desk(game: Self.game(length: 4))
        _ = greek.begin()
        _ = DeskTests.type("σσσσ", &greek)
        #expect(greek.saved.pending == .guess("σσσσ", number: 1, game: "c"))
        #expect(Self.lines(greek).contains { Self.text($0) == "Σ   Σ   Σ   Σ" })
    }

    @Test("have one mark each, though two of them may be one character")
    func marked() {
        let desk = DeskTests.desk(game: Self.game(("กำมา", [.correct, .present, .absent, .absent]), length: 4))
        let rows = Self.lines(desk).map(\.text).filter { $0.contains("[ก]") }
        #expect(rows.first?.unicodeScalars.filter { $0 != " " }.map(String.init).joined() == "[ก](ำ)มา")
    }

    @Test("that are wide widen all tiles, and without room the tiles stand side by side")
    func wide() {
        let marks = Array(repeating: V2.Mark.absent, count: 8)
        var desk = DeskTests.desk(game: Self.game(("さくらさくらさく", marks), length: 8))
        _ = desk.begin()
        for letter in "はaな" { _ = desk.handle(.typed(letter)) }
        for columns in [32, 40] {
            let rows = Self.lines(desk, columns: columns, rows: 13)[2...7]
            #expect(Set(rows.map(\.width)).count == 1, "\(rows.map(\.text))")
            #expect(rows.allSatisfy { $0.width <= columns })
        }
        #expect(Self.text(Self.lines(desk, columns: 40, rows: 13)[3]).hasPrefix("は   A    な   _"))
        // Nothing of the usual keyboard was guessed.
        #expect(!Self.lines(desk).contains { $0.text.contains("Q  W  E") })
        #expect(Self.lines(desk).contains { Self.text($0) == "く  さ  ら" })
    }

    @Test("that run from the right begin there, and no terminal turns them around again")
    func fromRight() {
        var desk = DeskTests.desk(game: Self.game(("שלום", [.correct, .absent, .present, .absent]), length: 4))
        _ = desk.begin()
        _ = desk.handle(.typed("ש"))
        let rows = Self.lines(desk).map { Self.text($0) }
        let mark = "\u{200E}"
        #expect(rows.contains([" ם ", "(ו)", " ל ", "[ש]"].reduce("") { ($0.isEmpty ? "" : $0 + " ") + mark + $1 }))
        #expect(
            rows.contains {
                $0.unicodeScalars.filter { $0 != " " && $0.value != 0x200E }.map(String.init).joined() == "___ש"
            })
    }

    @Test("that nothing is drawn for alone get a place")
    func joining() {
        let desk = DeskTests.desk(
            game: Self.game(("\u{1161}\u{1161}\u{1161}\u{1161}", Array(repeating: .correct, count: 4)), length: 4))
        let row = Self.lines(desk).first { $0.text.contains("◌") }
        #expect(row.map { Self.text($0).unicodeScalars.count { $0 == "◌" } } == 4)
        #expect(Line("[◌\u{1161}]").width == 3)
    }

    @Test("take the columns that terminals give them")
    func columns() {
        for (text, columns) in [
            ("abc", 3), ("é", 1), ("e\u{301}", 1), ("語", 2), ("한국", 4), ("กำ", 2), ("ｶ\u{FF9E}", 2), ("🐈", 2), ("", 0),
        ] {
            #expect(text.columns == columns, "\(text)")
        }
        #expect("語語".prefix(columns: 3) == "語")
        #expect(Line("a語b").clipped(to: 2).text == "a")
    }

    @Test("of a long hint stand below the guesses in lines, where there is room for them")
    func hint() {
        let hint = "It sits on the window sill every morning and looks at birds, and it is not a cat"
        #expect(hint.count == 80)
        let desk = DeskTests.desk(game: Self.game(length: 4, hint: hint))
        let text = Self.lines(desk, columns: 32).map { Self.text($0) }.filter { !$0.isEmpty }.joined(separator: " ")
        #expect(text.contains("Hint: \(hint)"))
        #expect(text.contains("Challenge, any letters") && text.contains("Q  W  E"))
        let small = Self.lines(desk, columns: 32, rows: 13).map(\.text)
        #expect(small.count == 13 && small[12].hasPrefix(" Challenge, any letters: It sits"))
        let one = DeskTests.desk(game: Self.game(length: 4, hint: "Our cat"))
        #expect(Self.lines(one, columns: 32, rows: 13).contains { Self.text($0) == "Hint: Our cat" })
        let unbroken = DeskTests.desk(game: Self.game(length: 4, hint: String(repeating: "語", count: 80)))
        #expect(Self.lines(unbroken, columns: 32).allSatisfy { $0.width <= 32 })
        #expect(Self.lines(unbroken, columns: 32).map(\.text).joined().count { $0 == "語" } == 80)
    }
}
