import Postgres

/// Why an operator's request was refused. Nothing has changed.
package enum AdminRefusal: String, Sendable, CaseIterable {
    /// There is no such key, or it was revoked.
    case unauthorized
    /// The key's role may not do this.
    case forbidden
    /// No such player, way in, game, word, league or challenge.
    case notFound = "not-found"
    /// The balance has no room for more. It stays refused under its name.
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
    /// Somebody else is changing words.
    case wordsBusy = "words-busy"
    /// Too many words were played to look up in a request who played this one.
    case promotionSlow = "promotion-slow"
    /// No player may have this name.
    case nameRefused = "name-refused"
    /// The text is not one that can be refused.
    case partRefused = "part-refused"
    /// The change would change nothing.
    case nameUnchanged = "name-unchanged"
}

/// The result of an operator's request.
package enum AdminOutcome: Sendable, Equatable {
    /// Done; what was found, as JSON.
    case done(String)
    /// Not done.
    case refused(AdminRefusal)
}

/// An `admin_answer`.
struct AdminAnswer: PostgresDecodable, Sendable {
    let outcome: AdminOutcome

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        if let text = try fields.next(String?.self, in: bytes) {
            guard let refusal = AdminRefusal(rawValue: text) else { throw .malformed }
            outcome = .refused(refusal)
        } else {
            outcome = .done(try fields.next(in: bytes))
        }
    }
}
