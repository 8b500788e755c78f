import Testing

@testable import JulietGame

@Suite("How words are spelled")
struct WordSpellingTests {
    @Test(
        "a word is lower case by its language's rules, composed, letters only",
        arguments: [
            ("en", "MUSIC", "music"), ("en", "drunk", "drunk"), ("en", "INDIA", "india"),
            ("de", "STRAẞE", "straße"), ("de", "übung", "übung"), ("de", "U\u{308}bung", "übung"),
            ("tr", "IŞIK", "ışık"), ("tr", "İNCİR", "incir"), ("tr", "I\u{307}NCİR", "incir"), ("tr", "kitap", "kitap"),
            ("ru", "ЁЛКА", "ёлка"), ("ru", "Е\u{308}ЛКА", "ёлка"), ("el", "\u{1F71}λφα", "\u{3AC}λφα"),
            ("el", "\u{1FBB}ΛΦΑ", "\u{3AC}λφα"), ("hr", "\u{1C5}amija", "\u{1C6}amija"), ("sv", "ÅNGRA", "ångra"),
            ("vi", "TIE\u{302}\u{301}NG", "ti\u{1EBF}ng"),
            ("el", "ΛΌΓΟΣ", "λόγος"), ("el", "ΣΟΦΌΣ", "σοφός"), ("en", "ΣΣΣΣ", "σσσς"),
            ("ko", "\u{1112}\u{1161}\u{11AB}국사람", "한국사람"),
            ("zh", "\u{F900}\u{F901}\u{FA2D}\u{2F800}", "\u{8C48}\u{66F4}\u{9DB4}\u{4E3D}"),
        ])
    func canonical(language: String, text: String, word: String) throws {
        let spelling = WordSpelling(language: language)
        #expect(Array(try spelling.word(text).unicodeScalars) == Array(word.unicodeScalars))
        var bytes: [UInt8] = [0]
        try spelling.append(Array(text.utf8)[...], to: &bytes)
        #expect(bytes == [0] + Array(word.utf8))
        let any = try WordSpelling(language: language, takesAnyLetters: true).word(text)
        #expect(Array(any.unicodeScalars) == Array(word.unicodeScalars), "any word is spelled so, too")
    }

    @Test(
        "what is not a word is refused with the reason",
        arguments: [
            ("cat", "has 3 letters, words have 4 to 8"), ("a", "has 1 letter, words have 4 to 8"),
            ("mausoleum", "has 9 letters, words have 4 to 8"), ("üb", "has 2 letters, words have 4 to 8"),
            ("don't", "has a character that is not a letter: '"), ("abc1e", "has a character that is not a letter: 1"),
            ("two words", "is more than one word"), ("smile😀", "has a character that is not a letter: 😀"),
            ("q\u{301}uote", "has a character that is not a letter: q\u{301}"),
            ("\u{958}कखगघ", "has a character that is not a letter: \u{958}"),
            ("moo\u{212A}", "has a character that is not a letter: \u{212A}"),
            ("\u{2126}ρυγή", "has a character that is not a letter: \u{2126}"),
            ("\u{212B}ngström", "has a character that is not a letter: \u{212B}"),
            ("\u{3F4}εός", "has a character that is not a letter: \u{3F4}"),
        ])
    func refused(text: String, message: String) {
        var bytes: [UInt8] = [7]
        let error = #expect(throws: WordSpelling.Fault.self) {
            try WordSpelling(language: "en").append(Array(text.utf8)[...], to: &bytes)
        }
        #expect(error?.description == message)
        #expect(bytes == [7])
    }

    @Test(
        "a dealt word that comes back in upper case is the same word",
        arguments: [
            ("tr", "incir", "İNCİR"), ("tr", "ışık", "IŞIK"), ("en", "india", "INDIA"), ("de", "übung", "ÜBUNG"),
        ])
    func roundTrip(language: String, word: String, upperCase: String) throws {
        let spelling = WordSpelling(language: language)
        #expect(spelling.capitalizingOwnLetters(word).uppercased() == upperCase)
        #expect(try spelling.word(upperCase) == word)
    }

    @Test("bytes that are not UTF-8 are no word")
    func encoding() {
        var bytes: [UInt8] = []
        let error = #expect(throws: WordSpelling.Fault.self) {
            try WordSpelling(language: "en").append([0x61, 0xFF, 0x62, 0x63], to: &bytes)
        }
        #expect(error?.description == "is not UTF-8")
    }
}

@Suite("The lines of a word list")
struct WordListLinesTests {
    private func lines(_ text: String, pieces size: Int) -> [String] {
        var found: [String] = []
        var lines = WordListLines()
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines.consume(Array(bytes[start..<min(start + size, bytes.count)])) {
                found.append("\($0):" + String(decoding: $1, as: UTF8.self))
            }
        }
        lines.finish { found.append("\($0):" + String(decoding: $1, as: UTF8.self)) }
        return found
    }

    @Test("hold words; marks, comments, blanks and any line end are passed over", arguments: 1...40)
    func anyPieces(size: Int) {
        let text = "\u{FEFF}# made by hand\n\nabout\r\n  above\t\r\n\r\nabuse # verb too\rabyss\r\rlast"
        #expect(lines(text, pieces: size) == ["3:about", "4:above", "6:abuse", "7:abyss", "9:last"])
    }

    @Test("that are endless take no memory")
    func endless() {
        var lines = WordListLines()
        for _ in 0..<1000 { lines.consume(Array(repeating: 0x61, count: 1000)) { _, _ in } }
        var length = 0
        lines.finish { length = $1.count }
        #expect(length == 2048)
    }
}
