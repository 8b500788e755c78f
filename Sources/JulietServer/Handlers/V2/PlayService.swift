package import HTTPServer
package import JulietGame
package import Postgres

/// The second contract over HTTP: the URLs below `/v2`.
package struct PlayService: Sendable {
    private let root: String
    private let accounts: PlayerAccounts
    private let players: PlayersHandler
    private let sessions: SessionsHandler
    private let games: JudgedGamesHandler
    private let days: DaysHandler
    private let leaderboards: LeaderboardsHandler
    private let leaderboardReaders: PlayRequest.Access
    private let crossOrigin: CrossOrigin
    private let metrics: ServiceMetrics
    private let log: RequestLog

    /// A service on this database.
    ///
    /// - Parameters:
    ///   - basePath: What a gateway puts before the URLs, such as `/prod`; default nothing.
    ///   - web: Who may read what from where.
    ///   - metrics: Where requests are counted.
    ///   - log: Where they are logged.
    package init(
        rules: GameRules, database: PostgresClient, basePath: String = "", web: WebSettings = WebSettings(),
        metrics: ServiceMetrics = ServiceMetrics(), log: RequestLog
    ) {
        root = basePath + "/v2"
        accounts = PlayerAccounts(rules: rules, database: database)
        players = PlayersHandler(accounts: accounts, metrics: metrics.games)
        sessions = SessionsHandler(accounts: accounts)
        games = JudgedGamesHandler(
            games: JudgedGames(rules: rules, database: database), root: root, metrics: metrics.games)
        days = DaysHandler(days: Days(rules: rules, database: database), root: root, metrics: metrics.games)
        leaderboards = LeaderboardsHandler(leaderboards: Leaderboards(database: database))
        leaderboardReaders = web.leaderboards == .public ? .anybody : .players
        crossOrigin = CrossOrigin(web.allowedOrigins)
        self.metrics = metrics
        self.log = log
    }

    /// Adds the URLs to a router.
    package func add(to router: inout Router) {
        var paths: Set<String> = []
        func on(
            _ method: HTTPMethod, _ path: String, for access: PlayRequest.Access = .players,
            handler: @escaping PlayHandler
        ) {
            let responder = PlayResponder(
                method, "/v2\(path)", for: access, accounts: accounts, crossOrigin: crossOrigin,
                metrics: metrics.requests(method, "/v2\(path)"), log: log, handler: handler)
            router.on(method, root + path) { request in await responder.respond(to: request) }
            paths.insert(root + path)
        }

        on(.post, "/players", for: .newcomers) { [players] in try await players.create($0) }
        on(.get, "/players/me") { [players] in try await players.read($0) }
        on(.patch, "/players/me") { [players] in try await players.rename($0) }
        on(.delete, "/players/me") { [players] in try await players.delete($0) }
        on(.get, "/players/me/energy") { [players] in try await players.energy($0) }
        on(.get, "/players/me/export") { [players] in try await players.export($0) }
        on(.post, "/players/me/recovery-code") { [players] in try await players.renewRecoveryCode($0) }

        on(.post, "/sessions", for: .newcomers) { [sessions] in try await sessions.create($0) }
        on(.get, "/sessions") { [sessions] in try await sessions.list($0) }
        on(.delete, "/sessions/{id}") { [sessions] in try await sessions.revoke($0) }

        on(.post, "/games") { [games] in try await games.start($0) }
        on(.get, "/games") { [games] in try await games.list($0) }
        on(.get, "/games/{id}") { [games] in try await games.read($0) }
        on(.post, "/games/{id}/guesses") { [games] in try await games.guess($0) }
        on(.post, "/games/{id}/resign") { [games] in try await games.resign($0) }

        on(.get, "/daily", for: .anybody) { [days] in try await days.today($0) }
        on(.post, "/daily/game") { [days] in try await days.startGame($0) }
        on(.get, "/daily/{day}", for: .anybody) { [days] in try await days.past($0) }
        on(.get, "/daily/{day}/leaderboard", for: leaderboardReaders) { [leaderboards] in
            try await leaderboards.day($0)
        }
        on(.get, "/leaderboards/wins", for: leaderboardReaders) { [leaderboards] in try await leaderboards.wins($0) }

        guard !crossOrigin.isEmpty else { return }
        for path in paths {
            let allow = router.allow(path) ?? ""
            router.on(.options, path) { [crossOrigin] request in crossOrigin.options(request.headers, allow: allow) }
        }
    }
}
