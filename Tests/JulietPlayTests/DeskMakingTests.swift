import Foundation
import JulietAPI
import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("Making a challenge in the terminal")
struct DeskMakingTests {
    private static let code: V2.ShareCode = {
        guard let code = V2.ShareCode("h7kq-2mxp") else { preconditionFailure("a code") }
        return code
    }()

    private static func challenge(_ wish: ChallengeWish) -> V2.Challenge {
        let now = DeskTests.desk().now
        return V2.Challenge(
            code: code, by: "Ada", isMine: true, isOwnWord: wish.word != nil, language: "en",
            length: wish.word?.count ?? 5, commitment: "", createdAt: now,
            endsAt: V2.Timestamp(microsecondsSince1970: now.microsecondsSince1970 + 7 * 86_400_000_000), players: 0,
            isAnyWord: wish.isAnyWord, hint: wish.hint)
    }

    private static func service(lists: [String] = ["en"], anyWords: Bool = true) -> V2.Service {
        V2.Service(
            name: "Juliet", energy: V2.Service.Energy(price: 5, start: 30),
            languages: lists.map { V2.Service.Language(language: $0, length: $0 == "de" ? 6 : 5) }, leagues: true,
            challenges: true, anyWords: anyWords)
    }

    /// A desk at the first question.
    private static func desk(name: String = "Ada", _ service: V2.Service = service()) -> Desk {
        var desk = DeskTests.desk()
        desk.saved.player?.name = name
        _ = desk.begin()
        answer(.fetchService, .service(service), &desk)
        _ = desk.handle(.typed("f"))
        #expect(desk.handle(.typed("m")) == [])
        #expect(desk.making?.step == .kind)
        return desk
    }

    /// A desk at the last question, for an own word.
    private static func desk(
        word: String, hint: String = "", _ service: V2.Service = service()
    ) -> Desk {
        var desk = desk(service)
        _ = desk.handle(.typed("o"))
        _ = DeskTests.type(word, &desk)
        _ = DeskTests.type(hint, &desk)
        #expect(desk.making?.step == .terms)
        return desk
    }

    @discardableResult
    private static func answer(_ request: DeskRequest, _ answer: DeskAnswer, _ desk: inout Desk) -> [Desk.Effect] {
        desk.handle(.answered(DeskErrand(request, token: "jt_a"), answer))
    }

    private static func sent(_ effects: [Desk.Effect]) -> [DeskRequest] {
        effects.compactMap { effect in
            if case .send(let errand) = effect { errand.request } else { nil }
        }
    }

    /// What there is to read, from the top, without the blanks around it.
    private static func lines(_ desk: Desk, rows: Int = 13) -> [String] {
        Presenter(usesSigns: true).frame(of: desk, size: Size(columns: 32, rows: rows)).lines.map { line in
            line.text.trimmingCharacters(in: .whitespaces)
        }
        .filter { !$0.isEmpty }
    }

    @Test("an own word is asked for, then a hint, then how it is played; the challenge is kept before it is sent")
    func ownWord() {
        var desk = Self.desk()
        #expect(Self.lines(desk)[1] == "J  Juliet chooses the word")
        #expect(desk.handle(.typed("o")) == [])
        #expect(desk.handle(.enter) == [] && desk.notice == .noWord)
        #expect(Self.lines(desk).contains("Write a word first."))
        #expect(DeskTests.type(" Frost ", &desk) == [])
        #expect(Self.lines(desk).contains("Everybody who opens the"))
        #expect(DeskTests.type("What is cold?", &desk) == [])
        #expect(Self.lines(desk)[1...2] == ["FROST", "Hint: What is cold?"])
        #expect(Self.lines(desk).contains("Enter: make it, 5 energy"))
        #expect(desk.handle(.typed("d")) == [])
        #expect(desk.handle(.typed("h")) == [])
        let wish = ChallengeWish(word: "Frost", hint: "What is cold?", isHard: true, days: 30)
        let request = DeskRequest.makeChallenge(wish, key: "1")
        let effects = desk.handle(.enter)
        #expect(effects == [.save(desk.saved), .send(DeskErrand(request, token: "jt_a"))])
        #expect(desk.saved.pending == request && request.kind == .deed)
        #expect(desk.handle(.typed("h")) == [], "it is on its way")
        Self.answer(request, .challenge(Self.challenge(wish), energy: 25), &desk)
        #expect(desk.screen == .challenge && desk.making == nil)
        #expect(desk.saved.pending == nil && desk.saved.player?.energy == 25)
        #expect(Self.lines(desk).contains("Give your friends the code"))
    }

