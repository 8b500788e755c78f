package import JulietAPI
package import Postgres

/// The result of a refill (`refill_answer`).
package struct RefillAnswer: Sendable {
    /// Why there was none; nil if there was one.
    package let refusal: PlayRefusal?
    /// Whether this was answered before, under the operation's name.
    package let isReplay: Bool
    /// The balance, and the next refill.
    package let value: V2.RefilledEnergy
    /// How many seconds to wait for more.
    package let retryAfter: Int?
    /// The energy that was taken.
    package let taken: Int
}

extension RefillAnswer: PostgresDecodable {
    package init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        let energy = try fields.integer(in: bytes)
        isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        value = V2.RefilledEnergy(energy: energy, refill: try fields.refill(in: bytes))
        retryAfter = try fields.next(Int32?.self, in: bytes).map(Int.init)
        taken = try fields.integer(in: bytes)
    }
}

extension CompositeReader {
    /// Reads what is due, and when more will be.
    mutating func refill(in bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) -> V2.Refill? {
        let due = try next(Int32?.self, in: bytes)
        let nextAt = try next(PostgresTimestamp?.self, in: bytes).map(V2.Timestamp.init)
        return due.map { V2.Refill(due: Int($0), nextAt: nextAt) }
    }
}

extension FunctionCall<RefillAnswer> {
    static func takeRefill(session: Credential, operation: Operation?) -> Self {
        Self("SELECT juliet.take_refill($1, $2, $3)", session: session) { $0.append(operation) }
    }
}
