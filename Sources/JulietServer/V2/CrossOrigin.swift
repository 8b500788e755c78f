import HTTPServer

/// Lets pages of other origins use `/v2` from a browser (the Fetch standard, "HTTP extensions").
///
/// There are no cookies: a page has the tokens it was given. So an origin is allowed everything or nothing.
struct CrossOrigin: Sendable {
    private let origins: [String]
    private let allowsAll: Bool

    /// The header of a request that names the origin of the page.
    static let originHeaderName = "Origin"

    /// Whether the page that sends a request is this service's own: its `Origin` names the host that the request is for. Browsers add the
    /// header to every request but GET and HEAD, and no page can write it.
    static func isOwnPage(_ request: Request) -> Bool {
        guard let origin = request.headers[originHeaderName]?.lowercased(), !request.authority.isEmpty else {
            return false
        }
        let authority = request.authority.lowercased()
        return origin == "http://\(authority)" || origin == "https://\(authority)"
    }

    /// Allows these origins; "*": all.
    init(_ allowedOrigins: [String]) {
        origins = allowedOrigins
        allowsAll = allowedOrigins == ["*"]
    }

    /// Lets the page that sent the request read the answer. If no page sent it, or one that is not allowed, the answer stays as it is.
    func share(_ response: inout Response, with requestHeaders: Headers) {
        guard let allowed = allowedOrigin(requestHeaders) else { return }
        response.headers.append("Access-Control-Allow-Origin", allowed)
        response.headers.append("Vary", Self.originHeaderName)
        response.headers.append(
            "Access-Control-Expose-Headers",
            "X-Request-Id, Retry-After, Idempotent-Replayed, WWW-Authenticate, Allow, Location, ETag")
    }

    /// The answer to OPTIONS, which browsers send first; without a page, or for one that is not allowed, it has the
    /// methods only.
    ///
    /// - Parameter allow: The methods of the path, as in `Allow`.
    func options(_ requestHeaders: Headers, allow: String) -> Response {
        var response = Response(
            status: .noContent,
            headers: [
                "Allow": allow, "Cache-Control": "no-store",
                RequestID.headerName: RequestID(proposed: requestHeaders[RequestID.headerName]).description,
            ])
        guard requestHeaders.contains("Access-Control-Request-Method"),
            let allowed = allowedOrigin(requestHeaders)
        else {
            share(&response, with: requestHeaders)
            return response
        }
        response.headers.append("Access-Control-Allow-Origin", allowed)
        response.headers.append("Vary", Self.originHeaderName)
        response.headers.append("Access-Control-Allow-Methods", allow)
        response.headers.append(
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id")
        response.headers.append("Access-Control-Max-Age", "7200")
        return response
    }

    private func allowedOrigin(_ requestHeaders: Headers) -> String? {
        guard let origin = requestHeaders[Self.originHeaderName] else { return nil }
        return allowsAll ? "*" : origins.contains(origin) ? origin : nil
    }
}
