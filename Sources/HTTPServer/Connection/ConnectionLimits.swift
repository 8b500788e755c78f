/// The limits that a connection enforces; see `HTTPServerConfiguration`.
struct ConnectionLimits: Sendable {
    let parser: ParserLimits
    let firstByte: Duration
    let head: Duration
    let body: Duration
    let handler: Duration?
    let keepAlive: Duration
    let write: Duration
    let linger: Duration
    let drain: Duration

    /// How long a refused body may pause before the request is answered, by the part of the body that has arrived.
    static let pause = Duration.milliseconds(500)
    /// How many bytes of a streamed body may wait for its handler, in addition to the last read.
    static let readAhead = 65536
    /// How much of an unread body is discarded to reach the next request.
    static let longestRest = 262_144
    /// How long a connection over the limit may take for its request.
    static let overload = Duration.seconds(1)

    /// - Parameter configuration: A clamped one: sums of its durations cannot overflow.
    init(_ configuration: HTTPServerConfiguration) {
        parser = ParserLimits(
            requestLineSize: configuration.maximumRequestLineSize, headSize: configuration.maximumHeadSize,
            fieldCount: configuration.maximumHeaderCount, bodySize: configuration.maximumBodySize,
            bodySizes: configuration.maximumBodySizes,
            acceptsHTTPS: configuration.isBehindTLSProxy, streamedBody: configuration.streamedBody)
        firstByte = configuration.firstByteDeadline
        head = configuration.headDeadline
        body = configuration.bodyDeadline
        handler = configuration.handlerDeadline
        keepAlive = configuration.keepAliveDeadline
        write = configuration.writeDeadline
        linger = configuration.lingerDeadline
        drain = configuration.shutdownGrace
    }
}
