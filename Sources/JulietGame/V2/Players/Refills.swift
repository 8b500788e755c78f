package import JulietAPI
import Postgres

/// Energy that came back (`refill_answer`).
package struct TakenRefill: Sendable {
    /// The balance, and the next refill.
    package let energy: V2.RefilledEnergy
    /// The energy that was taken.
    package let taken: Int
}

extension TakenRefill: AnswerValue {
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        let energy = try fields.integer(in: bytes)
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        let refilled = V2.RefilledEnergy(energy: energy, refill: try fields.refill(in: bytes))
        let retryAfter = try fields.next(Int32?.self, in: bytes).map(Int.init)
        return answer(
            refusal, Self(energy: refilled, taken: try fields.integer(in: bytes)), isReplay: isReplay,
            details: V2Details(retryAfter: retryAfter))
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

extension FunctionCall<AnswerRow<TakenRefill>> {
    static func takeRefill(session: Credential, operation: Operation?) -> Self {
        Self("SELECT juliet.take_refill($1, $2, $3)", session: session) { $0.append(operation) }
    }
}
