import JulietAPI
import Testing

@Suite("/v2: recovery codes")
struct V2RecoveryCodeTests {
    @Test(
        "letter case, hyphens and blanks do not matter; I and L are 1, O is 0",
        arguments: [
            "0123A-4567B-89CDE-1GHJK", "0123A4567B89CDE1GHJK", "0123a-4567b-89cde-1ghjk", "o123A-4567B-89CDE-IGHJK",
            "Ol23a 4567b 89cde lghjk", "  0123A  4567B\t89CDE\n1GHJK ", "0-1-2-3-A-4567B-89CDE-1GHJK",
            "0123A–4567B—89CDE‑1GHJK", "0123A\u{A0}4567B\u{202F}89CDE\u{3000}1GHJK", "-0123A4567B89CDE1GHJK-",
        ])
    func spellings(text: String) throws {
        let code = try #require(V2.RecoveryCode(text))
        #expect(code.characters == "0123A4567B89CDE1GHJK")
        #expect(code.groups == "0123A-4567B-89CDE-1GHJK")
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "-", "0123A-4567B-89CDE-1GHJ", "0123A-4567B-89CDE-1GHJKM", "0123U-4567B-89CDE-1GHJK",
            "0123A-4567B-89CDE-1GHJ!", "0123A_4567B_89CDE_1GHJK", "0123É-4567B-89CDE-1GHJK", "０123A-4567B-89CDE-1GHJK",
            "0123A-4567B-89CDE-1GHJK\u{0}", "0123A-4567B-89CDE-1GHJı", "0123А-4567B-89CDE-1GHJK",
            String(repeating: "0", count: 1_000_000), "0123A4567B89CDE1GHJK" + String(repeating: " ", count: 300),
        ])
    func refused(text: String) {
        #expect(V2.RecoveryCode(text) == nil)
    }

    @Test("32 characters of ASCII stand for themselves, and 3 for others")
    func alphabet() {
        let rest = String(repeating: "0", count: 19)
        let read = (UInt8(0x21)...0x7E).map { Character(Unicode.Scalar($0)) }
            .compactMap { character in
                V2.RecoveryCode("\(character)\(rest)").map { (character, $0.characters.first) }
            }
        #expect(read.filter { $0.0 == $0.1 }.map { String($0.0) }.joined() == "0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let others = read.filter { $0.0.isUppercase && $0.0 != $0.1 }
        #expect(others.map { "\($0.0)\($0.1 ?? " ")" } == ["I1", "L1", "O0"])
    }

    @Test("made at random, it is read back from its groups, and every character occurs at each place")
    func random() {
        var occurring = [Set<Character>](repeating: [], count: 20)
        for _ in 0..<2000 {
            let code = V2.RecoveryCode.random()
            #expect(V2.RecoveryCode(code.groups) == code)
            #expect(code.groups.split(separator: "-").map(\.count) == [5, 5, 5, 5])
            for (place, character) in code.characters.enumerated() { occurring[place].insert(character) }
        }
        #expect(occurring.allSatisfy { $0.count == 32 })
    }

    @Test("it does not show when it is printed")
    func printed() throws {
        let code = try #require(V2.RecoveryCode("0123A-4567B-89CDE-1GHJK"))
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), "\([code])", dumped] { #expect(!text.contains("4567B")) }
    }
}
