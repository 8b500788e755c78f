import JulietAPI
import Postgres

/// A `purchase_answer` (migration 0016).
struct PurchaseAnswer: PostgresDecodable, Sendable {
    let refusal: String?
    let energy: Energy
    let isNew: Bool
    let isReplay: Bool
    let product: String
    let quantity: Int
    let credited: Energy

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.next(in: bytes)
        energy = try fields.integer(in: bytes)
        isNew = try fields.next(Bool?.self, in: bytes) ?? false
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        product = try fields.next(String?.self, in: bytes) ?? ""
        quantity = try fields.integer(in: bytes)
        credited = try fields.integer(in: bytes)
    }
}

extension PurchaseReason {
    /// The reason in a refusal as the records spell it; nil: it is another refusal.
    init?(refusal: String) {
        guard refusal.hasPrefix("purchase-") else { return nil }
        self.init(rawValue: String(refusal.dropFirst("purchase-".count)))
    }
}

struct CreditPurchase: GameFunction {
    static let sql: StaticString = """
        SELECT juliet.credit_purchase(
            $1, ROW($2, $3, $4, $5, $6, $7, $8, $9, $10)::juliet.store_transaction, $11, $12, $13)
        """
    /// A transaction counts once for all players, so who has it is known in one place.
    var routingKey: String? { nil }

    let user: User.ID
    let transaction: StoreTransaction
    let amount: Energy
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(transaction)
        parameters.append(Int32(clamping: amount))
        parameters.append(operation)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Outcome {
        Outcome(try row.next(PurchaseAnswer.self))
    }
}

struct RefusePurchase: GameFunction {
    static let sql: StaticString = "SELECT juliet.refuse_purchase($1, $2, $3, $4)"

    let user: User.ID
    let reason: PurchaseReason
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append("purchase-\(reason.rawValue)")
        parameters.append(operation)
    }
}

struct BuyEnergyWithin: GameFunction {
    static let sql: StaticString = "SELECT juliet.buy_energy_within($1, $2, $3, $4, $5)"

    let user: User.ID
    let amount: Energy
    let limit: Energy
    let operation: Operation?

    func bind(to parameters: inout Parameters) {
        parameters.append(user.rawValue)
        parameters.append(Int32(clamping: amount))
        parameters.append(Int64(limit))
        parameters.append(operation)
    }
}

struct PresentPurchase: PlayStatement {
    typealias Row = PurchaseAnswer
    static let sql: StaticString =
        "SELECT juliet.present_purchase($1, ROW($2, $3, $4, $5, $6, $7, $8, $9, $10)::juliet.store_transaction)"
    /// As ``CreditPurchase``.
    var routingKey: String? { nil }

    let session: Credential?
    let transaction: StoreTransaction

    func bind(to parameters: inout Parameters) {
        parameters.append(session?.proof)
        parameters.append(transaction)
    }
}

/// Whether it has been applied before.
struct KeepNotice: Statement {
    static let sql: StaticString = "SELECT juliet.store_notification($1, $2, $3, $4, $5, $6, $7, $8)"
    let notice: StoreNotice

    func bind(to parameters: inout Parameters) {
        parameters.append(notice.id)
        parameters.append(notice.payload)
        parameters.append(notice.type)
        parameters.append(notice.subtype)
        parameters.append(notice.environment)
        parameters.append(notice.transaction)
        parameters.append(notice.account)
        parameters.append(PostgresTimestamp(millisecondsSince1970: notice.signedAt))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}

/// Whether it was news. NULL: there is no such notification.
struct ApplyNotice: Statement {
    static let sql: StaticString = "SELECT juliet.apply_notification($1)"
    /// The player's row is found by the transaction, so no batch can put it in its place.
    static let attempts = 3
    let id: String

    func bind(to parameters: inout Parameters) { parameters.append(id) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool? { try row.next() }
}
