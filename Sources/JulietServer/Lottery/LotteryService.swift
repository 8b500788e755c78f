import HTTPServer
import JulietGame
import Lottery
package import Postgres

/// The lottery over HTTP: its documents, its draws, the stream of events, and taking part.
package struct LotteryService: Sendable {
    /// Sends the draws to viewers; it must be run.
    package let hub: LotteryHub

    private let handler: LotteryHandler
    private let documents: LotteryDocumentsHandler
    private let crossOrigin: CrossOrigin
    private let limits: RequestLimits
    private let metrics: ServiceMetrics
    private let log: RequestLog

    /// A lottery on this database.
    ///
    /// - Parameters:
    ///   - maximumConnections: How many the server serves: viewers get a quarter of them, and no more than 2000.
    ///   - ownOrigins: Where the service's own page is; empty: that is not known.
    ///   - limits: The limits on requests.
    ///   - metrics: Where requests are counted.
    ///   - log: Where requests are logged.
    package init(
        database: PostgresClient, maximumConnections: Int, ownOrigins: [String] = [],
        limits: RequestLimits = RequestLimits(),
        metrics: ServiceMetrics = ServiceMetrics(), log: RequestLog
    ) {
        let draws = LotteryDraws(database: database)
        let capacity = min(LotteryHub.maximumViewers, max(1, maximumConnections / 4))
        hub = LotteryHub(capacity: capacity) { LotteryPresenter(LotteryWatch(draws), clock: ContinuousClock()) }
        let pages = LotteryPages(database: database)
        handler = LotteryHandler(draws: draws, pages: pages)
        documents = LotteryDocumentsHandler(pages: pages)
        crossOrigin = CrossOrigin([], ownOrigins: ownOrigins).withLinks
        self.limits = limits
        self.metrics = metrics
        self.log = log
    }

    /// Adds the URLs to a router.
    func add(to router: inout Router, basePath: String) {
        func add(
            _ method: HTTPMethod, _ path: String, isForPlayers: Bool = false,
            _ handler: @escaping LotteryResponder.LotteryHandler
        ) {
            let responder = LotteryResponder(
                method, path, isForPlayers: isForPlayers, crossOrigin: crossOrigin, limits: limits, metrics: metrics,
                log: log, handler: handler)
            router.on(method, basePath + path, responder)
        }
        for document in documents.documents { add(.get, document.path, document.handler) }
        let (handler, events) = (handler, LotteryEvents(hub: hub, limits: limits))
        add(.get, "/lottery/events") { request, _ in events.response(to: request) }
        add(.get, "/lottery/draws/{number}") { request, _ in try await handler.show(request) }
        add(.post, "/lottery/draws/{number}") { request, _ in try await handler.start(request) }
        add(.put, "/lottery/entry", isForPlayers: true) { _, session in try await handler.enter(session) }
    }
}
