import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// Answers the requests of one URL and method of `/v2`.
final class V2Responder: FramedResponder {
    private let route: V2Route
    /// The fixed URL of what the route creates; nil: it creates nothing, or the handler gives the URL.
    private let location: String?
    private let accounts: PlayerAccounts
    let frame: RequestFrame

    /// Answers by a route's handler.
    ///
    /// - Parameter root: What comes before the route's path.
    init(
        _ route: V2Route, below root: String, accounts: PlayerAccounts, crossOrigin: CrossOrigin,
        limits: RequestLimits, metrics: ServiceMetrics, log: RequestLog
    ) {
        self.route = route
        location =
            route.successes.lazy.compactMap { success in
                guard case .path(let path) = success.location else { return nil }
                return root + path
            }.first
        self.accounts = accounts
        let path = "/v2\(route.path)"
        // By the session, because only the database knows the player.
        frame = RequestFrame(
            path, type: route.method.rawValue, limits: limits, crossOrigin: crossOrigin,
            metrics: metrics.requests(route.method, path), log: log
        ) { request in route.access == .newcomers ? nil : request.headers["Authorization"] }
    }

    /// Answers a request.
    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        let response = await answer(to: request, context)
        return response.adding(location: response.status == .created ? location : nil)
    }

    private func answer(to request: Request, _ context: RequestContext) async -> Response {
        var session: Credential?
        do {
            session = try V2Request.session(of: request, for: route.access)
            if let session, let wait = frame.limits.secondsToWait(context.client, as: session) {
                return .tooManyRequests(retryAfter: wait)
            }
            // Requests of newcomers do not use a token, so it is checked here.
            if route.access == .newcomers, let session, let stranger = try await accounts.stranger(session) {
                return .problem(V2.Problem(for: stranger))
            }
            return try await route.handler(V2Request(request, from: context.client, session: session, route: route))
        } catch let fault as V2.RequestFault {
            return await problem(for: fault, session, request, context)
        } catch is V2Request.Unauthorized {
            return .problem(V2.Problem(.unauthorized))
        } catch {
            return frame.problem(for: error, request, context)
        }
    }

    /// If a request needs a player, only a player learns what is wrong with it: 401 comes before 400.
    private func problem(
        for fault: V2.RequestFault, _ session: Credential?, _ request: Request, _ context: RequestContext
    ) async -> Response {
        guard let session else { return .problem(V2.Problem(fault)) }
        do {
            let stranger = try await accounts.stranger(session)
            return .problem(stranger.map { V2.Problem(for: $0) } ?? V2.Problem(fault))
        } catch {
            return frame.problem(for: error, request, context)
        }
    }
}

extension RequestFrame {
    /// The answer to a request that failed, which is logged. The app has another.
    func problem(for error: any Error, _ request: Request, _ context: RequestContext) -> Response {
        guard let error = error as? PostgresError else {
            failed(request, context, UnexpectedError())
            return .problem(V2.Problem(.internalError))
        }
        failed(request, context, error)
        return .problem(V2.Problem(for: error))
    }
}

/// An internal error of the service. It may contain anything, so clients do not see it.
struct UnexpectedError: Error, CustomStringConvertible {
    let description = "an error of the service's own"
}
