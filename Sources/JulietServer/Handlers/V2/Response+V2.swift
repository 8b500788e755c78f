import HTTPServer
import JulietAPI

extension Response {
    // What is answered holds tokens and what only one player may see: no cache is to keep it.
    private static let jsonHeaders: Headers = [
        "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store",
    ]
    private static let problemHeaders: Headers = [
        "Content-Type": "application/problem+json", "Cache-Control": "no-store",
    ]

    /// An answer of `/v2`.
    static func json(_ object: some JSONObject, status: HTTPStatus = .ok) -> Response {
        Response(status: status, headers: jsonHeaders, body: .bytes(object.encoded()))
    }

    /// A refusal or failure of `/v2`, with the fields that its status asks for; `Allow` is the caller's.
    static func problem(_ problem: V2.Problem) -> Response {
        var headers = problemHeaders
        if problem.status == 401 { headers.append("WWW-Authenticate", "Bearer") }
        if let retryAfter = problem.retryAfter { headers.append("Retry-After", String(retryAfter)) }
        return Response(status: HTTPStatus(problem.status), headers: headers, body: .bytes(problem.encoded()))
    }
}

extension V2.Problem {
    /// The service is busy, or its database out of reach.
    static let unavailable = V2.Problem(.unavailable, retryAfter: 1)

    /// What the HTTP server answers by itself.
    init(_ failure: HTTPFailure) {
        switch failure.status {
        case .badRequest: self.init(.requestInvalid, detail: failure.message, path: "")
        case .notFound: self.init(.notFound)
        case .methodNotAllowed: self.init(.methodNotAllowed)
        case .requestTimeout: self.init(.requestTimeout)
        case .contentTooLarge: self.init(.contentTooLarge)
        case .uriTooLong: self.init(.uriTooLong)
        case .requestHeaderFieldsTooLarge: self.init(.headerFieldsTooLarge)
        case .internalServerError: self.init(.internalError)
        case .serviceUnavailable:
            self.init(.unavailable, retryAfter: failure.headers["Retry-After"].flatMap { Int($0) } ?? 1)
        default:
            // 415, 417, 421, 501, 505: no code of the contract, so HTTP's own words.
            let title = failure.status.reasonPhrase
            self.init(
                code: title.lowercased().replacing(" ", with: "-"), status: failure.status.code, title: title,
                detail: failure.message)
        }
    }
}
