public import EventLoop

/// What other sessions `NOTIFY`, as an asynchronous sequence that outlives lost connections.
///
/// ```swift
/// for try await event in client.notifications(on: "prices", "orders") {
///     switch event {
///     case .notification(let notification): prices.update(notification.payload)
///     case .mayHaveMissed: try await prices.readAll()
///     }
/// }
/// ```
///
/// Each iteration has a session of its own, outside of any pool. Its first element is
/// ``PostgresNotificationEvent/mayHaveMissed(_:)``: from then on the server keeps notifications for it, so what is read
/// at that element and what is told afterwards leave no gap. The same element comes after each reconnection, once the
/// channels are listened to again, and where notifications had to be dropped because nobody took them.
///
/// A server that is out of reach is no error: it is tried again and again, with the waits of
/// ``PostgresConfiguration/reconnectDelay``. The sequence ends when its task is cancelled, within
/// ``PostgresConfiguration/connectTimeout``, and its session is closed then, or when the iterator is let go.
public struct PostgresNotifications: AsyncSequence, Sendable {
    /// A notification, or that some may have been missed.
    public typealias Element = PostgresNotificationEvent
    /// `.misuse` for a name that is no channel or a route that has no sessions, `.configuration`.
    public typealias Failure = PostgresError

    /// How many notifications may wait to be taken. One more, and the oldest is dropped, which is told before the next.
    /// Default: 1000.
    public var bufferLimit = 1000
    /// How long the server may be silent before it is asked whether it is still there. Default: 30 s.
    public var probeInterval: Duration = .seconds(30)
    /// How long it may take to answer that, before the connection is given up. Default: 5 s.
    public var probeTimeout: Duration = .seconds(5)
    /// Hears of each attempt to connect that failed and each connection that was lost, for a log. Default: nobody does.
    public var onFailure: @Sendable (PostgresError) -> Void = { _ in }

    private let configuration: PostgresConfiguration
    private let loop: EventLoop
    private let channels: [String]
    private let failure: PostgresError?

    /// Notifications on some channels. Nothing happens before the iteration.
    ///
    /// - Parameters:
    ///   - configuration: Where the server is; ``PostgresConfiguration/Route/direct`` only. TCP keep-alives are set
    ///     unless it sets them.
    ///   - loop: The loop that drives the session.
    ///   - channels: Names of 1 to 63 bytes. They are taken literally: unlike `LISTEN Prices` in SQL, `"Prices"` is not
    ///     the channel `prices`.
    public init(configuration: PostgresConfiguration, loop: EventLoop, channels: [String]) {
        self.configuration = Self.keepingAlive(configuration)
        self.loop = loop
        self.channels = channels
        failure = Self.misuse(configuration, channels)
    }

    /// An iteration with a session of its own, which is opened by the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        let listen = channels.map { "LISTEN \(SQLText(identifier: $0).text)" }.joined(separator: "; ")
        return Iterator(self, configuration: configuration, loop: loop, listen: listen, failure: failure)
    }

    private static func misuse(_ configuration: PostgresConfiguration, _ channels: [String]) -> PostgresError? {
        if configuration.route != .direct {
            return PostgresError(.misuse, reason: "LISTEN needs a session, and a pooler in transaction mode gives none")
        }
        if channels.isEmpty { return PostgresError(.misuse, reason: "no channel to listen to") }
        // The server would cut a longer name.
        let areNames = channels.allSatisfy { (1...63).contains($0.utf8.count) && !$0.utf8.contains(0) }
        return areNames ? nil : PostgresError(.misuse, reason: "a channel's name has 1 to 63 bytes, none of them zero")
    }

    /// While nobody waits for the next element nobody asks the server either: then the kernel does.
    static func keepingAlive(_ configuration: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = configuration
        guard !configuration.connectionString.contains("keepalives") else { return configuration }
        let defaults = ["keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"]
        configuration.parameters.merge(defaults) { own, _ in own }
        return configuration
    }
}

extension PostgresClient {
    /// What other sessions `NOTIFY` on some channels, over a session of its own beside the client's connections. It
    /// does not need ``run()``, nor end with it.
    ///
    /// - Parameter channels: Names of 1 to 63 bytes, taken literally.
    public func notifications(on channels: String...) -> PostgresNotifications { notifications(on: channels) }

    /// What other sessions `NOTIFY` on some channels. As ``notifications(on:)-(String...)``.
    public func notifications(on channels: [String]) -> PostgresNotifications {
        let loop = loops.first { $0.isCurrent } ?? loops[0]
        return PostgresNotifications(configuration: configuration, loop: loop, channels: channels)
    }
}
