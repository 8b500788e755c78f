import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/c/{code}`: links to challenges, which open the page there. Whatever the answer is, the page comes with it, and shows what
/// there is to see. It asks `/v2` itself, but not for a code that does not exist, which would count twice.
final class ChallengeLinks: FramedResponder {
    static let path = "/c/{code}"

    private let challenges: Challenges
    private let page: ChallengePage
    private let unknownCodes: GuessLimit
    let frame: RequestFrame

    /// Links to these challenges.
    ///
    /// - Parameter unknownCodes: Counts codes that do not exist, here and in `/v2` together.
    init(
        _ challenges: Challenges, page: ChallengePage, unknownCodes: GuessLimit, crossOrigin: CrossOrigin,
        limits: RequestLimits, metrics: ServiceMetrics, log: RequestLog
    ) {
        self.challenges = challenges
        self.page = page
        self.unknownCodes = unknownCodes
        frame = RequestFrame(
            Self.path, type: HTTPMethod.get.rawValue, limits: limits, crossOrigin: crossOrigin,
            metrics: metrics.requests(.get, Self.path), log: log)
    }

    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        let code = request.parameters["code"].flatMap { V2.ShareCode($0) }
        var link: ChallengeLink?
        let answer: Response
        do {
            answer = try await unknownCodes.answer(context.client) {
                guard let code else { return nil }
                link = try await challenges.link(to: code)
                return link == nil ? nil : Response()
            }
        } catch {
            answer = frame.problem(for: error, request, context)
        }
        // A refusal counts under the code of its problem, which the page takes the place of.
        context.counted = (type: 0, outcome: V2Codes.index(of: answer))
        context.code = V2Codes.code(of: answer)

        let language = HeadLanguage(request.headers)
        // A link that exists is refused too, after many that do not.
        let shown = answer.status == .ok ? link : nil
        let text = shown.map { HeadText($0, in: language) } ?? HeadText(refusedWith: answer.status, in: language)
        var headers = Page.headers(keeping: .never)
        headers.append("Content-Type", "text/html; charset=utf-8")
        let html = page.html(
            text, language, at: code.map { "/c/\($0)" } ?? "/", isUnknown: answer.status == .notFound, for: request)
        return Response(status: answer.status, headers: headers, body: .bytes(Array(html.utf8)))
            .adding(retryAfter: answer.headers["Retry-After"].flatMap { Int($0) })
    }
}
