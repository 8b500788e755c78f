import HTTPServer
import JulietAPI
import JulietGame
import Lottery
import Postgres

/// The two documents of the lottery, at the addresses that apps know. A copy that still holds is answered 304.
struct LotteryDocumentsHandler: Sendable {
    private let draws: LotteryDraws

    /// Documents of these records.
    init(draws: LotteryDraws) { self.draws = draws }

    /// Adds the URLs to a router, `HEAD` with them.
    ///
    /// - Parameters:
    ///   - limits: Who may ask how much.
    ///   - log: Where failures are logged.
    func add(to router: inout Router, basePath: String, limits: RequestLimits, log: RequestLog) {
        func add(_ path: String, _ respond: @escaping @Sendable (Request) async throws(PostgresError) -> Response) {
            router.on(.get, "\(basePath)/\(path)") { request in
                if let wait = limits.secondsToWait(limits.client(of: request)) {
                    return .tooManyRequests(retryAfter: wait)
                }
                do throws(PostgresError) {
                    return try await respond(request)
                } catch {
                    let id = RequestID(proposed: request.headers[RequestID.headerName])
                    log.failed(
                        .init(id: id, trace: nil, route: "/\(path)", type: HTTPMethod.get.rawValue, player: nil), error)
                    return .problem(V2.Problem(for: error))
                }
            }
        }
        add(DocumentRepository.usersPath, users)
        add(DocumentRepository.entriesPath, entries)
    }

    /// All users.
    ///
    /// - Throws: The records cannot be read.
    func users(_ request: Request) async throws(PostgresError) -> Response {
        Self.document("users.json", try await draws.usersDocument()).response(to: request)
    }

    /// Those who take part.
    ///
    /// - Throws: The records cannot be read.
    func entries(_ request: Request) async throws(PostgresError) -> Response {
        Self.document("usersInLottery.json", try await draws.listDocument()).response(to: request)
    }

    private static func document(_ name: String, _ text: String) -> Page {
        Page(name, Array(text.utf8), isCompressed: false)
    }
}
