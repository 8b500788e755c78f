import HTTPServer
import JulietAPI

/// What a request goes through, whatever URL it is for: it gets an id, its address is limited, and its answer is timed,
/// counted and logged.
struct RequestFrame: Sendable {
    /// The URL as the log and the metrics call it, its parameters by name.
    let route: String
    /// The request type as the log calls it: the method, unless a ``RequestContext`` says more.
    let type: String
    let limits: RequestLimits
    /// Whether requests count for the limit of their address.
    let isLimited: Bool
    /// What pages of other origins may send and read; nil: they may send anything, and read nothing.
    let crossOrigin: CrossOrigin?
    let metrics: RequestMetrics
    let log: RequestLog
    /// What distinguishes the caller of a request, before ``RequestLog/digest(_:)``; nil: nothing is logged of them.
    let caller: @Sendable (Request) -> String?

    init(
        _ route: String, type: String, limits: RequestLimits, isLimited: Bool = true, crossOrigin: CrossOrigin? = nil,
        metrics: RequestMetrics, log: RequestLog, caller: @escaping @Sendable (Request) -> String? = { _ in nil }
    ) {
        self.route = route
        self.type = type
        self.limits = limits
        self.isLimited = isLimited
        self.crossOrigin = crossOrigin
        self.metrics = metrics
        self.log = log
        self.caller = caller
    }

    /// A request failed through no fault of the client's.
    ///
    /// - Parameter error: Safe in any log.
    func failed(_ request: Request, _ context: RequestContext, _ error: some Error) {
        log.failed(named(request, context), error)
    }

    /// Whether the request is refused; nil: go on. What a foreign page sends in somebody's browser does not count for their address.
    fileprivate func refusal(of request: Request, _ context: RequestContext) -> FrameRefusal? {
        if let crossOrigin, crossOrigin.isForeign(request) { return .foreignPage }
        return isLimited ? limits.secondsToWait(context.client).map { .tooMany(retryAfter: $0) } : nil
    }

    fileprivate func answered(_ request: Request, _ context: RequestContext, _ response: Response) {
        let nanoseconds = Stopwatch.now - context.start
        metrics.record(
            type: context.counted?.type ?? 0, outcome: context.counted?.outcome ?? V2Codes.index(of: response),
            nanoseconds: nanoseconds)
        guard log.isOn else { return }
        let named = named(request, context)
        if let code = context.code {
            log.answered(named, status: response.status.code, code: code, nanoseconds: nanoseconds)
        } else {
            log.answered(named, response, nanoseconds: nanoseconds)
        }
    }

    private func named(_ request: Request, _ context: RequestContext) -> RequestLog.Request {
        RequestLog.Request(
            id: context.id, trace: context.trace, route: route, type: context.type ?? type,
            player: caller(request).map(log.digest))
    }
}

/// What is known of a request besides itself, and what its responder says of its answer.
struct RequestContext: Sendable {
    /// The client's, or a new one.
    let id: RequestID
    /// The trace that the client continues; nil: none.
    let trace: TraceParent?
    /// Where it comes from.
    let client: RequestLimits.Client
    fileprivate let start = Stopwatch.now

    /// Under which places of ``RequestMetrics`` the answer counts; nil: under the only type, and the response's code.
    var counted: (type: Int, outcome: Int)?
    /// The request type for the log; nil: the frame's.
    var type: String?
    /// The answer's code for the log; nil: the response's.
    var code: String?

    fileprivate init(_ request: Request, from client: RequestLimits.Client) {
        self.client = client
        id = RequestID(proposed: request.headers[RequestID.headerName])
        trace = TraceParent(request.headers[TraceParent.headerName])
    }
}

/// Answers the requests of one URL and method within a frame.
protocol FramedResponder: Sendable {
    var frame: RequestFrame { get }

    /// Answers a request.
    func response(to request: Request, _ context: inout RequestContext) async -> Response

    /// The answer to a request that the frame refuses.
    func refused(_ request: Request, _ context: inout RequestContext, _ refusal: FrameRefusal) -> Response
}

/// Why a frame refuses a request, before anything is known of it.
enum FrameRefusal {
    /// A page of another origin has sent it.
    case foreignPage
    /// Its address has sent too many; seconds to wait.
    case tooMany(retryAfter: Int)
}

extension FramedResponder {
    func refused(_ request: Request, _ context: inout RequestContext, _ refusal: FrameRefusal) -> Response {
        switch refusal {
        case .foreignPage: .problem(V2.Problem(.originRefused))
        case .tooMany(let wait): .tooManyRequests(retryAfter: wait)
        }
    }
}

extension Router {
    /// Adds a responder within its frame.
    ///
    /// The compiler makes one of these for each kind of responder, so that the frame costs no asynchronous call of its own,
    /// as middleware would.
    mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], _ responder: some FramedResponder
    ) {
        let frame = responder.frame
        on(method, path, aliases: aliases) { request in
            var context = RequestContext(request, from: frame.limits.client(of: request))
            var response =
                if let refusal = frame.refusal(of: request, context) {
                    responder.refused(request, &context, refusal)
                } else {
                    await responder.response(to: request, &context)
                }
            frame.crossOrigin?.share(&response, with: request.headers)
            response.headers.append(RequestID.headerName, context.id.description)
            if let trace = context.trace { response.headers.append(TraceParent.responseHeaderName, trace.response) }
            frame.answered(request, context, response)
            return response
        }
    }
}
