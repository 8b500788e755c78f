import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// Answers the requests of one URL and method of the lottery: limited, logged and counted like those of `/v2`.
final class LotteryResponder: Sendable {
    /// Answers a request; throws a `PostgresError`.
    typealias LotteryHandler = @Sendable (Request, _ session: Credential?) async throws -> Response

    private let name: String
    private let method: HTTPMethod
    private let isForPlayers: Bool
    private let limits: RequestLimits
    private let metrics: RequestMetrics
    private let log: RequestLog
    private let handler: LotteryHandler

    /// Answers by a handler.
    ///
    /// - Parameter isForPlayers: Whether it takes a token; the handler finds out whether the token is valid.
    init(
        _ method: HTTPMethod, _ path: String, isForPlayers: Bool = false, limits: RequestLimits,
        metrics: ServiceMetrics,
        log: RequestLog, handler: @escaping LotteryHandler
    ) {
        name = path
        self.method = method
        self.isForPlayers = isForPlayers
        self.limits = limits
        self.metrics = metrics.requests(method, path)
        self.log = log
        self.handler = handler
    }

    /// Answers a request. A stream counts as answered when it begins.
    func respond(to request: Request) async -> Response {
        let start = Stopwatch.now
        let id = RequestID(proposed: request.headers[RequestID.headerName])
        let trace = TraceParent(request.headers[TraceParent.headerName])
        let named = RequestLog.Request(
            id: id, trace: trace, route: name, type: method.rawValue,
            player: isForPlayers ? request.headers["Authorization"].map(log.digest) : nil)
        var response = await response(to: request, named)
        response.headers.append(RequestID.headerName, id.description)
        if let trace { response.headers.append(TraceParent.responseHeaderName, trace.response) }
        let (outcome, nanoseconds) = (PlayCodes.index(of: response), Stopwatch.now - start)
        metrics.record(type: 0, outcome: outcome, nanoseconds: nanoseconds)
        log.answered(named, response, nanoseconds: nanoseconds)
        return response
    }

    private func response(to request: Request, _ named: RequestLog.Request) async -> Response {
        let client = limits.client(of: request)
        if let wait = limits.secondsToWait(client) { return .tooManyRequests(retryAfter: wait) }
        guard method == .get || !isFromElsewhere(request) else { return .problem(.originForeign) }
        var session: Credential?
        if isForPlayers {
            guard let token = request.headers["Authorization"].flatMap({ V2.AccessToken(authorization: $0) }) else {
                return .problem(V2.Problem(.unauthorized))
            }
            session = Credential(token)
        }
        if let session, let wait = limits.secondsToWait(client, as: session) {
            return .tooManyRequests(retryAfter: wait)
        }
        do {
            return try await handler(request, session)
        } catch {
            return .lottery(error, named, log)
        }
    }

    /// Whether a page of another origin sent the request. Programs other than browsers send no origin.
    private func isFromElsewhere(_ request: Request) -> Bool {
        request.headers.contains(CrossOrigin.originHeaderName) && !AdminSession.isOwnPage(request)
    }
}

extension V2.Problem {
    /// A page of another origin requested a change.
    static let originForeign = V2.Problem(
        code: "origin-refused", status: 403, title: "Not from this page",
        detail:
            "Pages of other origins cannot change anything here. If a proxy is in front, it must pass the Host header on."
    )
}
