import HTTPServer
import JulietAPI
import JulietGame

/// `/admin`, and `/admin/api/session`: signing in with a key, who is signed in, and signing out.
final class AdminSignIn: Sendable {
    private let operators: Operators
    /// The page. It is compressed here, not by the first request, because that takes a while.
    private let main = AdminPages.main
    private let keyCommand: String
    private let limits: RequestLimits
    /// The wrong keys and sessions of an address in ten minutes. A right one is let in whatever came before it: operators may
    /// share an address, such as the end of an SSH tunnel, and nobody guesses 32 random bytes.
    private let wrong = RateLimit(.init(count: 10, period: .seconds(600), refill: .afterPeriod))

    init(operators: Operators, keyCommand: String, limits: RequestLimits) {
        self.operators = operators
        self.keyCommand = keyCommand
        self.limits = limits
    }

    /// What takes a session.
    var routes: [AdminRoute] {
        [
            AdminRoute(.get, "/session") { .of(try await self.operators.show($0.session)) },
            AdminRoute(.delete, "/session") { request in
                var response = Response.of(try await self.operators.signOut(of: request.session))
                if response.status == .ok, AdminSession.hasCookie(request.http) {
                    response.headers.append("Set-Cookie", AdminSession.noCookie)
                }
                return response
            },
        ]
    }

    /// The page, which holds no data, or how to make a key while nobody has one.
    func page(_ request: Request) async throws -> Response {
        try await operators.hasKeys() ? main.response(to: request) : noKeys
    }

    /// Opens a session. The browser says in `Origin` whether it uses HTTPS: then the session is in a cookie, else in the body.
    func signIn(_ request: Request) async throws -> Response {
        guard CrossOrigin.isOwnPage(request) else { return .problem(.originRefused) }
        let text: String
        do throws(V2.RequestFault) {
            text = try AdminRequests.SignIn(request.body.span).key
        } catch {
            return .problem(V2.Problem(error))
        }
        let session = AdminSession.random()
        guard let key = AdminKey(text), try await operators.signIn(with: key, as: session).value != nil else {
            return .problem(wrongProof(in: request, "That key is not valid, or was revoked."))
        }
        let isSecure = request.headers[CrossOrigin.originHeaderName]?.lowercased().hasPrefix("https://") ?? false
        guard isSecure else { return Response.json(bytes: Array(#"{"session":"\#(session.text)"}"#.utf8)) }
        var response = Response.json(bytes: Array("{}".utf8))
        response.headers.append("Set-Cookie", session.newCookie)
        return response
    }

    /// The answer to a request with a session that is not valid. The browser forgets its cookie, so that it does not send it again.
    func wrongSession(in request: Request) -> Response {
        var response = Response.problem(wrongProof(in: request, "Sign in with a key that is valid."))
        if AdminSession.hasCookie(request) { response.headers.append("Set-Cookie", AdminSession.noCookie) }
        return response
    }

    /// Counts a wrong key or session.
    private func wrongProof(in request: Request, _ detail: String) -> V2.Problem {
        guard let wait = wrong.take(limits.client(of: request).address.network) else {
            return V2.Problem(.unauthorized, detail: detail)
        }
        return V2.Problem(
            .tooManyRequests,
            detail: "\(detail) This address has sent ten that were not valid. A valid key is still accepted.",
            retryAfter: wait)
    }

    /// Where the page is.
    static let home = Response(status: 308, headers: ["Location": "/admin", "Cache-Control": "no-store"])

    private var noKeys: Response {
        var response = Response.text(
            "The admin page is off, because there is no key yet. Make one: \(keyCommand)\n", status: .notFound)
        response.headers.append("Cache-Control", "no-store")
        return response
    }
}
