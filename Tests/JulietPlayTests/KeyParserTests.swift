import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("Keys")
struct KeyParserTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test(
        "are read from bytes",
        arguments: [
            (bytes("a\r"), [.character("a"), .enter]),
            (bytes("\u{7F}\u{08}\n"), [.backspace, .backspace, .enter]),
            (bytes("\u{03}\u{04}\u{1A}"), [.control("c"), .control("d"), .control("z")]),
            (bytes("ßÄ語😀"), [.character("ß"), .character("Ä"), .character("語"), .character("😀")]),
            (bytes("\u{1B}[A\u{1B}OB\u{1B}OA\u{1B}[B"), [.up, .down, .up, .down]),
            // Other arrows, Ctrl-Up, F1, F5, a mouse, a report of colours: nothing, and what follows is read.
            (bytes("\u{1B}[C\u{1B}[1;5A\u{1B}OPx\u{1B}[15~\u{1B}[<0;1;2Mz"), [.character("x"), .character("z")]),
            (bytes("\u{1B}]11;rgb:0/0/0\u{07}a\u{1B}P1$r\u{1B}\\b"), [.character("a"), .character("b")]),
            // With Alt held; a sequence that an Escape or a control breaks off.
            (bytes("\u{1B}ab"), [.character("b")]),
            (bytes("\u{1B}[1\u{1B}[Ax\u{1B}[3\u{03}"), [.up, .character("x"), .control("c")]),
            (bytes("\u{1B}\u{03}"), [.control("c")]),
            // No UTF-8: lone continuations, overlong, surrogate, too large, cut off by a letter; a C1 control.
            ([0x80, 0xC0, 0xAF, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0xF5, 0x61], [.character("a")]),
            ([0xF4, 0x90, 0x80, 0x80, 0xC3, 0x62, 0xC2, 0x9B, 0x63], [.character("b"), .character("c")]),
        ] as [([UInt8], [Key])])
    func read(bytes: [UInt8], expected: [Key]) {
        var parser = KeyParser()
        #expect(parser.parse(bytes) == expected)
        var byOne = KeyParser()
        #expect(bytes.flatMap { byOne.parse([$0]) } == expected, "one byte at a time")
    }

    @Test("an Escape is one when nothing follows, and the begin of a sequence when something does")
    func escape() {
        var parser = KeyParser()
        #expect(parser.parse([0x1B]) == [])
        #expect(parser.isUndecided)
        #expect(parser.flush() == [.escape])
        #expect(parser.parse(Self.bytes("a")) == [.character("a")])
        #expect(parser.parse([0x1B]) == [])
        #expect(parser.parse(Self.bytes("[")) == [])
        #expect(!parser.isUndecided)
        #expect(parser.flush() == [])
        #expect(parser.parse(Self.bytes("Bb")) == [.down, .character("b")])
        #expect(parser.parse([0x1B, 0x1B]) == [.escape])
        #expect(parser.flush() == [.escape])
    }

    @Test("whatever came before, the fourth letter after it is read as a key")
    func noise() {
        var random = SplitMix(state: 11)
        for _ in 0..<5_000 {
            var parser = KeyParser()
            var noise: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) { noise.append(.random(in: 0...255, using: &random)) }
            _ = parser.parse(noise)
            _ = parser.flush()
            // These end a string of the terminal's, which may have begun, and nothing else.
            _ = parser.parse([0x07, 0x18])
            _ = parser.parse(Self.bytes("abc"))
            #expect(parser.parse(Self.bytes("d")) == [.character("d")], "\(noise)")
        }
    }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
