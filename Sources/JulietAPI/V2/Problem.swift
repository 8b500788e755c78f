extension V2 {
    /// Why a request was refused or failed: problem details (RFC 9457), `application/problem+json`.
    public struct Problem: Codable, Hashable, Sendable {
        /// The kind of problem, such as `/problems/energy-insufficient`.
        public var type: String
        /// What went wrong, in a few words that are the same for all problems of a kind.
        public var title: String
        /// HTTP's status.
        public var status: Int
        /// What to do about it, for people. It quotes nothing that the client sent.
        public var detail: String?
        /// The stable code: a `ProblemCode`'s raw value, or one that is newer than this client.
        public var code: String
        /// The current balance.
        public var energy: Int?
        /// The game in its current state, or the unfinished game that prevents the request.
        public var game: Game?
        /// Energy that comes back with time.
        public var refill: Refill?
        /// How many seconds to wait before another try.
        public var retryAfter: Int?
        /// What is wrong in the request: a JSON Pointer into the body, `/word` for instance and empty for all of it, or the
        /// name of a query parameter or header field.
        public var path: String?
        /// Why a purchase, a passkey, an identity or a name was refused, stable.
        public var reason: String?
        /// The character that a name may not hold, or not there, such as `U+3164 (HANGUL FILLER)`.
        public var character: String?
        /// The rule of hard mode that a guess breaks.
        public var rule: HardRule?

        /// Describes a problem of a known kind.
        public init(
            _ code: ProblemCode, detail: String? = nil, energy: Int? = nil, game: Game? = nil, retryAfter: Int? = nil,
            path: String? = nil, reason: String? = nil, character: String? = nil, refill: Refill? = nil,
            rule: HardRule? = nil
        ) {
            self.init(
                code: code.rawValue, status: code.status, title: code.title, detail: detail ?? code.detail)
            self.energy = energy
            self.game = game
            self.retryAfter = retryAfter
            self.path = path
            self.reason = reason
            self.character = character
            self.refill = refill
            self.rule = rule
        }

        /// Describes an error of the HTTP server itself that has no code of ours.
        ///
        /// - Parameter status: 400...599.
        public init(code: String, status: Int, title: String, detail: String? = nil) {
            type = "/problems/\(code)"
            self.title = title
            self.status = status
            self.detail = detail
            self.code = code
        }

        /// The code, if it is one of those known here.
        public var knownCode: ProblemCode? { ProblemCode(rawValue: code) }
    }
}

extension V2.Problem: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Problem>(
        "Problem", "Why a request was refused or failed: problem details (RFC 9457).",
        [
            .member("type", \.type, "The kind of problem, such as `/problems/energy-insufficient`."),
            .member("title", \.title, "What went wrong, the same for all problems of a kind."),
            .member("status", \.status, "HTTP's status.", .range(400...599)),
            .optional("detail", \.detail, "What to do about it, for people."),
            .member("code", \.code, "The stable code."),
            .optional("energy", \.energy, "The current balance; a refund may take it below 0."),
            .optional(
                "game", \.game, "The game in its current state, or the unfinished game that prevents the request."),
            .optional("refill", \.refill, "Energy that comes back with time."),
            .optional("retryAfter", \.retryAfter, "How many seconds to wait before another try.", .minimum(0)),
            .optional(
                "path", \.path,
                "What is wrong: a JSON Pointer into the body, or the name of a query parameter or header field."
            ),
            .optional(
                "reason", \.reason,
                "Why a purchase, a passkey, an identity or a name was refused, stable. More reasons may come."),
            .optional(
                "character", \.character,
                "The character that a name may not hold, or not there, such as `U+3164 (HANGUL FILLER)`."),
            .optional("rule", \.rule, "The first rule of hard mode that a guess breaks."),
        ])
}
