import HTTPServer
import JulietAPI

/// One method of one URL of `/v2`: what it takes, what it answers, and its handler.
///
/// A handler can be reached only by a route, and the API's description is made from the routes.
final class V2Route: Sendable {
    /// A successful answer.
    struct Success: Sendable {
        /// The URL of what was created (RFC 9110 §10.2.2).
        enum Location: Sendable, Equatable {
            /// A game: the handler says which.
            case game
            /// The URL that the handler gives.
            case ofHandler
            /// A fixed path below `/v2`.
            case path(String)
        }

        let status: HTTPStatus
        let schema: Schema?
        var location: Location?

        static func ok(_ type: (some JSONObject).Type) -> Success { .ok(type.schema) }
        static func ok(_ schema: Schema) -> Success { Success(status: .ok, schema: schema) }
        static func created(_ type: (some JSONObject).Type, at location: Location) -> Success {
            Success(status: .created, schema: type.schema, location: location)
        }
        /// A game, whose URL is in `Location`.
        static func begun(_ type: (some JSONObject).Type) -> Success { .created(type, at: .game) }
        static let done = Success(status: .noContent, schema: nil)
        /// For a client that has the answer already.
        static let unchanged = Success(status: 304, schema: nil)
    }

    /// Names it in clients that are generated.
    let name: String
    let method: HTTPMethod
    /// Below `/v2`, with its parameters in braces.
    let path: String
    /// What it does, in a sentence.
    let about: String
    let access: V2Request.Access
    /// The parameters of the query; all may be missing.
    let query: [V2.ListQuery.Name]
    /// The type of the body; nil: the body is ignored.
    let body: (any V2.Body.Type)?
    let successes: [Success]
    /// The problems that the route may answer, in addition to those of any request.
    let refusals: [V2.ProblemCode]
    /// Whether the URL is there now: if not, it is 404 for everybody and every method. nil: it always is.
    let isOffered: (@Sendable () -> Bool)?
    let handler: V2Handler

    /// Describes a handler.
    init(
        _ name: String, _ method: HTTPMethod, _ path: String, _ about: String,
        for access: V2Request.Access = .players, query: [V2.ListQuery.Name] = [],
        takes body: (any V2.Body.Type)? = nil,
        answers successes: Success..., refuses refusals: [V2.ProblemCode] = [],
        while isOffered: (@Sendable () -> Bool)? = nil, handler: @escaping V2Handler
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.about = about
        self.access = access
        self.query = query
        self.body = body
        self.successes = successes
        self.refusals = refusals
        self.isOffered = isOffered
        self.handler = handler
    }
}
