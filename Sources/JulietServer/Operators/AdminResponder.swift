import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// Answers the requests of one URL and method of the admin page. They are logged and counted like others, without
/// anything that says whom they are about.
final class AdminResponder: FramedResponder {
    let frame: RequestFrame
    private let handler: @Sendable (Request) async throws -> Response

    /// Answers by a handler, which throws a `PostgresError` or nothing.
    init(
        _ method: HTTPMethod, _ path: String, limits: RequestLimits, metrics: RequestMetrics, log: RequestLog,
        handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        frame = RequestFrame(
            path, type: method.rawValue, limits: limits, isLimited: false, metrics: metrics, log: log)
        self.handler = handler
    }

    /// Answers requests that have a session, by a route's handler.
    convenience init(
        _ route: AdminRoute, operators: Operators, signIn: AdminSignIn, limits: RequestLimits, metrics: ServiceMetrics,
        log: RequestLog
    ) {
        let path = "/admin/api\(route.path)"
        self.init(
            route.method, path, limits: limits, metrics: metrics.requests(route.method, path), log: log
        ) { request in
            guard let session = AdminSession(of: request) else {
                return .problem(V2.Problem(for: .unauthorized))
            }
            let response = try await Self.response(to: request, by: route, session, operators)
            // Only the database says that a session is not valid: each handler asks it.
            return response.status == 401 ? signIn.wrongSession(in: request) : response
        }
    }

    private static func response(
        to request: Request, by route: AdminRoute, _ session: AdminSession, _ operators: Operators
    ) async throws -> Response {
        do {
            guard route.method == .get || CrossOrigin.isOwnPage(request) else {
                return try await problem(.originRefused, session, operators)
            }
            return try await route.handler(
                AdminRequest(http: request, session: session, query: AdminQuery(request.query)))
        } catch let fault as V2.RequestFault {
            return try await problem(V2.Problem(fault), session, operators)
        }
    }

    /// Only a caller with a valid session learns what is wrong with a request.
    private static func problem(
        _ problem: V2.Problem, _ session: AdminSession, _ operators: Operators
    ) async throws(PostgresError) -> Response {
        .of(try await operators.show(session)) { _ in .problem(problem) }
    }

    /// Answers a request.
    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        do {
            return try await handler(request)
        } catch {
            return frame.problem(for: error, request, context)
        }
    }
}