    @Test("a word is dealt from the usual list, or from one of several, without a hint")
    func dealt() {
        var desk = Self.desk()
        _ = desk.handle(.typed("j"))
        #expect(desk.making?.step == .terms)
        #expect(Self.sent(desk.handle(.enter)) == [.makeChallenge(ChallengeWish(), key: "1")])

        desk = Self.desk(Self.service(lists: ["en", "de"]))
        _ = desk.handle(.typed("j"))
        #expect(Self.lines(desk).contains { $0.hasPrefix("W  Words") && $0.hasSuffix("en, 5 letters") })
        #expect(desk.handle(.typed("w")) == [])
        let wish = ChallengeWish(language: "de", length: 6)
        let request = DeskRequest.makeChallenge(wish, key: "1")
        #expect(Self.sent(desk.handle(.enter)) == [request])
        let effects = Self.answer(request, .refused(V2.Problem(.listUnknown)), &desk)
        #expect(Self.sent(effects) == [.fetchService])
        #expect(desk.making?.step == .terms && desk.making?.wish == ChallengeWish())
    }

    @Test("the language of an own word is chosen where there are several")
    func language() {
        var desk = Self.desk(Self.service(lists: ["en", "de"]))
        _ = desk.handle(.typed("o"))
        #expect(Self.lines(desk).contains { $0.hasSuffix("Language      en") })
        #expect(desk.handle(.down) == [])
        _ = DeskTests.type("frost", &desk)
        _ = desk.handle(.enter)
        let wish = ChallengeWish(word: "frost", language: "de")
        #expect(Self.sent(desk.handle(.enter)) == [.makeChallenge(wish, key: "1")])
    }

