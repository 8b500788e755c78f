import JulietAPI
import TestSupport
import Testing

@Suite("/v2: names")
struct GivenNameTests {
    @Test(
        "white space around a name is trimmed, the rest stays as it is",
        arguments: [
            ("  Zoë ", "Zoë"), ("\u{3000}\t\nA B\u{A0}\u{2028}\u{85}", "A B"), ("e\u{301}", "e\u{301}"),
            ("a\u{A0}b", "a\u{A0}b"), (" 👩🏽\u{200D}🚀 ", "👩🏽\u{200D}🚀"),
        ])
    func trimmed(given: String, text: String) {
        let name = V2.GivenName(given, .player)
        #expect(name.fault == nil)
        #expect(Array(name.text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test("names that can be seen are allowed", arguments: GivenNames.allowed)
    func allowed(text: String) {
        let name = V2.GivenName(text, .player)
        #expect(name.fault == nil)
        #expect(Array(name.text.unicodeScalars) == Array(text.unicodeScalars))
    }

    @Test(
        "a name that the service made is told from one that was chosen",
        arguments: [
            ("Player 4821", true), ("Player 482", false), ("Player 48211", false), ("Player 482١", false),
            ("player 4821", false), ("Player", false), ("Ada", false),
        ])
    func made(name: String, isMade: Bool) {
        #expect(V2.GivenName.isMade(name) == isMade)
    }

    @Test("others are refused, and nothing of them is sent to the database", arguments: GivenNames.refused)
    func refused(text: String) {
        for kind in V2.GivenName.Kind.allCases {
            let name = V2.GivenName(text, kind)
            #expect(name.fault != nil)
            #expect(name.text == "")
        }
    }

    @Test("what looks like another name is for the database to find", arguments: GivenNames.admins)
    func lookAlike(text: String) {
        #expect(V2.GivenName(text, .player).fault == nil)
    }

    @Test(
        "each kind of name has a length of its own, in grapheme clusters",
        arguments: [(V2.GivenName.Kind.player, 24), (.league, 40), (.passkey, 40), (.hint, 80)])
    func length(kind: V2.GivenName.Kind, limit: Int) {
        #expect(kind.limit == limit)
        for character in ["a", "e\u{301}\u{323}\u{304}", "🇩🇪", "한", "\u{1112}\u{1161}\u{11AB}"] {
            #expect(V2.GivenName(String(repeating: character, count: limit), kind).fault == nil, "\(character)")
            let fault = V2.GivenName(String(repeating: character, count: limit + 1), kind).fault
            #expect(fault == .tooLong(limit), "\(character)")
        }
        let family = "👨\u{200D}👩\u{200D}👧\u{200D}👦"
        #expect(V2.GivenName(String(repeating: family, count: limit / 2), kind).fault == nil)
        #expect(V2.GivenName(String(repeating: family, count: limit), kind).fault == .tooManyScalars(4 * limit))
        #expect(V2.GivenName(String(repeating: "y", count: 5000), kind).fault == .tooLong(limit))
    }

    @Test(
        "a fault is said in words for people",
        arguments: [
            ("\u{3164}", "A name cannot hold the invisible character U+3164 (HANGUL FILLER)."),
            (
                "a\u{FE0F}dmin",
                "A name cannot hold the invisible character U+FE0F (VARIATION SELECTOR-16) in this place."
            ),
            ("a\u{200D}b", "A name cannot hold the invisible character U+200D (ZERO WIDTH JOINER) in this place."),
            ("a\u{2028}b", "A name cannot hold the invisible character U+2028 (LINE SEPARATOR)."),
            ("a\nb", "A name cannot hold the control character U+000A."),
            ("a\u{E000}", "A name cannot hold the private-use character U+E000."),
            ("a\u{378}", "A name cannot hold the unassigned character U+0378."),
            ("\u{2800}", "A name needs at least one visible character."),
            (" ", "A name needs at least one visible character."),
            ("\u{301}", "A name needs at least one visible character."),
            ("a\u{301}\u{302}\u{303}\u{304}", "A name has at most three marks on one letter."),
            (String(repeating: "x", count: 25), "A name has 1 to 24 characters."),
        ])
    func said(text: String, message: String) {
        let problem = V2.Problem(refusing: V2.GivenName(text, .player))
        #expect(problem.detail == message)
        // What the message names is in a member of its own.
        let isNamed = message.contains("U+")
        #expect((problem.character != nil) == isNamed && problem.character.map { message.contains($0) } != false)
        #expect(isNamed == ["character", "place"].contains(problem.reason))
    }
    @Test(
        "a fault has a reason that clients can say in other languages",
        arguments: [
            ("\u{3164}", "character", "U+3164 (HANGUL FILLER)"),
            ("a\u{200D}b", "place", "U+200D (ZERO WIDTH JOINER)"), ("a\nb", "character", "U+000A"),
            (" ", "invisible", nil), ("a\u{301}\u{302}\u{303}\u{304}", "marks", nil),
            (String(repeating: "x", count: 81), "length", nil),
            (String(repeating: "👨\u{200D}👩\u{200D}👧\u{200D}👦", count: 80), "scalars", nil), ("Admin", "refused", nil),
        ] as [(String, String, String?)])
    func reason(text: String, reason: String, character: String?) {
        let problem = V2.Problem(refusing: V2.GivenName(text, .hint))
        #expect(problem.knownCode == .nameRefused && problem.reason == reason && problem.character == character)
        #expect(problem.detail?.contains("name") == false, "a hint is called one")
    }
}
