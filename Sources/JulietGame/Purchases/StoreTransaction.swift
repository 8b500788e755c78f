import Postgres

/// A verified purchase in the App Store (`store_transaction`).
package struct StoreTransaction: Sendable, Hashable {
    /// The id of a transaction. Its number is unique in its environment.
    package struct ID: Sendable, Hashable {
        /// `Production` or `Sandbox`.
        package let environment: String
        /// 1 to 64 visible ASCII characters.
        package let number: String

        /// Names a transaction.
        package init(environment: String, number: String) {
            self.environment = environment
            self.number = number
        }
    }

    /// The transaction's id.
    package let id: ID
    /// The product.
    package let product: String
    /// How many, 1 to 10.
    package let quantity: Int
    /// The energy that all of it is worth; nil: the product is not sold, or no longer.
    package let energy: Energy?
    /// The player it was bought for, a UUID in lower case; nil: it names none.
    package let account: String?
    /// When it was paid for, in milliseconds since 1970, as the others.
    package let purchasedAt: Int64
    /// When the store signed it.
    package let signedAt: Int64
    /// When the store took it back; nil: it has not.
    package let revokedAt: Int64?

    /// Describes a transaction.
    package init(
        id: ID, product: String, quantity: Int, energy: Energy?, account: String?, purchasedAt: Int64, signedAt: Int64,
        revokedAt: Int64?
    ) {
        self.id = id
        self.product = product
        self.quantity = quantity
        self.energy = energy
        self.account = account
        self.purchasedAt = purchasedAt
        self.signedAt = signedAt
        self.revokedAt = revokedAt
    }
}

/// A notification of the App Store (`store_notifications`).
package struct StoreNotice: Sendable, Hashable {
    /// The notification's name, the same when it comes again: 1 to 128 bytes.
    package let id: String
    /// The payload as it was received.
    package let payload: String
    /// What happened: `REFUND`, `REVOKE` and `REFUND_REVERSED` do something.
    package let type: String
    /// What happened, in more detail.
    package let subtype: String?
    /// The environment.
    package let environment: String
    /// The transaction's number; nil: it is about none.
    package let transaction: String?
    /// The player that the transaction names, a UUID in lower case.
    package let account: String?
    /// When the store signed it, in milliseconds since 1970: of two notifications the later one counts.
    package let signedAt: Int64

    /// Describes a notification.
    package init(
        id: String, payload: String, type: String, subtype: String?, environment: String, transaction: String?,
        account: String?, signedAt: Int64
    ) {
        self.id = id
        self.payload = payload
        self.type = type
        self.subtype = subtype
        self.environment = environment
        self.transaction = transaction
        self.account = account
        self.signedAt = signedAt
    }
}

extension PostgresTimestamp {
    /// A moment as the App Store writes it; those beyond the range of timestamps become the last one before infinity.
    init(millisecondsSince1970 milliseconds: Int64) {
        self.init(microsecondsSince1970: min(max(milliseconds, 0), 9_000_000_000_000_000) * 1000)
    }
}

extension Parameters {
    /// Appends the nine values of a `store_transaction`.
    mutating func append(_ transaction: StoreTransaction) {
        append(transaction.id.environment)
        append(transaction.id.number)
        append(transaction.product)
        append(Int32(clamping: transaction.quantity))
        append(transaction.energy.map { Int32(clamping: $0) })
        append(transaction.account)
        append(PostgresTimestamp(millisecondsSince1970: transaction.purchasedAt))
        append(PostgresTimestamp(millisecondsSince1970: transaction.signedAt))
        append(transaction.revokedAt.map(PostgresTimestamp.init(millisecondsSince1970:)))
    }
}
