import Postgres

/// The data stored about a player's transaction of the App Store, from `purchase_records`. Times are
/// ISO 8601 in UTC.
package struct PlayersPurchase: Sendable, Hashable, Codable {
    /// A notification of the store about it.
    package struct Notification: Sendable, Hashable, Codable {
        /// Its name.
        package let id: String
        /// What happened.
        package let type: String
        /// The subtype.
        package let subtype: String?
        /// When the store signed it.
        package let signedAt: String
        /// When it was received.
        package let receivedAt: String
        /// The payload as it was received.
        package let payload: String?
    }

    /// The store's id of it.
    package let id: String
    /// `Production` or `Sandbox`.
    package let environment: String
    /// The product.
    package let product: String?
    /// How many.
    package let quantity: Int?
    /// The energy that all of it is worth.
    package let energy: Int?
    /// As ``PurchaseRecords/Purchase/state``.
    package let state: String
    /// When it was paid for.
    package let purchasedAt: String?
    /// When the store signed what was presented.
    package let signedAt: String?
    /// When it was presented first.
    package let presentedAt: String
    /// The date of the refund or reversal that holds.
    package let decidedAt: String?
    /// The store's notifications, in the order of their dates; nil: none.
    package let notifications: [Notification]?
}

struct ReadPlayersPurchases: Statement {
    var sql: StaticString { "SELECT juliet.purchase_records($1)" }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> [PlayersPurchase] {
        try row.next(PostgresJSONBValue<[PlayersPurchase]>.self).value
    }
}
