import EventLoop
import HTTPServer
import JulietAPI
import JulietGame

/// `/admin`, signing in and signing out: a form without any script.
final class AdminSignIn: Sendable {
    private let desk: AdminDesk
    /// The page. It is compressed here, not by the first request, because that takes a while.
    private let main = AdminPages.desk
    private let keyCommand: String
    private let limits: RequestLimits
    private let attempts = Locked(AttemptLimiter())
    private let start = ContinuousClock.now

    init(desk: AdminDesk, keyCommand: String, limits: RequestLimits) {
        self.desk = desk
        self.keyCommand = keyCommand
        self.limits = limits
    }

    /// The page for those whose key is valid; for others the form, or how to make a key while nobody has one.
    func page(_ request: Request) async throws -> Response {
        if try await isSignedIn(request) { return main.response(to: request) }
        return try await desk.hasKeys() ? AdminPages.signIn() : noKeys
    }

    /// Whether a request has a valid key.
    func isSignedIn(_ request: Request) async throws -> Bool {
        guard let key = AdminSession.key(of: request) else { return false }
        guard case .done = try await desk.signIn(with: key) else { return false }
        return true
    }

    /// Takes the form.
    func signIn(_ request: Request) async throws -> Response {
        guard AdminSession.isOwnPage(request) else { return .adminProblem(.originRefused) }
        let attempt: AttemptLimiter.Attempt
        let address = limits.client(of: request).address
        switch attempts.withLock({ $0.begin(from: address, now: .now - start) }) {
        case .admitted(let admitted): attempt = admitted
        case .refused(let wait):
            let seconds = Int((wait / .seconds(1)).rounded(.up))
            return AdminPages.signIn("Too many wrong keys. Try again in \(seconds / 60 + 1) minutes.", 429, seconds)
        }
        guard let key = Self.key(in: request.body) else { return AdminPages.signIn(Self.wrongKey, 401) }
        do {
            guard case .done = try await desk.signIn(with: key) else {
                return try await desk.hasKeys() ? AdminPages.signIn(Self.wrongKey, 401) : noKeys
            }
            attempts.withLock { $0.takeBack(attempt) }
            return Self.home(setting: AdminSession.cookie(key, for: request))
        } catch {
            attempts.withLock { $0.takeBack(attempt) }
            throw error
        }
    }

    /// Forgets the key. It stays valid.
    func signOut(_ request: Request) -> Response {
        guard AdminSession.isOwnPage(request) else { return .adminProblem(.originRefused) }
        return Self.home(setting: AdminSession.noCookie(for: request))
    }

    private static let wrongKey = "Nobody has this key, or it was revoked."

    /// Where the page is.
    static let home = Response(status: 308, headers: ["Location": "/admin", "Cache-Control": "no-store"])

    private static func home(setting cookie: String) -> Response {
        Response(
            status: 303, headers: ["Location": "/admin", "Set-Cookie": cookie, "Cache-Control": "no-store"])
    }

    private var noKeys: Response {
        var response = Response.text(
            "There is no admin page yet, because nobody has a key. Make one: \(keyCommand)\n", status: .notFound)
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
