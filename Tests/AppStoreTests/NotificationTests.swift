import AppStore
import AppStoreTesting
import Foundation
import Testing

@Suite("Notifications")
struct NotificationTests {
    private let shop: Shop

    init() throws { shop = try Shop.shared.get() }

    private func read(_ notification: TestNotification, _ shop: Shop? = nil) async throws -> AppStoreNotification {
        let shop = shop ?? self.shop
        return try await shop.verifier.notification(
            shop.authority.sign(notification.payload(signedBy: shop.authority)))
    }

    @Test("are read as they were signed, with the transaction in them")
    func members() async throws {
        let signed = Date.now
        var notification = TestNotification(
            "REFUND", TestTransaction("7").revoked(), uuid: "002e14d5-51f5-4503-b5a8-c3a1af68eb20", signed: signed)
        notification.members["subtype"] = "SOMETHING"
        let found = try await read(notification)
        #expect(found.notificationUUID == "002e14d5-51f5-4503-b5a8-c3a1af68eb20")
        #expect(found.type == "REFUND" && found.subtype == "SOMETHING" && found.version == "2.0")
        #expect(found.signedDate == AppStoreDate(signed))
        #expect(found.environment == .production)
        #expect(found.bundleID == "com.example.game" && found.appAppleID == 1_234_567_890)
        #expect(found.transaction?.transactionID == "7")
        #expect(found.transaction?.revocationDate != nil)
    }

    @Test(
        "need only the members of a transaction that identify it",
        arguments: ["originalTransactionId", "productId", "quantity", "type", "inAppOwnershipType", "purchaseDate"])
    func sparse(name: String) async throws {
        for value in [nil, .null] as [JSONValue?] {
            let found = try await read(TestNotification("REFUND", TestTransaction("7").with(name, value)))
            #expect(found.transaction?.transactionID == "7")
        }
    }

    @Test("of any type are accepted, also without a transaction", arguments: ["TEST", "CONSUMPTION_REQUEST", "NEW"])
    func types(type: String) async throws {
        let found = try await read(TestNotification(type))
        #expect(found.type == type && found.subtype == nil && found.transaction == nil)
    }

    @Test("may be about something this app would not credit")
    func transactions() async throws {
        let subscription = TestTransaction(product: "com.example.other", quantity: 99, account: UUID().uuidString)
            .with("type", "Auto-Renewable Subscription").with("inAppOwnershipType", "FAMILY_SHARED")
        let found = try await read(TestNotification("DID_RENEW", subscription).with("signedRenewalInfo", "x"))
        #expect(found.transaction?.productID == "com.example.other")
    }

    @Test("of another app are refused, whether its bundle or its number is another's")
    func app() async throws {
        for (notification, expected) in [
            (TestNotification(bundle: "com.example.other"), .bundle),
            (TestNotification().with("bundleId", nil), .bundle), (TestNotification(app: 1_234_567_891), .app),
            (TestNotification(app: nil), .app), (TestNotification().with("appAppleId", .null), .app),
            (TestNotification(environment: "Sandbox"), .environment),
            (TestNotification(environment: "Xcode"), .environment),
            (TestNotification(bundle: "x", app: 1, environment: "Xcode"), .bundle),
            (TestNotification(app: 1, environment: "Xcode"), .app),
            (TestNotification().with("environment", nil), .environment),
            (TestNotification().with("appAppleId", "1234567890"), .malformed),
        ] as [(TestNotification, AppStoreRefusal)] {
            let refusal = try await shop.refusal(of: notification)
            #expect(refusal == expected)
        }
    }

    @Test("of the sandbox need no number, and one that is another's is refused")
    func sandbox() async throws {
        let sandbox = try Shop(shop.authority) { $0.environments = [.sandbox] }
        let numberless = try Shop(shop.authority) {
            $0.environments = [.sandbox]
            $0.appAppleID = nil
        }
        let production = try Shop(shop.authority) { $0.appAppleID = nil }
        for (shop, notification, expected) in [
            (sandbox, TestNotification(app: nil, environment: "Sandbox"), nil),
            (sandbox, TestNotification(environment: "Sandbox"), nil),
            (sandbox, TestNotification(app: 1, environment: "Sandbox"), .app),
            (sandbox, TestNotification(), .environment),
            (numberless, TestNotification(app: nil, environment: "Sandbox"), nil),
            (numberless, TestNotification(app: 1, environment: "Sandbox"), nil),
            (production, TestNotification(), .app), (production, TestNotification(app: nil), .app),
        ] as [(Shop, TestNotification, AppStoreRefusal?)] {
            let refusal = try await shop.refusal(of: notification)
            #expect(refusal == expected)
        }
    }

