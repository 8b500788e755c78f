import HTTPServer
import JulietAPI
import JulietGame
import Lottery
import Postgres

/// The two documents of the lottery, at the addresses that apps use. The answer is 304 if the client's copy is current.
struct LotteryDocumentsHandler: Sendable {
    private let pages: LotteryPages

    /// Documents among these pages.
    init(pages: LotteryPages) { self.pages = pages }

    /// Adds the URLs to a router, `HEAD` with them.
    ///
    /// - Parameters:
    ///   - limits: The limits on requests.
    ///   - log: Where failures are logged.
    func add(to router: inout Router, basePath: String, limits: RequestLimits, log: RequestLog) {
        func add(_ path: String, _ document: HeavyReads.Document) {
            router.on(.get, "\(basePath)/\(path)") { request in
                if let wait = limits.secondsToWait(limits.client(of: request)) {
                    return .tooManyRequests(retryAfter: wait)
                }
                do {
                    return try await pages.page(.document(document))?.response(to: request)
                        ?? .problem(V2.Problem(.notFound))
                } catch {
                    let id = RequestID(proposed: request.headers[RequestID.headerName])
                    return .lottery(
                        error, .init(id: id, trace: nil, route: "/\(path)", type: HTTPMethod.get.rawValue, player: nil),
                        log)
                }
            }
        }
        add(DocumentRepository.usersPath, .users)
        add(DocumentRepository.entriesPath, .entries)
    }
}

extension Response {
    /// The answer to a request of the lottery that failed.
    static func lottery(_ error: any Error, _ named: RequestLog.Request, _ log: RequestLog) -> Response {
        switch error {
        case let error as PostgresError:
            log.failed(named, error)
            return .problem(V2.Problem(for: error))
        case is SingleFlight<LotteryPages.Key, LotteryPages.Made>.Overload:
            return .problem(V2.Problem(.unavailable, retryAfter: 1))
        case is CancellationError:
            // The caller is gone.
            return .problem(V2.Problem(.unavailable, retryAfter: 1))
        default:
            log.failed(named, UnexpectedError())
            return .problem(V2.Problem(.internalError))
        }
    }
}
