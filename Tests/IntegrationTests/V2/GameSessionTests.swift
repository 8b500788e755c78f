import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

/// A running game knows the session that plays it, so a second truth about sessions must not come of it.
@Suite("Games and the sessions that play them", .everyLayout)
struct GameSessionTests {
    /// Whether the game knows a session, and which of these it is: 0, 1, … or nothing.
    private func holder(of game: JSON, among clients: [V2Client], in database: TestDatabase) async throws -> String {
        var cases = ""
        for (index, client) in clients.enumerated() {
            cases +=
                " WHEN sha256(sha256(decode(translate(substr('\(client.token ?? "")', 4) || '=', '-_', '+/'), 'base64'))) THEN '\(index)'"
        }
        return try await database.psql(
            "SELECT CASE session_hash\(cases) ELSE session_hash::text END FROM judged_games WHERE id = '\(game.id.text)'"
        )
    }

    /// A service that knows the words of ``V2Client/words``, so that it takes the short way, and a player on two devices.
    private func players(on service: TestService) async throws -> (phone: V2Client, tablet: V2Client, tabletID: String)
    {
        let teacher = try await V2Client.player(on: service)
        for words in [V2Client.words.prefix(5), V2Client.words.suffix(5)] {
            let game = try await teacher.start()
            for word in words { _ = try await teacher.guess(word, in: game) }
            _ = try await teacher.post("/v2/games/\(game.id.text)/resign")
        }
        let reply = try await V2Client.newcomer(on: service).post("/v2/players")
        let code = reply.json.recoveryCode.text
        let tablet = try await V2Client.newcomer(on: service).post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#)
        let sessions = try await tablet.client.get("/v2/sessions").json
        let id = try #require(sessions.sessions.items.first { $0.isCurrent == true })
        return (reply.client, tablet.client, id.id.text)
    }

    @Test("the one that guessed last plays it, until the session or the game ends")
    func holders() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (phone, tablet, id) = try await players(on: service)
        let game = try await phone.start()
        try await database.setWord("hotel", of: game)
        func holder() async throws -> String { try await self.holder(of: game, among: [phone, tablet], in: database) }
        #expect(try await holder() == "0")
        for (client, word, number, expected) in [
            (phone, "crane", 1, "0"), (tablet, "slate", 2, "1"), (tablet, "pious", 3, "1"),
            (phone, "slate", 2, "1"), (phone, "mound", 4, "0"), (tablet, "fjord", 5, "1"),
        ] {
            #expect(try await client.guess(word, number: number, in: game).status == 200)
            #expect(try await holder() == expected, "\(number)")
        }
        #expect(try await phone.delete("/v2/sessions/\(id)").status == 204)
        #expect(try await holder() == "")
        #expect(try await tablet.guess("blitz", number: 6, in: game).summary == "401 unauthorized")
        #expect(try await phone.guess("hotel", number: 6, in: game).json.state == "won")
        #expect(try await holder() == "")
        let daily = try await phone.post("/v2/daily/game")
        #expect(try await self.holder(of: daily.json.game, among: [phone, tablet], in: database) == "0")
        try await service.stop()
    }

    @Test("the hour of a session is noted by guesses, too")
    func hours() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let (phone, _, _) = try await players(on: service)
        let game = try await phone.start()
        try await database.setWord("hotel", of: game)
        try await database.psql(
            """
            UPDATE sessions SET last_used_at = earlier(last_used_at, '3 hours');
            UPDATE judged_games SET session_seen_at = earlier(session_seen_at, '3 hours')
            """)
        let recent = "SELECT count(*) FROM sessions WHERE last_used_at > now() - interval '61 minutes'"
        #expect(try await database.psql(recent) == "0")
        #expect(try await phone.guess("crane", number: 1, in: game).status == 200)
        #expect(try await database.psql(recent) == "1")
        #expect(
            try await database.psql(
                "SELECT session_seen_at > now() - interval '61 minutes' FROM judged_games WHERE ended_at IS NULL")
                == "t")
        try await service.stop()
    }

    @Test("a device that is signed out while both guess can guess no more, on any node, and plays nothing")
    func race() async throws {
        let database = try await TestDatabase.create()
        let nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        for round in 0..<12 {
            let (phone, tablet, id) = try await players(on: nodes[round % 2])
            let game = try await phone.start()
            try await database.setWord("hotel", of: game)
            let elsewhere = V2Client(service: nodes[(round + 1) % 2], token: tablet.token)
            let isOut = Locked(false)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, client) in [phone, tablet, elsewhere].enumerated() {
                    group.addTask {
                        for turn in 0..<6 {
                            let wasOut = isOut.withLock { $0 }
                            let reply = try await client.guess(
                                V2Client.words[(turn + index) % 10], number: turn + 1, in: game)
                            if index > 0, wasOut { #expect(reply.status == 401, "\(reply)") }
                            #expect([200, 401, 409, 422].contains(reply.status), "\(reply)")
                        }
                    }
                }
                group.addTask {
                    try await Task.sleep(for: .milliseconds(round * 2))
                    #expect(try await phone.delete("/v2/sessions/\(id)").status == 204)
                    isOut.withLock { $0 = true }
                }
                try await group.waitForAll()
            }
            #expect(["", "0"].contains(try await holder(of: game, among: [phone, tablet], in: database)))
            #expect(try await elsewhere.guess("crane", number: 6, in: game).status == 401)
        }
        for node in nodes { try await node.stop() }
    }

    @Test("a session that ends waits for no guess that waits for it, when a game begins meanwhile")
    func circle() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let phone = try await V2Client.player(on: service)
        let digest = "sha256(decode(translate(substr('\(phone.token ?? "")', 4) || '=', '-_', '+/'), 'base64'))"
        let id = try await phone.me().id.text
        // Where players are spread, rows can be locked of one player only.
        let mine = "user_id = '\(id)' AND"
        let session = "SELECT FROM juliet.sessions WHERE \(mine) token_hash = sha256(\(digest)) FOR KEY SHARE"
        try await database.withOwner { player in
            try await database.withOwner { other in
                try await player.executeScript(
                    "BEGIN; SELECT juliet.start_daily_game(\(digest) || '\(id)'::bytea, false)")
                try await other.executeScript("BEGIN; \(session)")
                async let ended = phone.delete("/v2/sessions/current")
                try await database.waitForWaitingSessions(1)
                // The game is there, and a guess has it, before the session can end.
                try await player.executeScript(
                    "COMMIT; BEGIN; SELECT FROM juliet.judged_games WHERE \(mine) session_hash = sha256(\(digest)) FOR NO KEY UPDATE"
                )
                try await other.executeScript("COMMIT")
                try await database.waitForWaitingSessions(1)
                try await player.executeScript("\(session) NOWAIT; COMMIT")
                #expect(try await ended.status == 204)
            }
        }
        #expect(try await database.psql("SELECT count(session_hash) FROM juliet.judged_games") == "0")
        try await service.stop()
    }
}
