#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request for a stream of events (HTML, "Server-sent events").
public protocol EventRequest<Event>: Sendable {
    /// What an event is decoded to.
    associatedtype Event: Sendable

    /// The path behind the base URL, beginning with a slash; percent-encoding not applied.
    var path: String { get }
    /// The query; default none.
    var query: RequestQuery { get }
    /// Header fields besides `Accept`: a `Last-Event-ID`, say; default none.
    var headers: [HeaderField] { get }
    /// Which events are buffered for a slow reader; default only the newest.
    var buffering: EventBuffering { get }
    /// How it is sent. The time-out is how long the server may be silent.
    var options: RequestOptions { get }

    /// Reads an event.
    ///
    /// - Returns: Nil: the app does not know this event.
    /// - Throws: Any error, which the client reports as `ClientError.Code.decoding`.
    static func decode(_ event: ServerSentEvent) throws -> Event?
}

/// Which events of a stream are buffered for a slow reader.
public enum EventBuffering: Hashable, Sendable {
    /// The newest so many, 1 or more; older ones are dropped. For events that are complete states.
    case newest(Int)
    /// All of them, in memory.
    case all
}

extension EventRequest {
    /// None.
    public var query: RequestQuery { [:] }
    /// None.
    public var headers: [HeaderField] { [] }
    /// The newest.
    public var buffering: EventBuffering { .newest(1) }
    /// The defaults.
    public var options: RequestOptions { RequestOptions() }
}

extension EventRequest where Event: Decodable {
    /// Reads the data as JSON.
    public static func decode(_ event: ServerSentEvent) throws -> Event? {
        try JSONDecoder().decode(Event.self, from: Data(event.data.utf8))
    }
}

extension Juliet {
    /// Requests a stream of events. It connects once: when the connection ends, so does the stream. To get more events,
    /// request it again after a moment.
    ///
    /// - Returns: A stream of events; a slow reader gets those of `EventRequest.buffering`. It ends with the answer, and throws
    ///   `ClientError`: as `send`, `.timedOut` after a silence of `JulietConfiguration.timeout`, `.decoding` for an event
    ///   that cannot be read, `.tooLarge` for one above 1 MiB; a stream may go on for ever. Releasing it closes the connection.
    public func events<R: EventRequest>(_ request: R) -> AsyncThrowingStream<R.Event, any Error> {
        let policy: AsyncThrowingStream<R.Event, any Error>.Continuation.BufferingPolicy =
            switch request.buffering {
            case .newest(let count): .bufferingNewest(max(1, count))
            case .all: .unbounded
            }
        return AsyncThrowingStream(bufferingPolicy: policy) { continuation in
            let task = Task {
                do throws(ClientError) {
                    try await read(request) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    @concurrent
    private func read<R: EventRequest>(
        _ request: R, tell: @Sendable (R.Event) -> Void
    ) async throws(ClientError) {
        guard let transport = configuration.transport as? any StreamingTransport else {
            throw ClientError(.cannotStream)
        }
        let asked = RequestMessage(
            path: request.path, query: request.query.items,
            headers: [HeaderField("Accept", "text/event-stream")] + request.headers, options: request.options)
        let exchange = Exchange(
            message: try await prepare(asked), baseURL: asked.options.host ?? configuration.baseURL)
        await configuration.willSend(exchange)
        let start = ContinuousClock.now
        var answer: HTTPResponse?
        let result: Result<HTTPResponse, ClientError>
        do {
            let parts = try transport.stream(
                exchange.message, to: configuration.baseURL,
                timeout: exchange.message.options.timeout ?? configuration.timeout)
            try await read(parts, into: &answer, as: R.self, tell: tell)
            guard let answer else { throw ClientError(.connectionLost) }
            guard answer.isSuccess else { throw ClientError(configuration.mapError(answer)) }
            result = .success(answer)
        } catch {
            result = .failure(ClientError(error, otherwise: .other))
        }
        await configuration.didEnd(
            EndedExchange(exchange: exchange, result: result, duration: ContinuousClock.now - start))
        _ = try result.get()
    }

    /// - Parameter answer: What is known of the answer: its head, and the content of a refusal.
    private func read<R: EventRequest>(
        _ parts: AsyncThrowingStream<ResponsePart, any Error>, into answer: inout HTTPResponse?, as type: R.Type,
        tell: @Sendable (R.Event) -> Void
    ) async throws {
        var parser = ServerSentEventParser()
        for try await part in parts {
            switch part {
            case .head(let head):
                let type = head[header: "Content-Type"]?.mediaType
                guard !head.isSuccess || type == "text/event-stream" else { throw ClientError(.unexpectedContent) }
                answer = head
            case .content(let bytes):
                guard answer?.isSuccess == true else {
                    answer?.body += bytes
                    guard answer?.body.count ?? 0 <= ServerSentEventParser.maximumSize else {
                        throw ClientError(.tooLarge)
                    }
                    continue
                }
                for event in try Self.events(in: bytes, of: &parser) {
                    do {
                        if let event = try R.decode(event) { tell(event) }
                    } catch {
                        throw ClientError(decoding: error, of: HTTPResponse(status: 200))
                    }
                }
            }
        }
        // A cancelled task gets no error, but the end of the stream.
        if Task.isCancelled { throw ClientError(.cancelled) }
    }

    private static func events(
        in bytes: [UInt8], of parser: inout ServerSentEventParser
    ) throws(ClientError) -> [ServerSentEvent] {
        do {
            return try parser.events(in: bytes)
        } catch {
            throw ClientError(.tooLarge, underlying: error)
        }
    }
}

extension ClientError.Code {
    /// The client's transport cannot stream answers: it is not a `StreamingTransport`. Nothing was sent.
    public static let cannotStream = ClientError.Code(rawValue: "cannotStream")
}
