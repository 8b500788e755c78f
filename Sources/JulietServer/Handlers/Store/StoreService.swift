import HTTPServer
import JulietGame
package import Postgres

/// Whatever has to do with the App Store: the desk where its signatures are looked at, and the URL that it calls.
package struct StoreService: Sendable {
    /// Where signatures are looked at.
    let desk: PurchaseDesk
    /// What becomes of what was verified.
    let purchases: Purchases

    private let notifications: NotificationsHandler

    /// The longest body of each path where one may be longer than elsewhere.
    ///
    /// - Parameter basePath: What a gateway puts before the URLs.
    static func bodySizes(below basePath: String) -> [String: Int] {
        [basePath + NotificationsHandler.path: NotificationsHandler.maximumBodySize]
    }

    /// A service on this database.
    ///
    /// - Parameters:
    ///   - settings: What is asked of purchases.
    ///   - limits: Knows where requests come from.
    ///   - metrics: Where requests are counted.
    ///   - log: Where they are logged.
    package init(
        _ settings: PurchaseSettings, database: PostgresClient, limits: RequestLimits = RequestLimits(),
        metrics: ServiceMetrics = ServiceMetrics(), log: RequestLog
    ) {
        desk = PurchaseDesk(settings: settings)
        purchases = Purchases(database: database)
        notifications = NotificationsHandler(
            purchases: purchases, desk: desk, limits: limits, metrics: metrics, log: log)
    }

    /// Adds the URL that the store calls to a router.
    func add(to router: inout Router, basePath: String) { notifications.add(to: &router, basePath: basePath) }
}
