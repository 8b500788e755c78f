package import HTTPServer
import JulietAPI
package import JulietGame
import Postgres

/// All URLs over HTTP: the four of the app, those of `/v2`, and those for the health of
/// the service.
package struct JulietService: Sendable {
    /// Answers every request.
    package let router: Router

    /// A service for this game.
    ///
    /// - Parameters:
    ///   - basePath: What a gateway puts before the URLs, such as `/prod`; default nothing.
    ///   - v2: `/v2`, on the same base path.
    ///   - store: Everything about the App Store.
    ///   - ways: The ways to sign in; nil: there are only recovery codes.
    ///   - lottery: The lottery; nil: there is none.
    ///   - web: What browsers get.
    ///   - limits: The limits on requests.
    ///   - log: Where requests are logged.
    ///   - health: The health of the service.
    ///   - metrics: Where requests are counted.
    package init(
        game: Game,
        keys: AccessKeys,
        basePath: String = "",
        v2: V2Service,
        store: StoreService,
        ways: AccountService? = nil,
        lottery: LotteryService? = nil,
        web: WebSettings = WebSettings(),
        limits: RequestLimits = RequestLimits(),
        log: RequestLog,
        health: Health,
        metrics: ServiceMetrics = ServiceMetrics()
    ) {
        var base = basePath
        while base.hasSuffix("/") { base.removeLast() }
        let render = Self.errorRenderer(basePath: base, web: web, wordFromMemory: game.wordFromMemory)
        var router = Router(errorRenderer: { failure in
            metrics.refused(failure.code)
            log.refused(status: failure.status.code, code: failure.code.rawValue)
            return render(failure)
        })
        let handlers: [any EndpointHandler] = [
            AuthenticateUserHandler(game: game), WordManagerHandler(game: game),
            IAPManagerHandler(game: game, verifier: store.verifier), UserSessionManagerHandler(game: game),
        ]
        for handler in handlers {
            let endpoint = handler.endpoint
            let responder = AppResponder(
                handler: handler, game: game, keys: keys, crossOrigin: v2.crossOrigin.toOwnPages, limits: limits,
                metrics: metrics, log: log)
            router.on(
                .post, base + endpoint.path, aliases: endpoint.alias.map { [base + $0] } ?? [], responder)
        }
        v2.add(to: &router)
        store.add(to: &router, basePath: base)
        lottery?.add(to: &router, basePath: base)
        ways?.wellKnown.add(to: &router, basePath: base)
        health.add(to: &router)
        // Authors of clients may read it, from any page.
        let description = APIDescription(v2.routes, hasLottery: lottery != nil, basePath: base)
        let document = Page("openapi.json", description.json, isShared: true)
        router.on(.get, base + "/openapi.json") { request in document.response(to: request) }
        if web.isEnabled {
            var offer = PageOffer()
            offer.hasLottery = lottery != nil
            let paths = Set(v2.routes.map(\.path))
            offer.hasChallenges = paths.contains("/challenges")
            offer.hasDaysGoneBy = paths.contains(DaysHandler.listPath)
            offer.hasLeagues = paths.contains("/leagues")
            offer.title = web.title
            offer.origin = ways?.origin
            offer.imprint = web.imprint
            offer.privacy = web.privacy
            Pages.add(to: &router, basePath: base, offer: offer)
            v2.addLinks(to: &router, basePath: base, page: ChallengePage(offer, basePath: base))
        }
        self.router = router
    }

    /// Renders the errors that the HTTP server answers by itself: under `/v2` as problem details, elsewhere as the app's
    /// envelope, for the app hangs on anything else.
    ///
    /// - Parameters:
    ///   - basePath: What a gateway puts before the URLs, without a slash at the end.
    ///   - web: What browsers get.
    ///   - wordFromMemory: A secret to deal when the service fails; nil when there is none.
    package static func errorRenderer(
        basePath: String = "",
        web: WebSettings = WebSettings(),
        wordFromMemory: @escaping @Sendable () -> String? = { nil }
    ) -> ErrorRenderer {
        let problems = ProblemRenderer(basePath: basePath, crossOrigin: CrossOrigin(web.allowedOrigins))
        return { failure in
            if let response = problems.response(to: failure) { return response }
            let answer = Answer.failed(
                httpStatus: failure.status.code, type: RequestType.peek(in: failure.body.span),
                problem: Answer.Problem(code: failure.code.rawValue, message: failure.message))
            let isOurFault = failure.status.code >= 500
            var response = Response.app(isOurFault ? answer.dealing(fromMemory: wordFromMemory()) : answer)
            let id = RequestID(proposed: failure.requestHeaders[RequestID.headerName])
            response.headers.append(RequestID.headerName, id.description)
            return response
        }
    }
}
