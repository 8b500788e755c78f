import AppStore
import AppStoreTesting
import Foundation
import Testing

@Suite("Purchases")
struct PurchaseTests {
    private let shop: Shop

    init() throws { shop = try Shop.shared.get() }

    private func purchase(_ transaction: TestTransaction) async throws -> AppStorePurchase {
        try await shop.verifier.purchase(shop.authority.sign(transaction.payload), account: Shop.player)
    }

    @Test("are read as they were signed")
    func members() async throws {
        let signed = Date(timeIntervalSince1970: 1_790_000_000.123)
        let shop = try Shop(
            TestAuthority(
                with {
                    $0.leafValidity = signed.addingTimeInterval(-100)...signed.addingTimeInterval(100)
                }))
        let transaction = TestTransaction(
            "2000000123456789", quantity: 3, account: Shop.player.uppercased(), signed: signed)
        let purchase = try await shop.verifier.purchase(
            shop.authority.sign(transaction.with("purchaseDate", 1_789_999_999_000).payload), account: Shop.player)
        guard case .valid(let found) = purchase else {
            Issue.record("\(purchase)")
            return
        }
        #expect(found.transactionID == "2000000123456789")
        #expect(found.originalTransactionID == "2000000123456789")
        #expect(found.productID == "com.example.game.five")
        #expect(found.bundleID == "com.example.game")
        #expect(found.environment == .production)
        #expect(found.quantity == 3)
        #expect(found.type == "Consumable")
        #expect(found.ownership == "PURCHASED")
        #expect(found.purchaseDate.milliseconds == 1_789_999_999_000)
        #expect(found.signedDate.milliseconds == 1_790_000_000_123)
        #expect(found.revocationDate == nil && found.revocationReason == nil)
        #expect(found.appAccountToken == Shop.player)
    }

    private func with(_ change: (inout TestAuthority.Shape) -> Void) -> TestAuthority.Shape {
        var shape = TestAuthority.Shape()
        change(&shape)
        return shape
    }

    @Test(
        "that are not this app's, or not what it sells, are refused by name",
        arguments: [
            ("bundleId", "com.example.other", .bundle), ("bundleId", "com.example.game.x", .bundle),
            ("bundleId", "COM.example.game", .bundle), ("bundleId", "", .bundle),
            ("environment", "Sandbox", .environment), ("environment", "Xcode", .environment),
            ("environment", "LocalTesting", .environment), ("environment", "production", .environment),
            ("type", "Non-Consumable", .type), ("type", "Auto-Renewable Subscription", .type),
            ("type", "consumable", .type), ("inAppOwnershipType", "FAMILY_SHARED", .type),
            ("productId", "com.example.game.six", .product), ("productId", "", .product),
            ("quantity", 0, .quantity), ("quantity", 11, .quantity), ("quantity", -1, .quantity),
            ("quantity", 9_223_372_036_854_775_807, .quantity),
            ("appAccountToken", "0f4e6a2c-9d1b-8c3e-a5f7-112233445567", .account),
        ] as [(String, JSONValue, AppStoreRefusal)])
    func refused(name: String, value: JSONValue, refusal: AppStoreRefusal) async throws {
        let found = try await shop.refusal(of: TestTransaction().with(name, value))
        #expect(found == refusal)
    }

    @Test("of one to ten pieces are accepted", arguments: [1, 3, 10])
    func quantity(quantity: Int64) async throws {
        let refusal = try await shop.refusal(of: TestTransaction(quantity: quantity))
        #expect(refusal == nil)
    }

    @Test("are refused for the first rule they break")
    func order() async throws {
        var transaction = TestTransaction(account: UUID().uuidString).with("revocationDate", 1)
        let broken: [(String, JSONValue, AppStoreRefusal)] = [
            ("quantity", 11, .quantity), ("productId", "x", .product), ("type", "x", .type),
            ("environment", "Sandbox", .environment), ("bundleId", "x", .bundle),
        ]
        for (name, value, expected) in broken {
            transaction = transaction.with(name, value)
            let refusal = try await shop.refusal(of: transaction)
            #expect(refusal == expected)
        }
    }

    @Test("may come from the sandbox where the settings allow it, and only from there if they say so")
    func environments() async throws {
        let both = try Shop(shop.authority) { $0.environments = [.production, .sandbox] }
        let sandbox = try Shop(shop.authority) { $0.environments = [.sandbox] }
        for (environment, shop, expected) in [
            ("Production", both, nil), ("Sandbox", both, nil), ("Sandbox", sandbox, nil),
            ("Production", sandbox, .environment), ("Xcode", both, .environment),
        ] as [(String, Shop, AppStoreRefusal?)] {
            let refusal = try await shop.refusal(of: TestTransaction(environment: environment))
            #expect(refusal == expected)
        }
    }

    @Test("name the account that bought, whatever the case of its letters, or none")
    func account() async throws {
        let jws = try shop.authority.sign(TestTransaction(account: Shop.player).payload)
        for account in [Shop.player, Shop.player.uppercased()] {
            #expect(await shop.refusal(of: jws, account: account) == nil)
        }
        for account in ["", "me", String(Shop.player.dropLast()), UUID().uuidString, "{\(Shop.player)}"] {
            #expect(await shop.refusal(of: jws, account: account) == .account)
        }
        let nobodys = try shop.authority.sign(TestTransaction().payload)
        #expect(await shop.refusal(of: nobodys, account: "me") == nil)
        let null = try await shop.refusal(of: TestTransaction().with("appAccountToken", nil), account: "me")
        #expect(null == nil)
    }

    @Test("that were taken back are recognised, whoever presents them")
    func revoked() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let transaction = TestTransaction("9", account: UUID().uuidString).revoked(at: date)
        guard case .revoked(let found, let at) = try await purchase(transaction) else {
            Issue.record("not revoked")
            return
        }
        #expect(at.milliseconds == 1_700_000_000_000 && found.revocationDate == at)
        #expect(found.transactionID == "9" && found.revocationReason == 0)
    }

    @Test("may be dated ahead by five minutes at most, and back without limit")
    func clock() async throws {
        let now = Date(timeIntervalSince1970: Date.now.timeIntervalSince1970.rounded())
        for (offset, expected) in [
            (-3_000_000, nil), (0, nil), (299.999, nil), (300, nil), (300.001, .chain), (86400, .chain),
        ] as [(Double, AppStoreRefusal?)] {
            let jws = try shop.authority.sign(TestTransaction(signed: now.addingTimeInterval(offset)).payload)
            #expect(await shop.refusal(of: jws, now: AppStoreDate(now)) == expected, "\(offset) s")
        }
    }

    @Test("may be of any product where the settings name no products")
    func anyProduct() async throws {
        let open = try Shop(shop.authority) { $0.products = nil }
        let refusal = try await open.refusal(of: TestTransaction(product: "com.example.game.six"))
        #expect(refusal == nil)
        let empty = try Shop(shop.authority) { $0.products = [] }
        let refused = try await empty.refusal(of: TestTransaction())
        #expect(refused == .product)
    }
}
