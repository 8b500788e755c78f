import Foundation
import TestSupport
import Testing

/// What many ask for at once, twice, or while something breaks, is true once.
@Suite("One truth in /v2", .everyLayout)
struct OneTruthTests {
    @Test("fifty guesses with one number at the same moment: one word counts, the others are told so")
    func oneNumber() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        try await TestDatabase.shared().setWord("zebra", of: game)
        let replies = try await player.replies(
            toAll: (0..<50).map { index in
                player.request(
                    "POST", "/v2/games/\(game.id.text)/guesses",
                    #"{"word": "\#(V2Client.words[index % V2Client.words.count])", "number": 1}"#)
            })
        let stands = try await player.get("/v2/games/\(game.id.text)").json
        #expect(stands.guesses.items.count == 1)
        let word = stands.guesses[0].word.text
        for (index, reply) in replies.enumerated() {
            let isTheOne = V2Client.words[index % V2Client.words.count] == word
            #expect(reply.summary == (isTheOne ? "200" : "409 guess-taken"))
            #expect((isTheOne ? reply.json : reply.json.game) == stands)
        }
    }

    @Test("two devices on two nodes guess without numbers: what was taken is what stands, six at most")
    func twoDevices() async throws {
        let database = try await TestDatabase.create()
        let nodes = [try await TestService.start(on: database), try await TestService.start(on: database)]
        let created = try await V2Client.newcomer(on: nodes[0]).post("/v2/players")
        let code = created.json.recoveryCode.text
        let devices = [
            created.client,
            try await V2Client.newcomer(on: nodes[1]).post("/v2/sessions", #"{"recoveryCode": "\#(code)"}"#).client,
        ]
        let game = try await devices[0].start()
        try await database.setWord("zebra", of: game)
        let replies = try await withThrowingTaskGroup(of: [V2Reply].self) { group in
            for device in devices {
                group.addTask {
                    try await device.replies(
                        toAll: V2Client.words.map { word in
                            device.request("POST", "/v2/games/\(game.id.text)/guesses", #"{"word": "\#(word)"}"#)
                        })
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let stands = try await devices[1].get("/v2/games/\(game.id.text)").json
        #expect(stands.state == "lost" && stands.guesses.items.count == 6)
        let taken = replies.filter { $0.status == 200 }
        #expect(taken.map { $0.json.guesses.items.count }.sorted() == Array(1...6))
        for reply in taken {
            #expect(reply.json.guesses.items == Array(stands.guesses.items.prefix(reply.json.guesses.items.count)))
        }
        #expect(replies.filter { $0.summary == "409 game-over" }.count == replies.count - 6)
        let statistics = try await devices[0].me().statistics
        #expect(statistics.played == 1 && statistics.won == 0)
        for node in nodes { try await node.stop() }
    }

    @Test("a guess that ends the game, asked for fifty times at once, ends it once")
    func lastGuess() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        let secret = try await player.secret(of: game)
        let replies = try await player.replies(
            toAll: Array(
                repeating: player.request(
                    "POST", "/v2/games/\(game.id.text)/guesses", #"{"word": "\#(secret)", "number": 1}"#), count: 50))
        #expect(Set(replies.map(\.summary)) == ["200"])
        #expect(Set(replies.map(\.json)).count == 1)
        let me = try await player.me()
        #expect(me.statistics.won == 1 && me.statistics.currentStreak == 1)
        let board = try await player.get("/v2/leaderboards/wins?around=me&limit=1").json
        #expect(board.me.wins == 1)
    }

    @Test("fifty games begun at once: one is, and one is paid", arguments: [true, false])
    func oneGame(isNamed: Bool) async throws {
        let player = try await V2Client.player()
        let fields = isNamed ? ["Idempotency-Key: one-game"] : []
        let replies = try await player.replies(
            toAll: Array(repeating: player.request("POST", "/v2/games", "{}", fields: fields), count: 50))
        let begun = replies.filter { $0.status == 201 }
        #expect(begun.count == (isNamed ? 50 : 1))
        #expect(begun.filter { !$0.isReplay }.count == 1)
        #expect(Set(begun.map(\.json)).count == 1)
        #expect(replies.allSatisfy { $0.status == 201 || $0.summary == "409 game-unfinished" })
        #expect(try await player.me().energy == 25)
        #expect(try await player.get("/v2/games").json.games.items.count == 1)
    }

    @Test("the day's game, begun fifty times at once on two nodes, is one")
    func oneDailyGame() async throws {
        let player = try await V2Client.player()
        let request = player.request("POST", "/v2/daily/game")
        let replies = try await player.replies(toAll: Array(repeating: request, count: 50))
        #expect(replies.filter { $0.status == 201 }.count == 1)
        #expect(replies.filter { $0.status == 200 }.count == 49)
        #expect(Set(replies.map(\.json)).count == 1)
    }

    @Test("a recovery code used twice at once makes one session")
    func oneSession() async throws {
        let created = try await V2Client.newcomer().post("/v2/players")
        let newcomer = try await V2Client.newcomer()
        let body = #"{"recoveryCode": "\#(created.json.recoveryCode.text)"}"#
        let replies = try await newcomer.replies(
            toAll: Array(repeating: newcomer.request("POST", "/v2/sessions", body), count: 2))
        #expect(replies.map(\.summary).sorted() == ["201", "401 unauthorized"])
        #expect(try await created.client.get("/v2/sessions").json.sessions.items.count == 2)
    }

    @Test("a player of the app is claimed once, however many try at once, and nothing of theirs is lost")
    func oneClaim() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(["players.claims": "allow"], on: database)
        let account = TestService.newUser()
        try await database.psql(
            """
            SELECT register_user('\(account)', 'k1', 1), add_win('\(account)', 'k2', 2),
                record_played_word('\(account)', 'crane', 'en'), buy_energy('\(account)', 30, NULL, NULL)
            """)
        let newcomer = V2Client.newcomer(on: service)
        let replies = try await newcomer.replies(
            toAll: Array(
                repeating: newcomer.request("POST", "/v2/players", #"{"claim": "\#(account)"}"#), count: 20))
        #expect(replies.filter { $0.status == 201 }.count == 1)
        #expect(replies.filter { $0.summary == "409 claimed" }.count == 19)
        let reply = try #require(replies.first { $0.status == 201 })
        #expect(reply.json.player.energy == 60)
        let id = reply.json.player.id.text
        #expect(
            try await database.psql(
                "SELECT wins, (SELECT count(*) FROM played_words WHERE user_id = id) FROM users WHERE id = '\(id)'")
                == "1|1")
        #expect(try await database.psql("SELECT count(*) FROM users WHERE id = '\(account)'") == "0")
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test("a service that is killed between commit and answer: asked again, guess and game have happened once")
    func killed() async throws {
        let database = try await TestDatabase.create()
        let proxy = try Proxy(to: database.cluster.port)
        let service = try ServiceProcess(
            connectionString:
                "host=127.0.0.1 port=\(proxy.port) user=player_service dbname=\(database.name) gssencmode=disable",
            // All that is asked goes through the proxy, where there are several servers to ask.
            environment: CitusCluster.isWanted ? ["JULIET_DATABASE_POOLER": "transaction"] : [:])
        defer { service.stop() }
        let witness = try await TestService.start(on: database)
        let player = try await V2Client.player(on: witness)
        let start = player.request("POST", "/v2/games", "{}", fields: ["Idempotency-Key: k"])
        func lose(_ request: [UInt8], until sql: String, is value: String) async throws {
            let port = service.port
            try await service.waitUntil(itSays: "listening on")
            proxy.holdAnswers()
            async let nothing = offPool { () -> Bool in
                let connection = try ClientConnection(port: port)
                try connection.send(request)
                return (try? connection.receive()) == nil
            }
            let end = ContinuousClock.now + .seconds(20)
            while try await database.psql(sql) != value, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(try await database.psql(sql) == value)
            service.kill()
            #expect(try await nothing)
            proxy.resume()
            try service.start()
        }
        try await lose(start, until: "SELECT count(*) FROM judged_games", is: "1")
        let begun = try await player.post("/v2/games", "{}", fields: ["Idempotency-Key: k"])
        #expect(begun.status == 201 && begun.isReplay && begun.json.energy == 25)
        let game = begun.json.game
        try await database.setWord("zebra", of: game)
        let guess = player.request(
            "POST", "/v2/games/\(game.id.text)/guesses", #"{"word": "crane", "number": 1}"#)
        try await lose(guess, until: "SELECT guesses FROM judged_games", is: "crane")
        let again = try await player.guess("crane", number: 1, in: game)
        #expect(again.status == 200 && again.json.guesses.items.count == 1)
        #expect(try await database.ledgerFaults() == "")
        try await witness.stop()
    }

    @Test("a game begun on a day is that day's, though it ends on the next, but the day is over: its figures stay")
    func dayEnds() async throws {
        let database = try await TestDatabase.create()
        let service = try await TestService.start(on: database)
        let player = try await V2Client.player(on: service)
        let game = try await player.post("/v2/daily/game").json.game
        let secret = try await player.secret(of: game, in: database)
        _ = try await player.guess(V2Client.words.first { $0 != secret } ?? "", in: game)
        try await database.passDays(1)
        let today = try await player.get("/v2/daily").json
        #expect(today.game == .missing)
        let ended = try await player.guess(secret, number: 2, in: game).json
        let yesterday = ended.day.text
        #expect(ended.state == "won" && yesterday != today.day.text)
        let past = try await player.get("/v2/daily/\(yesterday)").json
        #expect(past.players == 0 && past.won == 0 && past.distribution == [0, 0, 0, 0, 0, 0])
        #expect(past.game == ended)
        let board = try await player.get("/v2/daily/\(yesterday)/leaderboard").json
        #expect(board.players == 0 && board.me == .missing)
        #expect(try await player.me().statistics.won == 1)
        #expect(try await player.get("/v2/daily/\(today.day.text)/leaderboard").json.players == 0)
        #expect(try await player.post("/v2/daily/game").status == 201)
        try await service.stop()
    }
}