    @Test("name the app wherever the App Store does", arguments: ["data", "summary", "appData"])
    func subjects(name: String) async throws {
        var notification = TestNotification("NEW")
        notification.subjectName = name
        #expect(try await read(notification).appAppleID == 1_234_567_890)
        #expect(try await shop.refusal(of: notification.with("bundleId", "x")) == .bundle)
        #expect(try await shop.refusal(of: notification.with("appAppleId", 1)) == .app)
        #expect(try await shop.refusal(of: notification.with("environment", "Sandbox")) == .environment)
    }

    @Test("of an external purchase name the environment by its id")
    func externalPurchase() async throws {
        let both = try Shop(shop.authority) { $0.environments = [.production, .sandbox] }
        var notification = TestNotification("EXTERNAL_PURCHASE_TOKEN").with("environment", nil)
        notification.subjectName = "externalPurchaseToken"
        let production = notification.with("externalPurchaseId", "b2158121-7af9-49d4-9561-1f588205523e")
        let sandbox = notification.with("externalPurchaseId", "SANDBOX_b2158121").with("appAppleId", nil)
        #expect(try await read(production, both).environment == .production)
        #expect(try await read(sandbox, both).environment == .sandbox)
        #expect(try await shop.refusal(of: sandbox) == .environment)
    }

    @Test("about nothing are refused", arguments: ["", "other"])
    func nothing(name: String) async throws {
        var notification = TestNotification()
        notification.subjectName = name
        #expect(try await shop.refusal(of: notification) == .bundle)
    }

    @Test("have a transaction of the same store, app and environment, or none")
    func transaction() async throws {
        let both = try Shop(shop.authority) { $0.environments = [.production, .sandbox] }
        let foreign = try TestAuthority().sign(TestTransaction().payload)
        for (notification, expected) in [
            (TestNotification("REFUND", TestTransaction(bundle: "x")), .bundle),
            (TestNotification("REFUND", TestTransaction(environment: "Sandbox")), .environment),
            (TestNotification("REFUND", TestTransaction(environment: "Xcode")), .environment),
            (TestNotification("REFUND", TestTransaction().with("transactionId", nil)), .malformed),
            (TestNotification("REFUND", TestTransaction(signed: .now.addingTimeInterval(600))), .chain),
            (TestNotification().with("signedTransactionInfo", .text(foreign)), .chain),
            (TestNotification().with("signedTransactionInfo", "x"), .malformed),
            (TestNotification().with("signedTransactionInfo", ""), .malformed),
        ] as [(TestNotification, AppStoreRefusal)] {
            let refusal = try await both.refusal(of: notification)
            #expect(refusal == expected)
        }
    }

    @Test("must be signed like anything else, at a time that was")
    func signed() async throws {
        let refusal = try await shop.refusal(of: TestNotification(signed: .now.addingTimeInterval(600)))
        #expect(refusal == .chain)
        let old = try await shop.refusal(of: TestNotification(signed: TestAuthority.time(years: -2)))
        #expect(old == .chain)
        let foreign = try TestAuthority()
        await #expect(throws: AppStoreRefusal.chain) {
            try await shop.verifier.notification(foreign.sign(TestNotification().payload(signedBy: foreign)))
        }
        // A transaction is no notification, nor the other way round.
        await #expect(throws: AppStoreRefusal.malformed) {
            try await shop.verifier.notification(shop.authority.sign(TestTransaction().payload))
        }
        let notification = try shop.authority.sign(TestNotification().payload(signedBy: shop.authority))
        #expect(await shop.refusal(of: notification) == .malformed)
    }

    @Test(
        "must have the members that count", arguments: ["notificationType", "notificationUUID", "signedDate"])
    func missing(name: String) async throws {
        for value in [nil, .null, [], true, .text(String(repeating: "x", count: 65))] as [JSONValue?] {
            if name == "notificationType", case .text = value { continue }
            var notification = TestNotification()
            notification.members[name] = value
            #expect(try await shop.refusal(of: notification) == .malformed)
        }
    }
}
