extension V2 {
    /// The stable codes of problems, each with its status and its texts for people.
    ///
    /// Codes are part of the interface: a code is never renamed or reused.
    public enum ProblemCode: String, CaseIterable, Sendable {
        // The request is not accepted.
        case requestInvalid = "request-invalid"
        case unauthorized
        case originRefused = "origin-refused"
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case requestTimeout = "request-timeout"
        case contentTooLarge = "content-too-large"
        case uriTooLong = "uri-too-long"
        case headerFieldsTooLarge = "header-fields-too-large"
        case tooManyRequests = "too-many-requests"
        case idempotencyKeyReused = "idempotency-key-reused"

        // The game refuses.
        case claimRefused = "claim-refused"
        case claimed
        case nameRefused = "name-refused"
        case energyInsufficient = "energy-insufficient"
        case refillEarly = "refill-early"
        case refillFull = "refill-full"
        case gameUnfinished = "game-unfinished"
        case gameOver = "game-over"
        case gameRunning = "game-running"
        case noReview = "no-review"
        case guessTaken = "guess-taken"
        case guessEarly = "guess-early"
        case listUnknown = "list-unknown"
        case wordUnknown = "word-unknown"
        case wordRefused = "word-refused"
        case hintTells = "hint-tells"
        case guessHard = "guess-hard"
        case tooMany = "too-many"
        case challengeOwnWord = "challenge-own-word"
        case challengeOver = "challenge-over"
        case challengeFull = "challenge-full"
        case notOwner = "not-owner"
        case leagueFull = "league-full"
        case mergeSelf = "merge-self"
        case mergeUnfinished = "merge-unfinished"
        case energyFull = "energy-full"
        case transactionRefused = "transaction-refused"
        case passkeyRefused = "passkey-refused"
        case identityRefused = "identity-refused"
        case identityUnknown = "identity-unknown"
        case identityTaken = "identity-taken"
        case identityLinked = "identity-linked"

        // The service itself cannot.
        case internalError = "internal-error"
        case unavailable

        /// The HTTP status of the code.
        public var status: Int {
            switch self {
            case .requestInvalid: 400
            case .unauthorized: 401
            case .originRefused, .notOwner: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .requestTimeout: 408
            case .claimRefused, .claimed, .energyInsufficient, .refillEarly, .refillFull, .gameUnfinished, .gameOver,
                .gameRunning, .noReview,
                .guessTaken, .guessEarly, .tooMany, .challengeOwnWord, .challengeOver, .challengeFull, .leagueFull,
                .mergeSelf, .mergeUnfinished, .energyFull, .identityTaken, .identityLinked:
                409
            case .contentTooLarge: 413
            case .uriTooLong: 414
            case .idempotencyKeyReused, .nameRefused, .listUnknown, .wordUnknown, .wordRefused, .hintTells, .guessHard,
                .transactionRefused, .passkeyRefused, .identityRefused, .identityUnknown:
                422
            case .tooManyRequests: 429
            case .headerFieldsTooLarge: 431
            case .internalError: 500
            case .unavailable: 503
            }
        }

        /// What went wrong, in a few words that are the same each time.
        public var title: String {
            switch self {
            case .requestInvalid: "The request is not valid"
            case .unauthorized: "Not signed in"
            case .originRefused: "The request comes from another page"
            case .notFound: "Not found"
            case .methodNotAllowed: "Method not allowed"
            case .requestTimeout: "The request took too long"
            case .contentTooLarge: "The body is too large"
            case .uriTooLong: "The URL is too long"
            case .headerFieldsTooLarge: "The header fields are too large"
            case .tooManyRequests: "Too many requests"
            case .idempotencyKeyReused: "The Idempotency-Key was used before"
            case .claimRefused: "Claiming is not possible"
            case .claimed: "Already claimed"
            case .nameRefused: "The name is not allowed"
            case .energyInsufficient: "Not enough energy"
            case .refillEarly: "No energy is due yet"
            case .refillFull: "No energy is missing"
            case .gameUnfinished: "Another game is not over"
            case .gameOver: "The game is over"
            case .gameRunning: "The game is not over"
            case .noReview: "There is nothing to look back at"
            case .guessTaken: "A guess has this number already"
            case .guessEarly: "Another guess comes first"
            case .listUnknown: "There is no such word list"
            case .wordUnknown: "The word is not in the list"
            case .wordRefused: "The word is not allowed"
            case .hintTells: "The hint contains the word"
            case .guessHard: "The guess does not use what is known"
            case .tooMany: "The limit is reached"
            case .challengeOwnWord: "It is your own word"
            case .challengeOver: "The challenge is over"
            case .challengeFull: "The challenge is full"
            case .notOwner: "Another player owns the league"
            case .leagueFull: "The league is full"
            case .mergeSelf: "It is the same player"
            case .mergeUnfinished: "The other player's game is not over"
            case .energyFull: "The balance would be too high"
            case .transactionRefused: "The purchase is not valid"
            case .passkeyRefused: "The passkey is not valid"
            case .identityRefused: "The identity is not valid"
            case .identityUnknown: "No player has this identity"
            case .identityTaken: "Another player has this identity"
            case .identityLinked: "Another identity is linked"
            case .internalError: "Something went wrong here"
            case .unavailable: "The service is not available"
            }
        }

