/// One request: received completely, or with its content streamed (``content``).
public struct Request: Sendable {
    /// The method, case-sensitive.
    public var method: HTTPMethod {
        get { parts.method }
        set { owned.method = newValue }
    }

    /// The target's path as sent, percent-encoding and dot segments untouched: "/health"; "*" for `OPTIONS *`; empty
    /// for CONNECT.
    public var path: String {
        get { parts.path }
        set { owned.path = newValue }
    }

    /// What follows the first "?" of the target, as sent; nil without one.
    public var query: String? {
        get { parts.query }
        set { owned.query = newValue }
    }

    /// Host and port the request is for: from an absolute target or CONNECT, else from `Host`; empty if an HTTP/1.0
    /// request names none.
    public var authority: String {
        targetAuthority ?? headers["Host"] ?? ""
    }

    /// HTTP/1.0 or HTTP/1.1.
    public var version: HTTPVersion {
        get { parts.version }
        set { owned.version = newValue }
    }

    /// The field lines. Trailer fields are checked and dropped.
    public var headers: Headers {
        get { parts.headers }
        _modify { yield &owned.headers }
    }

    /// The content, transfer coding removed, at most `HTTPServerConfiguration.maximumBodySize` bytes
    /// (or what `maximumBodySizes` says of the path). Empty if the content is streamed, however small it is: read
    /// ``content`` then.
    public var body: [UInt8] {
        get { parts.body }
        _modify { yield &owned.body }
    }

    /// The content as a stream; the bytes of ``body`` if it was received completely. Setting it to bytes sets `body`.
    public var content: RequestContent {
        get { contentSource.map(RequestContent.init(source:)) ?? RequestContent(body) }
        set {
            contentSource = newValue.source
            body = newValue.bytes ?? []
        }
    }

    /// Whether the connection may be used for another request afterwards.
    public var isKeepAlive: Bool {
        get { parts.isKeepAlive }
        set { owned.isKeepAlive = newValue }
    }

    /// The peer of the connection; a proxy's address if there is one.
    public var remoteAddress: SocketAddress {
        get { parts.remoteAddress }
        set { owned.remoteAddress = newValue }
    }

    /// The values of the parameters in the route's path.
    public internal(set) var parameters: PathParameters {
        get { PathParameters(parts.parameters) }
        set { owned.parameters = newValue.values }
    }

    /// The authority of an absolute-form or authority-form target; it overrides `Host` (RFC 9112 §3.2.2).
    package var targetAuthority: String? {
        get { parts.targetAuthority }
        set { owned.targetAuthority = newValue }
    }

    /// Where the content comes from that is not in `body`.
    var contentSource: RequestContent.Source? {
        get { parts.contentSource }
        set { owned.contentSource = newValue }
    }

    /// Behind one reference: a request is handed from function to function, and a copy of each part costs more than this does.
    private var parts: Parts

    /// The parts, to change them: nobody else's.
    private var owned: Parts {
        mutating get {
            if !isKnownUniquelyReferenced(&parts) { parts = Parts(parts) }
            return parts
        }
    }

    private final class Parts: @unchecked Sendable {
        // Invariant: it changes only while one request alone refers to it.

        var method: HTTPMethod
        var path: String
        var query: String?
        var version: HTTPVersion
        var headers: Headers
        var body: [UInt8]
        var isKeepAlive: Bool
        var remoteAddress: SocketAddress
        var targetAuthority: String?
        var parameters: [PathParameters.Parameter]?
        var contentSource: RequestContent.Source?

        init(
            method: HTTPMethod, path: String, query: String?, version: HTTPVersion, headers: Headers, body: [UInt8],
            isKeepAlive: Bool, remoteAddress: SocketAddress, targetAuthority: String?
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.version = version
            self.headers = headers
            self.body = body
            self.isKeepAlive = isKeepAlive
            self.remoteAddress = remoteAddress
            self.targetAuthority = targetAuthority
        }

        convenience init(_ other: Parts) {
            self.init(
                method: other.method, path: other.path, query: other.query, version: other.version,
                headers: other.headers, body: other.body, isKeepAlive: other.isKeepAlive,
                remoteAddress: other.remoteAddress, targetAuthority: other.targetAuthority)
            (parameters, contentSource) = (other.parameters, other.contentSource)
        }
    }

    /// A request made by hand, for tests and handlers that call others.
    public init(
        method: HTTPMethod,
        path: String,
        query: String? = nil,
        version: HTTPVersion = .http11,
        headers: Headers = [:],
        body: [UInt8] = [],
        isKeepAlive: Bool = true,
        remoteAddress: SocketAddress = SocketAddress(127, 0, 0, 1, port: 0)
    ) {
        self.init(
            method: method, path: path, query: query, version: version, headers: headers, body: body,
            isKeepAlive: isKeepAlive, remoteAddress: remoteAddress, targetAuthority: nil)
    }

    /// A request as it is read.
    init(
        method: HTTPMethod, path: String, query: String?, version: HTTPVersion, headers: Headers, body: [UInt8],
        isKeepAlive: Bool, remoteAddress: SocketAddress, targetAuthority: String?
    ) {
        parts = Parts(
            method: method, path: path, query: query, version: version, headers: headers, body: body,
            isKeepAlive: isKeepAlive, remoteAddress: remoteAddress, targetAuthority: targetAuthority)
    }
}

/// Answers a request. Runs on the event loop of the request's connection: it may await, it must not block.
///
/// Its task is cancelled when nobody waits for the answer any more: the client has reset the connection, or the handler's
/// deadline has passed (``HTTPServerConfiguration/handlerDeadline``). A client that has only stopped sending may still read.
public typealias Handler = @Sendable (Request) async -> Response

/// A function around a handler: it may inspect the request, answer itself, or call the handler and look at the
/// response.
public typealias Middleware = @Sendable (Request, Handler) async -> Response
