import AppStoreTesting
import Foundation
import JulietAPI
import TestSupport
import Testing

/// What was sold once, and is in the settings no more.
@Suite("A product that is sold no more", .everyLayout)
struct DiscontinuedProductTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    /// Services before and after the product of 30 was taken out of the settings.
    private func serving(
        _ body: (_ before: TestService, _ after: TestService, TestDatabase) async throws -> Void
    ) async throws {
        let database = try await TestDatabase.shared(store.settings())
        let before = try await TestService.start(store.settings(), on: database)
        var settings = store.settings()
        settings["purchases.products"] = "\(TestStore.five)=5"
        let after = try await TestService.start(settings, on: database)
        try await body(before, after, database)
        try await before.stop()
        try await after.stop()
    }

    @Test("what was bought is done when it is presented again, in both contracts, and remains its player's")
    func again() async throws {
        try await serving { before, after, database in
            let (user, player) = (try await before.newPlayer(), try await V2Client.player(on: before))
            let (app, new) = (
                try store.signed(TestTransaction(TestStore.newNumber(), product: TestStore.thirty)),
                try store.signed(TestTransaction(TestStore.newNumber(), product: TestStore.thirty, quantity: 2))
            )
            #expect(try await before.buy(app, amount: 30, for: user).answer.summary == "200/200 60")
            #expect(try await player.buy(new).status == 201)
            #expect(try await after.buy(app, amount: 30, for: user).answer.summary == "200/200 60")
            #expect(try await after.buy(app, amount: 5, for: user).answer.summary == "200/404 60 purchase.product")
            let rival = try await after.newPlayer()
            #expect(try await after.buy(app, amount: 30, for: rival).answer.summary == "200/404 30 purchase.used")
            let reply = try await V2Client(service: after, token: player.token).buy(new)
            #expect(reply.status == 200)
            #expect(reply.json.energy == 90 && reply.json.transaction.energy == 60)
            #expect(try await database.bought(by: user) == "purchase 30 60")
        }
    }

    @Test("a transaction that was never presented is refused, and nothing is kept of it but the answer")
    func unknown() async throws {
        try await serving { _, after, database in
            let user = try await after.newPlayer()
            let number = TestStore.newNumber()
            let signed = try store.signed(TestTransaction(number, product: TestStore.thirty))
            for _ in 0..<2 {
                let (reply, answer) = try await after.buy(signed, amount: 30, for: user, key: "again-\(number)")
                #expect(reply.status == 404 && answer.summary == "200/404 30 purchase.product")
            }
            let player = try await V2Client.player(on: after)
            #expect(try await player.buy(signed).json.reason.text == "product")
            #expect(
                try await database.psql("SELECT count(*) FROM purchases WHERE transaction_id = '\(number)'") == "0")
        }
    }

    @Test("a copy that the store has taken back is a refund, whoever presents it")
    func revoked() async throws {
        try await serving { before, after, database in
            let (user, rival) = (try await before.newPlayer(), try await before.newPlayer())
            let bought = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
            #expect(try await before.buy(store.signed(bought), amount: 30, for: user).answer.summary == "200/200 60")
            let revoked = try store.signed(bought.revoked())
            #expect(
                try await after.buy(revoked, amount: 30, for: rival).answer.summary == "200/404 30 purchase.revoked")
            #expect(try await database.bought(by: user) == "purchase 30 60, refund -30 30")
            // Nobody has presented it: the refund is known, and the purchase will credit nothing.
            let other = TestTransaction(TestStore.newNumber(), product: TestStore.thirty)
            let early = try store.signed(other.revoked())
            #expect(try await after.buy(early, amount: 30, for: user).answer.summary == "200/404 30 purchase.revoked")
            let late = try await before.buy(store.signed(other), amount: 30, for: user)
            #expect(late.answer.summary == "200/404 30 purchase.revoked")
        }
    }
}
