import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// A request of `/v2`, with what its head says about the caller.
struct V2Request: Sendable {
    /// Who may call.
    enum Access: Sendable {
        /// Callers without a token. A token that is sent must be valid, but has no other effect.
        case newcomers
        /// Everybody. A token that is sent must be valid.
        case anybody
        /// Players, by their token.
        case players
    }

    /// The request has no token, or a malformed one.
    struct Unauthorized: Error {}

    /// The request itself.
    let http: Request
    /// Where it comes from.
    let client: RequestLimits.Client
    /// The caller's session; only the database knows whether it exists. nil: the caller is not signed in.
    let session: Credential?
    /// The name of the operation, so that it takes effect once.
    let operation: Operation.ID?
    /// The route, which says what the request may have.
    private let route: V2Route

    /// Checks the head.
    ///
    /// - Parameter session: As `session(of:for:)` gave it.
    /// - Throws: For a malformed `Idempotency-Key`. GET ignores the field.
    init(
        _ request: Request, from client: RequestLimits.Client, session: Credential?, route: V2Route
    ) throws(V2.RequestFault) {
        http = request
        self.client = client
        self.route = route
        self.session = session
        guard request.method != .get, request.method != .head, let value = request.headers[IdempotencyKey.headerName]
        else {
            operation = nil
            return
        }
        guard let key = IdempotencyKey(fieldValue: value) else {
            throw V2.RequestFault(
                path: IdempotencyKey.headerName,
                detail: "Idempotency-Key must be 1 to 255 visible ASCII characters, bare or quoted.")
        }
        operation = Operation.ID(key.value)
    }

    /// The session that a request names.
    static func session(of request: Request, for access: Access) throws(Unauthorized) -> Credential? {
        guard let authorization = request.headers["Authorization"] else {
            guard access != .players else { throw Unauthorized() }
            return nil
        }
        guard let token = V2.AccessToken(authorization: authorization) else { throw Unauthorized() }
        return Credential(token)
    }

    /// The session of the calling player.
    func player() throws(Unauthorized) -> Credential {
        guard let session else { throw Unauthorized() }
        return session
    }

    /// The body, of the type in the route's description.
    func body<Body: V2.Body>(_ type: Body.Type = Body.self) throws(V2.RequestFault) -> Body {
        assert(route.body.map { $0 == Body.self } == true, "\(route.name) is described with another body")
        return try Body.decode(http.body.span)
    }

    /// The query of a list.
    func query() throws(V2.RequestFault) -> V2.ListQuery {
        try V2.ListQuery.decode(http.query, knowing: route.query)
    }

    /// The id in the path; nil: it is no UUID, so nothing has it.
    func id(_ name: String = "id") -> PostgresUUID? {
        http.parameters[name].flatMap(PostgresUUID.init(id:))
    }

    /// The code in the path; nil: it is malformed, so nothing has it.
    var code: V2.ShareCode? { http.parameters["code"].flatMap { V2.ShareCode($0) } }

    /// The day in the path. A malformed one becomes a future day, because the database knows neither.
    var day: V2.Day { http.parameters["day"].flatMap { V2.Day($0) } ?? .last }
}

extension V2.Day {
    /// 9999-12-31.
    fileprivate static let last = V2.Day(daysSince1970: 2_932_896)
}

extension PostgresUUID {
    /// Reads an id, which has one spelling.
    init?(id: String) {
        self.init(id)
        guard description == id else { return nil }
    }
}

/// Answers a request of `/v2`.
///
/// It throws `V2.RequestFault`, `V2Request.Unauthorized` or `PostgresError`.
typealias V2Handler = @Sendable (V2Request) async throws -> Response

extension V2.RequestFault {
    /// `before` is not the `next` of a page.
    static let unknownPage = V2.RequestFault(
        path: "before", detail: "\"before\" must be the \"next\" of the previous page.")
}
