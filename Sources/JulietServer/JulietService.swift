package import HTTPServer
import JulietAPI
package import JulietGame
import Postgres

/// All URLs over HTTP: the four of the contract with the app, those of the second contract, and those for the health of
/// the service.
package struct JulietService: Sendable {
    /// Answers every request.
    package let router: Router

    /// The header that names an operation.
    fileprivate static let idempotencyHeaderName = "Idempotency-Key"

    /// A service for this game.
    ///
    /// - Parameters:
    ///   - basePath: What a gateway puts before the URLs, such as `/prod`; default nothing.
    ///   - play: The second contract, on the same base path.
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
        play: PlayService,
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
            IAPManagerHandler(game: game, desk: store.desk), UserSessionManagerHandler(game: game),
        ]
        for handler in handlers {
            let endpoint = handler.endpoint
            let responder = Responder(
                handler: handler, game: game, keys: keys, limits: limits, metrics: metrics, log: log)
            router.on(
                .post, base + endpoint.path, aliases: endpoint.alias.map { [base + $0] } ?? [], responder)
        }
        play.add(to: &router)
        store.add(to: &router, basePath: base)
        lottery?.add(to: &router, basePath: base)
        ways?.wellKnown.add(to: &router)
        // Authors of clients may read it, from any page.
        let description = APIDescription(play.routes, hasLottery: lottery != nil, basePath: base)
        let document = Page("openapi.json", description.json, isShared: true)
        router.on(.get, base + "/openapi.json") { request in document.response(to: request) }
        if web.isEnabled {
            var offer = PageOffer()
            offer.hasLottery = lottery != nil
            let paths = Set(play.routes.map(\.path))
            offer.hasChallenges = paths.contains("/challenges")
            offer.hasDaysGoneBy = paths.contains(DaysHandler.listPath)
            offer.hasLeagues = paths.contains("/leagues")
            offer.origin = ways?.origin
            offer.imprint = web.imprint
            offer.privacy = web.privacy
            Pages.add(to: &router, basePath: base, offer: offer)
        }
        health.add(to: &router)
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
            var response = response(isOurFault ? answer.dealing(fromMemory: wordFromMemory()) : answer)
            let id = RequestID(proposed: failure.requestHeaders[RequestID.headerName])
            response.headers.append(RequestID.headerName, id.description)
            return response
        }
    }

    private static let jsonHeaders: Headers = ["Content-Type": "application/json"]

    fileprivate static func response(_ answer: Answer, isReplay: Bool = false, retryAfter: Int = 1) -> Response {
        var headers = jsonHeaders
        // The app's keys are their own scheme: 401 says how to authenticate (RFC 9110 §11.6.1, §15.5.2).
        if answer.httpStatus == 401 { headers.append("WWW-Authenticate", AccessKeys.headerName) }
        return Response(status: HTTPStatus(answer.httpStatus), headers: headers, body: .bytes(answer.encoded()))
            .telling(
                retryAfter: answer.httpStatus == 503 || answer.httpStatus == 429 ? retryAfter : nil, isReplay: isReplay)
    }
}

/// Answers the requests of one URL, from bytes to bytes.
private final class Responder: FramedResponder {
    private let handler: any EndpointHandler
    private let endpoint: Endpoint
    private let game: Game
    private let keys: AccessKeys
    private let games: GameMetrics
    /// The place of a type in the metrics, by its raw value.
    private let places: [Int]
    private let unknownPlace: Int
    let frame: RequestFrame

    init(
        handler: any EndpointHandler, game: Game, keys: AccessKeys, limits: RequestLimits, metrics: ServiceMetrics,
        log: RequestLog
    ) {
        self.handler = handler
        endpoint = handler.endpoint
        places = endpoint.places
        unknownPlace = places.max() ?? 0
        games = metrics.games
        // Decodes the request once more, so that requests that are not logged cost nothing.
        frame = RequestFrame(
            endpoint.path, type: "unknown", limits: limits, metrics: metrics.requests(of: endpoint), log: log
        ) { [endpoint] request in try? GameRequest.decode(request.body.span, at: endpoint).userID }
        self.game = game
        self.keys = keys
    }

    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        var isReplay = false
        var retryAfter = 1
        let answer = await answer(to: request, &context, isReplay: &isReplay, retryAfter: &retryAfter)
        return response(answer, &context, isReplay: isReplay, retryAfter: retryAfter)
    }

    func tooManyRequests(_ request: Request, _ context: inout RequestContext, retryAfter: Int) -> Response {
        let answer = Answer.failed(.requestsTooMany, type: RequestType.peek(in: request.body.span))
        return response(answer, &context, retryAfter: retryAfter)
    }

    private func response(
        _ answer: Answer, _ context: inout RequestContext, isReplay: Bool = false, retryAfter: Int
    ) -> Response {
        let answer = answer.dealing(fromMemory: game.wordFromMemory())
        context.counted = (place(of: answer.type), AnswerCodes.index(of: answer))
        if frame.log.isOn {
            let codes = "\(answer.outerStatus)/\(answer.innerStatus.map { "\($0)" } ?? "none")"
            context.code = answer.problem.map { "\(codes) \($0.code)" } ?? codes
            context.type = answer.type?.name
        }
        return JulietService.response(answer, isReplay: isReplay, retryAfter: retryAfter)
    }

    /// What another URL's types and none at all are called is the last place.
    @inline(__always)
    private func place(of type: RequestType?) -> Int { type.map { places[Int($0.rawValue)] } ?? unknownPlace }

    private func answer(
        to request: Request, _ context: inout RequestContext, isReplay: inout Bool, retryAfter: inout Int
    ) async -> Answer {
        switch keys.check(request.headers[AccessKeys.headerName]) {
        case .accepted: break
        case .missing: return .failed(.authRequired, type: RequestType.peek(in: request.body.span))
        case .wrong: return .failed(.authInvalid, type: RequestType.peek(in: request.body.span))
        }
        let gameRequest: GameRequest
        do {
            gameRequest = try GameRequest.decode(
                request.body.span, at: endpoint, takesTransactions: handler.takesTransactions)
        } catch {
            return .failed(error)
        }
        if let wait = frame.limits.secondsToWait(context.client, for: gameRequest) {
            retryAfter = wait
            return .failed(.requestsTooMany, type: gameRequest.type)
        }
        var operation: Operation.ID?
        if let value = request.headers[JulietService.idempotencyHeaderName] {
            guard let key = IdempotencyKey(fieldValue: value) else {
                return .failed(.idempotencyKeyInvalid, type: gameRequest.type)
            }
            operation = Operation.ID(key.value)
        }
        do {
            guard let answer = try await handler.answer(to: gameRequest, as: operation) else {
                return .failed(.typeMisplaced, type: gameRequest.type)
            }
            isReplay = answer.isReplay
            games.answered(gameRequest, answer, by: game.rules.current)
            return Answer(answer, to: gameRequest.type)
        } catch {
            context.type = gameRequest.type.name
            frame.failed(request, context, error)
            return Answer(error, to: gameRequest.type)
        }
    }
}
