/// Where a server listens, what it accepts and how long it waits. Every limit has a default that suits a small JSON
/// service.
public struct HTTPServerConfiguration: Sendable {
    /// An IP address or a host name; default "127.0.0.1". "0.0.0.0" and "::" listen on all interfaces.
    public var host: String

    /// The port; 0 (default) takes a free one, which `HTTPServer.start()` returns.
    public var port: UInt16

    /// Where the server listens; default nowhere but on `host` and `port`. If there are any, `host` and `port` are
    /// ignored: list them with ``HTTPListener/tcp(host:port:)``.
    public var listeners: [HTTPListener] = []

    /// Connections that wait to be accepted; default 4096, capped by the kernel (net.core.somaxconn).
    public var backlog = 4096

    // MARK: Sizes

    /// Bytes of a request line without its end; default 8192 (RFC 9112 §3 asks for at least 8000). More: 414.
    public var maximumRequestLineSize = 8192

    /// Bytes of a whole head, and of a trailer section; default 16384. More: 431.
    public var maximumHeadSize = 16384

    /// Field lines in a head, and in a trailer section; default 100. More: 431.
    public var maximumHeaderCount = 100

    /// Bytes of a body after decoding; default 65536. More: 413.
    public var maximumBodySize = 65536

    /// Bytes of a body at single paths where it may be larger than elsewhere; default none. A path as it stands in the
    /// request, without its query.
    public var maximumBodySizes: [String: Int] = [:]

    /// Which requests are given to the handler before their body has come (``Request/content``), and how many bytes the
    /// body may have after decoding; nil (the default, and from the function): the body is received completely first.
    /// More: 413, at once where the length is announced. Called with the request's head, and only if it announces a body.
    /// If this is nil, a server with a ``Router`` asks the router.
    public var streamedBody: (@Sendable (Request) -> Int?)?

    /// Bytes that all connections together may hold: of requests that are not whole yet, and of responses that their
    /// clients do not take; default 32 MiB. If it is more, the connections that have held something for the longest are cut off.
    ///
    /// What a connection holds is rounded down to a multiple of 4 KiB, so all of them may hold up to 4 KiB each besides.
    /// ``ResponseBody/shared(_:part:)`` bytes count once, and only when they were let go of.
    public var maximumBufferSize = 32 << 20

    // MARK: Connections

    /// Connections served at a time; default 20000, fewer where the process may not open so many files. For one over the
    /// limit another gives way that has been without a request for a second; where there is none, the new one is answered 503
    /// with `Retry-After` and closed; where they are too many even for that, they wait in the kernel.
    public var maximumConnections = 20000

    /// How many connections wake one more loop; default 16. Up to that many are served by one loop, which then seldom has
    /// to be woken and finds work for several of them when it is; the other loops sleep. From then on a new connection goes
    /// to the loop that has the fewest, of those that are awake. 1: each loop gets a connection before one gets a second.
    public var connectionsPerLoop = 16

    /// Connections served at a time for one client address; default nil: no such limit, because behind a proxy
    /// all have the proxy's address. More are answered 503 with `Retry-After` and closed.
    public var maximumConnectionsPerAddress: Int?

    /// Addresses to which that limit does not apply, such as those of proxies; default none.
    package var addressesWithoutLimit: [AddressRange] = []

    /// The value of `Retry-After` in these answers, whole seconds; default 1.
    public var retryAfterSeconds = 1

    /// Whether a proxy in front ends TLS, so that targets with the scheme `https` are for this server; default false:
    /// they get 421, because this connection is not secured (RFC 9110 §7.4).
    public var isBehindTLSProxy = false

    // MARK: Deadlines

    /// How long a new connection may take to send the first byte of its first request; default 20 s, as for a head.
    /// Then it is closed.
    public var firstByteDeadline: Duration = .seconds(20)

    /// From the first byte of a request to the end of its head; default 20 s. Later: 408.
    public var headDeadline: Duration = .seconds(20)

    /// From the end of the head to the end of the body; default 30 s. Later: 408. Of a body that is handed over as it
    /// comes, how long nothing may come while the handler waits for more; then it hears
    /// ``RequestContentError/timedOut``.
    public var bodyDeadline: Duration = .seconds(30)

    /// How long a handler may take to answer, streams apart, which only have to begin; default nil: as long as it needs.
    /// Later: 503, the connection closes, and the handler's task is cancelled. While a handler waits for more of a body
    /// ``bodyDeadline`` counts instead, and this one starts anew with what comes.
    public var handlerDeadline: Duration?

    /// How long a connection may stay without a request after the first; default 75 s. Then it is closed.
    public var keepAliveDeadline: Duration = .seconds(75)

    /// How long a peer may take no byte of a response that waits; default 20 s. Then it is cut off.
    public var writeDeadline: Duration = .seconds(20)

    /// How long the server reads on (and throws away) after its last response, so that the peer gets to see it, and
    /// after one that was whole before the body of its request, for the rest of that; default 2 s. Then it closes.
    public var lingerDeadline: Duration = .seconds(2)

    /// How long a graceful shutdown waits for requests under way; default 30 s. Then they are cut off.
    public var shutdownDeadline: Duration = .seconds(30)

    /// How long connections without a request stay open in a graceful shutdown, for a request that may be on its way;
    /// default 250 ms.
    public var shutdownGrace: Duration = .milliseconds(250)

    /// The defaults, for this address.
    public init(host: String = "127.0.0.1", port: UInt16 = 0) {
        self.host = host
        self.port = port
    }
}

extension HTTPServerConfiguration {
    /// The same with limits and deadlines brought into a range in which sums of them cannot overflow: sizes up to 1
    /// GiB, durations up to 68 years. `Int.max` and the like then mean "none".
    var clamped: HTTPServerConfiguration {
        var clamped = self
        for size in [
            \HTTPServerConfiguration.maximumRequestLineSize, \.maximumHeadSize, \.maximumHeaderCount, \.maximumBodySize,
            \.maximumBufferSize,
        ] {
            clamped[keyPath: size] = min(max(self[keyPath: size], 0), 1 << 30)
        }
        clamped.connectionsPerLoop = max(1, connectionsPerLoop)
        clamped.maximumBodySizes = maximumBodySizes.mapValues { min(max($0, 0), 1 << 30) }
        for duration in [
            \HTTPServerConfiguration.firstByteDeadline, \.headDeadline, \.bodyDeadline, \.keepAliveDeadline,
            \.writeDeadline, \.lingerDeadline, \.shutdownGrace, \.shutdownDeadline,
        ] {
            clamped[keyPath: duration] = min(max(self[keyPath: duration], .zero), .seconds(1 << 31))
        }
        clamped.handlerDeadline = handlerDeadline.map { min(max($0, .zero), .seconds(1 << 31)) }
        return clamped
    }
}
