/// Finds the handler of a request by its exact path and its method.
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
        var entries: [Entry] = []

        func entry(for method: HTTPMethod) -> Entry? {
            for entry in entries where entry.method == method { return entry }
            return nil
        }

        /// The value of `Allow`.
        var allow: String {
            var methods = entries.map(\.method.rawValue)
            if entry(for: .get) != nil, entry(for: .head) == nil { methods.append("HEAD") }
            if entry(for: .options) == nil { methods.append("OPTIONS") }
            return methods.joined(separator: ", ")
        }
    }

    private let basePath: String
    let errorRenderer: ErrorRenderer
    private var routes: [String: Route] = [:]

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
    ///   - path: The exact path after the base path, from its slash on.
    ///   - aliases: More paths for the same handler.
    ///   - handler: Called on the loop of the request's connection.
    public mutating func on(
        _ method: HTTPMethod, _ path: String, aliases: [String] = [], handler: @escaping Handler
    ) {
        for path in [path] + aliases {
            precondition(path.hasPrefix("/"), "a path starts with a slash")
            var route = routes[basePath + path] ?? Route()
            precondition(route.entry(for: method) == nil, "\(method) \(path) has a handler already")
            route.entries.append(Entry(method: method, handler: handler))
            routes[basePath + path] = route
        }
    }

    /// Answers a request by the handler that fits it.
    public func respond(to request: Request) async -> Response {
        guard let route = routes[request.path] ?? routes[normalized(request.path)] else {
            return unrouted(request)
        }
        if let entry = route.entry(for: request.method) { return await entry.handler(request) }
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
            let methods = Set(routes.values.flatMap { $0.allow.split(separator: ", ") }).sorted()
            return Response(status: .noContent, headers: ["Allow": methods.joined(separator: ", ")])
        }
        return HTTPFailure(
            code: .notFound, status: .notFound, message: "Nothing is found at this path.", request: request
        ).response(by: errorRenderer)
    }

    /// The path with escaped unreserved characters as themselves.
    private func normalized(_ path: String) -> String {
        let bytes = Array(path.utf8)
        guard bytes.contains(ASCII.percent) else { return path }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == ASCII.percent, index + 2 < bytes.count,
                let high = CharacterClass.hexValue(bytes[index + 1]),
                let low = CharacterClass.hexValue(bytes[index + 2]),
                CharacterClass.isUnreserved(high << 4 | low)
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
