package import JulietAPI
import Postgres

/// The answer to a request of `/v2`.
package typealias V2Answer<Value: Sendable> = Answered<Value, V2Refusal>

/// What a refusal of `/v2` says besides, if it concerns it.
package struct V2Details: Sendable {
    /// The balance, if something was to be paid.
    package let energy: Int?
    /// The game that prevents it.
    package let game: V2.Game?
    /// Energy that comes back with time.
    package let refill: V2.Refill?
    /// The rule of hard mode that the guess breaks.
    package let rule: V2.HardRule?
    /// Why a passkey, an identity or a purchase is refused.
    package let reason: String?
    /// How many seconds to wait.
    package let retryAfter: Int?
    /// The name that was given.
    package let name: V2.GivenName?

    /// Nothing, unless it is given.
    package init(
        energy: Int? = nil, game: V2.Game? = nil, refill: V2.Refill? = nil, rule: V2.HardRule? = nil,
        reason: String? = nil, retryAfter: Int? = nil, name: V2.GivenName? = nil
    ) {
        self.energy = energy
        self.game = game
        self.refill = refill
        self.rule = rule
        self.reason = reason
        self.retryAfter = retryAfter
        self.name = name
    }
}

extension V2Refusal: RefusalReason {
    package static let nothing = V2Details()
    package static var missing: Self { .notFound }
}

extension Answered where Refusal == V2Refusal {
    /// The same answer; if it refuses the name, it says what is wrong with it.
    package func about(_ name: V2.GivenName?) -> Self {
        guard refusal == .nameRefused, let name else { return self }
        return Self(.refused(.nameRefused, V2Details(name: name)), isReplay: isReplay)
    }
}

extension AnswerValue where Refusal == V2Refusal {
    /// An answer; nil: there is neither a refusal nor a value.
    static func answer(
        _ refusal: V2Refusal?, _ value: Self?, isReplay: Bool = false, details: V2Details = V2Details()
    ) -> V2Answer<Self>? {
        if let refusal { return V2Answer(.refused(refusal, details), isReplay: isReplay) }
        return value.map { V2Answer(.done($0), isReplay: isReplay) }
    }
}

extension CompositeReader {
    /// Reads the refusal, which is every answer's first field.
    mutating func refusal(in bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) -> V2Refusal? {
        guard let text = try next(String?.self, in: bytes) else { return nil }
        guard let refusal = V2Refusal(rawValue: text) else { throw .malformed }
        return refusal
    }

    mutating func integer(in bytes: Span<UInt8>) throws(PostgresDecodingError.Reason) -> Int {
        Int(try next(Int32?.self, in: bytes) ?? 0)
    }
}

extension V2.Timestamp {
    init(_ timestamp: PostgresTimestamp) { self.init(microsecondsSince1970: timestamp.microsecondsSince1970) }
}

extension V2.Day {
    init(_ date: PostgresDate) { self.init(daysSince1970: Int(date.daysSince1970)) }

    /// nil for days that a database cannot hold.
    var date: PostgresDate? { Int32(exactly: daysSince1970).map(PostgresDate.init(daysSince1970:)) }
}

extension PostgresUUID {
    /// 32 digits, without hyphens.
    var digits: String { String(description.utf8.filter { $0 != UInt8(ascii: "-") }.map { Character(.init($0)) }) }
}
