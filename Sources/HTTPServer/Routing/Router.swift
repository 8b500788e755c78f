/// Finds the handler of a request by its path and its method.
///
/// A path is exact, "/health", or has parameters, "/games/{id}", each of which stands for any one segment that is not
/// empty. An exact path goes before all others, also for the methods that it does not offer; of those with parameters
/// the one goes first that has a text where the other has a parameter, looked at from the left.
///
/// Unknown paths get 404. Known paths answer `OPTIONS` by themselves, `HEAD` through the handler of GET, and other
/// methods with 405 and `Allow` (RFC 9110 §15.5.6). Escaped characters that need no escape count as themselves, "/%61"
/// is "/a" (RFC 3986 §6.2.2.2); nothing else is normalised.
public struct Router: Sendable {
    /// A function in a structure of its own: in a tuple or an optional it would be called through a thunk.
    private struct Entry {
        let method: HTTPMethod
        let handler: Handler
        /// The limit of a streamed body; nil if the handler gets the complete body.
        let streamedSize: Int?
    }

    private struct Route {
        private(set) var entries: [Entry] = []
        /// Whether the path is there now; nil: it always is.
        var isOffered: (@Sendable () -> Bool)?

        /// Whether it is there now.
        var isThere: Bool { isOffered?() ?? true }

        mutating func add(_ entry: Entry, at path: String) {
            precondition(self.entry(for: entry.method) == nil, "\(entry.method) \(path) has a handler already")
            entries.append(entry)
        }

        func entry(for method: HTTPMethod) -> Entry? {
            for entry in entries where entry.method == method { return entry }
            return nil
        }

        /// The value of `Allow`.
        var allow: String {
            var methods = entries.map(\.method).filter { $0 != .options }.map(\.rawValue)
            if entry(for: .get) != nil, entry(for: .head) == nil { methods.append("HEAD") }
            return (methods + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    /// A path with parameters and its handlers.
    private struct PatternRoute {
        let pattern: PathPattern
        var route = Route()
    }

    private let basePath: String
    /// Shapes the router's own answers.
    package let errorRenderer: ErrorRenderer
    private var routes: [String: Route] = [:]
    /// In the order in which they are asked.
    private var patternRoutes: [PatternRoute] = []
    /// Whether any handler takes bodies as they come.
    private(set) var hasStreamedBodies = false
    /// The path prefix, the middleware and the forms of parameters of the groups that are being filled.
    private var prefix = ""
    private var middleware: [Middleware] = []
    private var forms: [String: ParameterForm] = [:]

    /// An empty router.
    ///
    /// - Parameters:
    ///   - basePath: The prefix of every path, "/prod"; default nothing. A slash at its end is dropped.
    ///   - errorRenderer: Shapes the answers 404 and 405.
    public init(basePath: String = "", errorRenderer: @escaping ErrorRenderer = HTTPFailure.plainTextRenderer) {
        var basePath = basePath
        while basePath.hasSuffix("/") { basePath.removeLast() }
        precondition(basePath.isEmpty || basePath.hasPrefix("/"), "a base path starts with a slash")
        self.basePath = basePath
        self.errorRenderer = errorRenderer
    }

    /// Adds a handler for one method of one or several paths. The same pair twice is a programmer's mistake and traps.
    ///
    /// - Parameters:
    ///   - method: The method; a handler of GET serves HEAD too.
    ///   - path: The path after the base path, from its slash on. A segment in braces is a parameter, whose value the
    ///     handler finds in ``Request/parameters``.
    ///   - aliases: More paths for the same handler.
    ///   - handler: Called on the loop of the request's connection.
    public mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], handler: @escaping Handler
    ) {
        add(method, [path] + aliases, streamedSize: nil, handler)
    }

