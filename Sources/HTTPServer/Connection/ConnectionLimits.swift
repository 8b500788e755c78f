/// What a connection enforces; see `HTTPServerConfiguration`.
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

    /// How long a refused body may pause before it is answered with what has come of it.
    static let pause = Duration.milliseconds(500)
    /// How many bytes of a body may wait for the handler that takes it as it comes, beside the last read.
    static let readAhead = 65536
    /// How much of a body that nobody reads is thrown away for the sake of the next request.
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
