import HTTPServer
import JulietAPI
import JulietGame

/// A request of the admin page with a session. Only the database knows whether the session is valid.
struct AdminRequest {
    /// The request itself.
    let http: Request
    /// The request's session.
    let session: AdminSession
    /// The query.
    let query: AdminQuery

    /// The name of a change, made by the page, so that the change takes effect once.
    func operation() throws(V2.RequestFault) -> Operation.ID {
        guard let key = http.headers[IdempotencyKey.headerName].flatMap({ IdempotencyKey(fieldValue: $0) }) else {
            throw V2.RequestFault(
                path: IdempotencyKey.headerName,
                detail: "A change needs an Idempotency-Key of 1 to 255 visible ASCII characters.")
        }
        return Operation.ID(key.value)
    }

    /// The player whom the query names. Ids are as long as accounts of the app; a text to search for is no longer.
    func player(_ name: AdminQuery.Name = .id) throws(V2.RequestFault) -> User.ID {
        let text = try query.required(name)
        // A pseudonym has a tab in it, which the query refuses, so closed ledgers cannot be requested.
        guard text.unicodeScalars.count <= 128 else { throw AdminQuery.fault(name, "must have at most 128 characters") }
        return User.ID(text)
    }

    /// The reason for a change, which the audit trail keeps.
    func reason(_ text: String) throws(V2.RequestFault) -> String {
        guard EnergyLedger.isReason(text) else {
            throw V2.RequestFault(path: "/reason", detail: "\"reason\" must say why, in up to 500 characters.")
        }
        return text
    }
}

/// One method of one URL below `/admin/api`. Only GET changes nothing.
struct AdminRoute: Sendable {
    let method: HTTPMethod
    /// Below `/admin/api`.
    let path: String
    /// Throws a `V2.RequestFault` or a `PostgresError`.
    let handler: @Sendable (AdminRequest) async throws -> Response

    init(
        _ method: HTTPMethod, _ path: String, handler: @escaping @Sendable (AdminRequest) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.handler = handler
    }
}

extension Response {
    /// The answer to an operator's request.
    static func of(_ answer: AdminAnswer) -> Response {
        of(answer) { .json(bytes: Array($0.json.utf8)) }
    }
}

extension AdminRefusal: AnswerableRefusal {
    func response(with details: Void) -> Response { .problem(V2.Problem(for: self)) }
}

extension V2.Problem {
    /// Why an operator's request was refused.
    init(for refusal: AdminRefusal) {
        switch refusal {
        case .unauthorized: self.init(.unauthorized, detail: "Sign in with a key that is valid.")
        case .forbidden:
            self.init(
                code: "forbidden", status: 403, title: "This key may not do that",
                detail:
                    "The role of your key does not allow this. Ask the operator for a key with another role: support, words or owner."
            )
        case .notFound:
            self.init(.notFound, detail: "There is no such player, way to sign in, game, word, league or challenge.")
        case .operationReused: self.init(.idempotencyKeyReused)
        case .wordsBusy:
            self.init(.unavailable, detail: "Somebody else is changing words: try again.", retryAfter: 1)
        case .energyFull:
            self.init(
                code: "energy-full", status: 409, title: "The balance would be too high",
                detail: "The balance would be more than 2,147,483,647. Nothing was granted.")
        case .energyInsufficient:
            self.init(
                code: "energy-insufficient", status: 409, title: "Not enough energy",
                detail: "The balance is lower than that. Nothing was taken.")
        case .gameOver:
            self.init(
                code: "game-over", status: 409, title: "The game is over",
                detail: "A game that is over cannot be ended.")
        case .recoveryMade:
            self.init(
                code: "recovery-made", status: 409, title: "The code has been made already",
                detail: "A code was made, but the answer with it was lost, so nobody has it. Make another one.")
        case .wordKnown:
            self.init(
                code: "word-known", status: 409, title: "The word exists already",
                detail: "Change it instead: it may be retired, or guessable only.")
        case .wordRefused:
            self.init(
                code: "word-refused", status: 422, title: "The word is blocked",
                detail: "Only juliet words unblock takes that back. Words that every release blocks stay blocked.")
        case .dayEarly:
            self.init(
                code: "day-early", status: 422, title: "The day is too early",
                detail: "A day can be changed from the third day after today on. Nothing was changed.")
        case .dayLate:
            self.init(
                code: "day-late", status: 422, title: "The day is too far ahead",
                detail: "A day can be planned up to 400 days ahead. Nothing was planned.")
        case .wordUnknown:
            self.init(
                code: "word-unknown", status: 422, title: "The word is not in the list",
                detail: "Only words of the list that the rules name can be planned. Add the word to that list first.")
        case .wordRetired:
            self.init(
                code: "word-retired", status: 422, title: "The word is retired",
                detail: "Bring the word back first, or plan another one.")
        case .wordRepeated:
            self.init(
                code: "word-repeated", status: 422, title: "Another day has the word",
                detail: "It is the word of another day within a year. To plan it anyway, allow it to repeat.")
        case .nameRefused: self.init(.nameRefused)
        case .partRefused:
            self.init(
                code: "part-refused", status: 422, title: "This part cannot be refused",
                detail:
                    "A refused part has 2 to 24 characters. After = it has only letters, digits, and single blanks between words."
            )
        case .nameUnchanged:
            self.init(
                code: "name-unchanged", status: 409, title: "Nothing to change",
                detail: "Everything is already as requested: nothing was changed.")
        case .promotionSlow:
            self.init(
                code: "promotion-slow", status: 409, title: "Too many games were played",
                detail:
                    "It would take too long here to find out who has played this word. Import it as a secret with juliet words import."
            )
        }
    }

    /// The change was requested by another site's page, or by no page.
    static let originRefused = V2.Problem(
        .originRefused,
        detail: "Pages of other origins cannot change anything here. A proxy in front must pass on the Host header.")
}
