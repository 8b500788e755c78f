import HTTPServer
import JulietGame

/// Who is signed in to the admin page: the key in a cookie, which no script sees and no other site's request carries.
enum AdminSession {
    private static let cookieName = "juliet_admin"
    /// A working day; then people sign in again.
    private static let lifetime = 12 * 3600

    /// The key of a request. Only the database knows whose it is, and whether it is valid.
    static func key(of request: Request) -> AdminKey? {
        guard let cookies = request.headers["Cookie"] else { return nil }
        for cookie in cookies.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            let parts = cookie.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookieName else { continue }
            return AdminKey(parts[1])
        }
        return nil
    }

    /// The cookie that keeps the key in the browser; only for TLS if the page was requested over TLS.
    static func cookie(_ key: AdminKey, for request: Request) -> String {
        "\(cookieName)=\(key.text); \(attributes(of: request)); Max-Age=\(lifetime)"
    }

    /// The cookie that removes it.
    static func noCookie(for request: Request) -> String {
        "\(cookieName)=; \(attributes(of: request)); Max-Age=0"
    }

    private static func attributes(of request: Request) -> String {
        let isSecure = request.headers[CrossOrigin.originHeaderName]?.lowercased().hasPrefix("https://") ?? false
        return "Path=/admin; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// Whether the page that sends a request is this service's own: its `Origin` names the host that the request is for. Browsers add the
    /// header to every request but GET and HEAD, and no page can write it.
    static func isOwnPage(_ request: Request) -> Bool {
        guard let origin = request.headers[CrossOrigin.originHeaderName]?.lowercased(), !request.authority.isEmpty
        else {
            return false
        }
        let authority = request.authority.lowercased()
        return origin == "http://\(authority)" || origin == "https://\(authority)"
    }
}
