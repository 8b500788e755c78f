import TestSupport
import Testing

@Suite("Idempotency-Key of /v2", .everyLayout)
struct IdempotencyTests {
    private func key(_ name: String) -> [String] { ["Idempotency-Key: \(name)"] }

    @Test("a game is paid once, and a repeat gets the first answer byte for byte")
    func start() async throws {
        let player = try await V2Client.player()
        let first = try await player.post("/v2/games", "{}", fields: key("a"))
        #expect(first.status == 201)
        #expect(!first.isReplay)
        for (name, body) in [("a", "{}"), (#""a""#, ""), ("a", #"{"x": 1}"#)] {
            let repeated = try await player.post("/v2/games", body, fields: key(name))
            #expect(repeated.status == 201)
            #expect(repeated.http.text == first.http.text)
            #expect(repeated["Location"] == first["Location"])
            #expect(repeated.isReplay)
        }
        _ = try await player.guess("crane", in: first.json.game)
        #expect(try await player.post("/v2/games", fields: key("a")).http.text == first.http.text, "as it was then")
        _ = try await player.post("/v2/games/\(first.json.game.id.text)/resign")
        #expect(try await player.post("/v2/games", fields: key("a")).http.text == first.http.text)
        #expect(try await player.me().energy == 25)
        let next = try await player.post("/v2/games", fields: key("A"))
        #expect(next.json.energy == 20, "letter case matters")
    }

    @Test("refusals are remembered: 409 and 422")
    func refusals() async throws {
        let database = try await TestDatabase.shared()
        let player = try await V2Client.player()
        let game = try await player.start()
        let unfinished = try await player.post("/v2/games", fields: key("unfinished"))
        #expect(unfinished.summary == "409 game-unfinished")
        let unknown = try await player.guess("zzzzz", in: game, fields: key("unknown"))
        #expect(unknown.summary == "422 word-unknown")
        _ = try await player.guess("crane", in: game)
        _ = try await player.post("/v2/games/\(game.id.text)/resign")
        let over = try await player.guess("crane", in: game, fields: key("over"))
        #expect(over.summary == "409 game-over")

        let id = try await player.me().id.text
        try await database.psql("SELECT change_energy('\(id)', -24, 'support', NULL, NULL, NULL)")
        let poor = try await player.post("/v2/games", fields: key("poor"))
        #expect(poor.summary == "409 energy-insufficient")
        #expect(poor.json.energy == 1)
        #expect(poor.json.refill.nextAt != .missing, "as without a key")
        try await database.psql("SELECT change_energy('\(id)', 100, 'support', NULL, NULL, NULL)")

        for (name, path, body, first) in [
            ("unfinished", "/v2/games", "", unfinished), ("poor", "/v2/games", "", poor),
            ("unknown", "/v2/games/\(game.id.text)/guesses", #"{"word": "zzzzz"}"#, unknown),
            ("over", "/v2/games/\(game.id.text)/guesses", #"{"word": "crane"}"#, over),
        ] {
            let repeated = try await player.post(path, body, fields: key(name))
            #expect(repeated.http.text == first.http.text, "\(name)")
            #expect(repeated.status == first.status)
            #expect(repeated.isReplay, "\(name)")
        }
        #expect(try await player.me().energy == 101)
    }

    @Test("a guess without a number counts once under a key, and a repeat gets the first answer")
    func guess() async throws {
        let player = try await V2Client.player()
        let game = try await player.start()
        let secret = "fjord"
        try await TestDatabase.shared().setWord(secret, of: game)
        let first = try await player.guess("crane", in: game, fields: key("g1"))
        #expect(first.json.guesses.items.count == 1)
        let second = try await player.guess("crane", in: game, fields: key("g2"))
        #expect(second.json.guesses.items.count == 2)
        let repeated = try await player.guess("crane", in: game, fields: key("g1"))
        #expect(repeated.http.text == first.http.text, "as it was then")
        #expect(repeated.isReplay)
        let won = try await player.guess(secret, in: game, fields: key("g3"))
        #expect(won.json.state == "won")
        #expect(try await player.guess(secret, in: game, fields: key("g3")).http.text == won.http.text)
        #expect(try await player.guess("crane", in: game, fields: key("g2")).http.text == second.http.text)
        #expect(!second.http.text.contains(secret))
    }

    @Test("the key of one request is refused to another, and nothing changes")
    func reused() async throws {
        let player = try await V2Client.player()
        let game = try await player.post("/v2/games", fields: key("game")).json.game
        _ = try await player.guess("crane", in: game, fields: key("guess"))
        let reply = try await player.guess("slate", in: game, fields: key("guess"))
        #expect(reply.summary == "422 idempotency-key-reused")
        #expect(!reply.isReplay)
        #expect(try await player.guess("crane", in: game, fields: key("game")).summary == "422 idempotency-key-reused")
        #expect(try await player.post("/v2/games", fields: key("guess")).summary == "422 idempotency-key-reused")
        #expect(try await player.get("/v2/games/\(game.id.text)").json.guesses.items.count == 1)
        _ = try await player.post("/v2/games/\(game.id.text)/resign")
        let other = try await player.start()
        #expect(
            try await player.guess("crane", in: other, fields: key("guess")).summary == "422 idempotency-key-reused",
            "the path is part of it")
        #expect(try await player.me().energy == 20)
    }

    @Test("400, 401 and 404 are not remembered")
    func notRemembered() async throws {
        let player = try await V2Client.player()
        #expect(try await player.post("/v2/games", "[]", fields: key("k")).status == 400)
        #expect(try await player.with(token: "jt_x").post("/v2/games", fields: key("k")).status == 401)
        #expect(try await player.post("/v2/games/x/guesses", #"{"word": "crane"}"#, fields: key("k")).status == 404)
        let reply = try await player.post("/v2/games", fields: key("k"))
        #expect(reply.status == 201)
        #expect(!reply.isReplay)
    }

    @Test("keys are the player's own")
    func scope() async throws {
        let service = try await TestService.shared(.standard)
        let (ann, bob) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let hers = try await ann.post("/v2/games", fields: key("same"))
        let his = try await bob.post("/v2/games", fields: key("same"))
        #expect(his.status == 201)
        #expect(!his.isReplay)
        #expect(his.json.game.id != hers.json.game.id)
    }

    @Test("of 50 with one key at the same moment one pays, and all get its answer")
    func parallel() async throws {
        let player = try await V2Client.player()
        let request = player.request("POST", "/v2/games", "{}", fields: key("k"))
        let replies = try await player.replies(toAll: Array(repeating: request, count: 50))
        #expect(Set(replies.map(\.http.text)).count == 1)
        #expect(replies.count { !$0.isReplay } == 1)
        #expect(try await player.me().energy == 25)
    }

    @Test("what is idempotent by itself, or hands out secrets, checks a key for form only")
    func formOnly() async throws {
        let service = try await TestService.start(on: .shared())
        let newcomer = V2Client.newcomer(on: service)
        let first = try await newcomer.post("/v2/players", fields: key("k"))
        let second = try await newcomer.post("/v2/players", fields: key("k"))
        #expect(first.json.token != second.json.token)
        let player = first.client
        let code = try await player.post("/v2/players/me/recovery-code", fields: key("k"))
        #expect(try await player.post("/v2/players/me/recovery-code", fields: key("k")).http.text != code.http.text)
        let game = try await player.start()
        let guess = try await player.guess("crane", number: 1, in: game, fields: key("k"))
        #expect(guess.status == 200)
        for reply in [
            try await player.guess("crane", number: 1, in: game, fields: key("k")),
            try await player.patch("/v2/players/me", "{}", fields: key("k")),
            try await player.post("/v2/games/\(game.id.text)/resign", fields: key("k")),
            try await player.post("/v2/daily/game", fields: key("k")),
            try await player.post("/v2/daily/game", fields: key("k")),
            try await player.delete("/v2/sessions/current", fields: key("k")),
        ] {
            #expect(reply.status < 300)
            #expect(!reply.isReplay)
        }
        try await service.stop()
    }

    @Test(
        "a malformed key is 400, wherever something may change; GET has none",
        arguments: ["", "a b", "ä", #""a"#, #"a"b"#, String(repeating: "x", count: 256)])
    func malformed(value: String) async throws {
        let player = try await V2Client.player()
        for (method, path, body) in [
            ("POST", "/v2/players", "{}"), ("POST", "/v2/sessions", #"{"recoveryCode": "x"}"#),
            ("POST", "/v2/games", "{}"),
            ("POST", "/v2/games/x/guesses", #"{"word": "crane"}"#), ("POST", "/v2/games/x/resign", ""),
            ("POST", "/v2/daily/game", ""), ("POST", "/v2/daily/2026-01-02/game", ""),
            ("POST", "/v2/players/me/recovery-code", ""),
            ("PATCH", "/v2/players/me", "{}"), ("DELETE", "/v2/players/me", ""), ("DELETE", "/v2/sessions/current", ""),
        ] {
            let reply = try await player.ask(method, path, body, fields: key(value))
            #expect(reply.summary == "400 request-invalid", "\(method) \(path)")
            #expect(reply.json.path == "Idempotency-Key", "\(method) \(path)")
        }
        #expect(try await player.get("/v2/players/me", fields: key(value)).status == 200)
    }
}
