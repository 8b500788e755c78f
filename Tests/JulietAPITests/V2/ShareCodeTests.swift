import JulietAPI
import Testing

@Suite("/v2: codes that people give to one another")
struct V2ShareCodeTests {
    @Test(
        "letter case, hyphens and blanks do not matter; I and L are 1, O is 0",
        arguments: [
            "H1KQ-20XP", "H1KQ20XP", "h1kq-20xp", "hIkq 2oXp", " HlKQ\t2OXP\n", "H-1-K-Q-2-0-X-P", "H1KQ–20XP",
            "-H1KQ20XP-",
        ])
    func spellings(text: String) throws {
        let code = try #require(V2.ShareCode(text))
        #expect(code.characters == "H1KQ20XP")
        #expect(code.description == "H1KQ-20XP")
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "-", "H1KQ-20X", "H1KQ-20XPP", "U1KQ-20XP", "H1KQ_20XP", "H1KQ-20X!", "É1KQ-20XP", "Ｈ1KQ-20XP",
            "H1KQ-20XP\u{0}", String(repeating: "0", count: 1_000_000), "H1KQ20XP" + String(repeating: " ", count: 300),
        ])
    func refused(text: String) {
        #expect(V2.ShareCode(text) == nil)
    }
}
