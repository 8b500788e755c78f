import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("What a terminal is sent")
struct ScreenWriterTests {
    @Test("the first frame clears the screen, a later one has the lines that changed, and an equal one has nothing")
    func changes() {
        var writer = ScreenWriter(hasColours: true)
        let first = writer.show(Frame([Line("one"), Line("two"), Line("three")]))
        #expect(
            first == "\u{1B}[?2026h\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hone\u{1B}[K\u{1B}[2;1Htwo\u{1B}[K"
                + "\u{1B}[3;1Hthree\u{1B}[K\u{1B}[?2026l")
        let second = Frame([Line("one"), Line("2")])
        #expect(
            writer.show(second)
                == "\u{1B}[?2026h\u{1B}[2;1H2\u{1B}[K\u{1B}[3;1H\u{1B}[K\u{1B}[?2026l")
        #expect(writer.show(second) == "")
        writer.forget()
        #expect(writer.show(second).contains("\u{1B}[2J"))
    }

    @Test("styles end where their text does; without colours none is sent")
    func styles() {
        for style in Style.allCases {
            var colours = ScreenWriter(hasColours: true)
            let coloured = colours.show(Frame([Line("x", style)]))
            #expect(style == .plain || coloured.contains("mx\u{1B}[0m"), "\(style)")
            var plain = ScreenWriter(hasColours: false)
            for part in plain.show(Frame([Line("x", style)])).split(separator: "\u{1B}[") where part.contains("m") {
                #expect(["0", "1", "2"].contains(part.prefix { $0 != "m" }), "\(style): \(part)")
            }
        }
    }

    @Test("a server's text sends no commands to the terminal")
    func controls() {
        var writer = ScreenWriter(hasColours: true)
        #expect(
            writer.show(Frame([Line("a\u{1B}[2Jb\u{9B}c\r\n\u{7}d")])).contains("1;1Ha[2Jbcd\u{1B}[K"))
    }
}
