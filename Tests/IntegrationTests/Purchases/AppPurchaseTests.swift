import AppStoreTesting
import Foundation
import JulietAPI
import TestSupport
import Testing

@Suite("Purchases of the app that the App Store vouches for", .everyLayout)
struct AppPurchaseTests {
    private let store: TestStore

    init() throws { store = try TestStore() }

    private func serving<Result>(
        _ settings: [String: String], on database: TestDatabase? = nil,
        _ body: (TestService, TestDatabase) async throws -> Result
    ) async throws -> Result {
        let database = if let database { database } else { try await TestDatabase.shared(settings) }
        let service = try await TestService.start(settings, on: database)
        let result = try await body(service, database)
        try await service.stop()
        return result
    }

    @Test("a transaction is credited once, and named in the ledger; again it is done and changes nothing")
    func credited() async throws {
        try await serving(store.settings()) { service, database in
            let user = try await service.newPlayer()
            let number = TestStore.newNumber()
            let signed = try store.signed(
                TestTransaction(number, product: TestStore.thirty, account: user.lowercased()))
            for _ in 0..<3 {
                #expect(try await service.buy(signed, amount: 30, for: user).answer.summary == "200/200 60")
            }
            #expect(try await database.bought(by: user) == "purchase 30 60")
            #expect(
                try await database.psql(
                    "SELECT reference FROM energy_ledger WHERE user_id = '\(user)' AND reason = 'purchase'")
                    == "Production/\(number)")
            #expect(try await database.ledgerFaults() == "")
        }
    }

    @Test("three pieces are worth three times one, an amount that needs a signature")
    func quantity() async throws {
        try await serving(store.settings("required")) { service, _ in
            let user = try await service.newPlayer()
            let signed = try store.signed(TestTransaction(TestStore.newNumber(), quantity: 3))
            #expect(try await service.buy(signed, amount: 15, for: user).answer.summary == "200/200 45")
        }
    }

    @Test("an amount that does not fit is refused, before and after the right one")
    func misfit() async throws {
        try await serving(store.settings()) { service, database in
            let user = try await service.newPlayer()
            let signed = try store.signed(TestTransaction(TestStore.newNumber()))
            for amount in [30, 6, 0, -5, .max] {
                #expect(
                    try await service.buy(signed, amount: amount, for: user).answer.summary
                        == "200/404 30 purchase.product")
            }
            #expect(try await service.buy(signed, amount: 5, for: user).answer.summary == "200/200 35")
            #expect(
                try await service.buy(signed, amount: 30, for: user).answer.summary == "200/404 35 purchase.product")
            #expect(try await database.bought(by: user) == "purchase 5 35")
        }
    }

    @Test("another player's is refused, without saying whose it is")
    func used() async throws {
        try await serving(store.settings()) { service, _ in
            let (anna, ben) = (try await service.newPlayer(), try await service.newPlayer())
            let signed = try store.signed(TestTransaction(TestStore.newNumber()))
            #expect(try await service.buy(signed, amount: 5, for: anna).answer.summary == "200/200 35")
            let (reply, answer) = try await service.buy(signed, amount: 5, for: ben)
            #expect(answer.summary == "200/404 30 purchase.used")
            #expect(reply.status == 404 && !reply.text.contains(anna))
        }
    }

    @Test("what is wrong with a transaction is told, with the balance")
    func refused() async throws {
        try await serving(store.settings()) { service, _ in
            let user = try await service.newPlayer()
            let good = TestTransaction(TestStore.newNumber())
            let signed = try store.signed(good)
            let stranger = try TestAuthority().sign(good.payload)
            let tampered = String(signed.dropLast(8)) + "AAAAAAAA"
            let cases: [(String, PurchaseReason)] = [
                ("", .malformed), ("a.b.c", .malformed), (stranger, .chain), (tampered, .signature),
                (try store.signed(TestTransaction(bundle: "com.example.other")), .bundle),
                (try store.signed(TestTransaction(environment: "Sandbox")), .environment),
                (try store.signed(TestTransaction(environment: "Xcode")), .environment),
                (try store.signed(good.with("type", "Non-Consumable")), .type),
                (try store.signed(TestTransaction(product: "com.example.game.other")), .product),
                (try store.signed(TestTransaction(quantity: 0)), .quantity),
                (try store.signed(TestTransaction(quantity: 11)), .quantity),
                (try store.signed(good.with("appAccountToken", .text(UUID().uuidString.lowercased()))), .account),
                (try store.signed(good.revoked()), .revoked),
            ]
            for (signed, reason) in cases {
                let (reply, answer) = try await service.buy(signed, amount: 5, for: user)
                #expect(answer.summary == "200/404 30 purchase.\(reason.rawValue)")
                #expect(reply.status == 404)
                let unknown = try await service.buy(signed, amount: 5, for: TestService.newUser()).answer
                #expect(unknown.summary == "200/404 0 user.unknown")
            }
        }
    }

    @Test("a signedTransaction that is not a string is 400, and null counts as absent")
    func illTyped() async throws {
        try await serving(store.settings()) { service, _ in
            let user = try await service.newPlayer()
            func post(_ value: String) async throws -> Answer {
                let body =
                    #"{"requestType":"handleEnergyPurchase","userID":"\#(user)","energyPurchaseAmount":5,"signedTransaction":\#(value)}"#
                return try await service.post(body, to: "/Juliet_IAPManager").answer(to: .handleEnergyPurchase)
            }
            for value in ["5", "true", "{}", #"["x"]"#] {
                let answer = try await post(value)
                #expect(answer.summary == "400/400 0 request.parameter.invalid")
                #expect(answer.problem?.message == #""signedTransaction" of handleEnergyPurchase must be a string."#)
            }
            #expect(try await post("null").summary == "200/200 35")
        }
    }

    @Test("without verification a signedTransaction is ignored, whatever it is")
    func ignored() async throws {
        let service = try await TestService.shared(.standard)
        let user = try await service.newPlayer()
        #expect(try await service.buy("nonsense", amount: 5, for: user).answer.summary == "200/200 35")
        #expect(try await service.buy("nonsense", amount: 6, for: user).answer.summary == "200/404 35 product.unknown")
        let body =
            #"{"requestType":"handleEnergyPurchase","userID":"\#(user)","energyPurchaseAmount":5,"signedTransaction":5}"#
        let answer = try await service.post(body, to: "/Juliet_IAPManager").answer(to: .handleEnergyPurchase)
        #expect(answer.summary == "200/200 40")
    }

    @Test("where a signature is required nothing is bought without one")
    func required() async throws {
        try await serving(store.settings("required")) { service, database in
            let user = try await service.newPlayer()
            #expect(
                try await service.buy(nil, amount: 5, for: user, key: "k").answer.summary
                    == "200/404 30 purchase.unverified")
            #expect(try await service.buy(nil, amount: 5, for: user, key: "k").reply["Idempotent-Replayed"] == "true")
            #expect(try await database.bought(by: user) == "")
        }
    }

    @Test("an Idempotency-Key covers the transaction, and a repeat gets the first answer, refused or not")
    func keys() async throws {
        try await serving(store.settings()) { service, database in
            let user = try await service.newPlayer()
            let (one, two) = (
                try store.signed(TestTransaction(TestStore.newNumber())),
                try store.signed(TestTransaction(TestStore.newNumber()))
            )
            let first = try await service.buy(one, amount: 5, for: user, key: "k")
            #expect(first.answer.summary == "200/200 35" && first.reply["Idempotent-Replayed"] == nil)
            #expect(try await service.buy(two, amount: 5, for: user).answer.summary == "200/200 40")
            let again = try await service.buy(one, amount: 5, for: user, key: "k")
            #expect(again.reply.body == first.reply.body && again.reply["Idempotent-Replayed"] == "true")
            for (other, amount) in [(two, 5), (nil, 5), (one, 30), ("nonsense", 5)] as [(String?, Int)] {
                let reused = try await service.buy(other, amount: amount, for: user, key: "k")
                #expect(reused.answer.summary.hasSuffix("request.idempotencyKey.reused"))
            }
            let refused = try await service.buy("nonsense", amount: 5, for: user, key: "bad")
            #expect(refused.answer.summary == "200/404 40 purchase.malformed")
            let refusedAgain = try await service.buy("nonsense", amount: 5, for: user, key: "bad")
            #expect(refusedAgain.reply["Idempotent-Replayed"] == "true")
            #expect(refusedAgain.reply.body == refused.reply.body)
            // Another key, the same transaction: done, nothing more.
            #expect(try await service.buy(one, amount: 5, for: user, key: "other").answer.summary == "200/200 40")
            #expect(try await database.bought(by: user) == "purchase 5 35, purchase 5 40")
        }
    }

    @Test("the day's limit counts what is not signed, also what was bought before there was a limit, and nothing else")
    func dailyLimit() async throws {
        let database = try await TestDatabase.create()
        let free = try await TestService.start(on: database)
        let user = try await free.newPlayer()
        #expect(try await free.buy(nil, amount: 30, for: user).answer.summary == "200/200 60")
        let limit = ["purchases.unverifiedDailyLimit": "65"]
        try await serving(store.settings().merging(limit) { $1 }, on: database) { service, database in
            let signed = try store.signed(TestTransaction(TestStore.newNumber(), product: TestStore.thirty))
            #expect(try await service.buy(signed, amount: 30, for: user).answer.summary == "200/200 90")
            #expect(try await service.buy(nil, amount: 30, for: user, key: "k").answer.summary == "200/200 120")
            #expect(try await service.buy(nil, amount: 30, for: user, key: "k").answer.summary == "200/200 120")
            #expect(try await service.buy(nil, amount: 30, for: user).answer.summary == "200/404 120 purchase.limit")
            #expect(try await service.buy(nil, amount: 7, for: user).answer.summary == "200/404 120 product.unknown")
            #expect(try await service.buy(nil, amount: 5, for: user).answer.summary == "200/200 125")
            #expect(try await service.buy(nil, amount: 5, for: user).answer.summary == "200/404 125 purchase.limit")
            // It goes by the database's rules, whatever its own settings are.
            #expect(try await free.buy(nil, amount: 5, for: user).answer.summary == "200/404 125 purchase.limit")
            try await database.expectCleanAudit()
            try await database.psql("UPDATE unverified_purchases SET day = day - 1 WHERE user_id = '\(user)'")
            try await database.psql(
                """
                UPDATE energy_ledger SET created_at = earlier(created_at, '1 day') WHERE user_id = '\(user)';
                UPDATE users SET ledger_seal = (SELECT bit_xor(energy_entry_seal(
                    entry, delta, balance_after, reason, reference, created_at)) FROM energy_ledger
                    WHERE user_id = '\(user)' AND entry IS NOT NULL) WHERE id = '\(user)'
                """)
            #expect(try await service.buy(nil, amount: 30, for: user).answer.summary == "200/200 155")
        }
        try await free.stop()
        try await serving(limit, on: database) { service, _ in
            let replies = try await service.answers(
                toAll: Array(repeating: .handleEnergyPurchase(userID: user, energyPurchaseAmount: 5), count: 20))
            #expect(replies.filter { $0.httpStatus == 200 }.count == 7)
        }
    }

    @Test("a player of /v2 who was claimed may present what was bought for the account of the app")
    func claimed() async throws {
        let settings = ["players.claims": "allow", "players.claimedApp": "accept"]
        try await serving(store.settings().merging(settings) { $1 }) { service, database in
            let user = try await service.newPlayer()
            let (old, new) = (
                TestTransaction(TestStore.newNumber(), account: user.lowercased()),
                TestTransaction(TestStore.newNumber(), account: user.lowercased())
            )
            #expect(try await service.buy(store.signed(old), amount: 5, for: user).answer.summary == "200/200 35")
            let player = try await V2Client.newcomer(on: service).post("/v2/players", #"{"claim": "\#(user)"}"#)
            #expect(try await player.client.buy(store.signed(old)).status == 200)
            #expect(try await player.client.buy(store.signed(new)).json.energy == 40)
            #expect(try await service.buy(store.signed(new), amount: 5, for: user).answer.summary == "200/200 40")
            #expect(try await service.tell(store.notification("REFUND", old)) == 200)
            #expect(try await player.client.me().energy == 35)
            #expect(try await database.bought(by: user) == "")
        }
    }
}
