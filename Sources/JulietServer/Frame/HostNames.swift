import HTTPServer

/// The names that a port answers to.
///
/// A page of any site can have its own name lead to this machine (DNS rebinding). A browser then takes the service for that
/// site, and lets the page read every answer. But the requests still carry the page's name in `Host`. So a request is
/// admitted if its `Host` is:
///
/// - an IP address, which no DNS server can change, or `localhost`;
/// - one of the names;
/// - missing: programs that speak HTTP/1.0 may leave it out, browsers never do.
///
/// The port is not compared: a proxy or a tunnel may have another one.
package struct HostNames: Sendable, Equatable {
    private let names: Set<String>

    /// Admits these names too, in any letter case. Addresses among them change nothing.
    package init(_ names: [String] = []) {
        self.names = Set((names + ["localhost"]).map { Self.normalized($0) })
    }

    /// Whether a text can be a name here: letters, digits, hyphens, dots and underscores, without a port.
    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: #/[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)*\.?/#) != nil
    }

    /// Whether requests for an authority are answered.
    ///
    /// - Parameter authority: Host and port of a request that the parser accepted: `127.0.0.1:9090`, `[::1]`, `Juliet.example`.
    package func admits(_ authority: String) -> Bool {
        guard !authority.isEmpty else { return true }
        let host = Self.host(of: authority)
        return SocketAddress.IP(host) != nil || names.contains(Self.normalized(host))
    }

    /// The answer of the server to a request that is not admitted: 421.
    ///
    /// - Parameter setting: The setting that lists the names.
    func failure(of request: Request, setting: String) -> HTTPFailure {
        HTTPFailure(
            code: .misdirected, status: .misdirectedRequest,
            message: "The service does not answer to the name in Host: add it to \(setting), or use the IP address.",
            request: request)
    }

    /// Refuses requests that are not admitted, whatever they are for.
    ///
    /// - Parameters:
    ///   - setting: The setting that lists the names.
    ///   - errorRenderer: Shapes the refusal.
    func middleware(setting: String, errorRenderer: @escaping ErrorRenderer) -> Middleware {
        { request, next in
            guard admits(request.authority) else {
                return failure(of: request, setting: setting).response(by: errorRenderer)
            }
            return await next(request)
        }
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }

    /// In lower case, without the dot that may end a name.
    private static func normalized(_ name: String) -> String {
        let name = name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}
