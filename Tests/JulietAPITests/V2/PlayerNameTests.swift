import JulietAPI
import Testing

@Suite("/v2: names of players")
struct V2PlayerNameTests {
    @Test(
        "white space around a name is trimmed, the rest stays as it is",
        arguments: [
            ("Zoë", "Zoë"), ("  Zoë ", "Zoë"), ("\u{3000}\t\nA B\u{A0}\u{2028}\u{85}", "A B"), ("a", "a"), ("🎉", "🎉"),
            ("e\u{301}", "e\u{301}"), ("\"\\'; --", "\"\\'; --"), ("日本語", "日本語"), ("a\u{A0}b", "a\u{A0}b"),
            ("\u{301}", "\u{301}"), ("<b>", "<b>"),
        ])
    func taken(text: String, name: String) throws {
        let trimmed = try #require(V2.PlayerName(text)).text
        #expect(Array(trimmed.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(
        "control, format, private and unassigned characters, and nothing but white space, are refused",
        arguments: [
            "", " ", "\t\n", "\u{3000}\u{A0}", "a\nb", "a\tb", "a\u{0}", "a\u{7F}", "a\u{85}b", "a\u{AD}b", "\u{200B}",
            "a\u{200D}b", "👩‍👩‍👧", "a\u{202E}b", "a\u{2028}b", "a\u{2029}b", "\u{FEFF}a", "a\u{E000}", "a\u{10FFFF}",
            "a\u{FFFF}", "a\u{378}", "a\u{E0001}", String(repeating: "a", count: 1025),
        ])
    func refused(text: String) {
        #expect(V2.PlayerName(text) == nil)
    }

    @Test("how long it is the database says, when it has normalised it")
    func long() {
        #expect(V2.PlayerName(String(repeating: "a", count: 1024)) != nil)
        #expect(V2.PlayerName(String(repeating: "e\u{301}\u{323}", count: 24)) != nil)
    }
}
