import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// Answers the requests of one URL and method of the lottery: limited, logged and counted like those of `/v2`.
final class LotteryResponder: FramedResponder {
    /// Answers a request; throws a `PostgresError`.
    typealias LotteryHandler = @Sendable (Request, _ session: Credential?) async throws -> Response

    private let isForPlayers: Bool
    private let handler: LotteryHandler
    let frame: RequestFrame

    /// Answers by a handler.
    ///
    /// - Parameter isForPlayers: Whether it takes a token; the handler finds out whether the token is valid.
    init(
        _ method: HTTPMethod, _ path: String, isForPlayers: Bool = false, crossOrigin: CrossOrigin,
        limits: RequestLimits, metrics: ServiceMetrics, log: RequestLog, handler: @escaping LotteryHandler
    ) {
        self.isForPlayers = isForPlayers
        self.handler = handler
        frame = RequestFrame(
            path, type: method.rawValue, limits: limits, crossOrigin: crossOrigin,
            metrics: metrics.requests(method, path), log: log
        ) { request in isForPlayers ? request.headers["Authorization"] : nil }
    }

    /// Answers a request. A stream counts as answered when it begins.
    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        var session: Credential?
        if isForPlayers {
            guard let token = request.headers["Authorization"].flatMap({ V2.AccessToken(authorization: $0) }) else {
                return .problem(V2.Problem(.unauthorized))
            }
            session = Credential(token)
        }
        if let session, let wait = frame.limits.secondsToWait(context.client, as: session) {
            return .tooManyRequests(retryAfter: wait)
        }
        do {
            return try await handler(request, session)
        } catch is SingleFlight<LotteryPages.Key, LotteryPages.Made>.Overload {
            return .problem(V2.Problem(.unavailable, retryAfter: 1))
        } catch is CancellationError {
            // The caller is gone.
            return .problem(V2.Problem(.unavailable, retryAfter: 1))
        } catch {
            return frame.problem(for: error, request, context)
        }
    }
}
