/// A transport that can tell an answer as it comes: what `Juliet.events(_:)` needs. `SystemTransport` can.
public protocol StreamingTransport: Transport {
    /// Sends one attempt, and tells its answer as it comes: its head, then its content in parts. Whoever lets go of the
    /// stream, or whose task is cancelled, ends the exchange.
    ///
    /// - Parameters:
    ///   - message: What to send, with the additions of the `prepare` hook.
    ///   - baseURL: Where to; `message.options.host` replaces it.
    ///   - timeout: How long the server may be silent.
    /// - Returns: A stream that ends with the answer, or throws `ClientError`: `.tooLarge` when more of it is unread than
    ///   the transport buffers.
    /// - Throws: `ClientError`: nothing was sent.
    func stream(
        _ message: RequestMessage, to baseURL: String, timeout: Duration
    ) throws -> AsyncThrowingStream<ResponsePart, any Error>
}

/// A part of an answer that is told as it comes.
public enum ResponsePart: Hashable, Sendable {
    /// Status and header fields, without content: the first part, once.
    case head(HTTPResponse)
    /// Some bytes of the content, one or more.
    case content([UInt8])

    /// How many parts may be unread before a transport gives a stream up. Of libcurl's, which have 16 KiB each, that is 16 MiB.
    static let maximumUnread = 1024
}
