import JulietClient
import TestSupport
import Testing

@Suite("The client against the service", .defaultLayout("about the service, not the database"))
struct ClientTests {
    private func juliet(_ variant: TestService.Variant, key: String? = nil) async throws -> Juliet {
        let service = try await TestService.shared(variant)
        let path = variant == .basePath ? "/prod" : ""
        return Juliet(baseURL: "http://127.0.0.1:\(service.port)\(path)", apiKey: key)
    }

    @Test("all nine requests make a player's story", arguments: [TestService.Variant.standard, .basePath])
    func story(variant: TestService.Variant) async throws {
        let juliet = try await juliet(variant)
        let secrets = try await TestService.shared(variant).secrets
        let player = PlayerID(TestService.newUser())

        try await juliet.send(RegisterPlayer(player: player))
        let game = try await juliet.send(StartGame(player: player))
        #expect(game.energy == 25)
        #expect(secrets.contains(game.word.lowercased()))
        try await juliet.send(RecordPlayedWord(player: player, word: game.word))
        let won = try await juliet.send(AddWin(player: player))
        #expect(won.wins == 1)
        let counted = try await juliet.send(FetchWins(player: player))
        #expect(counted == won)
        let dealt = try await juliet.send(DealWord(player: player))
        #expect(secrets.contains(dealt.word.lowercased()))
        let paid = try await juliet.send(PayForGame(player: player))
        #expect(paid.energy == 20)
        let bought = try await juliet.send(BuyEnergy(player: player, amount: 30))
        #expect(bought.energy == 50)
        let reported = try await juliet.send(ReportEnergy(player: player, energy: 7))
        #expect(reported.energy == 7)
    }

    @Test("refusals have the game's code")
    func refusals() async throws {
        let juliet = try await juliet(.standard)
        let player = PlayerID(TestService.newUser())
        let unknown = await #expect(throws: ClientError.self) { try await juliet.send(FetchWins(player: player)) }
        #expect(unknown?.refusal?.code == "user.unknown")
        let word = await #expect(throws: ClientError.self) { try await juliet.send(DealWord(player: player)) }
        #expect(word?.refusal?.code == "user.unknown")
        try await juliet.send(RegisterPlayer(player: player))
        _ = try await juliet.send(ReportEnergy(player: player, energy: 4))
        let poor = await #expect(throws: ClientError.self) { try await juliet.send(StartGame(player: player)) }
        #expect(poor?.code == .refused)
        #expect(poor?.refusal?.status == 404)
        #expect(poor?.refusal?.code == "energy.insufficient")
        let blank = await #expect(throws: ClientError.self) { try await juliet.send(RegisterPlayer(player: " ")) }
        #expect(blank?.refusal?.status == 400)
    }

    @Test("a valid API key is accepted, and a missing one is an error")
    func key() async throws {
        let player = PlayerID(TestService.newUser())
        try await juliet(.keys, key: "second-key").send(RegisterPlayer(player: player))
        let without = try await juliet(.keys)
        let error = await #expect(throws: ClientError.self) { try await without.send(FetchWins(player: player)) }
        #expect(error?.refusal?.status == 401)
        #expect(error?.refusal?.code == "auth.required")
    }

    @Test("a purchase that is sent again under its name is made once, and answered alike")
    func again() async throws {
        let juliet = try await juliet(.standard)
        let player = PlayerID(TestService.newUser())
        try await juliet.send(RegisterPlayer(player: player))
        let purchase = BuyEnergy(player: player, amount: 5)
        for _ in 0..<3 {
            let balance = try await juliet.send(purchase, idempotencyKey: "tap-1")
            #expect(balance.energy == 35)
        }
        let another = try await juliet.send(purchase)
        #expect(another.energy == 40)
    }
}
