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

    /// Answers requests that have a key, by a route's handler.
    convenience init(
        _ route: AdminRoute, operators: Operators, limits: RequestLimits, metrics: ServiceMetrics, log: RequestLog
    ) {
        let path = "/admin/api\(route.path)"
        self.init(
            route.method, path, limits: limits, metrics: metrics.requests(route.method, path), log: log
        ) { request in
            guard let key = AdminSession.key(of: request) else {
                return .adminProblem(V2.Problem(for: .unauthorized))
            }
            do {
                guard route.method == .get || AdminSession.isOwnPage(request) else {
                    return try await Self.problem(.originRefused, key, operators)
                }
                return try await route.handler(AdminRequest(http: request, key: key, query: AdminQuery(request.query)))
            } catch let fault as V2.RequestFault {
                return try await Self.problem(V2.Problem(fault), key, operators)
            }
        }
    }

    /// Only a caller with a valid key learns what is wrong with a request.
    private static func problem(
        _ problem: V2.Problem, _ key: AdminKey, _ operators: Operators
    ) async throws(PostgresError) -> Response {
        .of(try await operators.signIn(with: key)) { _ in .adminProblem(problem) }
    }

    /// Answers a request.
    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        do {
            return try await handler(request)
        } catch {
            // Never 401, the only problem that is another one here.
            return frame.problem(for: error, request, context)
        }
    }
}