    @Test("a word that is in no list is offered as any word, which the player takes or not; it is another request")
    func anyWord() {
        var desk = Self.desk(word: "กำกำ", hint: "Twice")
        let wish = ChallengeWish(word: "กำกำ", hint: "Twice")
        let request = DeskRequest.makeChallenge(wish, key: "1")
        #expect(Self.sent(desk.handle(.enter)) == [request])
        Self.answer(request, .refused(V2.Problem(.wordUnknown)), &desk)
        #expect(desk.making?.step == .anyWord)
        #expect(
            Self.lines(desk)[2...5] == [
                "Not in the word list", "You can use this word anyway.", "It is in no list of this",
                "language, so any letters count",
            ])
        #expect(Self.lines(desk).contains("Enter: use it anyway, 5 energy"))
        _ = desk.handle(.escape)
        #expect(desk.making?.step == .word && String(desk.entry) == "กำกำ" && desk.entry.count == 4)
        _ = desk.handle(.enter)
        _ = desk.handle(.enter)
        let second = DeskRequest.makeChallenge(wish, key: "2")
        #expect(Self.sent(desk.handle(.enter)) == [second])
        Self.answer(second, .refused(V2.Problem(.wordUnknown)), &desk)
        var any = wish
        any.isAnyWord = true
        let third = DeskRequest.makeChallenge(any, key: "3")
        #expect(Self.sent(desk.handle(.enter)) == [third])
        Self.answer(third, .challenge(Self.challenge(any), energy: 25), &desk)
        #expect(desk.screen == .challenge)
        #expect(Self.lines(desk).contains("Any letters count as a guess"))
    }

    @Test(
        "what cannot be any word is asked for again, and so is every word where the service takes words of its lists alone"
    )
    func noWord() {
        for word in ["cat", "mausoleums", "two words", "abc1e"] {
            var desk = Self.desk(word: word)
            _ = desk.handle(.enter)
            Self.answer(
                .makeChallenge(ChallengeWish(word: word), key: "1"), .refused(V2.Problem(.wordUnknown)), &desk)
            #expect(desk.making?.step == .word && desk.notice == .wordMalformed && String(desk.entry) == word)
        }
        var desk = Self.desk(word: "frosty", Self.service(anyWords: false))
        _ = desk.handle(.enter)
        let wish = ChallengeWish(word: "frosty")
        Self.answer(.makeChallenge(wish, key: "1"), .refused(V2.Problem(.wordUnknown)), &desk)
        #expect(desk.making?.step == .word && desk.notice == .wordUnlisted)

        desk = Self.desk(word: "frosty")
        _ = desk.handle(.enter)
        Self.answer(.makeChallenge(wish, key: "1"), .refused(V2.Problem(.wordUnknown)), &desk)
        _ = desk.handle(.enter)
        Self.answer(
            .makeChallenge(ChallengeWish(word: "frosty", isAnyWord: true), key: "2"),
            .refused(V2.Problem(.wordUnknown)), &desk)
        #expect(desk.making?.step == .word && desk.notice == .wordMalformed, "the service knows better")
        #expect(desk.making?.wish.isAnyWord == false)
    }

    @Test(
        "what is wrong is said, and the text stays to be mended",
        arguments: [
            (V2.ProblemCode.hintTells, DeskMaking.Step.hint, "The hint must not contain the"),
            (.nameRefused, .hint, "A hint needs at least one"),
            (.wordRefused, .word, "This word is not allowed here."),
            (.tooMany, .terms, "You have 50 running"),
            (.energyInsufficient, .terms, "A challenge costs more energy"),
        ])
    func refused(code: V2.ProblemCode, step: DeskMaking.Step, text: String) {
        var desk = Self.desk(word: "frost", hint: "Frosty")
        _ = desk.handle(.enter)
        let wish = ChallengeWish(word: "frost", hint: "Frosty")
        let problem = code == .nameRefused ? V2.Problem(refusing: V2.GivenName("", .hint)) : V2.Problem(code)
        Self.answer(.makeChallenge(wish, key: "1"), .refused(problem), &desk)
        #expect(desk.making?.step == step && desk.making?.wish == wish && desk.saved.pending == nil)
        #expect(Self.lines(desk).contains(text))
        if step == .hint {
            #expect(String(desk.entry) == "Frosty")
            _ = desk.handle(.erase)
            #expect(desk.notice == nil && String(desk.entry) == "Frost")
        }
    }

    @Test("a challenge that had no answer is sent again under its key after a restart, and can be mended then, too")
    func restart() {
        var desk = Self.desk(word: "frost", hint: "Frosty")
        let request = DeskRequest.makeChallenge(ChallengeWish(word: "frost", hint: "Frosty"), key: "1")
        _ = desk.handle(.enter)
        _ = desk.handle(.delayed(DeskErrand(request, token: "jt_a"), .outOfReach))
        #expect(Self.lines(desk).contains("Trying again. Enter: now"))
        #expect(desk.handle(.enter) == [.retry])

        var again = DeskTests.desk(desk.saved)
        #expect(Self.sent(again.begin()).first == request)
        #expect(again.screen == .making && Self.lines(again)[1...2] == ["FROST", "Hint: Frosty"])
        Self.answer(request, .refused(V2.Problem(.hintTells)), &again)
        #expect(again.making?.step == .hint && String(again.entry) == "Frosty")
    }

    @Test("who leaves while there is no answer finds the challenge with the others")
    func left() {
        var desk = Self.desk(word: "frost")
        let wish = ChallengeWish(word: "frost")
        _ = desk.handle(.enter)
        #expect(Self.sent(desk.handle(.escape)) == [], "both lists are asked for already")
        #expect(desk.screen == .friends)
        _ = desk.handle(.typed("m"))
        #expect(desk.screen == .making && desk.making?.wish == wish, "one at a time")
        _ = desk.handle(.escape)
        Self.answer(.makeChallenge(wish, key: "1"), .challenge(Self.challenge(wish), energy: 25), &desk)
        #expect(desk.screen == .challenge)
    }

    @Test("a player whom the service named is asked for a name, which may stay; a name that is refused can be mended")
    func name() {
        var desk = Self.desk(name: "Player 1234")
        _ = desk.handle(.typed("j"))
        #expect(desk.making?.step == .name)
        #expect(Self.lines(desk).contains("Until now it is Player 1234."))
        #expect(desk.handle(.enter) == [] && desk.making?.step == .terms)
        _ = desk.handle(.escape)
        _ = desk.handle(.typed("j"))
        let request = DeskRequest.rename("Ada?")
        #expect(Self.sent(DeskTests.type("Ada", &desk)) == [.rename("Ada")])
        Self.answer(.rename("Ada"), .refused(V2.Problem(refusing: V2.GivenName("A\u{200B}da", .player))), &desk)
        #expect(String(desk.entry) == "Ada" && desk.making?.step == .name)
        #expect(
            Self.lines(desk).joined(separator: " ").contains(
                "cannot hold the invisible character U+200B (ZERO WIDTH SPACE)"))
        #expect(desk.handle(.help) == [] && String(desk.entry) == "Ada?", "it is typed here")
        #expect(Self.sent(desk.handle(.enter)) == [request] && request.kind == .deed)
        var player = DeskTests.player()
        player.name = "Ada?"
        Self.answer(request, .player(player), &desk)
        #expect(desk.making?.step == .terms && desk.saved.player?.name == "Ada?")
    }

    @Test(
        "a name is as long as the service lets it be, by what readers count as characters, and each is taken back whole"
    )
    func length() {
        let family = "👨\u{200D}👩\u{200D}👧"
        for (character, count) in [("a", 24), ("e\u{301}", 24), ("🇩🇪", 24), (family, 19)] {
            var desk = Self.desk(name: "Player 1234")
            _ = desk.handle(.typed("j"))
            // A terminal sends scalar by scalar.
            let text = String(repeating: character, count: 24)
            for scalar in text.unicodeScalars { _ = desk.handle(.typed(Character(scalar))) }
            _ = desk.handle(.typed("!"))
            let name = V2.GivenName(String(desk.entry), .player)
            if count == 24 {
                #expect(String(desk.entry) == text && name.fault == nil, "\(character)")
            } else {
                #expect(String(desk.entry).unicodeScalars.count == 96, "\(character)")
            }
            let length = String(desk.entry).count
            _ = desk.handle(.erase)
            #expect(String(desk.entry).count == length - 1, "\(character)")
        }
    }

    @Test("Esc goes back question by question, and keeps what was typed")
    func back() {
        var desk = Self.desk(word: "frost", hint: "Cold")
        for (step, text) in [(DeskMaking.Step.hint, "Cold"), (.word, "frost"), (.kind, "")] {
            _ = desk.handle(.escape)
            #expect(desk.making?.step == step && String(desk.entry) == text)
        }
        _ = desk.handle(.escape)
        #expect(desk.screen == .friends)
    }

    @Test("every question fits into the smallest window")
    func sizes() {
        let long = String(repeating: "a hint ", count: 11)
        for step in [DeskMaking.Step.kind, .word, .hint, .name, .terms, .anyWord] {
            for notice in [
                Desk.Notice?.none, .tooManyChallenges, .refused(V2.GivenName.Kind.hint.rule),
            ] {
                var desk = Self.desk(Self.service(lists: ["en", "de"]))
                desk.making?.wish = ChallengeWish(word: "frost", language: "en", isAnyWord: true, hint: long)
                desk.making?.step = step
                desk.entry = Array(long)
                desk.notice = notice
                for size in [Size(columns: 32, rows: 13), Size(columns: 80, rows: 24), Size(columns: 10, rows: 3)] {
                    let frame = Presenter(usesSigns: true).frame(of: desk, size: size)
                    #expect(frame.lines.allSatisfy { $0.width <= size.columns } && frame.lines.count <= size.rows)
                }
            }
        }
    }
}
