import HTTPServer

/// What a request goes through, whatever URL it is for: it gets an id, and its answer is timed, counted and logged.
struct RequestFrame: Sendable {
    /// The URL as the log and the metrics call it, its parameters by name.
    let route: String
    /// The request type as the log calls it: the method, unless a ``RequestContext`` says more.
    let type: String
    let metrics: RequestMetrics
    let log: RequestLog
    /// What distinguishes the caller of a request, before ``RequestLog/digest(_:)``; nil: nothing is logged of them.
    let caller: @Sendable (Request) -> String?

    init(
        _ route: String, type: String, metrics: RequestMetrics, log: RequestLog,
        caller: @escaping @Sendable (Request) -> String? = { _ in nil }
    ) {
        self.route = route
        self.type = type
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

    fileprivate func answered(_ request: Request, _ context: RequestContext, _ response: Response) {
        let nanoseconds = Stopwatch.now - context.start
        metrics.record(
            type: context.counted?.type ?? 0, outcome: context.counted?.outcome ?? PlayCodes.index(of: response),
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

/// What is known of a request besides itself, and what its handler says of its answer.
struct RequestContext: Sendable {
    /// The client's, or a new one.
    let id: RequestID
    /// The trace that the client continues; nil: none.
    let trace: TraceParent?
    fileprivate let start = Stopwatch.now

    /// As what the answer counts, by the places of ``RequestMetrics``; nil: the route's only type, and what the response is.
    var counted: (type: Int, outcome: Int)?
    /// The request type and the answer's code for the log; nil: as the frame and the response say.
    var type: String?
    var code: String?

    fileprivate init(_ request: Request) {
        id = RequestID(proposed: request.headers[RequestID.headerName])
        trace = TraceParent(request.headers[TraceParent.headerName])
    }
}

extension Router {
    /// Adds a handler within a frame.
    ///
    /// - Parameter handler: Called with what is known of the request, which it may add to.
    mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], within frame: RequestFrame,
        handler: @escaping @Sendable (Request, inout RequestContext) async -> Response
    ) {
        on(method, path, aliases: aliases) { request in
            var context = RequestContext(request)
            var response = await handler(request, &context)
            response.headers.append(RequestID.headerName, context.id.description)
            if let trace = context.trace { response.headers.append(TraceParent.responseHeaderName, trace.response) }
            frame.answered(request, context, response)
            return response
        }
    }
}
