package import JulietAPI
import Postgres

/// The answer to a request of the app (`operation_answer`).
package typealias AppAnswer = Answered<AppState, AppRefusal>

/// What the app learns of a player: after a request; of a repeat, after the first time.
package struct AppState: Sendable, Equatable {
    /// The balance; 0 for requests that do not concern it.
    package var energy: Energy = 0
    /// The wins; 0 for requests that do not concern them.
    package var wins = 0
    /// The word that was dealt, if one was, in lower case except for letters whose upper case is special to the language.
    package var word: String?
    /// The energy that a signed purchase brought now; 0 if it was credited before, and for other requests.
    package var credited: Energy = 0
}

/// Why a request of the app was refused.
package enum AppRefusal: Sendable, Hashable {
    /// No such player. Not remembered under an operation's name.
    case userUnknown
    /// The balance does not cover a game.
    case energyInsufficient
    /// The balance has no room for more (2,147,483,647).
    case energyFull
    /// The amount is not on sale.
    case productUnknown
    /// Clients may not report their energy.
    case reportRefused
    /// The number of wins would be too high.
    case winsFull
    /// The word is not in the list.
    case wordUnknown
    /// No word of the list can be dealt. Not remembered either.
    case noWords
    /// The operation's name was used for another request before.
    case operationReused
    /// A purchase does not count.
    case purchaseRefused(PurchaseReason)

    /// Reads what the schema answers.
    init?(stored text: String) {
        switch text {
        case "user-unknown": self = .userUnknown
        case "energy-insufficient": self = .energyInsufficient
        case "energy-full": self = .energyFull
        case "product-unknown": self = .productUnknown
        case "report-refused": self = .reportRefused
        case "wins-full": self = .winsFull
        case "word-unknown": self = .wordUnknown
        case "no-words": self = .noWords
        case "operation-reused": self = .operationReused
        default:
            guard let reason = PurchaseReason(refusal: text) else { return nil }
            self = .purchaseRefused(reason)
        }
    }
}

extension AppRefusal: RefusalReason {
    package static let nothing = AppState()
    package static var missing: Self { .userUnknown }
}

extension AppState: AnswerValue {
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> AppAnswer? {
        let text = try fields.next(String?.self, in: bytes)
        let state = AppState(
            energy: try fields.integer(in: bytes), wins: try fields.integer(in: bytes), word: try fields.next(in: bytes)
        )
        let isReplay = try fields.next(Bool?.self, in: bytes) ?? false
        guard let text else { return AppAnswer(.done(state), isReplay: isReplay) }
        guard let refusal = AppRefusal(stored: text) else { throw .malformed }
        return AppAnswer(.refused(refusal, state), isReplay: isReplay)
    }
}
