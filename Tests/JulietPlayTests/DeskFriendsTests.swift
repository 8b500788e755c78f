import Foundation
import JulietClient
import Testing

@testable import JulietPlay
@testable import PlayPresenter
@testable import PlayRepository
@testable import PlayUseCase
@testable import PlayView

@Suite("Leagues and challenges in the terminal")
struct DeskFriendsTests {
    private static let code: V2.ShareCode = {
        guard let code = V2.ShareCode("h7kq-2mxp") else { preconditionFailure("a code") }
        return code
    }()
    private static let league = V2.League(
        id: "l", name: "Family", members: 3, isOwner: true, invite: "9F3K-QX7A", createdAt: DeskTests.desk().now)
    private static let table = V2.LeagueTable(
        period: .week, startsOn: V2.Day(of: DeskTests.desk().now),
        entries: [
            V2.LeagueTable.Entry(
                rank: 1, name: "Grandmother", points: 12, played: 3, won: 3, isMe: false,
                today: V2.LeagueTable.Today(state: .won, guesses: 3, seconds: 61, marks: [])),
            V2.LeagueTable.Entry(rank: 2, name: "Ada", points: 4, played: 1, won: 1, isMe: true),
        ], endedToday: 1)

    private static func challenge(
        isMine: Bool = false, isOwnWord: Bool = false, game: V2.Game? = nil, results: [V2.ChallengeResult]? = nil
    ) -> V2.Challenge {
        let now = DeskTests.desk().now
        return V2.Challenge(
            code: code, by: "Zoë", isMine: isMine, isOwnWord: isOwnWord, language: "en", length: 5, commitment: "",
            createdAt: now,
            endsAt: V2.Timestamp(microsecondsSince1970: now.microsecondsSince1970 + 7 * 86_400_000_000),
            players: results?.count ?? 0, game: game, results: results)
    }

    private static func desk(game: V2.Game? = nil, leagues: Bool = true, challenges: Bool = true) -> Desk {
        var desk = DeskTests.desk(game: game)
        _ = desk.begin()
        let service = V2.Service(
            name: "Juliet", energy: V2.Service.Energy(price: 5, start: 30),
            languages: [V2.Service.Language(language: "en", length: 5)], leagues: leagues, challenges: challenges)
        _ = answer(.fetchService, .service(service), &desk)
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
    private static func lines(_ desk: Desk) -> [String] {
        Presenter(usesSigns: true).frame(of: desk, size: Size(columns: 32, rows: 13)).lines.map { line in
            line.text.trimmingCharacters(in: .whitespaces)
        }
        .filter { !$0.isEmpty }
    }

    @Test("where the service has neither, the menu has no friends; where it has one of them, it asks for that one")
    func offered() {
        var desk = Self.desk(leagues: false, challenges: false)
        #expect(desk.handle(.typed("f")) == [])
        #expect(desk.screen == .menu)
        desk = Self.desk(challenges: false)
        #expect(Self.sent(desk.handle(.typed("f"))) == [.listLeagues])
        #expect(desk.handle(.typed("c")) == [] && desk.screen == .friends)
    }

    @Test("a league's table is looked at by period, and asked for again so that a friend's game is seen in time")
    func table() {
        var desk = Self.desk()
        #expect(Self.sent(desk.handle(.typed("f"))) == [.listLeagues, .listChallenges])
        Self.answer(.listLeagues, .leagues([Self.league]), &desk)
        Self.answer(.listChallenges, .challenges([]), &desk)
        #expect(Self.lines(desk)[1].contains("> Family"))
        #expect(Self.sent(desk.handle(.enter)) == [.fetchTable("l", .week)])
        Self.answer(.fetchTable("l", .week), .table(Self.table), &desk)
        #expect(
            Self.lines(desk)[1...5] == [
                "Family", "Invite 9F3K-QX7A", "1 of 2 finished today", "1 Grandmother      12 won in 3",
                "2 Ada               4",
            ])
        let later = V2.Timestamp(microsecondsSince1970: desk.now.microsecondsSince1970 + 3_000_000)
        #expect(Self.sent(desk.handle(.tick(later))) == [.fetchTable("l", .week)])
        #expect(desk.handle(.tick(later)) == [], "once in three seconds")
        Self.answer(.fetchTable("l", .week), .table(Self.table), &desk)
        #expect(Self.sent(desk.handle(.typed("m"))) == [.fetchTable("l", .month)])
        Self.answer(.fetchTable("l", .week), .table(Self.table), &desk)
        #expect(desk.friends.table == nil, "of another time")
        Self.answer(.fetchTable("l", .month), .refused(V2.Problem(.notFound)), &desk)
        #expect(desk.screen == .friends && desk.notice == .gone)
    }

