import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// The admin page: `/admin`, its files and its requests. The files hold no data, so anybody may read them.
struct AdminPage: Sendable {
    private let operators: Operators
    private let rules: RulesInForce
    private let keyCommand: String
    private let limits: RequestLimits
    private let metrics: ServiceMetrics
    private let history: ProcessHistory
    private let log: RequestLog

    /// A page on this database.
    ///
    /// - Parameters:
    ///   - rules: Says whose spelling planned words have.
    ///   - keyCommand: What makes a key, as the page says it while nobody has one.
    ///   - limits: Finds out where requests come from.
    ///   - metrics: Where requests are counted.
    ///   - history: What this process did in the last hour.
    ///   - log: Where requests are logged.
    init(
        database: PostgresClient, rules: RulesInForce, keyCommand: String, limits: RequestLimits,
        metrics: ServiceMetrics, history: ProcessHistory, log: RequestLog
    ) {
        operators = Operators(database: database)
        self.rules = rules
        self.keyCommand = keyCommand
        self.limits = limits
        self.metrics = metrics
        self.history = history
        self.log = log
    }

    /// Adds the URLs to a router.
    func add(to router: inout Router) {
        let signIn = AdminSignIn(operators: operators, keyCommand: keyCommand, limits: limits)
        let doors: [(HTTPMethod, String, @Sendable (Request) async throws -> Response)] = [
            (.get, "/admin", { try await signIn.page($0) }), (.get, "/admin/", { _ in AdminSignIn.home }),
            (.post, "/admin/api/session", { try await signIn.signIn($0) }),
        ]
        for (method, path, handler) in doors {
            let responder = AdminResponder(
                method, path, limits: limits, metrics: metrics.requests(method, path), log: log, handler: handler)
            router.on(method, path, responder)
        }
        let files = metrics.requests(.get, "/admin/pages/{file}")
        for page in AdminPages.files {
            let responder = AdminResponder(
                .get, "/admin/pages/{file}", limits: limits, metrics: files, log: log
            ) { page.response(to: $0) }
            router.on(.get, "/admin/pages/\(page.name)", responder)
        }
        let routes =
            signIn.routes + AdminPlayersHandler(operators: operators).routes
            + AdminNamesHandler(operators: operators).routes
            + AdminDeedsHandler(operators: operators).routes + AdminTogetherHandler(operators: operators).routes
            + AdminWordsHandler(operators: operators, rules: rules).routes
            + AdminFiguresHandler(operators: operators).routes
            + AdminLiveHandler(operators: operators, history: history).routes
        for route in routes {
            let responder = AdminResponder(
                route, operators: operators, signIn: signIn, limits: limits, metrics: metrics, log: log)
            router.on(route.method, "/admin/api\(route.path)", responder)
        }
    }

    /// Renders errors of HTTP itself: problem details below `/admin/api`, elsewhere plain text.
    static let errorRenderer: ErrorRenderer = { failure in
        guard failure.normalizedPath?.hasPrefix("/admin/api/") == true else {
            return HTTPFailure.plainTextRenderer(failure)
        }
        return .problem(V2.Problem(for: failure))
    }
}
