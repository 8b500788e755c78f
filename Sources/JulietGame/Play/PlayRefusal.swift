/// Why the second contract did not do what was asked. Nothing has changed.
package enum PlayRefusal: String, Sendable, CaseIterable {
    /// The token or recovery code is nobody's.
    case unauthorized
    /// Nothing of the player's, or no such day.
    case notFound = "not-found"
    /// A name of 0 or more than 24 characters, or of a league 40.
    case nameRefused = "name-refused"
    /// No such player of the published app, or claims are not allowed.
    case claimRefused = "claim-refused"
    /// The player of the published app was claimed before.
    case claimed
    /// The balance does not cover a game.
    case energyInsufficient = "energy-insufficient"
    /// Energy comes back, and none is due yet. Not remembered under an operation's name.
    case refillEarly = "refill-early"
    /// The balance is as high as time brings it. Not remembered either.
    case refillFull = "refill-full"
    /// Another game is not over.
    case gameUnfinished = "game-unfinished"
    /// No word can be dealt. Not remembered under an operation's name.
    case noWords = "no-words"
    /// Another word was guessed with this number.
    case guessTaken = "guess-taken"
    /// The game has ended.
    case gameOver = "game-over"
    /// The number is beyond the next guess's.
    case guessEarly = "guess-early"
    /// The word is not in the list, or is of another length.
    case wordUnknown = "word-unknown"
    /// The guess does not use what is known, in hard mode.
    case guessHard = "guess-hard"
    /// As many unfinished games of days gone by and of challenges, open challenges, or leagues, as there may be.
    case tooMany = "too-many"
    /// Who made a challenge with a word of their own does not play it.
    case challengeOwnWord = "challenge-own-word"
    /// The challenge has ended.
    case challengeOver = "challenge-over"
    /// As many players as may be have begun the challenge.
    case challengeFull = "challenge-full"
    /// The challenge is another player's.
    case notMaker = "not-maker"
    /// The league is another's to change.
    case notOwner = "not-owner"
    /// The league has as many members as it may have.
    case leagueFull = "league-full"
    /// The passkey cannot be registered, for a reason that comes with it.
    case passkeyRefused = "passkey-refused"
    /// The identity token proves nothing, for a reason that comes with it.
    case identityRefused = "identity-refused"
    /// The nonce was answered before.
    case nonceUsed = "nonce-used"
    /// The identity is nobody's.
    case identityUnknown = "identity-unknown"
    /// The identity is another player's.
    case identityTaken = "identity-taken"
    /// The player has another identity of the provider's.
    case identityLinked = "identity-linked"
    /// Somebody else is changing it. Not remembered under an operation's name.
    case busy
    /// What is to prove another player is nobody's. Not remembered under an operation's name.
    case proofUnknown = "proof-unknown"
    /// The other player is the same.
    case mergeSelf = "merge-self"
    /// The other player has a game that is not over.
    case mergeUnfinished = "merge-unfinished"
    /// The balance has no room for more.
    case energyFull = "energy-full"
    /// The operation's name was used for another request before.
    case operationReused = "operation-reused"
}

/// What became of a request that answers one thing, or refuses it.
package enum PlayOutcome<Value: Sendable>: Sendable {
    /// Done.
    case done(Value)
    /// Not done.
    case refused(PlayRefusal)

    /// The same about something made of the value.
    func map<Other>(_ transform: (Value) -> Other) -> PlayOutcome<Other> {
        switch self {
        case .done(let value): .done(transform(value))
        case .refused(let refusal): .refused(refusal)
        }
    }
}
