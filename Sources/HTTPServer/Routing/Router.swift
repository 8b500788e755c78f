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
    }

    private struct Route {
        private(set) var entries: [Entry] = []

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

    /// A path with parameters and what is found there.
    private struct PatternRoute {
        let pattern: PathPattern
        var route = Route()
    }

    private let basePath: String
    let errorRenderer: ErrorRenderer
    private var routes: [String: Route] = [:]
    /// In the order in which they are asked.
    private var patternRoutes: [PatternRoute] = []
    private var excluded: Set<String> = []

    /// An empty router.
    ///
    /// - Parameters:
    ///   - basePath: What comes before every path, "/prod"; default nothing. A slash at its end is dropped.
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
        for path in [path] + aliases {
            precondition(path.hasPrefix("/"), "a path starts with a slash")
            let entry = Entry(method: method, handler: handler)
            if PathPattern.isPattern(path) {
                add(entry, at: PathPattern(basePath + path), path)
            } else {
                routes[basePath + path, default: Route()].add(entry, at: path)
            }
        }
    }

    /// Makes an exact path unknown that a path with parameters would stand for too.
    public mutating func exclude(_ path: String) {
        excluded.insert(basePath + path)
    }

    /// The value of `Allow` for a path as it was given to `on`; nil before that.
    public func allow(_ path: String) -> String? {
        guard PathPattern.isPattern(path) else { return routes[basePath + path]?.allow }
        let pattern = PathPattern(basePath + path)
        return patternRoutes.first { $0.pattern.isSame(as: pattern) }?.route.allow
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

    /// Answers a request by the handler that fits it.
    public func respond(to request: Request) async -> Response {
        guard let route = routes[request.path] else { return await respondByPattern(to: request) }
        guard let entry = route.entry(for: request.method) else { return await respond(to: request, without: route) }
        return await entry.handler(request)
    }

    /// The same for a path that is no exact one as it stands.
    private func respondByPattern(to request: Request) async -> Response {
        let path = PercentEncoding.normalized(request.path)
        var request = request
        guard let route = routes[path] ?? patternRoute(for: path, &request.parameters) else {
            return unrouted(request)
        }
        guard let entry = route.entry(for: request.method) else { return await respond(to: request, without: route) }
        return await entry.handler(request)
    }

    private func patternRoute(for path: String, _ parameters: inout PathParameters) -> Route? {
        if excluded.contains(path) { return nil }
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
            message: "This method is not among those the resource offers.",
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
            code: .notFound, status: .notFound, message: "Nothing is found at this path.", request: request
        ).response(by: errorRenderer)
    }
}
