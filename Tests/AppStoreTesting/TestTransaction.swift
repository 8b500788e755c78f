public import Foundation

/// A consumable that was bought, with all members Apple's documentation shows.
public struct TestTransaction: Sendable {
    /// The members; change them at will.
    public var members: [String: JSONValue]

    /// One that was bought and signed just now.
    public init(
        _ transactionID: String = "2000000123456789", product: String = "com.example.game.five",
        bundle: String = "com.example.game", environment: String = "Production", quantity: Int64 = 1,
        account: String? = nil, signed: Date = .now
    ) {
        members = [
            "transactionId": .text(transactionID), "originalTransactionId": .text(transactionID),
            "bundleId": .text(bundle), "productId": .text(product), "purchaseDate": .milliseconds(signed),
            "originalPurchaseDate": .milliseconds(signed), "quantity": .number(quantity), "type": "Consumable",
            "inAppOwnershipType": "PURCHASED", "signedDate": .milliseconds(signed),
            "environment": .text(environment), "transactionReason": "PURCHASE", "storefront": "USA",
            "storefrontId": "143441", "price": 990, "currency": "USD", "appTransactionId": "704897469903783919",
        ]
        members["appAccountToken"] = account.map(JSONValue.text)
    }

    /// The same, taken back.
    public func revoked(at date: Date = .now, signed: Date = .now) -> TestTransaction {
        self.with("revocationDate", .milliseconds(date)).with("revocationReason", 0)
            .with("signedDate", .milliseconds(signed))
    }

    /// The same with another member; nil: without it.
    public func with(_ name: String, _ value: JSONValue?) -> TestTransaction {
        var copy = self
        copy.members[name] = value
        return copy
    }

    /// What is signed.
    public var payload: JSONValue { .object(members) }
}

extension JSONValue {
    /// A moment, in Apple's milliseconds.
    public static func milliseconds(_ date: Date) -> JSONValue {
        .number(Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
