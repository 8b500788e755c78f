import Foundation
import JulietAPI
import Testing

/// What the server writes, other parsers read.
@Suite("/v2: answers, read by a client")
struct V2AnswerPropertyTests {
    /// Reads what was written in two ways that are not ours, and compares.
    private func check<Value: JSONObject & Codable & Equatable>(_ value: Value) throws {
        let written = Data(value.encoded())
        #expect(try JSONDecoder().decode(Value.self, from: written) == value)
        let object = try #require(try JSONSerialization.jsonObject(with: written) as? NSDictionary)
        let expected = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? NSDictionary
        #expect(object == expected)
    }

    @Test("every answer is read back the same, whatever it holds", arguments: 0..<4 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = RandomAnswers(generator: SeededGenerator(seed: seed))
        for _ in 0..<150 {
            try check(random.service())
            try check(random.player())
            try check(V2.RefilledEnergy(energy: random.integer(), refill: random.optional { $0.refill() }))
            try check(V2.PlayerCredentials(player: random.player(), token: random.text(), recoveryCode: random.text()))
            try check(V2.RenewedRecoveryCode(recoveryCode: random.text()))
            try check(V2.SessionList(sessions: random.list { $0.session() }))
            try check(V2.EnergyHistory(entries: random.list { $0.entry() }, next: random.optional { $0.text() }))
            try check(random.game())
            try check(V2.StartedGame(game: random.game(), energy: random.integer()))
            try check(V2.GameList(games: random.list { $0.game() }, next: random.optional { $0.text() }))
            try check(random.dailyWord())
            try check(random.pastDay())
            try check(V2.DailyGame(game: random.game()))
            try check(V2.DayList(days: random.list { $0.listedDay() }, next: random.optional { $0.day() }))
            try check(V2.MadeChallenge(challenge: random.challenge(), energy: random.integer()))
            try check(V2.ChallengeGame(game: random.game()))
            try check(
                V2.ChallengeList(challenges: random.list { $0.challenge() }, next: random.optional { $0.text() }))
            try check(random.dailyLeaderboard())
            try check(random.winsLeaderboard())
            try check(V2.LeagueList(leagues: random.list { $0.league() }))
            try check(V2.JoinedLeague(league: random.league()))
            try check(V2.RenewedInvite(invite: random.text()))
            try check(
                V2.Invitation(league: V2.Invitation.League(name: random.text(), members: random.integer())))
            try check(V2.LeagueMemberList(members: random.list { $0.leagueMember() }))
            try check(random.leagueTable())
            try check(random.problem())
        }
    }

    @Test("no member is ever null")
    func noNull() throws {
        for text in [
            V2.GameList(games: [Examples.running]).encoded(), V2.EnergyHistory(entries: []).encoded(),
            V2.Problem(.notFound).encoded(), V2.WinsLeaderboard(entries: [], players: 0).encoded(),
        ].map({ String(decoding: $0, as: UTF8.self) }) {
            #expect(!text.contains("null"))
        }
    }

    @Test("members that are not known are ignored, and null is an absence")
    func tolerant() throws {
        let text =
            String(decoding: Examples.running.encoded(), as: UTF8.self).dropLast()
            + #","endedAt":null,"secret":null,"x":{"y":[1,null]},"day":null}"#
        #expect(try JSONDecoder().decode(V2.Game.self, from: Data(text.utf8)) == Examples.running)
    }

    @Test("a reason and a problem that are newer than the client are read all the same")
    func newer() throws {
        let entry = #"{"at":"2026-11-21T12:00:00Z","delta":1,"balance":2,"reason":"gift"}"#
        #expect(try JSONDecoder().decode(V2.EnergyEntry.self, from: Data(entry.utf8)).reason.rawValue == "gift")
        let problem = #"{"type":"/problems/x","title":"X","status":409,"code":"x"}"#
        let decoded = try JSONDecoder().decode(V2.Problem.self, from: Data(problem.utf8))
        #expect(decoded.knownCode == nil)
        #expect(decoded.code == "x")
    }

    @Test("an invalid time or day is an error with the path to it")
    func notATime() throws {
        for (old, new) in [("12:00:00.123456Z", "25:00:00Z"), ("2026-11-21\"", "2026-11-31\"")] {
            let text = String(decoding: Examples.over.encoded(), as: UTF8.self).replacing(old, with: new)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(V2.Game.self, from: Data(text.utf8)) }
        }
    }
}

/// Makes answers at random.
private struct RandomAnswers {
    var generator: SeededGenerator

