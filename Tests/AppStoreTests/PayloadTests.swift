import AppStore
import AppStoreTesting
import Testing

@Suite("Payloads")
struct PayloadTests {
    private let shop: Shop

    init() throws { shop = try Shop.shared.get() }

    @Test("may have unknown members, of any type")
    func openSet() async throws {
        let more: JSONValue = ["deep": [1, nil, true, ["x": "\\\""]], "transactionId": 5]
        let transaction = TestTransaction().with("somethingNew", more).with("zzz", nil)
        let purchase = try await shop.refusal(of: transaction)
        #expect(purchase == nil)
        var notification = TestNotification("REFUND", transaction).with("somethingNew", more)
        notification.members["somethingNew"] = more
        let refusal = try await shop.refusal(of: notification)
        #expect(refusal == nil)
    }

    @Test(
        "must have those that count",
        arguments: [
            "transactionId", "originalTransactionId", "productId", "bundleId", "environment", "quantity", "type",
            "inAppOwnershipType", "purchaseDate", "signedDate",
        ])
    func missing(name: String) async throws {
        for value in [nil, .null, [], ["x": 1], true] as [JSONValue?] {
            let refusal = try await shop.refusal(of: TestTransaction().with(name, value))
            #expect(refusal == .malformed)
        }
    }

    @Test(
        "must have them as they are documented",
        arguments: [
            ("quantity", "3"), ("signedDate", "1700000000000"), ("signedDate", -1), ("transactionId", 1),
            // One more than 2^53: other readers make 2^53 of it.
            ("signedDate", 9_007_199_254_740_993), ("purchaseDate", 9_007_199_254_740_993),
            ("revocationDate", 9_007_199_254_740_993), ("revocationDate", "1"), ("revocationReason", "1"),
            ("appAccountToken", ""), ("appAccountToken", "me"), ("appAccountToken", 1),
            ("transactionId", ""), ("transactionId", "a b"), ("transactionId", "é"), ("transactionId", "1\u{7F}"),
            ("transactionId", .text(String(repeating: "1", count: 65))),
        ] as [(String, JSONValue)])
    func wrong(name: String, value: JSONValue) async throws {
        let refusal = try await shop.refusal(of: TestTransaction().with(name, value))
        #expect(refusal == .malformed)
    }

    @Test("may have a name of 64 characters, and dates up to 2^53")
    func bounds() async throws {
        let name = TestTransaction(String(repeating: "~", count: 64))
        for transaction in [name, TestTransaction().with("purchaseDate", 9_007_199_254_740_992)] {
            let refusal = try await shop.refusal(of: transaction)
            #expect(refusal == nil)
        }
    }

    @Test("that name a member twice are malformed, even if both are the same")
    func twice() async throws {
        let json = TestTransaction().payload.json
        #expect(await shop.refusal(of: try shop.authority.sign(json)) == nil)
        let twice = json.dropLast() + #","bundleId":"com.example.game"}"#
        #expect(await shop.refusal(of: try shop.authority.sign(String(twice))) == .malformed)
    }

    @Test(
        "that are not a JSON object are malformed",
        arguments: [
            "", "null", "[]", "1", "\"x\"", "{", "{\"signedDate\":1700000000000}x", "{\"signedDate\":1.5}",
            "{\"signedDate\":1e400}", "\u{FEFF}", String(repeating: "[", count: 40_000),
            String(repeating: "{\"a\":", count: 8_000),
        ])
    func noObject(text: String) async throws {
        let jws = try shop.authority.sign(text)
        #expect(await shop.refusal(of: jws) == .malformed)
        await #expect(throws: AppStoreRefusal.malformed) { try await shop.verifier.notification(jws) }
    }
}
