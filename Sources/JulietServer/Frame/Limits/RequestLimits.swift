import EventLoop
import HTTPServer
import JulietAPI
package import Logging

/// Refuses callers who have sent too many requests, before anything else is done.
package final class RequestLimits: Sendable {
    /// The caller, as far as the network shows.
    struct Client: Sendable {
        /// The address; that of the proxy if the client's is not known.
        let address: SocketAddress.IP
        /// Whether nothing is counted.
        let isExempt: Bool
    }

    private let proxies: TrustedProxies
    private let exempt: [AddressRange]
    private let requestsPerAddress: RateLimit?
    private let registrationsPerAddress: RateLimit?
    private let requestsPerPlayer: RateLimit?
    private let logger: Logger
    private let hasWarned = Locked(false)

    /// Limits without any requests so far.
    package init(
        _ settings: LimitSettings = LimitSettings(),
        logger: Logger = Logger(label: "juliet.limits") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.logger = logger
        proxies = TrustedProxies(settings.trustedProxies)
        exempt = settings.exempt
        requestsPerAddress = Self.limit(settings.requestsPerAddress, in: .seconds(60))
        registrationsPerAddress = Self.limit(settings.registrationsPerAddress, in: .seconds(3600))
        requestsPerPlayer = Self.limit(settings.requestsPerPlayer, in: .seconds(60))
    }

    /// A limit; nil for 0, which means none.
    private static func limit(_ count: Int, in period: Duration) -> RateLimit? {
        count > 0 ? RateLimit(.init(count: count, period: period)) : nil
    }

    /// The caller.
    func client(of request: Request) -> Client {
        switch proxies.origin(of: request) {
        case .known(let address): Client(address: address, isExempt: exempt.contains { $0.contains(address) })
        // A client behind a proxy must not be exempt because the proxy is.
        case .behind(let proxy): Client(address: proxy, isExempt: false)
        }
    }

    /// Counts a request.
    ///
    /// - Returns: nil: go on. Otherwise how many seconds to wait. The other functions return the same.
    func secondsToWait(_ client: Client) -> Int? {
        guard !client.isExempt, let requestsPerAddress else { return nil }
        return warning(requestsPerAddress.take(client.address.network))
    }

    /// Counts a new player, or another session of one.
    func secondsToWait(registering client: Client) -> Int? {
        guard !client.isExempt, let registrationsPerAddress else { return nil }
        return warning(registrationsPerAddress.take(client.address.network))
    }

    /// Counts a request of a player, who is named by an account id or a session.
    func secondsToWait(_ client: Client, as player: some Hashable) -> Int? {
        guard !client.isExempt, let requestsPerPlayer else { return nil }
        return requestsPerPlayer.take(player)
    }

    /// Counts a request of the app.
    func secondsToWait(_ client: Client, for request: GameRequest) -> Int? {
        if case .initialRegistration = request { return secondsToWait(registering: client) }
        return secondsToWait(client, as: request.userID)
    }

    /// Logs once that a limit was reached: an operator may have forgotten to name a proxy, and then all players are refused together.
    private func warning(_ wait: Int?) -> Int? {
        guard wait != nil,
            !hasWarned.withLock({ hasWarned in
                defer { hasWarned = true }
                return hasWarned
            })
        else { return wait }
        logger.warning(
            """
            a client address has reached its limit (limits.…) and gets 429. If it is a proxy's, name it in \
            http.trustedProxies: otherwise all players behind it count as one
            """)
        return wait
    }
}
