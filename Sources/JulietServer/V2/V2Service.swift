package import HTTPServer
package import JulietGame
package import Postgres

/// `/v2` over HTTP.
package struct V2Service: Sendable {
    /// Every URL and method, with what it takes and answers.
    let routes: [V2Route]

    private let root: String
    private let accounts: PlayerAccounts
    /// Which pages may use the API.
    let crossOrigin: CrossOrigin
    private let limits: RequestLimits
    private let metrics: ServiceMetrics
    private let log: RequestLog
    /// nil: there are none.
    private let challenges: Challenges?
    /// Codes of challenges and leagues that do not exist: shared by all URLs that take one.
    private let unknownCodes = GuessLimit(30)

    /// A service on this database.
    ///
    /// - Parameters:
    ///   - settings: Settings of the game that may differ between services.
    ///   - rules: The rules in the database.
    ///   - basePath: What a gateway puts before the URLs, such as `/prod`; default nothing.
    ///   - store: Everything about the App Store.
    ///   - ways: The ways to sign in other than recovery codes; nil: there are none.
    ///   - web: Which origins may use the API, and who may read leaderboards.
    ///   - limits: The limits on requests.
    ///   - metrics: Where requests are counted.
    ///   - log: Where requests are logged.
    package init(
        settings: GameSettings, rules: RulesInForce, database: PostgresClient, basePath: String = "",
        store: StoreService, ways: AccountService? = nil, web: WebSettings = WebSettings(),
        limits: RequestLimits = RequestLimits(), metrics: ServiceMetrics = ServiceMetrics(), log: RequestLog
    ) {
        root = basePath + "/v2"
        accounts = PlayerAccounts(database: database)
        crossOrigin = CrossOrigin(web.allowedOrigins, ownOrigins: ways?.ownOrigins ?? [])
        self.limits = limits
        self.metrics = metrics
        self.log = log
        let challenges = Challenges(rules: rules, database: database)
        self.challenges = settings.challenges == .off ? nil : challenges
        let (games, signIns) = (metrics.games, SignInLimits())
        let days = DaysHandler(
            days: Days(database: database), root: root, metrics: games,
            hasDaysGoneBy: settings.daysGoneBy == .on)
        let identities = ways.flatMap { ways in
            ways.identityVerifier.map { (verifier: $0, records: ways.identities) }
        }
        let handlers: [[V2Route]?] = [
            ServiceHandler(title: web.title, settings: settings, rules: rules, accounts: ways).routes,
            PlayersHandler(accounts: accounts, rules: rules, limits: limits, metrics: games, identities: identities)
                .routes,
            MergeHandler(accounts: accounts, service: ways, limits: signIns, metrics: games).routes,
            SessionsHandler(
                accounts: accounts, service: ways, limits: signIns, requestLimits: limits, metrics: games
            ).routes,
            (ways?.passkeyVerifier).map {
                PasskeysHandler(verifier: $0, passkeys: Passkeys(database: database), metrics: games).routes
            },
            identities.map {
                IdentitiesHandler(verifier: $0.verifier, identities: $0.records, limits: signIns, metrics: games).routes
            },
            JudgedGamesHandler(
                games: JudgedGames(rules: rules, database: database), reviews: Reviews(database: database),
                rules: rules,
                root: root, metrics: games
            ).routes,
            days.routes,
            LeaderboardsHandler(
                leaderboards: Leaderboards(database: database),
                readers: web.leaderboards == .public ? .anybody : .players
            ).routes,
            settings.challenges == .off
                ? nil
                : ChallengesHandler(
                    challenges: challenges, rules: rules, root: root, metrics: games, unknownCodes: unknownCodes,
                    takesAnyWords: settings.anyWords == .on
                ).routes,
            PurchasesHandler(
                purchases: store.purchases, accounts: accounts, verifier: store.verifier, metrics: games
            ).routes,
            settings.leagues == .off
                ? nil
                : LeaguesHandler(
                    leagues: Leagues(database: database), root: root, metrics: games, unknownCodes: unknownCodes
                ).routes,
        ]
        routes = handlers.compactMap(\.self).flatMap(\.self)
    }

    /// Adds the URLs to a router.
    package func add(to router: inout Router) {
        router.group { group in
            // Where these URLs are not served, they are not those of a session or a day.
            group.parameter("id") { $0 != "options" }
            group.parameter("day") { $0 != "days" }
            for route in routes {
                let responder = V2Responder(
                    route, below: root, accounts: accounts, crossOrigin: crossOrigin, limits: limits,
                    metrics: metrics, log: log)
                group.on(route.method, root + route.path, responder)
            }
        }
        for route in routes {
            if let isOffered = route.isOffered { router.offer(root + route.path, while: isOffered) }
        }
        for path in Set(routes.map { root + $0.path }) {
            let allow = router.allow(path) ?? ""
            router.on(.options, path) { [crossOrigin] request in crossOrigin.options(request.headers, allow: allow) }
        }
    }

    /// Adds links to challenges, which show a page; none if there are no challenges.
    func addLinks(to router: inout Router, basePath: String, page: ChallengePage) {
        guard let challenges else { return }
        router.on(
            .get, basePath + ChallengeLinks.path,
            ChallengeLinks(
                challenges, page: page, unknownCodes: unknownCodes, crossOrigin: crossOrigin.toOwnPages.withLinks,
                limits: limits,
                metrics: metrics, log: log))
    }
}
