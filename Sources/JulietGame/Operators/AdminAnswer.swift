import Postgres

/// Why an operator's request was refused. Nothing has changed.
package enum AdminRefusal: String, Sendable, CaseIterable {
    /// There is no such session, it is over, or its key was revoked.
    case unauthorized
    /// The key's role may not do this.
    case forbidden
    /// No such player, way in, game, word, league or challenge.
    case notFound = "not-found"
    /// The balance would be too high. It stays refused under its name.
    case energyFull = "energy-full"
    /// The balance is lower than what was to be taken. It stays refused under its name.
    case energyInsufficient = "energy-insufficient"
    /// The game is over.
    case gameOver = "game-over"
    /// A code was made under this name, and only the first answer had it.
    case recoveryMade = "recovery-made"
    /// The name was used for another change before.
    case operationReused = "operation-reused"
    /// The word to add exists already.
    case wordKnown = "word-known"
    /// The word is blocked.
    case wordRefused = "word-refused"
    /// Somebody else is changing words.
    case wordsBusy = "words-busy"
    /// The day is over, or too near to be changed.
    case dayEarly = "day-early"
    /// The day is too far ahead.
    case dayLate = "day-late"
    /// The word is not in the list of the rules.
    case wordUnknown = "word-unknown"
    /// The word is retired.
    case wordRetired = "word-retired"
    /// The word is that of another day within a year.
    case wordRepeated = "word-repeated"
    /// Too many words were played to look up in a request who played this one.
    case promotionSlow = "promotion-slow"
    /// No player may have this name.
    case nameRefused = "name-refused"
    /// The text is not one that can be refused.
    case partRefused = "part-refused"
    /// The change would change nothing.
    case nameUnchanged = "name-unchanged"
}

extension AdminRefusal: RefusalReason {
    package static var nothing: Void { () }
    package static var missing: Self { .unauthorized }
}

/// The answer to an operator's request.
package typealias AdminAnswer = Answered<AdminDocument, AdminRefusal>

/// What was found or done (`admin_answer`).
package struct AdminDocument: Sendable {
    /// A JSON object.
    package let json: String
}

extension AdminDocument: AnswerValue {
    static func read(
        _ fields: inout CompositeReader, in bytes: Span<UInt8>
    ) throws(PostgresDecodingError.Reason) -> AdminAnswer? {
        guard let text = try fields.next(String?.self, in: bytes) else {
            return .done(Self(json: try fields.next(in: bytes)))
        }
        guard let refusal = AdminRefusal(rawValue: text) else { throw .malformed }
        return .refused(refusal)
    }
}
