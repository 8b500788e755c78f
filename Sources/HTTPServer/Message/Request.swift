/// One request: received completely, or with its content streamed (``content``).
public struct Request: Sendable {
    /// The method, case-sensitive.
    public var method: HTTPMethod

    /// The target's path as sent, percent-encoding and dot segments untouched: "/health"; "*" for `OPTIONS *`; empty
    /// for CONNECT.
    public var path: String

    /// What follows the first "?" of the target, as sent; nil without one.
    public var query: String?

    /// Host and port the request is for: from an absolute target or CONNECT, else from `Host`; empty if an HTTP/1.0
    /// request names none.
    public var authority: String {
        targetAuthority ?? headers["Host"] ?? ""
    }

    /// HTTP/1.0 or HTTP/1.1.
    public var version: HTTPVersion

    /// The field lines. Trailer fields are checked and dropped.
    public var headers: Headers

    /// The content, transfer coding removed, at most `HTTPServerConfiguration.maximumBodySize` bytes
    /// (or what `maximumBodySizes` says of the path). Empty if the content is streamed, however small it is: read
    /// ``content`` then.
    public var body: [UInt8]

    /// The content as a stream; the bytes of ``body`` if it was received completely. Setting it to bytes sets `body`.
    public var content: RequestContent {
        get { contentSource.map(RequestContent.init(source:)) ?? RequestContent(body) }
        set {
            contentSource = newValue.source
            body = newValue.bytes ?? []
        }
    }

    /// Whether the connection may be used for another request afterwards.
    public var isKeepAlive: Bool

    /// The peer of the connection; a proxy's address if there is one.
    public var remoteAddress: SocketAddress

    /// The values of the parameters in the route's path.
    public internal(set) var parameters: PathParameters {
        get { PathParameters(extras?.parameters) }
        set { extras = Extras(parameters: newValue.values, contentSource: extras?.contentSource) }
    }

    /// The authority of an absolute-form or authority-form target; it overrides `Host` (RFC 9112 §3.2.2).
    package var targetAuthority: String?

    /// Where the content comes from that is not in `body`.
    var contentSource: RequestContent.Source? {
        get { extras?.contentSource }
        set {
            guard newValue != nil || extras != nil else { return }
            extras = Extras(parameters: extras?.parameters, contentSource: newValue)
        }
    }

    /// Parts that most requests do not have, behind one reference, because each additional word in a request costs every request.
    private final class Extras: Sendable {
        let parameters: [PathParameters.Parameter]?
        let contentSource: RequestContent.Source?

        init(parameters: [PathParameters.Parameter]?, contentSource: RequestContent.Source?) {
            (self.parameters, self.contentSource) = (parameters, contentSource)
        }
    }

    private var extras: Extras?

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

    /// A request as it is read, made in one go: a change afterwards would copy it.
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
}

/// Answers a request. Runs on the event loop of the request's connection: it may await, it must not block.
///
/// Its task is cancelled when nobody waits for the answer any more: the client has reset the connection, or the handler's
/// deadline has passed (``HTTPServerConfiguration/handlerDeadline``). A client that has only stopped sending may still read.
public typealias Handler = @Sendable (Request) async -> Response

/// A function around a handler: it may inspect the request, answer itself, or call the handler and look at the
/// response.
public typealias Middleware = @Sendable (Request, Handler) async -> Response
