import Postgres

/// Why the records did not do what an operator asked. Nothing has changed.
package enum AdminRefusal: String, Sendable, CaseIterable {
    /// The key is nobody's, or was revoked.
    case unauthorized
    /// The key's role is another.
    case forbidden
    /// No such player, way in, game, word, league or challenge.
    case notFound = "not-found"
    /// The balance has no room for more. It stays refused under its name.
    case energyFull = "energy-full"
    /// There is not as much to take. It stays refused under its name.
    case energyInsufficient = "energy-insufficient"
    /// The game is over.
    case gameOver = "game-over"
    /// A code was made under this name, and told with the first answer alone.
    case recoveryMade = "recovery-made"
    /// The name was used for another change before.
    case operationReused = "operation-reused"
    /// The word to add is there already.
    case wordKnown = "word-known"
    /// Somebody else changes words at this moment.
    case wordsBusy = "words-busy"
    /// Too many words were played to look up in a request who played this one.
    case promotionSlow = "promotion-slow"
    /// No player may be called so.
    case nameRefused = "name-refused"
    /// No part of a name that could be refused.
    case partRefused = "part-refused"
    /// The name, or what is refused, is so already.
    case nameUnchanged = "name-unchanged"
}

/// What became of an operator's request.
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
