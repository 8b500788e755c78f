import JulietAPI
import Postgres

/// A `player_answer`.
struct PlayerAnswer: RefusableRow {
    let refusal: PlayRefusal?
    let value: V2.Player?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        guard let id = try fields.next(String?.self, in: bytes) else {
            value = nil
            return
        }
        value = V2.Player(
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
    }
}

/// A `session_answer`.
struct SessionAnswer: RefusableRow {
    let refusal: PlayRefusal?
    let value: V2.Session?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        guard let id = try fields.next(PostgresUUID?.self, in: bytes) else {
            value = nil
            return
        }
        value = V2.Session(
            id: .init(id.description),
            createdAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            lastUsedAt: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
            isCurrent: try fields.next(in: bytes),
            by: try fields.next(in: bytes))
    }
}

/// An `energy_answer`.
struct EnergyAnswer: RefusableRow {
    struct Value: Sendable {
        let number: Int
        let entry: V2.EnergyEntry
    }

    let refusal: PlayRefusal?
    let value: Value?

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        guard let number = try fields.next(Int32?.self, in: bytes) else {
            value = nil
            return
        }
        value = Value(
            number: Int(number),
            entry: V2.EnergyEntry(
                at: V2.Timestamp(try fields.next(PostgresTimestamp.self, in: bytes)),
                delta: try fields.integer(in: bytes),
                balance: try fields.integer(in: bytes),
                reason: V2.EnergyReason(stored: try fields.next(in: bytes)),
                game: try fields.next(String?.self, in: bytes).map { .init($0) }))
    }
}

extension V2.EnergyReason {
    /// The reason as spelled in the database (`energy_reason`).
    fileprivate init(stored: String) {
        self = stored == "client_report" ? .clientReport : Self(rawValue: stored)
    }
}

/// A refusal or nothing.
struct RefusalAnswer: PostgresDecodable, Sendable {
    let refusal: PlayRefusal?

    static var postgresNull: Self? { Self(refusal: nil) }

    private init(refusal: PlayRefusal?) { self.refusal = refusal }

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        guard let refusal = PlayRefusal(rawValue: try String(binary: bytes, type: type)) else { throw .malformed }
        self.refusal = refusal
    }
}
