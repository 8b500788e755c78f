import JulietAPI

/// The requests and answers of both contracts: OpenAPI 3.1.
struct APIDescription: Sendable {
    /// What a gateway puts before the URLs, without a slash at its end.
    let basePath: String
    /// By group; the methods of a path need not follow each other.
    let operations: [APIOperation]

    /// Describes these routes, the lottery if there is one, the App Store's URL and the published app's.
    init(_ routes: [V2Route], hasLottery: Bool, basePath: String) {
        self.basePath = basePath
        operations =
            routes.map(\.operation) + (hasLottery ? APIOperation.lottery : []) + [.storeNotification] + APIOperation.app
    }

    /// What it is about, for people, in Markdown.
    static let about = """
        A word game. Below `/v2` the service judges: it keeps the secret until a game ends, and a token \
        authenticates the player. The other URLs are for the lottery, the App Store, and the \
        published app, which gets the secret.

        Requests and answers are JSON, times are RFC 3339 in UTC. Ids are opaque. An optional member without a value \
        is left out of answers; in a request it may also be `null`. Answers may have members that you do not know: \
        ignore them.

        `POST /v2/players` answers with a token. Send it as `Authorization: Bearer jt_…` with each request for that player.

        Networks lose answers. Each request that changes something says what a repeat does, and whether an \
        `Idempotency-Key` makes it take effect once: some requests ignore the key. After 429 and 503, try again when \
        `Retry-After` says; after 408, 500 or no answer at all, try again. After any other status, sending the same \
        request again does not help, unless the answer has `Retry-After`.

        Refusals below `/v2` and of the lottery are problem details (RFC 9457) with a stable `code`. Any request can get \
        400, 408, 413, 414, 429, 431, 500 or 503.
        """

    /// The groups of operations, in their order.
    var groups: [String] {
        operations.reduce(into: []) { groups, operation in
            if !groups.contains(operation.group) { groups.append(operation.group) }
        }
    }

    /// All named schemas, by name.
    var schemas: [Schema] {
        var named: [String: Schema] = [:]
        var rest = [V2.Problem.schema]
        for operation in operations {
            rest += [operation.request].compactMap { $0 }
            for answer in operation.answers {
                switch answer.content {
                case .json(let schema), .events(let schema): rest.append(schema)
                case .nothing, .problem: break
                }
            }
        }
        while let schema = rest.popLast() {
            if let name = schema.name, named.updateValue(schema, forKey: name) != nil { continue }
            rest += schema.parts
        }
        return named.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The problems that are the only one of their status in some answer. They are among the components.
    var lonelyProblems: [V2.Problem] {
        operations.flatMap(\.answers).compactMap(\.onlyProblem).reduce(into: []) { problems, problem in
            if !problems.contains(problem) { problems.append(problem) }
        }
    }
}