    /// The same for a handler that takes the body as it comes, by ``Request/content``; ``Request/body`` is empty.
    ///
    /// A ``RequestContentError`` that the handler throws on is answered as the fault would be of a buffered request
    /// (413, 408, 400); anything else that it throws, with 500. Both close the connection if the body was not read to
    /// its end; after an early response, at most 256 KiB of the rest are read.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path after the base path, from its slash on.
    ///   - aliases: More paths for the same handler.
    ///   - limit: The most bytes the body may have, after decoding. More: 413, before the handler is called where the
    ///     length is announced.
    ///   - handler: Called as soon as the head is there, on the loop of the request's connection.
    public mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], streamingUpTo limit: Int,
        handler: @escaping @Sendable (Request) async throws -> Response
    ) {
        hasStreamedBodies = true
        let errorRenderer = errorRenderer
        add(method, [path] + aliases, streamedSize: max(0, limit)) { request in
            do {
                return try await handler(request)
            } catch {
                return HTTPFailure(error, of: request).response(by: errorRenderer)
            }
        }
    }

    /// Adds handlers whose paths begin alike, with middleware of their own. Groups may hold groups.
    ///
    /// The middleware is called behind the server's, and only for requests that have found one of these handlers: not
    /// for 404, 405 and the automatic answer to `OPTIONS`.
    ///
    /// ```swift
    /// router.group("/admin", middleware: [signedIn]) { group in
    ///     group.on(.get, "/players") { _ in .text("…") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The prefix of the paths, after the base path; default nothing.
    ///   - middleware: Called around the handlers, the first outermost.
    ///   - routes: Adds them to the router that it is given.
    public mutating func group(
        _ path: String = "", middleware: [Middleware] = [], _ routes: (inout Router) throws -> Void
    ) rethrows {
        precondition(path.isEmpty || path.hasPrefix("/") && !path.hasSuffix("/"), "a group's path is /segments")
        let outer = (prefix, self.middleware, forms)
        defer { (prefix, self.middleware, forms) = outer }
        prefix += path
        self.middleware += middleware
        try routes(&self)
    }

    /// Says which values a parameter takes: a path with another value is unknown (404), not this path with a bad value. It
    /// holds for handlers that are added later, to the end of the group.
    ///
    /// ```swift
    /// router.parameter("day") { Day($0) != nil }
    /// router.on(.get, "/days/{day}") { request in .text("…") }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The parameter, without braces.
    ///   - form: Whether a value, decoded, is one that it takes.
    public mutating func parameter(_ name: String, takes form: @escaping ParameterForm) {
        forms[name] = form
    }

    private mutating func add(
        _ method: HTTPMethod, _ paths: [String], streamedSize: Int?, _ handler: @escaping Handler
    ) {
        var handler = handler
        for middleware in middleware.reversed() {
            let inner = handler
            handler = { request in await middleware(request, inner) }
        }
        for path in paths {
            precondition(path.hasPrefix("/"), "a path starts with a slash")
            let path = prefix + path
            let entry = Entry(method: method, handler: handler, streamedSize: streamedSize)
            if PathPattern.isPattern(path) {
                add(entry, at: PathPattern(basePath + path, forms: forms), path)
            } else {
                routes[basePath + path, default: Route()].add(entry, at: path)
            }
        }
    }

    /// Says while which a path is there: at other times it is unknown (404), whatever the method. A path is always there
    /// unless this is called.
    ///
    /// - Parameters:
    ///   - path: As it was given to `on`, before; another is a programmer's mistake and traps.
    ///   - isOffered: Called for each request.
    public mutating func offer(_ path: String, while isOffered: @escaping @Sendable () -> Bool) {
        guard PathPattern.isPattern(path) else {
            precondition(routes[basePath + path] != nil, "\(path) has no handler")
            routes[basePath + path]?.isOffered = isOffered
            return
        }
        let pattern = PathPattern(basePath + path)
        guard let index = patternRoutes.firstIndex(where: { $0.pattern.isSame(as: pattern) }) else {
            preconditionFailure("\(path) has no handler")
        }
        patternRoutes[index].route.isOffered = isOffered
    }

    /// The value of `Allow` for a path as it was given to `on`; nil before that.
    public func allow(_ path: String) -> String? {
        guard PathPattern.isPattern(path) else { return routes[basePath + path]?.allow }
        let pattern = PathPattern(basePath + path)
        return patternRoutes.first { $0.pattern.isSame(as: pattern) }?.route.allow
    }

    /// The limit of a request's streamed body; nil if the body is received completely first.
    public func streamedBodySize(of request: Request) -> Int? {
        if let route = routes[request.path] { return route.entry(for: request.method)?.streamedSize }
        let path = PercentEncoding.normalized(request.path)
        var parameters = PathParameters()
        return (routes[path] ?? patternRoute(for: path, &parameters))?.entry(for: request.method)?.streamedSize
    }

    private mutating func add(_ entry: Entry, at pattern: PathPattern, _ path: String) {
        if let index = patternRoutes.firstIndex(where: { $0.pattern.isSame(as: pattern) }) {
            precondition(
                patternRoutes[index].pattern.segments == pattern.segments, "\(path) has other names for its parameters")
            patternRoutes[index].route.add(entry, at: path)
        } else {
            let index = patternRoutes.firstIndex { pattern.precedes($0.pattern) } ?? patternRoutes.endIndex
            patternRoutes.insert(PatternRoute(pattern: pattern), at: index)
            patternRoutes[index].route.add(entry, at: path)
        }
    }

    /// Answers a request by the matching handler.
    public func respond(to request: Request) async -> Response {
        guard let route = routes[request.path] else { return await respondByPattern(to: request) }
        guard route.isThere else { return unrouted(request) }
        guard let entry = route.entry(for: request.method) else { return await respond(to: request, without: route) }
        return await entry.handler(request)
    }

    /// The same for a path that is no exact one as it stands.
    private func respondByPattern(to request: Request) async -> Response {
        let path = PercentEncoding.normalized(request.path)
        var request = request
        guard let route = routes[path] ?? patternRoute(for: path, &request.parameters), route.isThere else {
            return unrouted(request)
        }
        guard let entry = route.entry(for: request.method) else { return await respond(to: request, without: route) }
        return await entry.handler(request)
    }

    private func patternRoute(for path: String, _ parameters: inout PathParameters) -> Route? {
        for candidate in patternRoutes {
            guard let match = candidate.pattern.match(path) else { continue }
            parameters = match
            return candidate.route
        }
        return nil
    }

    /// Answers a method that the route has no handler of its own for.
    private func respond(to request: Request, without route: Route) async -> Response {
        switch request.method {
        case .head:
            if let entry = route.entry(for: .get) { return await entry.handler(request) }
        case .options:
            return Response(status: .noContent, headers: ["Allow": route.allow])
        default:
            break
        }
        return HTTPFailure(
            code: .methodNotAllowed, status: .methodNotAllowed,
            message: "The resource does not offer this method.",
            headers: ["Allow": route.allow], request: request
        ).response(by: errorRenderer)
    }

    private func unrouted(_ request: Request) -> Response {
        if request.path == "*", request.method == .options {
            let routes = Array(routes.values) + patternRoutes.map(\.route)
            let methods = Set(routes.flatMap { $0.allow.split(separator: ", ") }).sorted()
            return Response(status: .noContent, headers: ["Allow": methods.joined(separator: ", ")])
        }
        return HTTPFailure(
            code: .notFound, status: .notFound, message: "There is nothing at this path.", request: request
        ).response(by: errorRenderer)
    }
}