    private static let pieces = [
        "a", "Z", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{1F}", "\u{7F}", "é", "e\u{301}", "🎉", "👩‍👩‍👧", "\u{2028}", "€",
        "{", "]", ":", ",", "\\u0041", "null", " ",
    ]

    mutating func text() -> String {
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    mutating func integer() -> Int {
        // What a double holds, so that every parser agrees.
        [0, 1, -1, 5, 1 << 53, -(1 << 53), Int.random(in: -1000...1000, using: &generator)]
            .randomElement(using: &generator) ?? 0
    }

    mutating func flag() -> Bool { .random(using: &generator) }

    mutating func optional<Value>(_ make: (inout Self) -> Value) -> Value? { flag() ? make(&self) : nil }

    mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
    }

    mutating func time() -> V2.Timestamp {
        // The years 0 to 9999.
        V2.Timestamp(
            microsecondsSince1970: .random(in: -62_167_219_200_000_000..<253_402_300_800_000_000, using: &generator))
    }

    mutating func day() -> V2.Day { V2.Day(of: time()) }

    mutating func player() -> V2.Player {
        let statistics = V2.Statistics(
            played: integer(), won: integer(), currentStreak: integer(), longestStreak: integer(),
            distribution: list { $0.integer() },
            days: V2.DayStatistics(
                played: integer(), won: integer(), currentStreak: integer(), longestStreak: integer()))
        return V2.Player(
            id: V2.Player.ID(text()), name: text(), energy: integer(), createdAt: time(), statistics: statistics,
            refill: optional { $0.refill() })
    }

    mutating func refill() -> V2.Refill { V2.Refill(due: integer(), nextAt: optional { $0.time() }) }

    mutating func service() -> V2.Service {
        let energy = V2.Service.Energy(
            price: integer(), start: integer(),
            refill: optional {
                V2.Service.Energy.Refill(amount: $0.integer(), every: $0.integer(), upTo: $0.integer())
            }, dailyReward: optional { $0.integer() })
        return V2.Service(
            name: text(), passkeys: flag(), identityProviders: list { $0.text() }, energy: energy,
            languages: list {
                V2.Service.Language(
                    language: $0.text(), length: $0.integer(), letters: $0.optional { $0.text() })
            },
            nextList: optional {
                V2.Service.NextList(language: $0.text(), length: $0.integer(), from: $0.day())
            }, timeZone: text(),
            nextTimeZone: optional { V2.Service.NextTimeZone(timeZone: $0.text(), from: $0.day()) }, daysGoneBy: flag(),
            leagues: flag(), challenges: flag(), anyWords: flag())
    }

    mutating func session() -> V2.Session {
        V2.Session(id: V2.Session.ID(text()), createdAt: time(), lastUsedAt: time(), isCurrent: flag(), by: text())
    }

    mutating func entry() -> V2.EnergyEntry {
        V2.EnergyEntry(
            at: time(), delta: integer(), balance: integer(), reason: V2.EnergyReason(rawValue: text()),
            game: optional { V2.Game.ID($0.text()) })
    }

    mutating func guess() -> V2.Guess {
        V2.Guess(word: text(), marks: list { V2.Mark.allCases.randomElement(using: &$0.generator) ?? .absent })
    }

    mutating func game() -> V2.Game {
        V2.Game(
            id: V2.Game.ID(text()), kind: kind(), isHard: flag(),
            state: V2.Game.State.allCases.randomElement(using: &generator) ?? .won, language: text(),
            length: integer(), maximumGuesses: integer(), guesses: list { $0.guess() }, commitment: text(),
            startedAt: time(), endedAt: optional { $0.time() }, secret: optional { $0.text() },
            salt: optional { $0.text() }, meaning: optional { $0.text() }, day: optional { $0.day() },
            reward: optional { $0.integer() },
            challenge: optional { $0.code() }, isAnyWord: flag(), hint: optional { $0.text() })
    }

