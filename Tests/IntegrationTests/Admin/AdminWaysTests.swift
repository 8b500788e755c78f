import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("What operators see of energy that comes back, hard mode and past days", .everyLayout)
struct AdminWaysTests {
    @Test("they are in the figures, in a player's facts and games, and in the metrics")
    func seen() async throws {
        let database = try await TestDatabase.create()
        let (service, anna) = try await AdminClient.start(on: database)
        try await database.passDays(1)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        let yesterday = V2.Day(daysSince1970: Int(Date().timeIntervalSince1970) / 86400 - 1)

        let hard = try await player.post("/v2/games", #"{"hard": true}"#).json.game
        _ = try await player.post("/v2/games/\(hard.id.text)/resign")
        for _ in 0..<2 { try await player.end(try await player.start(), in: 1, of: database) }
        func passFiveHours() async throws {
            try await database.psql(
                """
                UPDATE users SET refill = ROW((refill).due, earlier((refill).since, '5 hours'))::refill_clock
                WHERE id = '\(id)'
                """)
        }
        try await passFiveHours()
        #expect(try await player.post("/v2/players/me/refill").json.energy == 20)
        let daily = try await player.post("/v2/daily/game", #"{"hard": true}"#).json.game
        try await player.end(daily, in: 1, of: database)
        let archive = try await player.post("/v2/daily/\(yesterday)/game", #"{"hard": true}"#).json.game
        try await player.end(archive, in: 1, of: database)
        _ = try await player.start()
        try await passFiveHours()

        let today = try await anna.get("figures").json.open.items.last ?? .missing
        #expect([today.begun.game, today.begun.daily, today.begun.archive, today.hard].map(\.int) == [4, 1, 1, 3])
        #expect([today.brought.refill, today.brought.daily, today.took.game].map(\.int) == [5, 5, 20])

        let me = try await player.me()
        let facts = try await anna.get("player?id=\(id)").json
        #expect(facts.energy == 20 && facts.due == 5)
        #expect(facts.due == me.refill.due && facts.moreAt == me.refill.nextAt && facts.moreAt != .missing)
        let rich = try await V2Client.player(on: service).me().id.text
        #expect(try await anna.get("player?id=\(rich)").json.names.isDisjoint(with: ["due", "moreAt"]))

        let games = try await anna.get("games?id=\(id)").json.games.items
        #expect(games.map(\.kind) == ["game", "archive", "daily", "game", "game", "game"])
        #expect(games.map(\.hard) == [.missing, true, true, .missing, .missing, true])
        #expect(games.map(\.reward) == [.missing, .missing, 5, .missing, .missing, .missing])
        #expect(games[1].day.text == "\(yesterday)")
        #expect(
            try await anna.get("ledger?id=\(id)").json.entries.items.map(\.reason).prefix(3)
                == ["game", "daily", "refill"])

        let metrics = try await anna.page("/metrics").text.split(separator: "\n")
        for line in [
            #"juliet_games_started_total{kind="game"} 4"#, #"juliet_games_started_total{kind="daily"} 1"#,
            #"juliet_games_started_total{kind="archive"} 1"#, #"juliet_hard_games_started_total{kind="game"} 1"#,
            #"juliet_hard_games_started_total{kind="daily"} 1"#,
            #"juliet_hard_games_started_total{kind="archive"} 1"#, #"juliet_games_ended_total{state="won"} 4"#,
            #"juliet_wins_total{kind="game"} 2"#, #"juliet_wins_total{kind="daily"} 1"#,
            #"juliet_energy_granted_total{reason="registration"} 60"#,
            #"juliet_energy_granted_total{reason="refill"} 5"#, #"juliet_energy_granted_total{reason="daily"} 5"#,
        ] { #expect(metrics.contains { $0 == line }, "\(line)") }
        #expect(!metrics.contains { $0.hasPrefix(#"juliet_wins_total{kind="archive"}"#) })
        try await service.stop()
    }
}
