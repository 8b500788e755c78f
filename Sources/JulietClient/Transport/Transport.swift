#if canImport(CCurl)
    /// What carries requests unless something else is said: libcurl.
    public typealias SystemTransport = CurlTransport
#elseif canImport(Darwin)
    /// What carries requests unless something else is said: Foundation's URLSession.
    public typealias SystemTransport = URLSessionTransport
#else
    #error("JulietClient has no transport for this platform: it uses URLSession on Apple's and libcurl on Linux.")
#endif

/// What carries requests to a server: `SystemTransport` in apps, anything else in tests.
public protocol Transport: Sendable {
    /// Sends one attempt and waits for its answer.
    ///
    /// - Parameters:
    ///   - message: What to send, with the additions of the `prepare` hook.
    ///   - baseURL: Where to; `message.options.host` replaces it.
    ///   - timeout: How long the attempt may take.
    /// - Throws: `ClientError`: what kept an answer from coming. An answer of any status is no error here.
    func send(_ message: RequestMessage, to baseURL: String, timeout: Duration) async throws -> HTTPResponse
}