    mutating func code() -> V2.ShareCode {
        let alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        let text = String((0..<8).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
        guard let code = V2.ShareCode(text) else { preconditionFailure("no code") }
        return code
    }

    mutating func mark() -> V2.Mark { V2.Mark.allCases.randomElement(using: &generator) ?? .absent }

    mutating func challenge() -> V2.Challenge {
        func result(_ random: inout Self) -> V2.ChallengeResult {
            V2.ChallengeResult(
                rank: random.integer(), name: random.text(), state: random.flag() ? .won : .lost,
                guesses: random.integer(), seconds: random.integer(), marks: random.list { $0.list { $0.mark() } },
                isMe: random.flag())
        }
        return V2.Challenge(
            code: code(), by: optional { $0.text() }, isMine: flag(), isOwnWord: flag(), language: text(),
            length: integer(), isHard: flag(), commitment: text(), createdAt: time(), endsAt: time(),
            players: integer(), game: optional { $0.game() }, results: optional { $0.list(result) },
            secret: optional { $0.text() }, salt: optional { $0.text() }, meaning: optional { $0.text() },
            isAnyWord: flag(), hint: optional { $0.text() })
    }

    mutating func kind() -> V2.Game.Kind { V2.Game.Kind.allCases.randomElement(using: &generator) ?? .game }

    mutating func listedDay() -> V2.ListedDay {
        V2.ListedDay(
            day: day(), language: text(), length: integer(), isPlanned: flag(),
            game: optional { random in
                V2.ListedGame(
                    id: V2.Game.ID(random.text()), kind: random.kind(),
                    state: V2.Game.State.allCases.randomElement(using: &random.generator) ?? .won,
                    guesses: random.integer())
            })
    }

    mutating func rule() -> V2.HardRule {
        flag() ? V2.HardRule(letter: text(), position: integer()) : V2.HardRule(letter: text(), count: integer())
    }

    mutating func dailyWord() -> V2.DailyWord {
        V2.DailyWord(
            day: day(), language: text(), length: integer(), commitment: text(), endsAt: time(), isPlanned: flag(),
            tomorrow: V2.TomorrowsWord(
                language: text(), length: integer(), commitment: text(), endsAt: time(), isPlanned: flag()),
            game: optional { $0.game() })
    }

    mutating func pastDay() -> V2.PastDay {
        V2.PastDay(
            day: day(), language: text(), length: integer(), commitment: text(), endsAt: time(), isPlanned: flag(),
            tomorrow: optional { V2.CommittedWord(commitment: $0.text()) }, game: optional { $0.game() },
            secret: text(), salt: text(), meaning: optional { $0.text() }, players: integer(), won: integer(),
            distribution: list { $0.integer() })
    }

    mutating func dailyLeaderboard() -> V2.DailyLeaderboard {
        func entry(_ random: inout Self) -> V2.DailyLeaderboard.Entry {
            V2.DailyLeaderboard.Entry(
                rank: random.integer(), name: random.text(), guesses: random.integer(), seconds: random.integer(),
                isMe: random.flag())
        }
        return V2.DailyLeaderboard(entries: list(entry), players: integer(), me: optional(entry))
    }

    mutating func winsLeaderboard() -> V2.WinsLeaderboard {
        func entry(_ random: inout Self) -> V2.WinsLeaderboard.Entry {
            V2.WinsLeaderboard.Entry(
                rank: random.integer(), name: random.text(), wins: random.integer(), isMe: random.flag())
        }
        return V2.WinsLeaderboard(entries: list(entry), players: integer(), me: optional(entry))
    }

    mutating func league() -> V2.League {
        V2.League(
            id: V2.League.ID(text()), name: text(), members: integer(), isOwner: flag(),
            invite: optional { $0.text() }, createdAt: time())
    }

    mutating func leagueMember() -> V2.LeagueMember {
        V2.LeagueMember(
            id: V2.LeagueMember.ID(text()), name: text(), isOwner: flag(), isMe: flag(), joinedAt: time())
    }

    mutating func leagueTable() -> V2.LeagueTable {
        V2.LeagueTable(
            period: V2.Period.allCases.randomElement(using: &generator) ?? .all, startsOn: optional { $0.day() },
            entries: list { random in
                V2.LeagueTable.Entry(
                    rank: random.integer(), name: random.text(), points: random.integer(), played: random.integer(),
                    won: random.integer(), isMe: random.flag(),
                    today: random.optional { random in
                        V2.LeagueTable.Today(
                            state: V2.Game.State.allCases.randomElement(using: &random.generator) ?? .won,
                            guesses: random.integer(), seconds: random.integer(),
                            marks: random.list { $0.guess().marks })
                    })
            }, endedToday: integer(), isWithoutToday: flag())
    }

    mutating func problem() -> V2.Problem {
        V2.Problem(
            V2.ProblemCode.allCases.randomElement(using: &generator) ?? .notFound, detail: optional { $0.text() },
            energy: optional { $0.integer() }, game: optional { $0.game() }, retryAfter: optional { $0.integer() },
            path: optional { $0.text() }, reason: optional { $0.text() }, character: optional { $0.text() },
            refill: optional { $0.refill() }, rule: optional { $0.rule() })
    }
}