    @Test("an invite is read as people write it, and joins once however often it is sent")
    func join() {
        var desk = Self.desk()
        _ = desk.handle(.typed("f"))
        _ = desk.handle(.typed("j"))
        #expect(DeskTests.type("abc", &desk) == [])
        #expect(desk.notice == .shareCodeMalformed)
        for _ in 0..<3 { _ = desk.handle(.erase) }
        let request = DeskRequest.joinLeague(invite: "H7KQ-2MXP")
        #expect(Self.sent(DeskTests.type("h7kq 2mxp", &desk)) == [request])
        #expect(desk.saved.pending == request && request.kind == .deed)
        #expect(Self.sent(Self.answer(request, .joined(Self.league), &desk)) == [.fetchTable("l", .week)])
        #expect(desk.screen == .league && desk.saved.pending == nil)
    }

    @Test(
        "a full league and too many leagues are reported",
        arguments: [
            (V2.ProblemCode.leagueFull, Desk.Notice.leagueFull), (.tooMany, .tooManyLeagues),
            (.notFound, .shareCodeUnknown),
        ])
    func notJoined(code: V2.ProblemCode, notice: Desk.Notice) {
        var desk = Self.desk()
        _ = desk.handle(.typed("f"))
        _ = desk.handle(.typed("j"))
        _ = DeskTests.type("h7kq2mxp", &desk)
        Self.answer(.joinLeague(invite: "H7KQ-2MXP"), .refused(V2.Problem(code)), &desk)
        #expect(desk.notice == notice && desk.screen == .typingCode(.invite))
    }

    @Test("a challenge is found by its code, played, and shows its results, the player's own among them")
    func played() {
        var desk = Self.desk()
        _ = desk.handle(.typed("f"))
        _ = desk.handle(.typed("c"))
        #expect(Self.sent(DeskTests.type("H7KQ-2MXP", &desk)) == [.fetchChallenge(Self.code)])
        Self.answer(.fetchChallenge(Self.code), .challenge(Self.challenge(), energy: nil), &desk)
        #expect(desk.screen == .challenge)
        #expect(Self.lines(desk)[1...2] == ["H7KQ-2MXP", "By Zoë, 168 h 0 min left"])
        #expect(Self.sent(desk.handle(.enter)) == [.startChallenge(Self.code)])
        let game = DeskTests.game(id: "c", kind: .challenge)
        Self.answer(.startChallenge(Self.code), .game(game, energy: nil), &desk)
        #expect(desk.screen == .board && desk.saved.game?.id == "c")

        let over = DeskTests.game("nifty", id: "c", kind: .challenge, state: .won)
        let guess = DeskRequest.guess("nifty", number: 1, game: "c")
        #expect(Self.sent(DeskTests.type("nifty", &desk)) == [guess])
        Self.answer(guess, .game(over, energy: nil), &desk)
        #expect(!desk.canChallenge, "its word is the friends' still")
        #expect(Self.sent(desk.handle(.enter)) == [.fetchChallenge(Self.code)])
        let results = [
            V2.ChallengeResult(rank: 1, name: "Ada", state: .won, guesses: 1, seconds: 9, marks: [], isMe: true),
            V2.ChallengeResult(rank: 2, name: "Bob", state: .lost, guesses: 6, seconds: 300, marks: []),
        ]
        let seen = Self.challenge(game: over, results: results)
        Self.answer(.fetchChallenge(Self.code), .challenge(seen, energy: nil), &desk)
        #expect(Self.lines(desk)[4...5] == ["1 Ada            in 1      9 s", "2 Bob            lost    300 s"])
    }

