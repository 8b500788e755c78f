import AppStoreTesting
import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("/v2/purchases", .everyLayout)
struct V2PurchaseTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    @Test("credits once with 201, and answers the same transaction with the current balance after that")
    func credited() async throws {
        // Also where the app's purchases are not verified.
        let service = try await TestService.start(store.settings("none"), on: .shared())
        let player = try await V2Client.player(on: service)
        let number = TestStore.newNumber()
        let id = try await player.me().id.text
        let signed = try store.signed(
            TestTransaction(number, product: TestStore.thirty, quantity: 2, account: id.uppercased()))
        let first = try await player.buy(signed)
        #expect(first.status == 201)
        let transaction =
            #""transaction":{"id":"\#(number)","product":"com.example.game.thirty","quantity":2,"energy":60}"#
        #expect(first.http.text == #"{"energy":90,\#(transaction)}"#)
        _ = try await player.start()
        let again = try await player.buy(signed)
        #expect(again.status == 200)
        #expect(again.http.text == #"{"energy":85,\#(transaction)}"#)
        let entries = try await player.get("/v2/players/me/energy").json.entries.items
        #expect(entries.map(\.reason.text) == ["game", "purchase", "registration"])
        let export = try await player.get("/v2/players/me/export").json
        #expect(export.purchases[0].id.text == number && export.purchases[0].state.text == "credited")
        try await service.stop()
    }

    @Test("what is refused is 422 with a reason, and another player's tells nothing of them")
    func refused() async throws {
        let service = try await TestService.start(store.settings(), on: .shared(store.settings()))
        let (anna, ben) = (try await V2Client.player(on: service), try await V2Client.player(on: service))
        let good = TestTransaction(TestStore.newNumber())
        #expect(try await anna.buy(store.signed(good)).status == 201)
        let annas = try await anna.me().id.text
        let cases: [(String, PurchaseReason)] = [
            (try store.signed(good), .used), ("", .malformed), (try TestAuthority().sign(good.payload), .chain),
            (try store.signed(TestTransaction(environment: "Sandbox")), .environment),
            (try store.signed(TestTransaction(TestStore.newNumber(), account: annas)), .account),
            (try store.signed(TestTransaction(TestStore.newNumber()).revoked()), .revoked),
        ]
        for (signed, reason) in cases {
            let reply = try await ben.buy(signed)
            #expect(reply.summary == "422 transaction-refused")
            #expect(reply.json.reason.text == reason.rawValue)
            #expect(!reply.http.text.contains(annas))
            let nobody = ben.with(token: "jt_" + String(repeating: "A", count: 43))
            #expect(try await nobody.buy(signed).summary == "401 unauthorized")
        }
        #expect(try await ben.me().energy == 30)
        #expect(try await ben.post("/v2/purchases", "{}").json.path.text == "/signedTransaction")
        #expect(try await ben.post("/v2/purchases", #"{"signedTransaction": 5}"#).summary == "400 request-invalid")
        #expect(try await ben.with(token: nil).buy("x").summary == "401 unauthorized")
        try await service.stop()
    }

    @Test("without a bundle id it is 503")
    func closed() async throws {
        let player = try await V2Client.player()
        let reply = try await player.buy("x")
        #expect(reply.summary == "503 unavailable")
        #expect(reply["Retry-After"] == "3600")
        let nobody = player.with(token: "jt_" + String(repeating: "A", count: 43))
        #expect(try await nobody.buy("x").summary == "401 unauthorized")
    }

    @Test("a hundred at once on two services, from both contracts' players: one credit, and one player has it")
    func race() async throws {
        let database = try await TestDatabase.create()
        let nodes = [
            try await TestService.start(store.settings(), on: database),
            try await TestService.start(store.settings(), on: database),
        ]
        let player = try await V2Client.player(on: nodes[0])
        let rival = try await nodes[1].newPlayer()
        let signed = try store.signed(TestTransaction(TestStore.newNumber(), product: TestStore.thirty))
        let body = #"{"signedTransaction": "\#(signed)"}"#
        let summaries = try await withThrowingTaskGroup(of: [String].self) { group in
            for node in nodes {
                let client = player.at(node)
                group.addTask {
                    try await client.replies(
                        toAll: Array(repeating: client.request("POST", "/v2/purchases", body), count: 50)
                    ).map { "\($0.summary) \($0.json.reason.text)" }
                }
                group.addTask {
                    try await node.answers(
                        toAll: Array(
                            repeating: .handleSignedEnergyPurchase(
                                userID: rival, energyPurchaseAmount: 30, signedTransaction: signed), count: 50)
                    ).map(\.summary)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let counts = Dictionary(grouping: summaries) { $0 }.mapValues(\.count)
        let isPlayers = try await player.me().energy == 60
        #expect(
            counts
                == (isPlayers
                    ? ["201 ": 1, "200 ": 99, "200/404 30 purchase.used": 100]
                    : ["200/200 60": 100, "422 transaction-refused used": 100]))
        #expect(try await database.psql("SELECT sum(energy), count(*) FROM users") == "90|2")
        #expect(
            try await database.psql("SELECT count(*) FROM energy_ledger WHERE reason = 'purchase'") == "1")
        #expect(try await database.ledgerFaults() == "")
        for node in nodes { try await node.stop() }
    }

    @Test("below zero no game can be paid, and both contracts say why")
    func debt() async throws {
        let service = try await TestService.start(store.settings(), on: .shared(store.settings()))
        let player = try await V2Client.player(on: service)
        let user = try await service.newPlayer()
        for isPlayer in [true, false] {
            let bought = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
            if isPlayer {
                #expect(try await player.buy(store.signed(bought)).json.energy == 60)
                for _ in 0..<12 {
                    let game = try await player.start()
                    _ = try await player.post("/v2/games/\(game.id.text)/resign")
                }
            } else {
                #expect(try await service.buy(store.signed(bought), amount: 30, for: user).answer.userEnergy == 60)
                for _ in 0..<12 { _ = try await service.answer(to: .singleGameEnergyUpdate(userID: user)) }
            }
            #expect(try await service.tell(store.notification("REFUND", bought)) == 200)
        }
        let why = "A refund has taken the balance to -30: you can pay for a game when it covers the price again."
        #expect(try await player.me().energy == -30)
        let refused = try await player.post("/v2/games")
        #expect(refused.summary == "409 energy-insufficient")
        #expect(refused.json.energy.int == -30 && refused.json.detail.text == why)
        for request: GameRequest in [.singleGameEnergyUpdate(userID: user), .statNewGameSession(userID: user)] {
            let answer = try await service.answer(to: request)
            #expect(answer.summary == "200/404 -30 energy.insufficient")
            #expect(answer.problem?.message == why)
        }
        // What a client reports raises nothing; what is bought does.
        let report = try await service.answer(to: .updateUserEnergy(userID: user, userEnergy: 100))
        #expect(report.summary == "200/200 -30")
        #expect(try await service.buy(nil, amount: 30, for: user).answer.summary == "200/200 0")
        #expect(try await service.answer(to: .updateUserEnergy(userID: user, userEnergy: 7)).summary == "200/200 7")
        #expect(try await service.answer(to: .singleGameEnergyUpdate(userID: user)).summary == "200/200 2")
        let fresh = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
        #expect(try await player.buy(store.signed(fresh)).json.energy == 0)
        #expect(try await player.get("/v2/players/me/energy").json.entries[1].balance == .integer(-30))
        #expect(try await TestDatabase.shared().ledgerFaults() == "")
        try await service.stop()
    }
}
