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
    ///
    /// - Parameter location: The URL of what was created; nil: nothing was, or it has none.
    static func json(_ object: some JSONObject, status: HTTPStatus = .ok, at location: String? = nil) -> Response {
        json(bytes: object.encoded(), status: status, at: location)
    }

    /// An answer of `/v2` that is JSON already.
    static func json(bytes: [UInt8], status: HTTPStatus = .ok, at location: String? = nil) -> Response {
        Response(status: status, headers: jsonHeaders, body: .bytes(bytes)).adding(location: location)
    }

    /// An answer of `/v2` that a client may keep: 304 if the client has it already. The contract has no other condition.
    static func tagged(_ object: some JSONObject, for request: Request) -> Response {
        let bytes = object.encoded()
        return tagged(bytes, as: bytes, for: request)
    }

    /// The same, where something else than the answer tells whether it is another one.
    static func tagged(_ bytes: [UInt8], as version: String, for request: Request) -> Response {
        tagged(bytes, as: Array(version.utf8), for: request)
    }

    private static func tagged(_ bytes: [UInt8], as version: [UInt8], for request: Request) -> Response {
        let headers: Headers = [
            "Content-Type": "application/json; charset=utf-8", "Cache-Control": "private, no-cache",
            "Vary": "Authorization", "ETag": "\"\(Page.digest(of: version).prefix(32))\"", "Accept-Ranges": "none",
        ]
        var request = request
        request.headers.remove("If-Match")
        return Response(headers: headers, body: .bytes(bytes)).conditional(to: request)
    }

    /// A refusal or failure of `/v2`, with the fields that its status asks for; `Allow` is the caller's.
    static func problem(_ problem: V2.Problem) -> Response {
        var headers = problemHeaders
        if problem.status == 401 { headers.append("WWW-Authenticate", "Bearer") }
        return Response(status: HTTPStatus(problem.status), headers: headers, body: .bytes(problem.encoded()))
            .adding(retryAfter: problem.retryAfter)
    }

    /// The caller has sent too many requests.
    ///
    /// - Parameter retryAfter: How many seconds to wait.
    static func tooManyRequests(retryAfter: Int) -> Response {
        problem(V2.Problem(.tooManyRequests, retryAfter: retryAfter))
    }

    /// The answer to a request of `/v2` or of an operator.
    ///
    /// - Parameter done: Makes the response if it was done.
    static func of<Value, Refusal: AnswerableRefusal>(
        _ answer: Answered<Value, Refusal>, done: (Value) throws -> Response
    ) rethrows -> Response {
        let response =
            switch answer.outcome {
            case .done(let value): try done(value)
            case .refused(let refusal, let details): refusal.response(with: details)
            }
        return response.adding(isReplay: answer.isReplay)
    }

    /// The answer to a request, as it is.
    ///
    /// - Parameter location: As for ``json(_:status:at:)``, if it was done.
    static func of(
        _ answer: V2Answer<some JSONObject>, status: HTTPStatus = .ok, at location: String? = nil
    ) -> Response {
        of(answer) { json($0, status: status, at: location) }
    }

    /// The answer to a request without a body in its answer.
    static func of(_ answer: V2Answer<Void>) -> Response {
        of(answer) { Response(status: .noContent, headers: ["Cache-Control": "no-store"]) }
    }

    /// A game and its URL, if it was begun; else the game as it is.
    static func begun(_ object: some JSONObject, _ game: AnsweredGame, below root: String) -> Response {
        game.isNew ? .json(object, status: .created, at: "\(root)/games/\(game.game.id)") : .json(object)
    }

    /// The same with what an answer says in its headers, whoever asked.
    ///
    /// - Parameters:
    ///   - location: The URL of what was created; nil: nothing was, or it has none.
    ///   - retryAfter: How many seconds to wait; nil: this is no answer to try again.
    ///   - isReplay: Whether it was answered before, under the operation's name.
    @inline(__always)
    consuming func adding(location: String? = nil, retryAfter: Int? = nil, isReplay: Bool = false) -> Response {
        guard location != nil || retryAfter != nil || isReplay else { return self }
        var response = self
        if let location { response.headers.append("Location", location) }
        if let retryAfter { response.headers.append("Retry-After", String(retryAfter)) }
        if isReplay { response.headers.append("Idempotent-Replayed", "true") }
        return response
    }
}

/// A refusal that is answered as problem details (RFC 9457).
protocol AnswerableRefusal: RefusalReason {
    /// The response.
    func response(with details: Details) -> Response
}

extension V2Refusal: AnswerableRefusal {
    func response(with details: V2Details) -> Response { .problem(V2.Problem(for: self, details)) }
}