    @Test(
        "a game that is over becomes a challenge to friends, paid once; the day's does not, for it would tell the word")
    func made() {
        let over = DeskTests.game("nifty", state: .won)
        var desk = Self.desk(game: over)
        #expect(desk.screen == .board && desk.canChallenge)
        #expect(Self.lines(desk).last == "C: challenge your friends to it")
        #expect(desk.handle(.typed("c")) == [] && desk.screen == .making)
        #expect(desk.entry == Array("nifty"))
        #expect(desk.handle(.enter) == [], "with this word")
        #expect(desk.handle(.enter) == [], "without a hint")
        let request = DeskRequest.makeChallenge(ChallengeWish(word: "nifty", language: "en"), key: "1")
        #expect(Self.sent(desk.handle(.enter)) == [request])
        #expect(desk.handle(.enter) == [.retry])
        Self.answer(request, .challenge(Self.challenge(isMine: true, isOwnWord: true), energy: 20), &desk)
        #expect(desk.screen == .challenge && desk.saved.player?.energy == 20)
        #expect(Self.lines(desk)[1].contains("H7KQ-2MXP"))

        let daily = DeskTests.game("nifty", kind: .daily, state: .won, day: V2.Day(of: desk.now))
        desk = Self.desk(game: daily)
        #expect(!desk.canChallenge)
        #expect(desk.handle(.typed("c")) == [])
    }

    @Test("the hint and that any letters count are shown; a game can be looked back at when it is over")
    func lookBack() {
        var any = Self.challenge()
        any.anyWord = true
        any.hint = "Our cat"
        var desk = Self.desk()
        _ = desk.handle(.typed("f"))
        _ = desk.handle(.typed("c"))
        _ = DeskTests.type("H7KQ-2MXP", &desk)
        Self.answer(.fetchChallenge(Self.code), .challenge(any, energy: nil), &desk)
        #expect(Self.lines(desk).contains("Any letters count as a guess"))
        #expect(Self.lines(desk).contains("Hint: Our cat"))

        desk = Self.desk(game: DeskTests.game("crane", state: .playing))
        #expect(!desk.canLookBack)
        desk = Self.desk(game: DeskTests.game("crane", "nifty", state: .won))
        #expect(desk.canLookBack)
        let request = DeskRequest.fetchReview("g")
        let sent = Self.sent(desk.handle(.typed("l")))
        #expect(sent.count == 1 && desk.screen == .review)
        Self.answer(sent.first ?? request, .review(Self.review), &desk)
        let lines = Self.lines(desk)
        #expect(lines.contains("CRANE left 41 of 2269 words"))
        #expect(lines.contains("expected were 63, 58 of SLATE"))
        #expect(lines.contains("NIFTY left 1 of 2 words"))
        #expect(lines.contains("expected were 1.0"))
        _ = desk.handle(.enter)
        #expect(desk.screen == .board)

        var game = DeskTests.game("crane", state: .lost)
        game.anyWord = true
        #expect(!Self.desk(game: game).canLookBack)
    }

    private static let review = V2.Review(guesses: [
        V2.ReviewedGuess(
            word: "crane", before: 2269, left: 41, expected: 63.27, best: V2.BestGuess(word: "slate", expected: 58.11)),
        V2.ReviewedGuess(
            word: "nifty", before: 2, left: 1, expected: 1, best: V2.BestGuess(word: "nifty", expected: 1)),
    ])
}
