import JulietAPI
import TestSupport
import Testing

/// Players of the published app who become players of /v2, and everybody else, who stay apart.
@Suite("Two worlds", .everyLayout)
struct ClaimTests {
    /// The rules of a database on which claims are allowed.
    private static let allowing = ["players.claims": "allow"]

    private func claim(_ account: String, on service: TestService) async throws -> V2Reply {
        try await V2Client.newcomer(on: service).post("/v2/players", #"{"claim": "\#(account)"}"#)
    }

    /// A player of the app with 25 energy, two wins and a played word.
    private func appPlayer(on service: TestService) async throws -> String {
        let user = TestService.newUser()
        for request: GameRequest in [
            .initialRegistration(vendorID: user), .statNewGameSession(userID: user), .updateUserWins(userID: user),
            .updateUserWins(userID: user), .updateUserPlayedWordsList(userID: user, playedWord: "vapor"),
        ] {
            #expect(try await service.answer(to: request).innerStatus == 200)
        }
        return user
    }

    @Test("claiming is refused by default, whoever is claimed")
    func refusedByDefault() async throws {
        let service = try await TestService.shared(.standard)
        for account in [try await appPlayer(on: service), "nobody"] {
            #expect(try await claim(account, on: service).summary == "409 claim-refused")
        }
    }

    @Test("where it is allowed, a player of the app becomes one of /v2, once; energy, wins and words stay")
    func claimed() async throws {
        let database = try await TestDatabase.shared(Self.allowing)
        let service = try await TestService.start(on: database)
        let user = try await appPlayer(on: service)
        let reply = try await claim(user, on: service)
        #expect(reply.status == 201, "\(reply)")
        let player = reply.json.player
        #expect(player.energy == 25)
        #expect(player.id.text != user)
        #expect(player.statistics.played == 0, "they count what the service judged")
        let kept = try await database.psql(
            """
            SELECT wins, (SELECT string_agg(word, ',') FROM played_words JOIN words ON words.id = word_id
                WHERE user_id = users.id) FROM users WHERE id = '\(player.id.text)'
            """)
        #expect(kept == "2|vapor")
        #expect(try await claim(user, on: service).summary == "409 claimed")
        #expect(try await claim("nobody", on: service).summary == "409 claim-refused")

        let won = try await reply.client.end(try await reply.client.start(), in: 1, of: database)
        #expect(won.secret.text != "vapor")
        #expect(try await database.psql("SELECT wins FROM users WHERE id = '\(player.id.text)'") == "3")
        #expect(try await reply.client.me().energy == 20)
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test("of 20 claims at the same moment one succeeds")
    func race() async throws {
        let service = try await TestService.start(on: .shared(Self.allowing))
        let user = try await appPlayer(on: service)
        let newcomer = V2Client.newcomer(on: service)
        let request = newcomer.request("POST", "/v2/players", #"{"claim": "\#(user)"}"#)
        let replies = try await newcomer.replies(toAll: Array(repeating: request, count: 20))
        #expect(replies.count { $0.status == 201 } == 1)
        #expect(replies.count { $0.summary == "409 claimed" } == 19)
        try await service.stop()
    }

    @Test("a claim beside registrations of the same vendorID: claimed or there, never both, and never an error")
    func raceOfRegistrations() async throws {
        let database = try await TestDatabase.shared(Self.allowing)
        let service = try await TestService.start(on: database)
        for _ in 0..<60 {
            let user = TestService.newUser()
            let register = GameRequest.initialRegistration(vendorID: user)
            _ = try await service.answer(to: register)
            async let claimed = claim(user, on: service)
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<4 { group.addTask { try await service.answer(to: register).httpStatus } }
                return try await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(!statuses.contains(500), "\(statuses)")
            #expect(try await claimed.status == 201)
            #expect(try await claim(user, on: service).summary == "409 claimed")
            #expect(try await database.psql("SELECT count(*) FROM users WHERE id = '\(user)'") == "0")
        }
        #expect(try await database.ledgerFaults() == "")
        try await service.stop()
    }

    @Test("a claimed player's app is refused as an unknown player, unless the rules let it go on")
    func claimedApp() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(#"SELECT apply_rules('test', '{"players.claims": "allow"}')"#)
        let claiming = try await TestService.start(on: database)
        let registering = try await TestService.start(TestService.Variant.register.settings, on: database)
        let user = try await appPlayer(on: claiming)
        let player = try await claim(user, on: claiming).client
        for service in [claiming, registering] {
            for request: GameRequest in [
                .fetchUserWins(userID: user), .statNewGameSession(userID: user), .updateUserWins(userID: user),
                .initialRegistration(vendorID: user),
            ] {
                let answer = try await service.answer(to: request)
                #expect(answer.problem?.code == "user.unknown", "\(request) to \(answer)")
            }
        }
        // The database decides, so it holds at once.
        try await database.psql(#"SELECT apply_rules('test', '{"players.claimedApp": "accept"}')"#)
        #expect(try await claiming.answer(to: .fetchUserWins(userID: user)).userWins == 2)
        #expect(try await claiming.answer(to: .statNewGameSession(userID: user)).userEnergy == 20)
        #expect(try await claiming.answer(to: .initialRegistration(vendorID: user)).innerStatus == 200)
        #expect(try await player.me().energy == 20, "it is one player")
        for service in [claiming, registering] { try await service.stop() }
    }

    @Test(
        "the app's URLs never reach a player of /v2, nor does a claim take one",
        arguments: [TestService.Variant.standard, .register])
    func apart(variant: TestService.Variant) async throws {
        let service = try await TestService.shared(variant)
        let player = try await V2Client.player(on: service)
        let id = try await player.me().id.text
        for id in [id, id.uppercased()] {
            for request: GameRequest in [
                .fetchUserWins(userID: id), .updateUserWins(userID: id), .statNewGameSession(userID: id),
                .updateUserEnergy(userID: id, userEnergy: 1000),
                .handleEnergyPurchase(userID: id, energyPurchaseAmount: 5),
            ] {
                let answer = try await service.answer(to: request)
                if id == id.lowercased() { #expect(answer.problem?.code == "user.unknown", "\(request) to \(answer)") }
            }
        }
        #expect(try await service.answer(to: .initialRegistration(vendorID: id)).problem?.code == "user.unknown")
        #expect(try await player.me().energy == 30)

        let claiming = try await TestService.start(on: .shared(Self.allowing))
        let taken = try await V2Client.player(on: claiming)
        #expect(try await claim(taken.me().id.text, on: claiming).summary == "409 claim-refused")
        #expect(try await taken.get("/v2/players/me").status == 200)
        try await claiming.stop()
    }

    @Test("a claim of what cannot be an account of the app is refused", arguments: ["5", #""""#, #""a\u0007""#])
    func noAccount(claim: String) async throws {
        let reply = try await V2Client.newcomer().post("/v2/players", #"{"claim": \#(claim)}"#)
        #expect(reply.summary == "400 request-invalid")
        #expect(reply.json.path == "/claim")
    }
}
