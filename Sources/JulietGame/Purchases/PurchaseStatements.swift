import JulietAPI
import Postgres

/// A `purchase_answer`.
struct PurchaseAnswer: PostgresDecodable, Sendable {
    /// nil: it counts. A session that is not valid is an unknown player's.
    let refusal: AppRefusal?
    let energy: Energy
    let isNew: Bool
    let isReplay: Bool
    let product: String
    let quantity: Int
    let credited: Energy

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        if let text = try fields.next(String?.self, in: bytes) {
            guard let stored = text == "unauthorized" ? .userUnknown : AppRefusal(stored: text) else {
                throw .malformed
            }
            refusal = stored
        } else {
            refusal = nil
        }
        energy = try fields.integer(in: bytes)
        isNew = try fields.next(Bool?.self, in: bytes) ?? false
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        product = try fields.next(String?.self, in: bytes) ?? ""
        quantity = try fields.integer(in: bytes)
        credited = try fields.integer(in: bytes)
    }

    /// As the app gets it.
    var app: AppAnswer {
        let state = AppState(energy: energy, credited: isNew ? credited : 0)
        guard let refusal else { return AppAnswer(.done(state), isReplay: isReplay) }
        return AppAnswer(.refused(refusal, state), isReplay: isReplay)
    }
}

extension PurchaseReason {
    /// The reason in a refusal as spelled in the database; nil: it is another refusal.
    init?(refusal: String) {
        guard refusal.hasPrefix("purchase-") else { return nil }
        self.init(rawValue: String(refusal.dropFirst("purchase-".count)))
    }
}

extension FunctionCall<PurchaseAnswer> {
    /// A transaction counts once for all players, so its owner is stored in one place: the coordinator.
    static func creditPurchase(
        user: AppUser, transaction: StoreTransaction, amount: Energy, operation: Operation?
    ) -> Self {
        Self(
            """
            SELECT juliet.credit_purchase(
                $1, ROW($2, $3, $4, $5, $6, $7, $8, $9, $10)::juliet.store_transaction, $11, $12, $13, $14)
            """, user: user, isSpread: false
        ) {
            $0.append(transaction)
            $0.append(Int32(clamping: amount))
            $0.append(operation)
        }
    }

    /// On the coordinator as well.
    static func presentPurchase(session: Credential, transaction: StoreTransaction) -> Self {
        Self(
            "SELECT juliet.present_purchase($1, ROW($2, $3, $4, $5, $6, $7, $8, $9, $10)::juliet.store_transaction)",
            session: session, isSpread: false
        ) {
            $0.append(transaction)
        }
    }
}

extension FunctionCall<AnswerRow<AppState>> {
    static func refusePurchase(user: AppUser, reason: PurchaseReason, operation: Operation?) -> Self {
        Self("SELECT juliet.refuse_purchase($1, $2, $3, $4, $5)", user: user) {
            $0.append("purchase-\(reason.rawValue)")
            $0.append(operation)
        }
    }
}

extension FunctionCall<Bool> {
    /// Answers whether the notification has been applied before.
    static func storeNotification(_ notice: StoreNotice) -> Self {
        Self("SELECT juliet.store_notification($1, $2, $3, $4, $5, $6, $7, $8)") {
            $0.append(
                notice.id, notice.payload, notice.type, notice.subtype, notice.environment, notice.transaction,
                notice.account, PostgresTimestamp(millisecondsSince1970: notice.signedAt))
        }
    }
}

extension FunctionCall<Bool?> {
    /// Answers whether it was news; NULL: there is no such notification. The player's row is found by the transaction, so a
    /// batch cannot sort it by the player.
    static func applyNotification(id: String) -> Self {
        Self("SELECT juliet.apply_notification($1)", attempts: 3) { $0.append(id) }
    }
}
