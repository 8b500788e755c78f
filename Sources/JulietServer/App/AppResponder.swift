import HTTPServer
import JulietAPI
import JulietGame

/// Answers the requests of one URL, from bytes to bytes.
final class AppResponder: FramedResponder {
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
        handler: any EndpointHandler, game: Game, keys: AccessKeys, crossOrigin: CrossOrigin, limits: RequestLimits,
        metrics: ServiceMetrics, log: RequestLog
    ) {
        self.handler = handler
        endpoint = handler.endpoint
        places = endpoint.places
        unknownPlace = places.max() ?? 0
        games = metrics.games
        // Decodes the request once more, so that requests that are not logged cost nothing.
        frame = RequestFrame(
            endpoint.path, type: "unknown", limits: limits, crossOrigin: crossOrigin,
            metrics: metrics.requests(of: endpoint), log: log
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

    func refused(_ request: Request, _ context: inout RequestContext, _ refusal: FrameRefusal) -> Response {
        let type = RequestType.peek(in: request.body.span)
        return switch refusal {
        case .foreignPage: response(.failed(.originRefused, type: type), &context, retryAfter: 1)
        case .tooMany(let wait): response(.failed(.requestsTooMany, type: type), &context, retryAfter: wait)
        }
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
        return Response.app(answer, isReplay: isReplay, retryAfter: retryAfter)
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
        if let value = request.headers[IdempotencyKey.headerName] {
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
            games.answered(gameRequest, answer, by: game.rules)
            return Answer(answer, to: gameRequest.type)
        } catch {
            context.type = gameRequest.type.name
            frame.failed(request, context, error)
            return Answer(error, to: gameRequest.type)
        }
    }
}

extension Response {
    private static let appHeaders: Headers = ["Content-Type": "application/json"]

    /// An answer in the app's envelope.
    static func app(_ answer: Answer, isReplay: Bool = false, retryAfter: Int = 1) -> Response {
        var headers = appHeaders
        // The app's keys are their own scheme: 401 says how to authenticate (RFC 9110 §11.6.1, §15.5.2).
        if answer.httpStatus == 401 { headers.append("WWW-Authenticate", AccessKeys.headerName) }
        return Response(status: HTTPStatus(answer.httpStatus), headers: headers, body: .bytes(answer.encoded()))
            .adding(
                retryAfter: answer.httpStatus == 503 || answer.httpStatus == 429 ? retryAfter : nil, isReplay: isReplay)
    }
}
