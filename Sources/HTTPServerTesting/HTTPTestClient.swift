public import EventLoop
public import HTTPServer

/// A client that sends raw bytes, for tests: to a server over a socket, or to a handler in this process without one.
///
/// Both ways run the same connection code, so one case can be driven through both:
///
/// ```swift
/// let client = await HTTPTestClient.inProcess(on: loop) { _ in .text("hello") }
/// await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
/// let response = try await client.response()
/// ```
public final class HTTPTestClient: Sendable {
    private let link: Confined<ClientLink>
    private let loop: EventLoop
    /// Received, and not yet part of a response.
    private let buffer = Locked<[UInt8]>([])

    private init(_ link: Confined<ClientLink>) {
        self.link = link
        loop = link.loop
    }

    // MARK: Opening

    /// Connects to a server.
    ///
    /// - Parameters:
    ///   - address: Where the server listens.
    ///   - receiveBuffer: Bytes the kernel may hold for this client, to make a client that does not read; default the
    ///     system's choice.
    ///   - loop: Where the client's side runs.
    /// - Throws: `SystemError` when the server cannot be reached.
    public static func connect(
        to address: SocketAddress, receiveBuffer: Int? = nil, on loop: EventLoop
    ) async throws -> HTTPTestClient {
        let link = try await loop.run {
            let link = try SocketLink(address, receiveBuffer: receiveBuffer, on: loop)
            return Confined<ClientLink>(link, to: loop)
        }
        return HTTPTestClient(link)
    }

    /// Connects to a server that listens on a Unix socket.
    ///
    /// - Parameters:
    ///   - path: Where the socket lies.
    ///   - loop: Where the client's side runs.
    /// - Throws: `SystemError` when the server cannot be reached.
    public static func connect(toUnix path: String, on loop: EventLoop) async throws -> HTTPTestClient {
        let link = try await loop.run { Confined<ClientLink>(try SocketLink(unix: path, on: loop), to: loop) }
        return HTTPTestClient(link)
    }

    /// Opens a connection to a handler of this process.
    ///
    /// - Parameters:
    ///   - configuration: Limits and deadlines; address and connection limits have no meaning here.
    ///   - errorRenderer: Shapes the server's own answers.
    ///   - window: Bytes the server may send before the client has read them; default without bound.
    ///   - isOverload: Whether to play a connection over the limit, which is answered 503.
    ///   - loop: Where both sides run.
    ///   - handler: Answers the requests.
    public static func inProcess(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
        errorRenderer: @escaping ErrorRenderer = HTTPFailure.plainTextRenderer,
        window: Int = .max,
        isOverload: Bool = false,
        on loop: EventLoop,
        handler: @escaping Handler
    ) async -> HTTPTestClient {
        let link: Confined<ClientLink> = await withUnsafeContinuation { continuation in
            loop.execute {
                let link = MemoryLink(on: loop, window: window) { transport in
                    HTTPConnection(
                        transport: transport, isOverload: isOverload, configuration: configuration,
                        errorRenderer: errorRenderer, on: loop, handler: handler)
                }
                continuation.resume(returning: Confined(link, to: loop))
            }
        }
        return HTTPTestClient(link)
    }

    // MARK: Sending

    /// Sends the text in UTF-8.
    public func send(_ text: String) async {
        await send(Array(text.utf8))
    }

    /// Sends the bytes; returns when they are on their way, not when they are received.
    public func send(_ bytes: [UInt8]) async {
        await onLoop { $0.send(bytes) }
    }

    /// Tells the server that nothing more will be sent.
    public func endOutput() async {
        await onLoop { $0.endOutput() }
    }

    /// Closes the connection, with `abort` by a reset.
    public func close(abort: Bool = false) async {
        await onLoop { $0.close(abort: abort) }
    }

    // MARK: Receiving

    /// The next final response, or interim one (100).
    ///
    /// - Parameter method: That of the request: a response to HEAD has no body.
    /// - Throws: `HTTPTestError` when the connection ends before the response is whole or what comes is no response.
    public func response(to method: HTTPMethod = .get) async throws -> HTTPTestResponse {
        while true {
            let hasEnded = await receive()
            let bytes = buffer.withLock { $0 }
            if let (response, count) = try HTTPTestResponse.parse(bytes, hasEnded: hasEnded, method: method) {
                buffer.withLock { $0.removeFirst(count) }
                return response
            }
            guard !hasEnded else { throw HTTPTestError.connectionEnded(afterBytes: bytes.count) }
            await more()
        }
    }

    /// Everything from here to the end of the connection.
    public func rest() async -> [UInt8] {
        while await !receive() { await more() }
        return buffer.withLock { buffer in
            defer { buffer = [] }
            return buffer
        }
    }

    /// Whether the server has ended the connection, in order or by a reset.
    public var hasEnded: Bool {
        get async { await onLoop { $0.hasEnded } }
    }

    /// Whether the server has ended the connection by a reset.
    public var wasReset: Bool {
        get async { await onLoop { $0.wasReset } }
    }

    /// Takes over what has arrived.
    ///
    /// - Returns: Whether that is all that will ever come.
    private func receive() async -> Bool {
        let (bytes, hasEnded) = await onLoop { ($0.take(), $0.hasEnded) }
        buffer.withLock { $0 += bytes }
        return hasEnded
    }

    /// Returns when there is more to receive or nothing will come.
    private func more() async {
        await withUnsafeContinuation { continuation in
            loop.execute { [link] in link.value.notify(continuation) }
        }
    }

    private func onLoop<Value: Sendable>(_ body: @escaping @Sendable (ClientLink) -> Value) async -> Value {
        await withUnsafeContinuation { continuation in
            loop.execute { [link] in continuation.resume(returning: body(link.value)) }
        }
    }
}

/// Why a test client got no response.
public enum HTTPTestError: Error, Equatable, Sendable {
    /// The connection ended after so many bytes of a response.
    case connectionEnded(afterBytes: Int)
    /// The bytes are no response.
    case malformedResponse
}
