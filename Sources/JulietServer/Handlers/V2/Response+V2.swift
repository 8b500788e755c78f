import HTTPServer
import JulietAPI
import JulietGame

extension Response {
    // Answers have tokens and data of one player, so no cache may keep them.
    private static let jsonHeaders: Headers = [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store",
    ]
    private static let problemHeaders: Headers = [
        "Content-Type": "application/problem+json", "Cache-Control": "no-store",
    ]

    /// An answer of `/v2`.
    static func json(_ object: some JSONObject, status: HTTPStatus = .ok) -> Response {
        json(bytes: object.encoded(), status: status)
    }

    /// An answer of `/v2` that is JSON already.
    static func json(bytes: [UInt8], status: HTTPStatus = .ok) -> Response {
        Response(status: status, headers: jsonHeaders, body: .bytes(bytes))
    }

    /// An answer of `/v2` that a client may keep: 304 if the client has it already. The contract has no other condition.
    static func tagged(_ object: some JSONObject, for request: Request) -> Response {
        let bytes = object.encoded()
        let headers: Headers = [
            "Content-Type": "application/json; charset=utf-8", "Cache-Control": "private, no-cache",
            "Vary": "Authorization", "ETag": "\"\(Page.digest(of: bytes).prefix(32))\"", "Accept-Ranges": "none",
        ]
        var request = request
        request.headers.remove("If-Match")
        return Response(headers: headers, body: .bytes(bytes)).conditional(to: request)
    }

    /// A refusal or failure of `/v2`, with the fields that its status asks for; `Allow` is the caller's.
    static func problem(_ problem: V2.Problem) -> Response {
        var headers = problemHeaders
        if problem.status == 401 { headers.append("WWW-Authenticate", "Bearer") }
        if let retryAfter = problem.retryAfter { headers.append("Retry-After", String(retryAfter)) }
        return Response(status: HTTPStatus(problem.status), headers: headers, body: .bytes(problem.encoded()))
    }

    /// The caller has sent too many requests.
    ///
    /// - Parameter retryAfter: How many seconds to wait.
    static func tooManyRequests(retryAfter: Int) -> Response {
        problem(V2.Problem(.tooManyRequests, retryAfter: retryAfter))
    }

    /// The answer to a request.
    static func of(_ outcome: PlayOutcome<some JSONObject>, status: HTTPStatus = .ok) -> Response {
        switch outcome {
        case .done(let value): json(value, status: status)
        case .refused(let refusal): problem(V2.Problem(for: refusal))
        }
    }

    /// The answer to a request without a body in its answer.
    static func done(unless refusal: PlayRefusal?) -> Response {
        if let refusal { return problem(V2.Problem(for: refusal)) }
        return Response(status: .noContent, headers: ["Cache-Control": "no-store"])
    }

    /// The answer to a request about a game.
    static func of(_ answer: GameAnswer?, done: (V2.Game) -> Response) -> Response {
        guard let answer else { return problem(V2.Problem(.notFound)) }
        var response =
            if answer.refusal == nil, let game = answer.game {
                done(game)
            } else {
                problem(
                    V2.Problem(
                        for: answer.refusal ?? .notFound, energy: answer.energy, game: answer.game,
                        refill: answer.refill, rule: answer.rule))
            }
        if answer.isReplay { response.headers.append("Idempotent-Replayed", "true") }
        return response
    }

    /// The answer to a refill.
    static func of(_ answer: RefillAnswer?) -> Response {
        guard let answer else { return problem(V2.Problem(.unavailable, retryAfter: 1)) }
        if let refusal = answer.refusal { return problem(V2.Problem(for: refusal, retryAfter: answer.retryAfter)) }
        var response = json(answer.value)
        if answer.isReplay { response.headers.append("Idempotent-Replayed", "true") }
        return response
    }

    /// The answer to a merge.
    static func of(_ answer: MergeAnswer?) -> Response {
        guard let answer else { return problem(V2.Problem(.unavailable, retryAfter: 1)) }
        var response =
            if answer.refusal == nil, let player = answer.player {
                json(player)
            } else {
                problem(V2.Problem(for: answer.refusal ?? .notFound, game: answer.game))
            }
        if answer.isReplay { response.headers.append("Idempotent-Replayed", "true") }
        return response
    }

    /// The answer to a request for a new challenge.
    static func of(_ answer: ChallengeAnswer?) -> Response {
        guard let answer else { return problem(V2.Problem(.unavailable, retryAfter: 1)) }
        var response =
            if answer.refusal == nil, let made = answer.value {
                json(
                    V2.MadeChallenge(
                        challenge: made.results.map(made.with) ?? made.challenge, energy: answer.energy),
                    status: .created)
            } else {
                problem(
                    V2.Problem(for: answer.refusal ?? .notFound, energy: answer.energy, refill: answer.refill))
            }
        if answer.isReplay { response.headers.append("Idempotent-Replayed", "true") }
        return response
    }

    /// The same with the URL of what was created; an answer other than 201 stays as it is.
    func made(at location: String) -> Response {
        guard status == .created else { return self }
        var response = self
        response.headers.append("Location", location)
        return response
    }

    /// A game that was begun, and its URL.
    static func begun(_ object: some JSONObject, _ game: V2.Game, below root: String) -> Response {
        var response = json(object, status: .created)
        response.headers.append("Location", "\(root)/games/\(game.id)")
        return response
    }
}
