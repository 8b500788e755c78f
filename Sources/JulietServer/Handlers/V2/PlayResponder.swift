import HTTPServer
import JulietAPI
import JulietGame
import Logging
import Postgres

/// Takes the requests of one URL and method of `/v2` from HTTP to HTTP.
final class PlayResponder: Sendable {
    /// "POST /v2/games/{id}/guesses": what the log calls them, which names no player and no game.
    private let name: String
    private let route: PlayRoute
    private let accounts: PlayerAccounts
    private let crossOrigin: CrossOrigin
    private let limits: RequestLimits
    private let metrics: RequestMetrics
    private let logger: Logger
    private let logsRequests: Bool

    /// Answers by a route's handler.
    init(
        _ route: PlayRoute, accounts: PlayerAccounts, crossOrigin: CrossOrigin, limits: RequestLimits,
        metrics: RequestMetrics, logger: Logger
    ) {
        name = "\(route.method) /v2\(route.path)"
        self.route = route
        self.accounts = accounts
        self.crossOrigin = crossOrigin
        self.limits = limits
        self.metrics = metrics
        self.logger = logger
        logsRequests = logger.logLevel <= .debug
    }

    /// Answers a request.
    func respond(to request: Request) async -> Response {
        let start = Stopwatch.now
        let id = RequestID(proposed: request.headers[RequestID.headerName])
        var response = await response(to: request, id)
        if logsRequests {
            logger.debug("\(name): \(response.status.code)", metadata: ["request": "\(id)"])
        }
        response.headers.append(RequestID.headerName, id.description)
        crossOrigin.share(&response, with: request.headers)
        metrics.record(type: 0, outcome: PlayCodes.index(of: response), nanoseconds: Stopwatch.now - start)
        return response
    }

    private func response(to request: Request, _ id: RequestID) async -> Response {
        let client = limits.client(of: request)
        if let wait = limits.secondsToWait(client) { return .tooManyRequests(retryAfter: wait) }
        var session: Credential?
        do {
            session = try PlayRequest.session(of: request, for: route.access)
            if let session, let wait = limits.secondsToWait(client, as: session) {
                return .tooManyRequests(retryAfter: wait)
            }
            return try await route.handler(PlayRequest(request, from: client, session: session, route: route))
        } catch let error as PostgresError {
            return failure(error, id)
        } catch let fault as V2.RequestFault {
            return await response(to: fault, session, id)
        } catch is PlayRequest.Unauthorized {
            return .problem(V2.Problem(.unauthorized))
        } catch {
            logger.error("\(name) failed by an error of the service's own", metadata: ["request": "\(id)"])
            return .problem(V2.Problem(.internalError))
        }
    }

    /// What is wrong with a request is told only to players, where it takes one to ask: 401 goes before 400.
    private func response(to fault: V2.RequestFault, _ session: Credential?, _ id: RequestID) async -> Response {
        guard let session else { return .problem(V2.Problem(fault)) }
        do {
            return switch try await accounts.player(of: session) {
            case .done: .problem(V2.Problem(fault))
            case .refused(let refusal): .problem(V2.Problem(for: refusal))
            }
        } catch {
            return failure(error, id)
        }
    }

    private func failure(_ error: PostgresError, _ id: RequestID) -> Response {
        logger.error("\(name) failed: \(error)", metadata: ["request": "\(id)"])
        return .problem(V2.Problem(for: error))
    }
}
