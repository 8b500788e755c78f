public import HTTPServer
public import HTTPTypes

extension HTTPMethod {
    /// The method of this name.
    public init(_ method: HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
}

extension HTTPRequest {
    /// The head of a request.
    ///
    /// - `path` is the target's path and query as sent, `*` for `OPTIONS *`, nil for CONNECT.
    /// - `authority` is `Request.authority`: that of an absolute target, else `Host`; nil if an HTTP/1.0 request
    ///   names none. There is no `Host` among the fields.
    /// - All other field lines are there, as `HTTPFields.init(_:)` says, also those about the connection and the framing
    ///   (`Connection`, `Content-Length`, `Transfer-Encoding`), though the content is decoded.
    /// - Lost are the HTTP version, the peer's address, the parameters of the path and the content. A handler has the
    ///   request itself beside this (``HTTPTypesHandler``).
    ///
    /// What the server received can always be converted, unless `HTTPServerConfiguration.maximumHeaderCount` is higher than
    /// `HTTPFields` can count.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - scheme: `https` where a proxy speaks TLS with the clients; the server itself cannot know. Not with CONNECT,
    ///     which has none.
    /// - Throws: `HTTPTypesError.tooManyFields`; `.malformedMethod` for a request made by hand.
    public init(_ request: Request, scheme: String = "http") throws(HTTPTypesError) {
        guard let method = Method(request.method.rawValue) else { throw .malformedMethod }
        let authority = request.authority
        let isConnect = request.method == .connect
        self.init(
            method: method, scheme: isConnect ? nil : scheme, authority: authority.isEmpty ? nil : authority,
            path: isConnect ? nil : request.query.map { "\(request.path)?\($0)" } ?? request.path,
            headerFields: try HTTPFields(request.headers, withoutHost: true))
    }
}

extension Request {
    /// A request that was received completely, such as one of another server or of a test.
    ///
    /// - `path` is split at its first "?" into `Request.path` and `query`. It has to be one that a request line may have; CONNECT
    ///   has none.
    /// - `authority` becomes the first field line, `Host`. A `Host` among the fields counts where there is no authority, and
    ///   may not differ from it otherwise, but for the case of its letters. Without both there is no `Host`.
    /// - All other field lines are there, as `Headers.init(_:)` says. Those about the framing are not compared with the body.
    /// - `scheme` is lost. The version is HTTP/1.1.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - body: The content, transfer coding removed.
    ///   - remoteAddress: The peer.
    /// - Throws: `HTTPTypesError`, for everything that the server would have refused in these parts of a request.
    public init(
        _ head: HTTPRequest, body: [UInt8] = [], remoteAddress: SocketAddress = SocketAddress(127, 0, 0, 1, port: 0)
    ) throws(HTTPTypesError) {
        try self.init(head, in: Request(method: .get, path: "/", body: body, remoteAddress: remoteAddress))
    }

    /// A request with another head: what a head has no place for (version, peer, parameters, content) stays.
    ///
    /// - Parameters:
    ///   - head: The head, by the rules of `init(_:body:remoteAddress:)`.
    ///   - request: Everything else.
    /// - Throws: `HTTPTypesError`, as there.
    public init(_ head: HTTPRequest, in request: Request) throws(HTTPTypesError) {
        guard head.extendedConnectProtocol == nil else { throw .extendedConnect }
        let method = HTTPMethod(head.method)
        let isConnect = method == .connect
        let host = try Self.host(of: head)
        if let host {
            guard Self.isAuthority(host, portRequired: isConnect) else { throw .malformedAuthority }
        } else if isConnect {
            throw .malformedAuthority
        }
        self = request
        self.method = method
        if isConnect {
            guard head.path == nil else { throw .malformedPath }
            (path, query) = ("", nil)
        } else {
            guard let target = head.path, let parts = Self.pathAndQuery(of: target, method: method) else {
                throw .malformedPath
            }
            (path, query) = parts
        }
        targetAuthority = isConnect ? host : nil
        headers = try Headers(head.headerFields, host: host)
    }

    /// The value of `Host`: the authority, else the one line among the fields; nil without both.
    private static func host(of head: HTTPRequest) throws(HTTPTypesError) -> String? {
        var line: String?
        for field in head.headerFields where field.name.canonicalName == "host" {
            guard line == nil else { throw .ambiguousAuthority }
            line = field.value
        }
        guard let authority = head.authority else { return line }
        guard line == nil || line?.lowercased() == authority.lowercased() else { throw .ambiguousAuthority }
        return authority
    }
}
