import JulietAPI
import TestSupport
import Testing

@Suite("/v2: a look back", .everyLayout)
struct ReviewTests {
    /// Few words, so that the figures can be counted by hand.
    private static let secrets = ["abbey", "blitz", "crane", "crank", "slate", "trace"]

    private func database() async throws -> TestDatabase {
        let database = try await TestDatabase.create()
        try await database.deleteWords()
        try await database.insert(words: Self.secrets, language: "en", areSecret: true)
        try await database.insert(words: ["pious", "fjord", "mound"], language: "en", areSecret: false)
        return database
    }

    /// A game that is over, of a word.
    private func play(_ guesses: [String], of word: String, by player: V2Client, in database: TestDatabase) async throws
        -> JSON
    {
        let game = try await player.start()
        try await database.setWord(word, of: game)
        for guess in guesses { #expect(try await player.guess(guess, in: game).status == 200, "\(guess)") }
        if guesses.last != word { #expect(try await player.post("/v2/games/\(game.id.text)/resign").status == 200) }
        return game
    }

    private func path(_ game: JSON) -> String { "/v2/games/\(game.id.text)/review" }

    @Test("each guess says how many words it left, how many could be expected, and the best one")
    func figures() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let ada = try await V2Client.player(on: service)
        // pious: s of slate alone is present; i of blitz alone: 6 words are 1 + 1 + 4.
        let game = try await play(["pious", "trace", "crane"], of: "crane", by: ada, in: database)
        let reply = try await ada.get(path(game))
        #expect(reply.status == 200 && reply["Cache-Control"] == "private, no-cache", "\(reply)")
        let guesses = reply.json.guesses.items
        #expect(guesses.map(\.word.text) == ["pious", "trace", "crane"])
        #expect(guesses.map(\.before) == [6, 4, 1])
        #expect(guesses.map(\.left) == [4, 1, 1])
        // (1 + 1 + 16) / 6; trace tells abbey, crane, crank and itself from one another.
        #expect(guesses.map(\.expected) == [3, 1, 1])
        #expect(guesses[0].best.word == "crane" && guesses[0].best.expected == 1)
        #expect(guesses[1].best.word == "crane" && guesses[1].best.expected == 1)
        #expect(guesses[2].best == .missing)

        // A fraction, with the word among those that are retired now.
        let other = try await play(["fjord"], of: "crank", by: ada, in: database)
        try await database.psql("SELECT change_words('test', 'en', '{crank,abbey}', 'retire', NULL, NULL, NULL)")
        let first = try await ada.get(path(other)).json.guesses[0]
        // Left are blitz, crane, crank, slate, trace: r is in its place for none, present for crane, crank and trace.
        #expect(first.before == 5 && first.left == 3 && first.expected == .fraction(2.6), "\(first)")
        let none = try await play([], of: "slate", by: ada, in: database)
        #expect(try await ada.get(path(none)).json == .object(["guesses": .array([])]))
        try await service.stop()
    }

    @Test("it is refused in order, and known by its ETag until the list changes")
    func order() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let (ada, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let running = try await ada.start()
        #expect(try await ada.get(path(running)).summary == "409 game-running")
        #expect(try await ben.get(path(running)).summary == "404 not-found")
        #expect(try await V2Client.newcomer(on: service).get(path(running)).summary == "401 unauthorized")
        #expect(try await ada.get("/v2/games/x/review").summary == "404 not-found")
        let made = try await ben.post("/v2/challenges", #"{"word": "qqqqq", "anyWord": true}"#)
        let any = try await ada.post("/v2/challenges/\(made.json.challenge.code.text)/game").json.game
        #expect(try await ada.get(path(any)).summary == "409 game-running")
        _ = try await ada.post("/v2/games/\(any.id.text)/resign")
        #expect(try await ada.get(path(any)).summary == "409 no-review")

        let game = try await play(["crane"], of: "crane", by: ben, in: database)
        let reply = try await ben.get(path(game))
        let tag = try #require(reply["ETag"])
        // More than the limit, and none of them counts.
        for _ in 0..<25 {
            let known = try await ben.get(path(game), fields: ["If-None-Match: \(tag)"])
            #expect(known.status == 304 && known.http.body.isEmpty)
        }
        try await database.insert(words: ["llama"], language: "en", areSecret: true)
        let later = try await ben.get(path(game), fields: ["If-None-Match: \(tag)"])
        #expect(later.status == 200 && later.json.guesses[0].before == 7)
        for count in 3...20 { #expect(try await ben.get(path(game)).status == 200, "\(count)") }
        let refused = try await ben.get(path(game))
        #expect(refused.summary == "429 too-many-requests" && refused["Retry-After"] != nil, "\(refused)")
        #expect(try await ben.get(path(game), fields: ["If-None-Match: \(later["ETag"] ?? "")"]).status == 304)
        #expect(try await ben.get("/v2/games/x/review").summary == "404 not-found")
        #expect(try await ada.get(path(game)).summary == "404 not-found")
        try await service.stop()
    }

    @Test("games of every kind can be looked back at, by many at the same time")
    func kinds() async throws {
        let database = try await database()
        let service = try await TestService.start(["energy.price": "0"], on: database)
        let players = try await withThrowingTaskGroup { group in
            for _ in 0..<12 { group.addTask { try await V2Client.player(on: service) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let made = try await players[0].post("/v2/challenges", #"{"word": "slate"}"#).json.challenge
        let replies = try await withThrowingTaskGroup { group in
            for player in players.dropFirst() {
                group.addTask {
                    let daily = try await player.post("/v2/daily/game").json.game
                    let challenge = try await player.post("/v2/challenges/\(made.code.text)/game").json.game
                    var replies: [V2Reply] = []
                    for game in [daily, challenge] {
                        _ = try await player.guess("pious", in: game)
                        _ = try await player.post("/v2/games/\(game.id.text)/resign")
                        replies.append(try await player.get(self.path(game)))
                    }
                    return replies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(replies.count == 22)
        #expect(replies.allSatisfy { $0.status == 200 && $0.json.guesses[0].before == 6 }, "\(replies.map(\.summary))")
        try await service.stop()
    }
}
