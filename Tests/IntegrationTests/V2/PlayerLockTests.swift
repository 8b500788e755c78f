import Foundation
import TestSupport
import Testing

@Suite("Many requests of one player at once", .everyLayout)
struct PlayerLockTests {
    @Test("guesses beside starts, renames and ends of games, on two services: no two statements wait in a circle")
    func noDeadlock() async throws {
        // The server finds who waits in a circle before the lock timeout ends the wait. Waits alone may be long: the machine may be busy.
        let log = try await log(ofServices: 2, rounds: 25)
        let deadlocks = log.filter { $0.contains("deadlock detected") }
        #expect(deadlocks.isEmpty, "\(deadlocks.prefix(5))")
    }

    @Test("the same on one service with several loops: no statement waits for another of its player in PostgreSQL")
    func noWait() async throws {
        let log = try await log(ofServices: 1, rounds: 25)
        // Whoever waits for a row waits for the transaction that has it.
        let waits = log.filter {
            $0.contains("still waiting for ShareLock on transaction") || $0.contains("lock timeout")
        }
        // A batch that a busy machine stops for half a second holds its players no more. Without a turnstile there are dozens.
        #expect(waits.count < 3, "\(waits.prefix(5))")
    }

    /// Has one player do everything at once, and others beside it.
    ///
    /// - Returns: The lines of PostgreSQL's log, which tell of each wait of ten milliseconds.
    private func log(ofServices count: Int, rounds: Int) async throws -> [Substring] {
        let cluster = try await PostgresCluster.start(settings: ["deadlock_timeout": "10ms", "log_lock_waits": "on"])
        let database = try await TestDatabase.create(in: cluster)
        var services: [TestService] = []
        for _ in 0..<count {
            // The player's connections are spread over the loops.
            let settings = ["http.loops": "3", "http.connectionsPerLoop": "1"]
            services.append(try await TestService.start(settings, on: database))
        }
        let last = services[count - 1]
        let player = try await V2Client.player(on: services[0])
        let id = try await player.me().id.text
        let others = [try await V2Client.player(on: services[0]), try await V2Client.player(on: last)]
        var guessed = 0
        for round in 0..<rounds {
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
            async let second = player.at(last).replies(toAll: Array(shuffled.dropFirst(12)))
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
        #expect(guessed > rounds, "guesses lock something only when they are taken")
        #expect(try await database.ledgerFaults() == "")
        for service in services { try await service.stop() }
        let log = try String(contentsOfFile: "\(cluster.directory)/log", encoding: .utf8)
        try await cluster.stop()
        return log.split(separator: "\n")
    }
}
