import HTTPServer

/// Lets pages of other origins use `/v2` from a browser (the Fetch standard, "HTTP extensions"), and refuses what those send that are
/// not allowed: a browser sends it before it looks whether the page may read the answer.
///
/// There are no cookies: a page has the tokens it was given. So an origin is allowed everything or nothing.
struct CrossOrigin: Sendable {
    private let origins: [String]
    private let allowsAll: Bool
    /// Where the service's own page is, if that is known.
    private let ownOrigins: [String]
    private var takesLinks = false

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
    ///
    /// - Parameter ownOrigins: Where the service's own page is; empty: that is not known, so the page is at any name it was
    ///   requested by.
    init(_ allowedOrigins: [String], ownOrigins: [String] = []) {
        origins = allowedOrigins
        allowsAll = allowedOrigins == ["*"]
        self.ownOrigins = ownOrigins.map { $0.lowercased() }
    }

    /// The same, but no other origin is allowed.
    var toOwnPages: CrossOrigin { CrossOrigin([], ownOrigins: ownOrigins) }

    /// The same for a URL that people open: a link on any page may lead to it.
    var withLinks: CrossOrigin {
        var copy = self
        copy.takesLinks = true
        return copy
    }

    /// Whether a page sent the request that is neither the service's own nor allowed. Programs other than browsers send none of the
    /// headers that tell, and no page can write them.
    func isForeign(_ request: Request) -> Bool {
        let headers = request.headers
        // The Fetch standard, "Origin header": with every method but GET and HEAD, and with a GET whose answer a page wants to read.
        let origin = headers[Self.originHeaderName]
        if let origin, allows(origin) { return false }
        // Fetch Metadata Request Headers §2: browsers send these over HTTPS and to this machine.
        let site = headers["Sec-Fetch-Site"]
        guard site != "same-origin" else { return false }
        // Any page can have other sites' pages fetched in advance, in the name of nobody.
        if headers.contains("Sec-Purpose") { return true }
        if let origin { return !isOwn(origin.lowercased(), request) }
        guard site == "cross-site" || site == "same-site" else { return false }
        // Not a frame or an object, which a page can have any number of.
        return !takesLinks || headers["Sec-Fetch-Mode"] != "navigate" || headers["Sec-Fetch-Dest"] != "document"
    }

    /// Whether an origin is the service's own: one that is known, or that of the name by which the request reached it.
    ///
    /// Where the own origins are known that name is not enough, because somebody else's name may lead here too (DNS rebinding).
    /// An address never does.
    private func isOwn(_ origin: String, _ request: Request) -> Bool {
        if ownOrigins.contains(origin) { return true }
        return (ownOrigins.isEmpty || Self.addresses.admits(request.authority)) && Self.isOwnPage(request)
    }

    private static let addresses = HostNames()

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

    private func allows(_ origin: String) -> Bool { allowsAll || origins.contains(origin) }

    private func allowedOrigin(_ requestHeaders: Headers) -> String? {
        guard allowsAll || !origins.isEmpty, let origin = requestHeaders[Self.originHeaderName], allows(origin) else {
            return nil
        }
        return allowsAll ? "*" : origin
    }
}
