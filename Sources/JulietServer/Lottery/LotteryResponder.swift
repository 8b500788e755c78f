import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// Answers the requests of one URL and method of the lottery: limited, logged and counted like those of `/v2`.
final class LotteryResponder: FramedResponder {
    /// Answers a request; throws a `PostgresError`.
    typealias LotteryHandler = @Sendable (Request, _ session: Credential?) async throws -> Response

    private let method: HTTPMethod
    private let isForPlayers: Bool
    private let handler: LotteryHandler
    let frame: RequestFrame

    /// Answers by a handler.
    ///
    /// - Parameter isForPlayers: Whether it takes a token; the handler finds out whether the token is valid.
    init(
        _ method: HTTPMethod, _ path: String, isForPlayers: Bool = false, limits: RequestLimits,
        metrics: ServiceMetrics, log: RequestLog, handler: @escaping LotteryHandler
    ) {
        self.method = method
        self.isForPlayers = isForPlayers
        self.handler = handler
        frame = RequestFrame(
            path, type: method.rawValue, limits: limits, metrics: metrics.requests(method, path), log: log
        ) { request in isForPlayers ? request.headers["Authorization"] : nil }
    }

    /// Answers a request. A stream counts as answered when it begins.
    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        guard method == .get || !isFromElsewhere(request) else { return .problem(.originForeign) }
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

    /// Whether a page of another origin sent the request. Programs other than browsers send no origin.
    private func isFromElsewhere(_ request: Request) -> Bool {
        request.headers.contains(CrossOrigin.originHeaderName) && !CrossOrigin.isOwnPage(request)
    }
}

extension V2.Problem {
    /// A page of another origin requested a change.
    static let originForeign = V2.Problem(
        code: "origin-refused", status: 403, title: "The request comes from another page",
        detail:
            "Pages of other origins cannot change anything here. A proxy in front must pass on the Host header."
    )
}
