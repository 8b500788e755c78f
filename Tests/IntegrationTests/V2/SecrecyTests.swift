import Foundation
import TestSupport
import Testing

@Suite("Secrets of /v2", .everyLayout)
struct SecrecyTests {
    /// A word of the list that stands in no other text by chance.
    private static let secret = "fjord"

    /// Everything a player, or anybody else, can ask while a game runs.
    private func askEverything(_ player: V2Client, _ game: JSON) async throws -> [V2Reply] {
        let path = "/v2/games/\(game.id.text)"
        let newcomer = player.with(token: nil)
        return [
            try await player.get(path), try await player.get("/v2/games"),
            try await player.get("/v2/games?state=playing"),
            try await player.post("/v2/games"), try await player.post("/v2/daily/game"),
            try await player.get("/v2/daily"), try await player.get("/v2/daily/days"),
            try await player.post("/v2/daily/\(try await newcomer.get("/v2/daily").json.day.text)/game"),
            try await newcomer.get("/v2/daily"), try await player.guess("crane", number: 1, in: game),
            try await player.guess("slate", number: 1, in: game), try await player.guess("crane", number: 3, in: game),
            try await player.guess("zzzzz", in: game),
            try await player.guess("crane", in: game, fields: ["Idempotency-Key: g"]),
            try await player.guess("crane", in: game, fields: ["Idempotency-Key: g"]),
            try await player.guess("slate", in: game, fields: ["Idempotency-Key: g"]),
            try await player.post(path + "/guesses", "[]"), try await player.ask("PUT", path),
            try await player.get("/v2/players/me"), try await player.get("/v2/players/me/energy"),
            try await player.get("/v2/players/me/export"), try await player.get("/v2/sessions"),
            try await newcomer.get("/v2/leaderboards/wins"),
            try await newcomer.get("/v2/daily/\(try await newcomer.get("/v2/daily").json.day.text)/leaderboard"),
            try await newcomer.get("/v2/daily/\(try await newcomer.get("/v2/daily").json.day.text)"),
            try await newcomer.get(path), try await V2Client.player(on: player.service).get(path),
        ]
    }

    @Test("word and salt of a running game, and of the day, are in no answer, no header and no line of the log")
    func running() async throws {
        let database = try await TestDatabase.create()
        let lines = LogLines()
        let service = try await TestService.start(["log.level": "trace"], on: database, logger: lines.tracer)
        let player = try await V2Client.player(on: service)
        _ = try await player.get("/v2/daily")
        try await database.psql(
            "UPDATE daily_words SET word = '\(Self.secret)', commitment = commitment(salt, '\(Self.secret)')")
        let game = try await player.start()
        try await database.setWord(Self.secret, of: game)
        let salts = try await database.psql(
            "SELECT replace(salt::text, '-', '') FROM judged_games UNION SELECT replace(salt::text, '-', '') FROM daily_words"
        )
        let secrets = [Self.secret] + salts.split(separator: "\n").map(String.init)
        #expect(secrets.count == 33, "the word, and the salts of the game and of 31 days")
        let replies = try await askEverything(player, game)
        for reply in replies {
            let text = reply.description.lowercased()
            for secret in secrets { #expect(!text.contains(secret), "\(reply)") }
        }
        #expect(replies[0].status == 200)
        for line in lines.details { for secret in secrets { #expect(!line.lowercased().contains(secret), "\(line)") } }
        let ended = try await player.guess(Self.secret, in: game)
        #expect(ended.json.secret.text == Self.secret, "and when it is over they are told")
        #expect(secrets.contains(ended.json.salt.text))
        try await service.stop()
    }

    @Test("the log at its finest holds no token, no code, no name and no guess")
    func log() async throws {
        let lines = LogLines()
        let service = try await TestService.start(["log.level": "trace"], on: .shared(), logger: lines.tracer)
        let created = try await V2Client.newcomer(on: service).post("/v2/players", #"{"name": "Rumpelstilz"}"#)
        let player = created.client
        let game = try await player.start(fields: ["X-Request-Id: abc-1", "Idempotency-Key: my-key"])
        _ = try await player.guess("crane", in: game)
        _ = try await player.guess("zzzzz", in: game)
        _ = try await player.patch("/v2/players/me", #"{"name": "Rumpelstilzchen"}"#)
        _ = try await V2Client.newcomer(on: service).post(
            "/v2/sessions", #"{"recoveryCode": "\#(created.json.recoveryCode.text)"}"#)
        _ = try await player.get("/v2/games/x?before=Rumpelstilz")
        let log = lines.details
        #expect(log.contains { $0.contains("/v2/games/{id}/guesses") && $0.contains("\"status\": 200") })
        #expect(log.contains { $0.contains("/v2/games") && $0.contains("\"status\": 201") && $0.contains("abc-1") })
        for hidden in [
            created.json.token.text, String(created.json.token.text.dropFirst(3)), created.json.recoveryCode.text,
            "Rumpelstilz", "crane", "zzzzz", "my-key", created.json.player.id.text, game.id.text,
        ] {
            #expect(!log.contains { $0.contains(hidden) })
        }
        try await service.stop()
    }

    @Test("what the service's role may read in the database does not reveal the word either")
    func rights() async throws {
        let database = try await TestDatabase.shared()
        for sql in [
            "SELECT word FROM judged_games", "SELECT salt FROM judged_games", "SELECT * FROM daily_words",
            "SELECT * FROM players", "SELECT token_hash FROM sessions", "SELECT * FROM claims",
            "SELECT * FROM board_entries",
            "SELECT mark_guess('crane', 'slate')", "SELECT show_game(NULL)", "SELECT end_game(NULL, true)",
            "SELECT take_guess('x', gen_random_uuid(), 'crane', 1, NULL)", "SELECT session_player('x')",
            "SELECT broken_rule('', '', 5, 'crane')", "SELECT has_too_many_games('x')",
            "SELECT player_records('x')", "SELECT delete_user('x', 'y')", "SELECT move_ledger('x', 'y')",
        ] {
            await #expect(throws: Command.Failure.self, "\(sql)") {
                try await database.psql("SET ROLE player_service; \(sql)")
            }
        }
    }
}
