/// Why a request of `/v2` was refused. Nothing has changed.
package enum V2Refusal: String, Sendable, CaseIterable {
    /// No player has this token or recovery code.
    case unauthorized
    /// The player has no such thing, or there is no such day.
    case notFound = "not-found"
    /// A name, or a hint, that may not be one: see ``V2/GivenName``.
    case nameRefused = "name-refused"
    /// No such player of the published app, or claims are not allowed.
    case claimRefused = "claim-refused"
    /// The player of the published app was claimed before.
    case claimed
    /// The balance does not cover a game.
    case energyInsufficient = "energy-insufficient"
    /// Energy comes back, and none is due yet. Not remembered under an operation's name.
    case refillEarly = "refill-early"
    /// The balance is as high as it gets by refills. Not remembered either.
    case refillFull = "refill-full"
    /// Another game is not over.
    case gameUnfinished = "game-unfinished"
    /// There is no such list that can be dealt from.
    case listUnknown = "list-unknown"
    /// No word can be dealt. Not remembered under an operation's name.
    case noWords = "no-words"
    /// Another word was guessed with this number.
    case guessTaken = "guess-taken"
    /// The game has ended.
    case gameOver = "game-over"
    /// The game is not over.
    case gameRunning = "game-running"
    /// The game's word need not be in a list.
    case noReview = "no-review"
    /// The number is beyond the next guess's.
    case guessEarly = "guess-early"
    /// The word is not in the list, or is of another length.
    case wordUnknown = "word-unknown"
    /// The word is blocked.
    case wordRefused = "word-refused"
    /// The hint contains the word.
    case hintTells = "hint-tells"
    /// The guess does not use what is known, in hard mode.
    case guessHard = "guess-hard"
    /// The player has as many unfinished games of past days and challenges, open challenges, or leagues, as they may have.
    case tooMany = "too-many"
    /// The maker of a challenge with their own word cannot play it.
    case challengeOwnWord = "challenge-own-word"
    /// The challenge has ended.
    case challengeOver = "challenge-over"
    /// As many players have begun the challenge as it may have.
    case challengeFull = "challenge-full"
    /// The challenge is another player's.
    case notMaker = "not-maker"
    /// Only the league's owner may change it.
    case notOwner = "not-owner"
    /// The league has the maximum number of members.
    case leagueFull = "league-full"
    /// The passkey cannot be registered; the reason is in the answer.
    case passkeyRefused = "passkey-refused"
    /// The identity token proves nothing; the reason is in the answer.
    case identityRefused = "identity-refused"
    /// The nonce was used before.
    case nonceUsed = "nonce-used"
    /// No player has this identity.
    case identityUnknown = "identity-unknown"
    /// Another player has this identity.
    case identityTaken = "identity-taken"
    /// The player has another identity of the provider.
    case identityLinked = "identity-linked"
    /// Somebody else is changing it. Not remembered under an operation's name.
    case busy
    /// The proof of the other player belongs to nobody. Not remembered under an operation's name.
    case proofUnknown = "proof-unknown"
    /// The other player is the same.
    case mergeSelf = "merge-self"
    /// The other player has a game that is not over.
    case mergeUnfinished = "merge-unfinished"
    /// The balance would be too high.
    case energyFull = "energy-full"
    /// What was bought does not count; the reason is in the answer. The schema spells it `purchase-` and the reason.
    case transactionRefused = "transaction-refused"
    /// The operation's name was used for another request before.
    case operationReused = "operation-reused"
}
