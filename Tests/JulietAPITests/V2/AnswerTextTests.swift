import JulietAPI
import Testing

@Suite("/v2: answers as text")
struct V2AnswerTextTests {
    private func text(_ answer: some JSONObject) -> String { String(decoding: answer.encoded(), as: UTF8.self) }

    private static let player = #"""
        {"id":"0f4c7c2e-9c57-4d0e-8a53-0d4d7c0b1231","name":"Zoë \"Z\"","energy":25,"createdAt":"2026-11-21T12:00:00.123456Z",\#
        "statistics":{"played":9,"won":7,"currentStreak":2,"longestStreak":5,"distribution":[0,1,2,3,1,0],\#
        "days":{"played":4,"won":3,"currentStreak":1,"longestStreak":2}}}
        """#

    private static let running = #"""
        {"id":"g1","kind":"game","state":"playing","language":"en","length":5,"maximumGuesses":6,\#
        "guesses":[{"word":"crane","marks":["absent","present","correct","absent","absent"]}],\#
        "commitment":"\#(Examples.commitment)","startedAt":"2026-11-21T12:00:00.123456Z"}
        """#

    private static let over = #"""
        {"id":"g2","kind":"daily","state":"won","language":"en","length":5,"maximumGuesses":6,"guesses":[],\#
        "commitment":"\#(Examples.commitment)","startedAt":"2026-11-21T12:00:00.123456Z",\#
        "endedAt":"2026-11-21T12:00:00.123456Z","secret":"music","salt":"\#(Examples.salt)","day":"2026-11-21"}
        """#

    @Test("players, their credentials and sessions")
    func players() {
        #expect(text(Examples.player) == Self.player)
        #expect(
            text(V2.PlayerCredentials(player: Examples.player, token: "jt_x", recoveryCode: "A-B"))
                == #"{"player":\#(Self.player),"token":"jt_x","recoveryCode":"A-B"}"#)
        #expect(text(V2.RenewedRecoveryCode(recoveryCode: "A-B")) == #"{"recoveryCode":"A-B"}"#)
        let session = V2.Session(
            id: "s1", createdAt: Examples.noon, lastUsedAt: Examples.noon, isCurrent: true,
            by: "passkey")
        #expect(
            text(V2.SessionList(sessions: [session])) == #"""
                {"sessions":[{"id":"s1","createdAt":"2026-11-21T12:00:00.123456Z",\#
                "lastUsedAt":"2026-11-21T12:00:00.123456Z","isCurrent":true,"by":"passkey"}]}
                """#)
        #expect(text(V2.SessionList(sessions: [])) == #"{"sessions":[]}"#)
    }

    @Test("the lists of a service, with letters only where they are not a to z")
    func service() {
        let service = V2.Service(
            name: "Juliet", energy: V2.Service.Energy(price: 5, start: 30),
            languages: [
                V2.Service.Language(language: "en", length: 5),
                V2.Service.Language(language: "tr", length: 4, letters: "iklış"),
            ])
        #expect(
            text(service) == #"""
                {"name":"Juliet","passkeys":false,"identityProviders":[],"energy":{"price":5,"start":30},\#
                "languages":[{"language":"en","length":5},{"language":"tr","length":4,"letters":"iklış"}],\#
                "timeZone":"UTC","daysGoneBy":false,"leagues":false,"challenges":false,"anyWords":false}
                """#)
    }

    @Test("energy, with a game only where there is one and a next page only if there is one")
    func energy() {
        let paid = V2.EnergyEntry(at: Examples.noon, delta: -5, balance: 25, reason: .game, game: "g1")
        let first = V2.EnergyEntry(at: Examples.noon, delta: 30, balance: 30, reason: .registration)
        let entries = #"""
            [{"at":"2026-11-21T12:00:00.123456Z","delta":-5,"balance":25,"reason":"game","game":"g1"},\#
            {"at":"2026-11-21T12:00:00.123456Z","delta":30,"balance":30,"reason":"registration"}]
            """#
        #expect(text(V2.EnergyHistory(entries: [paid, first], next: "n")) == #"{"entries":\#(entries),"next":"n"}"#)
        #expect(text(V2.EnergyHistory(entries: [paid, first])) == #"{"entries":\#(entries)}"#)
    }

    @Test("games: secret and salt only when they are over")
    func games() {
        #expect(text(Examples.running) == Self.running)
        #expect(text(Examples.over) == Self.over)
        var hard = Examples.running
        hard.kind = .archive
        hard.hard = true
        let head = #""kind":"archive","hard":true,"state""#
        #expect(text(hard) == Self.running.replacing(#""kind":"game","state""#, with: head))
        #expect(text(V2.StartedGame(game: Examples.running, energy: 25)) == #"{"game":\#(Self.running),"energy":25}"#)
        #expect(
            text(V2.GameList(games: [Examples.running, Examples.over], next: "n"))
                == #"{"games":[\#(Self.running),\#(Self.over)],"next":"n"}"#)
        #expect(text(V2.GameList(games: [])) == #"{"games":[]}"#)
    }

    @Test("the day: its number follows from it; its end and whether it was planned do not")
    func days() {
        let head =
            #"{"day":"2026-11-21","number":325,"language":"en","length":5,"commitment":"a","endsAt":"2026-11-22T00:00:00.000000Z""#
        let tomorrow = V2.TomorrowsWord(
            language: "de", length: 6, commitment: "b", endsAt: Examples.day.next.next.start, isPlanned: true)
        let next =
            #"{"language":"de","length":6,"commitment":"b","endsAt":"2026-11-23T00:00:00.000000Z","planned":true}"#
        let end = Examples.day.next.start
        #expect(
            text(
                V2.DailyWord(
                    day: Examples.day, language: "en", length: 5, commitment: "a", endsAt: end, tomorrow: tomorrow))
                == head + #","tomorrow":\#(next)}"#)
        #expect(
            text(
                V2.DailyWord(
                    day: Examples.day, language: "en", length: 5, commitment: "a", endsAt: end, isPlanned: true,
                    tomorrow: tomorrow, game: Examples.over))
                == head + #","planned":true,"tomorrow":\#(next),"game":\#(Self.over)}"#)
        #expect(
            text(
                V2.PastDay(
                    day: Examples.day, language: "en", length: 5, commitment: "a", endsAt: end, isPlanned: true,
                    tomorrow: V2.CommittedWord(commitment: "b"),
                    secret: "music", salt: "f",
                    players: 3, won: 2, distribution: [0, 0, 1, 1, 0, 0]))
                == head + #"""
                    ,"planned":true,"tomorrow":{"commitment":"b"},"secret":"music","salt":"f","players":3,"won":2,\#
                    "distribution":[0,0,1,1,0,0]}
                    """#)
        #expect(text(V2.DailyGame(game: Examples.over)) == #"{"game":\#(Self.over)}"#)
        let listed = V2.ListedDay(
            day: Examples.day, language: "en", length: 5,
            game: V2.ListedGame(id: "g1", kind: .archive, state: .won, guesses: 4))
        #expect(
            text(
                V2.DayList(
                    days: [
                        listed, V2.ListedDay(day: Examples.day.previous, language: "en", length: 5, isPlanned: true),
                    ],
                    next: Examples.day.previous))
                    == #"""
                    {"days":[{"day":"2026-11-21","number":325,"language":"en","length":5,"game":{"id":"g1","kind":"archive","state":"won","guesses":4}},\#
                    {"day":"2026-11-20","number":324,"language":"en","length":5,"planned":true}],"next":"2026-11-20"}
                    """#)
        #expect(text(V2.DayList(days: [])) == #"{"days":[]}"#)
    }

    @Test("leaderboards, the asking player's place only where there is one")
    func leaderboards() {
        let winner = V2.DailyLeaderboard.Entry(rank: 1, name: "Zoë", guesses: 3, seconds: 61, isMe: true)
        let entry = #"{"rank":1,"name":"Zoë","guesses":3,"seconds":61,"isMe":true}"#
        #expect(
            text(V2.DailyLeaderboard(entries: [winner], players: 9, me: winner))
                == #"{"entries":[\#(entry)],"players":9,"me":\#(entry)}"#)
        #expect(text(V2.DailyLeaderboard(entries: [], players: 0)) == #"{"entries":[],"players":0}"#)
        let first = V2.WinsLeaderboard.Entry(rank: 1, name: "Zoë", wins: 3, isMe: false)
        #expect(
            text(V2.WinsLeaderboard(entries: [first], players: 1))
                == #"{"entries":[{"rank":1,"name":"Zoë","wins":3,"isMe":false}],"players":1}"#)
    }

    @Test("problems")
    func problems() {
        #expect(
            text(V2.Problem(.energyInsufficient, energy: 3)) == #"""
                {"type":"/problems/energy-insufficient","title":"Not enough energy","status":409,\#
                "detail":"A game costs more energy than the player has.","code":"energy-insufficient","energy":3}
                """#)
        #expect(
            text(V2.Problem(.gameOver, detail: "Over.", game: Examples.over)) == #"""
                {"type":"/problems/game-over","title":"The game is over","status":409,"detail":"Over.",\#
                "code":"game-over","game":\#(Self.over)}
                """#)
        #expect(
            text(V2.Problem(.tooManyRequests, detail: "Wait.", retryAfter: 60)) == #"""
                {"type":"/problems/too-many-requests","title":"Too many requests","status":429,"detail":"Wait.",\#
                "code":"too-many-requests","retryAfter":60}
                """#)
        #expect(
            text(V2.Problem(V2.RequestFault(path: "/word", detail: "\"word\" is missing."))) == #"""
                {"type":"/problems/request-invalid","title":"The request is not valid","status":400,\#
                "detail":"\"word\" is missing.","code":"request-invalid","path":"/word"}
                """#)
        #expect(
            text(V2.Problem(.transactionRefused, detail: "No.", reason: "used")) == #"""
                {"type":"/problems/transaction-refused","title":"The purchase is not valid","status":422,"detail":"No.",\#
                "code":"transaction-refused","reason":"used"}
                """#)
        #expect(
            text(V2.Problem(.nameRefused, detail: "No.", reason: "character", character: "U+000A")) == #"""
                {"type":"/problems/name-refused","title":"The name is not allowed","status":422,"detail":"No.",\#
                "code":"name-refused","reason":"character","character":"U+000A"}
                """#)
        let rules = [V2.HardRule(letter: "e", position: 3), V2.HardRule(letter: "a", count: 1)]
        #expect(
            rules.map { text(V2.Problem(.guessHard, detail: "No.", rule: $0)) }
                == [#"{"letter":"e","position":3}"#, #"{"letter":"a","count":1}"#].map { rule in
                    #"""
                    {"type":"/problems/guess-hard","title":"The guess does not use what is known","status":422,\#
                    "detail":"No.","code":"guess-hard","rule":\#(rule)}
                    """#
                })
        #expect(
            text(V2.Problem(code: "not-implemented", status: 501, title: "Not implemented"))
                == #"{"type":"/problems/not-implemented","title":"Not implemented","status":501,"code":"not-implemented"}"#
        )
    }
}
