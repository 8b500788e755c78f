import HTTPServer
import JulietGame
package import Postgres

/// Everything about the App Store: the verification of its signatures, and the URL that it calls.
package struct StoreService: Sendable {
    /// Verifies signatures.
    let verifier: PurchaseVerifier
    /// Credits and refunds what was verified.
    let purchases: Purchases

    private let notifications: NotificationsHandler

    /// The maximum body size of each path that may have longer bodies than the others.
    ///
    /// - Parameter basePath: What a gateway puts before the URLs.
    static func bodySizes(below basePath: String) -> [String: Int] {
        [basePath + NotificationsHandler.path: NotificationsHandler.maximumBodySize]
    }

    /// A service on this database.
    ///
    /// - Parameters:
    ///   - settings: How purchases are verified.
    ///   - limits: Knows where requests come from.
    ///   - metrics: Where requests are counted.
    ///   - log: Where requests are logged.
    package init(
        _ settings: PurchaseSettings, database: PostgresClient, limits: RequestLimits = RequestLimits(),
        metrics: ServiceMetrics = ServiceMetrics(), log: RequestLog
    ) {
        verifier = PurchaseVerifier(settings: settings)
        purchases = Purchases(database: database)
        notifications = NotificationsHandler(
            purchases: purchases, verifier: verifier, limits: limits, metrics: metrics, log: log)
    }

    /// Adds the URL that the store calls to a router.
    func add(to router: inout Router, basePath: String) { notifications.add(to: &router, basePath: basePath) }
}
