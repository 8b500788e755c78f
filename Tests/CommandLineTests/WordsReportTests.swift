import JulietGame
import TestSupport
import Testing

@testable import juliet

@Suite("What juliet words prints", .defaultLayout("asks no database"))
struct WordsReportTests {
    @Test("check: each fault by its place, and a verdict")
    func check() {
        var check = WordListCheck(
            language: "en", blocked: ["darns"], guessable: .listed, keepsKindsApart: true)
        check.add("music", kind: .guessable, place: "g.txt:1")
        check.add("darns", kind: .guessable, place: "g.txt:2")
        check.add("Music", kind: .secret, place: "s.txt:1")
        check.add("MUSIC", kind: .secret, place: "s.txt:2")
        check.add("latte", kind: .secret, place: "s.txt:3")
        check.add("cat", kind: .secret, place: "s.txt:4")
        #expect(
            WordsReport.checked(check.findings(), words: 6) == """
                g.txt:2: "darns" is on the block list
                s.txt:2: "MUSIC" is already listed: s.txt:1 as "Music"
                s.txt:4: "cat" has 3 letters, words have 4 to 8
                s.txt:3: "latte" is a secret that cannot be guessed
                6 words, 4 faults
                """)
        #expect(WordsReport.checked([], words: 1234) == "1,234 words, nothing wrong")
    }

    @Test("check of the table: one word in two spellings, and secrets an app does not accept")
    func checkTable() {
        var check = WordListCheck(
            language: "de", blocked: [], guessable: .only(["übung"]), keepsKindsApart: false)
        check.add("U\u{308}bung", kind: .secret, place: "words")
        check.add("übung", kind: .guessable, place: "words")
        check.add("größe", kind: .secret, place: "words")
        #expect(
            check.findings().map(\.description) == [
                "words: \"übung\" is already listed: words as \"U\u{308}bung\"",
                "words: \"größe\" is a secret that cannot be guessed",
            ])
    }

    @Test("stats, retire and restore")
    func tables() {
        #expect(WordsReport.stats([]) == "there are no words: import some with `juliet words import`")
        #expect(WordsReport.tended(["latte", "manga"], unchanged: [], verb: "retired") == "retired: latte manga")
        #expect(
            WordsReport.tended(["latte"], unchanged: ["manga"], verb: "restored")
                == "restored: latte\nalready restored: manga")
    }
}
