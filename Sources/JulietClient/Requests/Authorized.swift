/// A request on behalf of a session: see ``Request/authorized(by:)``.
public struct Authorized<Base: Request>: Request {
    /// What the request itself is answered with.
    public typealias Response = Base.Response

    private let base: Base
    private let token: String

    init(_ base: Base, token: String) {
        self.base = base
        self.token = token
    }

    /// That of the request.
    public var method: HTTPMethod { base.method }
    /// That of the request.
    public var path: String { base.path }
    /// That of the request.
    public var query: RequestQuery { base.query }
    /// That of the request.
    public var accept: String? { base.accept }
    /// The request's own, and the token.
    public var headers: [HeaderField] { base.headers + [HeaderField("Authorization", "Bearer \(token)")] }
    /// That of the request.
    public var body: RequestBody? { get throws { try base.body } }
    /// The request's own, but nobody else is to add credentials.
    public var options: RequestOptions {
        var options = base.options
        options.isAuthenticated = false
        return options
    }

    /// That of the request.
    public var identifierSource: IdentifierSource { base.identifierSource }

    /// Reads a success as the request itself does.
    public static func decode(_ response: HTTPResponse) throws -> Response {
        try Base.decode(response)
    }
}

/// A request with credentials around it.
protocol AuthorizedRequest: Request {
    /// The type of the request itself.
    static var bare: any Request.Type { get }
}

extension Authorized: AuthorizedRequest {
    static var bare: any Request.Type { Base.self }
}

extension Request {
    /// The same request with a token (RFC 6750), in place of whatever credentials the client would add.
    ///
    /// A queue would keep the token in its journal: there `JulietConfiguration.prepare` is the place to add one.
    public func authorized(by token: String) -> Authorized<Self> {
        Authorized(self, token: token)
    }
}
