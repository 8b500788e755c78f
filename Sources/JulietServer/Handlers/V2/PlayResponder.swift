import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// Answers the requests of one URL and method of `/v2`.
final class PlayResponder: Sendable {
    private let route: PlayRoute
    /// "/v2/games/{id}/guesses": the name in the log, without players and games.
    private let name: String
    /// The fixed URL of what the route creates; nil: it creates nothing, or the handler gives the URL.
    private let location: String?
    private let accounts: PlayerAccounts
    private let crossOrigin: CrossOrigin
    private let limits: RequestLimits
    private let metrics: RequestMetrics
    private let log: RequestLog

    /// Answers by a route's handler.
    ///
    /// - Parameter root: What comes before the route's path.
    init(
        _ route: PlayRoute, below root: String, accounts: PlayerAccounts, crossOrigin: CrossOrigin,
        limits: RequestLimits,
        metrics: RequestMetrics, log: RequestLog
    ) {
        self.route = route
        name = "/v2\(route.path)"
        location =
            route.successes.lazy.compactMap { success in
                guard case .path(let path) = success.location else { return nil }
                return root + path
            }.first
        self.accounts = accounts
        self.crossOrigin = crossOrigin
        self.limits = limits
        self.metrics = metrics
        self.log = log
    }

    /// Answers a request.
    func respond(to request: Request) async -> Response {
        let start = Stopwatch.now
        let id = RequestID(proposed: request.headers[RequestID.headerName])
        let trace = TraceParent(request.headers[TraceParent.headerName])
        var response = await response(to: request, id, trace)
        response.headers.append(RequestID.headerName, id.description)
        if let location, response.status == .created { response.headers.append("Location", location) }
        if let trace { response.headers.append(TraceParent.responseHeaderName, trace.response) }
        crossOrigin.share(&response, with: request.headers)
        let (outcome, nanoseconds) = (PlayCodes.index(of: response), Stopwatch.now - start)
        metrics.record(type: 0, outcome: outcome, nanoseconds: nanoseconds)
        if log.isOn {
            log.answered(
                named(request, id, trace), status: response.status.code, code: PlayCodes.labels(at: outcome).code,
                nanoseconds: nanoseconds)
        }
        return response
    }

    /// The request for the log, named by its session, because only the database knows the player.
    private func named(_ request: Request, _ id: RequestID, _ trace: TraceParent?) -> RequestLog.Request {
        RequestLog.Request(
            id: id, trace: trace, route: name, type: route.method.rawValue,
            player: route.access == .newcomers ? nil : request.headers["Authorization"].map(log.digest))
    }

    private func response(to request: Request, _ id: RequestID, _ trace: TraceParent?) async -> Response {
        let client = limits.client(of: request)
        if let wait = limits.secondsToWait(client) { return .tooManyRequests(retryAfter: wait) }
        guard route.isOffered() else { return .problem(V2.Problem(.notFound)) }
        var session: Credential?
        do {
            session = try PlayRequest.session(of: request, for: route.access)
            if let session, let wait = limits.secondsToWait(client, as: session) {
                return .tooManyRequests(retryAfter: wait)
            }
            // Requests of newcomers do not use a token, so it is checked here.
            if route.access == .newcomers, let session, let stranger = try await accounts.stranger(session) {
                return .problem(V2.Problem(for: stranger))
            }
            return try await route.handler(PlayRequest(request, from: client, session: session, route: route))
        } catch let error as PostgresError {
            return failure(error, named(request, id, trace))
        } catch let fault as V2.RequestFault {
            return await response(to: fault, session, named(request, id, trace))
        } catch is PlayRequest.Unauthorized {
            return .problem(V2.Problem(.unauthorized))
        } catch {
            log.failed(named(request, id, trace), UnexpectedError())
            return .problem(V2.Problem(.internalError))
        }
    }

    /// If a request needs a player, only a player learns what is wrong with it: 401 comes before 400.
    private func response(
        to fault: V2.RequestFault, _ session: Credential?, _ request: RequestLog.Request
    ) async -> Response {
        guard let session else { return .problem(V2.Problem(fault)) }
        do {
            let stranger = try await accounts.stranger(session)
            return .problem(stranger.map { V2.Problem(for: $0) } ?? V2.Problem(fault))
        } catch {
            return failure(error, request)
        }
    }

    private func failure(_ error: PostgresError, _ request: RequestLog.Request) -> Response {
        log.failed(request, error)
        return .problem(V2.Problem(for: error))
    }
}

/// An internal error of the service. It may contain anything, so clients do not see it.
struct UnexpectedError: Error, CustomStringConvertible {
    let description = "an error of the service's own"
}
