import JulietAPI
import Postgres

extension V2.Player: AnswerValue {
    /// Reads a `player_answer`.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        guard let id = try fields.next(String?.self, in: bytes) else { return answer(refusal, nil) }
        var player = V2.Player(
            id: .init(id),
            name: try fields.next(in: bytes),
            energy: try fields.integer(in: bytes),
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            statistics: V2.Statistics(
                played: try fields.integer(in: bytes),
                won: try fields.integer(in: bytes),
                currentStreak: try fields.integer(in: bytes),
                longestStreak: try fields.integer(in: bytes),
                distribution: try fields.next([Int32].self, in: bytes).map(Int.init)),
            refill: try fields.refill(in: bytes))
        player.statistics.days = V2.DayStatistics(
            played: try fields.integer(in: bytes), won: try fields.integer(in: bytes),
            currentStreak: try fields.integer(in: bytes), longestStreak: try fields.integer(in: bytes))
        return answer(refusal, player)
    }
}

extension V2.Session: AnswerValue {
    /// Reads a `session_answer`.
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        guard let id = try fields.next(PostgresUUID?.self, in: bytes) else { return answer(refusal, nil) }
        let session = V2.Session(
            id: .init(id.description),
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            lastUsedAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            isCurrent: try fields.next(in: bytes),
            by: try fields.next(in: bytes))
        return answer(refusal, session)
    }
}

/// An entry of the player's ledger (`energy_answer`).
struct ListedEntry: AnswerValue {
    let number: Int
    let entry: V2.EnergyEntry

    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> V2Answer<Self>? {
        let refusal = try fields.refusal(in: bytes)
        guard let number = try fields.next(Int32?.self, in: bytes) else { return answer(refusal, nil) }
        let entry = V2.EnergyEntry(
            at: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            delta: try fields.integer(in: bytes),
            balance: try fields.integer(in: bytes),
            reason: V2.EnergyReason(stored: try fields.next(in: bytes)),
            game: try fields.next(String?.self, in: bytes).map { .init($0) })
        return answer(refusal, Self(number: Int(number), entry: entry))
    }
}

extension V2.EnergyReason {
    /// The reason as spelled in the database (`energy_reason`).
    fileprivate init(stored: String) {
        self = stored == "client_report" ? .clientReport : Self(rawValue: stored)
    }
}
