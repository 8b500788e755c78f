import Foundation
import TestSupport
import Testing

@Suite("Many requests of one player at once")
struct PlayerLockTests {
    @Test("guesses beside starts, renames and ends of games, on two services: no two statements wait for each other")
    func noDeadlock() async throws {
        // The server finds who waits in a circle before the lock timeout ends the wait. Waits alone may be long: the machine may be busy.
        let cluster = try await PostgresCluster.start(settings: ["deadlock_timeout": "10ms"])
        let database = try await TestDatabase.create(in: cluster)
        let services = [try await TestService.start(on: database), try await TestService.start(on: database)]
        let player = try await V2Client.player(on: services[0])
        let id = try await player.me().id.text
        let others = [try await V2Client.player(on: services[0]), try await V2Client.player(on: services[1])]
        var guessed = 0
        for round in 0..<25 {
            try await database.psql("SELECT change_energy('\(id)', 5, 'support', NULL, NULL, NULL)")
            let game = try await player.post("/v2/games", "{}")
            #expect(game.status == 201, "\(game)")
            let path = "/v2/games/\(game.json.game.id.text)"
            var requests: [[UInt8]] = []
            for number in 0..<6 {
                // With a key a guess locks more, and the sixth ends the game.
                requests.append(
                    player.request(
                        "POST", "\(path)/guesses", #"{"word": "\#(V2Client.words[number])"}"#,
                        fields: ["Idempotency-Key: guess-\(round)-\(number)"]))
                requests.append(
                    player.request("POST", "/v2/games", "{}", fields: ["Idempotency-Key: start-\(round)-\(number)"]))
                requests.append(player.request("PATCH", "/v2/players/me", #"{"name": "Round \#(round)"}"#))
                requests.append(player.request("GET", "/v2/players/me"))
            }
            let shuffled = requests.shuffled()
            async let first = player.replies(toAll: Array(shuffled.prefix(12)))
            async let second = player.at(services[1]).replies(toAll: Array(shuffled.dropFirst(12)))
            async let mine = others[0].me()
            async let theirs = others[1].me()
            _ = try await (mine, theirs)
            let replies = try await first + second
            for reply in replies { #expect(reply.status < 500, "\(reply)") }
            guessed += replies.count { $0.status == 200 && $0.json.guesses.items.count > 0 }
            // Whatever is still running ends, so that the next round can begin.
            let running = try await database.psql(
                "SELECT id FROM judged_games WHERE user_id = '\(id)' AND ended_at IS NULL")
            for game in running.split(separator: "\n") { _ = try await player.post("/v2/games/\(game)/resign") }
        }
        #expect(guessed > 25, "guesses lock something only when they are taken")
        #expect(try await database.ledgerFaults() == "")
        for service in services { try await service.stop() }
        let log = try String(contentsOfFile: "\(cluster.directory)/log", encoding: .utf8)
        let deadlocks = log.split(separator: "\n").filter { $0.contains("deadlock detected") }
        #expect(deadlocks.isEmpty, "\(deadlocks.prefix(5))")
        try await cluster.stop()
    }
}