        /// What to do about it, for people, if nothing more specific is known.
        package var detail: String {
            switch self {
            case .requestInvalid: "Something in the request is missing, or is not what it should be."
            case .unauthorized: "Send a valid token: Authorization: Bearer jt_…"
            case .originRefused:
                "Pages of other origins may not send this. Open the page at its usual address. For /v2 the operator can allow an origin (web.allowedOrigins). A proxy in front must pass on the Host header."
            case .notFound: "There is nothing at this URL, or it is another player's."
            case .methodNotAllowed: "This URL does not take that method: Allow says which it takes."
            case .requestTimeout: "The request did not arrive completely in time."
            case .contentTooLarge: "Send a smaller body."
            case .uriTooLong: "Send a shorter URL."
            case .headerFieldsTooLarge: "Send fewer or shorter header fields."
            case .tooManyRequests: "Wait a while, and try again: Retry-After says how long."
            case .idempotencyKeyReused: "This Idempotency-Key was used for another request: make a new one."
            case .claimRefused: "Players of the app cannot be claimed here, or there is no such player."
            case .claimed: "This player of the app has been claimed already."
            case .nameRefused: V2.GivenName.Kind.player.rule
            case .energyInsufficient: "A game costs more energy than the player has."
            case .refillEarly: "Energy comes back with time: retryAfter says when."
            case .refillFull: "Energy comes back when some has been spent."
            case .gameUnfinished: "End the running game first: one at a time."
            case .gameOver: "No more guesses can be made in this game."
            case .gameRunning: "End the game first: then you can look back at it."
            case .noReview:
                "The word of this game need not be in a list, so there is nothing to compare its guesses with."
            case .guessTaken: "The guess with this number was another word."
            case .guessEarly: "The number is higher than that of the next guess."
            case .listUnknown: "GET /v2/service names the word lists: languages, each with a length."
            case .wordUnknown: "Guess a word of the list that is as long as the secret. This guess did not count."
            case .wordRefused: "This word cannot be chosen here."
            case .hintTells: "Write a hint that does not contain the word, not even as a part of another word."
            case .guessHard:
                "In hard mode a guess must use what earlier guesses have shown: rule says what is missing. This guess did not count."
            case .notOwner: "Only the league's owner may do this."
            case .leagueFull: "The league has the maximum number of members."
            case .tooMany:
                "Finish, leave or delete one first. If you have merged players too often, wait and try again."
            case .challengeOwnWord: "You chose the word of this challenge, so only others can play it."
            case .challengeOver: "This challenge has ended: its game can no longer be started."
            case .challengeFull: "This challenge has reached its limit of players."
            case .mergeSelf: "The proof is of the calling player: give one of another player."
            case .mergeUnfinished: "End the other player's game first, or give it up."
            case .energyFull: "The two balances together would be too high."
            case .transactionRefused: "The transaction could not be credited: reason says why."
            case .passkeyRefused: "The passkey could not be registered: reason says why. Ask for options again."
            case .identityRefused: "The identity token was not accepted: reason says why. Ask for a new nonce."
            case .identityUnknown: "Create a player with this identity, or link it to yours."
            case .identityTaken: "Sign in with it, or unlink it from that player first."
            case .identityLinked: "The player has another identity of this provider: unlink it first."
            case .internalError: "The error has been logged. Trying again may help."
            case .unavailable: "The service is busy or cannot reach its database: try again later."
            }
        }
    }
}
