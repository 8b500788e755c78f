import HTTPServer
import JulietAPI

/// One method of one URL, as it is described to authors of clients.
struct APIOperation: Sendable {
    /// How a request is authenticated.
    enum Proof: Sendable {
        /// Nothing: everybody may.
        case nothing
        /// A player's token. If it is optional, everybody may call, and a token says for which player.
        case token(isOptional: Bool)
        /// An API key of the app, if the service has any.
        case appKey
    }

    /// A parameter of a request.
    struct Parameter: Sendable {
        enum Place: String, Sendable { case path, query, header }

        let name: String
        let place: Place
        let schema: Schema
        let about: String
    }

    /// The answer with one status.
    struct Answer: Sendable {
        enum Content: Sendable {
            case nothing
            case json(Schema)
            /// A stream of events, each with such data (HTML, "Server-sent events").
            case events(Schema)
            /// Problem details, one of these, which all have the same status.
            case problem([V2.Problem])
        }

        let status: HTTPStatus
        let content: Content
        let about: String
        var headers: [AnswerHeader] = [.requestID]
        var examples: [Example] = []
        /// The operations that can follow for the game in it.
        var gameLinks: [String] = []
    }

    /// An example of a body.
    struct Example: Sendable {
        /// What tells it from the others of the same place: a request type, a problem's code, a state.
        let name: String
        /// JSON without blanks.
        let json: [UInt8]
    }

    /// Names it in clients that are generated: "startGame".
    let name: String
    let method: HTTPMethod
    /// With its parameters in braces, without the base path.
    let path: String
    /// Its group: "Games".
    let group: String
    /// What it does, in a sentence.
    let about: String
    /// More about it, such as what a repeat does, in Markdown.
    let text: String
    let proof: Proof
    let parameters: [Parameter]
    let request: Schema?
    /// How `JulietClient` calls it; nil: it cannot.
    var swift: String?
    /// By status.
    let answers: [Answer]

    /// Requests as they were sent.
    var requestExamples: [Example] { OperationExamples.requests(of: name) }
}

extension APIOperation.Answer {
    /// An answer that refuses a request.
    ///
    /// - Parameters:
    ///   - problems: One or several, all of the same status.
    ///   - operation: The operation; recorded examples of its problems are shown.
    ///   - hasKeys: Whether a repeat may get this answer.
    ///   - hasID: Whether the answer names the request.
    init(_ problems: [V2.Problem], of operation: String, hasKeys: Bool = false, hasID: Bool = true) {
        let status = problems.first?.status ?? 500
        let met = OperationExamples.answers(of: operation, status)
        self.init(
            status: HTTPStatus(status), content: .problem(problems),
            about: problems.map(\.title).joined(separator: ", or: ") + ".",
            headers: (hasID ? [.requestID] : []) + Self.headers(of: status, hasKeys: hasKeys)
                + (problems.contains { Self.waits.contains($0.code) } ? [.retryAfter] : []),
            examples: problems.map { problem in
                met.first { $0.name == problem.code } ?? .init(name: problem.code, json: problem.encoded())
            })
    }

    /// Problems that end with time and say when, other than those of 429 and 503.
    private static let waits: Set<String> = [V2.ProblemCode.refillEarly.rawValue, "pause"]

    private static func headers(of status: Int, hasKeys: Bool) -> [AnswerHeader] {
        switch status {
        case 401: [.challenge]
        case 409, 422: hasKeys ? [.replayed] : []
        case 429, 503: [.retryAfter]
        default: []
        }
    }
}

/// A header field of answers.
enum AnswerHeader: String, CaseIterable, Sendable {
    case requestID = "X-Request-Id"
    case retryAfter = "Retry-After"
    case challenge = "WWW-Authenticate"
    case appChallenge = "WWW-Authenticate-AuthToken"
    case location = "Location"
    case replayed = "Idempotent-Replayed"
    case entityTag = "ETag"
    case contentRange = "Content-Range"

    /// The field's name; the raw value names it among the document's components.
    var name: String { self == .appChallenge ? Self.challenge.rawValue : rawValue }

    /// What it says, for people.
    var about: String {
        switch self {
        case .requestID: "Names the request in the service's log: the request's own X-Request-Id, or a new one."
        case .retryAfter: "How many seconds to wait before another try."
        case .challenge: "How to authenticate: `Bearer`."
        case .appChallenge: "How to authenticate: `AuthToken`, a header field of its own."
        case .location: "The URL of what was created."
        case .replayed: "`true` if this repeats the answer to an earlier request with the same Idempotency-Key."
        case .entityTag: "The version of the answer (RFC 9110 §8.8.3). Send it as If-None-Match."
        case .contentRange: "Which bytes these are, and of how many (RFC 9110 §14.4)."
        }
    }

    /// Its value.
    var schema: Schema {
        switch self {
        case .requestID: Schema(.string, [.length(1...128)])
        case .retryAfter: Schema(.integer, [.minimum(0)])
        case .challenge: .constant("Bearer")
        case .appChallenge: .constant("AuthToken")
        case .location: Schema(.string, [.format("uri-reference")])
        case .replayed: .constant("true")
        case .entityTag, .contentRange: .string
        }
    }
}

extension APIOperation.Parameter {
    /// The version that the client has, where answers have one.
    static let ifNoneMatch = Self(
        name: "If-None-Match", place: .header, schema: .string,
        about: "The ETag of the answer that you have: 304, without a body, if nothing has changed.")

    /// The name of a request that changes something, so that a repeat changes nothing more.
    static let idempotencyKey = key(
        "Makes the request take effect once: a repeat with the same key gets the first answer.")

    /// The same for requests where it has no effect.
    static let unusedKey = key(
        "Only its form is checked; it has no effect here. The description says what a repeat does.")

    /// The same where the effect depends on the request's type.
    static func idempotencyKey(for types: [String]) -> Self {
        key(
            "For \(types.map { "`\($0)`" }.joined(separator: ", ")) it makes the request take effect once: a repeat "
                + "with the same key gets the first answer. For other types only its form is checked; it has no effect."
        )
    }

    private static func key(_ about: String) -> Self {
        Self(
            name: IdempotencyKey.headerName, place: .header,
            schema: Schema(.string, [.pattern(#"^([!#-~]{1,255}|"([!#-\[\]-~]|\\["\\]){1,255}")$"#)]),
            about: about + " 1 to 255 visible ASCII characters, bare or quoted.")
    }
}
