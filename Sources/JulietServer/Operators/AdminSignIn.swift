import HTTPServer
import JulietAPI
import JulietGame

/// `/admin`, signing in and signing out: a form without any script.
final class AdminSignIn: Sendable {
    private let operators: Operators
    /// The page. It is compressed here, not by the first request, because that takes a while.
    private let main = AdminPages.main
    private let keyCommand: String
    private let limits: RequestLimits
    private let wrongKeys = GuessLimit(10)

    init(operators: Operators, keyCommand: String, limits: RequestLimits) {
        self.operators = operators
        self.keyCommand = keyCommand
        self.limits = limits
    }

    /// The page for those whose key is valid; for others the form, or how to make a key while nobody has one.
    func page(_ request: Request) async throws -> Response {
        if try await isSignedIn(request) { return main.response(to: request) }
        return try await operators.hasKeys() ? AdminPages.signIn() : noKeys
    }

    /// Whether a request has a valid key.
    func isSignedIn(_ request: Request) async throws -> Bool {
        guard let key = AdminSession.key(of: request) else { return false }
        return try await operators.signIn(with: key).value != nil
    }

    /// Takes the form.
    func signIn(_ request: Request) async throws -> Response {
        guard AdminSession.isOwnPage(request) else { return .adminProblem(.originRefused) }
        return try await wrongKeys.attempt(from: limits.client(of: request).address, refused: Self.refused) {
            guard let key = Self.key(in: request.body) else {
                return (AdminPages.signIn(Self.wrongKey, 401), isWrong: true)
            }
            guard try await operators.signIn(with: key).value != nil else {
                return (try await operators.hasKeys() ? AdminPages.signIn(Self.wrongKey, 401) : noKeys, isWrong: true)
            }
            return (Self.home(setting: AdminSession.cookie(key, for: request)), isWrong: false)
        }
    }

    private static func refused(_ seconds: Int) -> Response {
        let time = seconds < 60 ? "a minute" : "\(seconds / 60 + 1) minutes"
        return AdminPages.signIn("Too many keys were tried. Try again in \(time).", 429, seconds)
    }

    /// Forgets the key. It stays valid.
    func signOut(_ request: Request) -> Response {
        guard AdminSession.isOwnPage(request) else { return .adminProblem(.originRefused) }
        return Self.home(setting: AdminSession.noCookie(for: request))
    }

    private static let wrongKey = "That key is not valid, or was revoked."

    /// Where the page is.
    static let home = Response(status: 308, headers: ["Location": "/admin", "Cache-Control": "no-store"])

    private static func home(setting cookie: String) -> Response {
        Response(
            status: 303, headers: ["Location": "/admin", "Set-Cookie": cookie, "Cache-Control": "no-store"])
    }

    private var noKeys: Response {
        var response = Response.text(
            "The admin page is off, because there is no key yet. Make one: \(keyCommand)\n", status: .notFound)
        response.headers.append("Cache-Control", "no-store")
        return response
    }

    /// The field `key` of a form (application/x-www-form-urlencoded). No key has a character that is written otherwise in
    /// one.
    private static func key(in form: [UInt8]) -> AdminKey? {
        for field in form.split(separator: UInt8(ascii: "&")) where field.starts(with: "key=".utf8) {
            let value = field.dropFirst(4).map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            return PercentEncoding.decode(value).flatMap { AdminKey($0) }
        }
        return nil
    }
}
