public import HTTPServer
public import HTTPTypes

/// Answers a request by the types of swift-http-types. Runs as `Handler` does.
///
/// It gets the head, and the request as the server has it, for what a head has no place for: the content (`body`, or
/// `content` of a streaming route), the path's `parameters`, `remoteAddress`, `version`. Where middleware has changed the head,
/// the head counts.
///
/// An error that it throws is answered: 413, 408 or 400 for a `RequestContentError`, 500 for anything else, also for a response
/// that cannot be converted (``HTTPTypesError``). Nobody else hears of it: catch what you want to log.
public typealias HTTPTypesHandler = @Sendable (HTTPRequest, Request) async throws -> (HTTPResponse, ResponseBody)

/// A function around a handler, by the types of swift-http-types: it may answer itself, hand on another head or another
/// request, and look at the response.
public typealias HTTPTypesMiddleware =
    @Sendable (HTTPRequest, Request, HTTPTypesHandler) async throws -> (HTTPResponse, ResponseBody)

extension Router {
    /// Adds a handler of swift-http-types, as `on(_:_:aliases:handler:)` adds one of `HTTPServer`.
    ///
    /// - Parameters:
    ///   - method: The method; `HTTPMethod(_:)` makes one of an `HTTPRequest.Method`.
    ///   - path: The path after the base path; a segment in braces is a parameter.
    ///   - aliases: More paths for the same handler.
    ///   - handler: Called when the request is whole.
    public mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], handler: @escaping HTTPTypesHandler
    ) {
        on(method, path, aliases: aliases, handler: httpTypesHandler(errorRenderer: errorRenderer, handler))
    }

    /// The same for a handler that takes the body as it comes, by `content` of its second argument.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path after the base path.
    ///   - aliases: More paths for the same handler.
    ///   - limit: The most bytes the body may have, after decoding. More: 413.
    ///   - handler: Called as soon as the head is there.
    public mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], streamingUpTo limit: Int,
        handler: @escaping HTTPTypesHandler
    ) {
        let handler = httpTypesHandler(errorRenderer: errorRenderer, handler)
        on(method, path, aliases: aliases, streamingUpTo: limit) { request in await handler(request) }
    }
}

/// Makes a handler for a server without a router.
///
/// - Parameters:
///   - errorRenderer: Shapes the answers to what the handler throws.
///   - handler: Answers the requests.
public func httpTypesHandler(
    errorRenderer: @escaping ErrorRenderer = HTTPFailure.plainTextRenderer, _ handler: @escaping HTTPTypesHandler
) -> Handler {
    { request in
        await respond(to: request, by: errorRenderer) { head throws in try await handler(head, request) }
    }
}

/// Makes middleware for a server or a group of routes, around handlers of either kind.
///
/// Each one converts the request and the response in both directions; several that you put together before you make middleware of
/// them are converted once.
///
/// - Parameters:
///   - errorRenderer: Shapes the answers to what the middleware throws.
///   - middleware: Called around the handlers.
public func httpTypesMiddleware(
    errorRenderer: @escaping ErrorRenderer = HTTPFailure.plainTextRenderer,
    _ middleware: @escaping HTTPTypesMiddleware
) -> Middleware {
    { request, next in
        await respond(to: request, by: errorRenderer) { head throws in
            try await middleware(head, request) { head, request in
                let response = await next(try Request(head, in: request))
                return (try HTTPResponse(response), response.body)
            }
        }
    }
}

/// Converts a request, and the response that a function makes of it; renders what goes wrong.
private func respond(
    to request: Request, by errorRenderer: ErrorRenderer,
    _ body: (HTTPRequest) async throws -> (HTTPResponse, ResponseBody)
) async -> Response {
    let head: HTTPRequest
    do {
        head = try HTTPRequest(request)
    } catch {
        // What a client has sent: only its number of lines can be too much.
        return HTTPFailure(
            code: .headTooLarge, status: .requestHeaderFieldsTooLarge, message: "There are too many header fields.",
            request: request
        ).response(by: errorRenderer)
    }
    do {
        let (response, content) = try await body(head)
        return try Response(response, body: content)
    } catch {
        return HTTPFailure(error, of: request).response(by: errorRenderer)
    }
}
