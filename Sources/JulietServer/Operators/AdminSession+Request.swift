import HTTPServer
import JulietGame

/// How a browser keeps a session.
///
/// Over HTTPS it is in a cookie that no script sees, and that no other site's request carries. Without HTTPS a browser would
/// send a cookie to every port of the host, so the page keeps the session itself, and sends it in a header.
extension AdminSession {
    /// Browsers keep a cookie of such a name only if it is `Secure` and of this host alone (RFC 6265bis §4.1.3.2).
    private static let cookieName = "__Host-juliet_admin"
    private static let attributes = "Path=/; Secure; HttpOnly; SameSite=Strict"

    /// The session of a request: that of `Authorization: Bearer`, or else that of the cookie. Only the database knows whether
    /// it is valid. A proxy in front may send another token of its own.
    init?(of request: Request) {
        let authorization = request.headers["Authorization"]?.split(separator: " ", maxSplits: 1) ?? []
        if authorization.count == 2, authorization[0].lowercased() == "bearer", let session = Self(authorization[1]) {
            self = session
        } else if let cookie = Self.cookie(of: request) {
            self.init(cookie)
        } else {
            return nil
        }
    }

    /// The `Set-Cookie` that keeps the session until the browser closes; the database ends it earlier.
    var newCookie: String { "\(Self.cookieName)=\(text); \(Self.attributes)" }

    /// The `Set-Cookie` that removes it.
    static let noCookie = "\(cookieName)=; \(attributes); Max-Age=0"

    /// Whether a request has the cookie.
    static func hasCookie(_ request: Request) -> Bool { cookie(of: request) != nil }

    private static func cookie(of request: Request) -> Substring? {
        guard let cookies = request.headers["Cookie"] else { return nil }
        for cookie in cookies.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let parts = cookie.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookieName else { continue }
            return parts[1]
        }
        return nil
    }
}
