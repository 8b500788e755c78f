/// The answer to one request.
///
/// The server adds `Date`, `Connection` where due, and `Content-Length` or `Transfer-Encoding`; these names are ignored
/// in `headers`, except `Connection: close`, which closes the connection after this response.
public struct Response: Sendable {
    /// The status.
    public var status: HTTPStatus

    /// The field lines to send besides the server's own.
    public var headers: Headers

    /// The content. Left out, whatever it is, where the protocol allows none: to HEAD, with 204 and with 304.
    public var body: ResponseBody

    /// A response of these parts.
    public init(status: HTTPStatus = .ok, headers: Headers = [:], body: ResponseBody = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response of plain text in UTF-8.
    public static func text(_ text: String, status: HTTPStatus = .ok) -> Response {
        Response(status: status, headers: plainText, body: .bytes(Array(text.utf8)))
    }

    /// Whether the handler asked for the connection to end with this response.
    var wantsClose: Bool { headers["Connection"]?.lowercased() == "close" }

    private static let plainText: Headers = ["Content-Type": "text/plain; charset=utf-8"]
}

/// The content of a response.
public enum ResponseBody: Sendable {
    /// Nothing; sent as `Content-Length: 0` where content is allowed.
    case none

    /// These bytes, with their `Content-Length`.
    case bytes([UInt8])

    /// The same of bytes that other responses send too: of all, or of a part.
    case shared(SharedBytes, part: Range<Int>? = nil)

    /// The bytes that the function writes, as a stream: in chunks to HTTP/1.1, until the connection closes to HTTP/1.0.
    ///
    /// It runs on the connection's loop. A thrown error ends the connection without the last chunk, so that the client
    /// knows that the content is not whole (RFC 9112 §8).
    case stream(@Sendable (ResponseWriter) async throws -> Void)
}

/// Where a streaming response body is written to.
public struct ResponseWriter: Sendable {
    private let send: @Sendable ([UInt8]) async throws(ResponseStreamError) -> Void
    private let watch: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// A writer that hands the bytes to a function; in tests of handlers, one that keeps them.
    ///
    /// - Parameter send: Gets the bytes in order, and returns when the next may come.
    /// - Parameter onPeerGone: Takes what is to be called when the peer goes; default: it never does.
    public init(
        _ send: @escaping @Sendable ([UInt8]) async throws(ResponseStreamError) -> Void,
        onPeerGone: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) {
        self.send = send
        watch = onPeerGone
    }

    /// Sends the bytes and returns when the peer has room for more; empty arrays send nothing. Callable from any task.
    ///
    /// - Throws: `ResponseStreamError.connectionClosed` when the peer has gone or did not read in time; nothing more
    ///   can be sent.
    public func write(_ bytes: [UInt8]) async throws(ResponseStreamError) {
        try await send(bytes)
    }

    /// Has a function called once when the peer goes before the response is whole, or has gone already: for a body that
    /// waits for other things than the peer, such as events. The latest function counts. It is called on the
    /// connection's loop.
    ///
    /// From now on a peer that will send no more counts as gone, and the connection is closed, although it might
    /// still read: the server cannot tell it from one that has left.
    public func whenPeerIsGone(_ action: @escaping @Sendable () -> Void) { watch(action) }

    /// Sends the text in UTF-8.
    public func write(_ text: String) async throws(ResponseStreamError) {
        try await send(Array(text.utf8))
    }
}

/// Why a streaming response body could not go on.
public enum ResponseStreamError: Error, Sendable {
    /// The peer has gone or did not read in time.
    case connectionClosed
}
