import AppStore
import HTTPServer
import JulietAPI
import JulietGame
import Postgres

/// `/app-store/notifications`: notifications that the App Store sends (App Store Server Notifications, version 2). The
/// store sends one again if the answer is not 200.
///
/// Genuine notifications are never limited: somebody who floods the URL from the store's network, or through the same
/// proxy, must not keep refunds out. A refused one costs no statement.
final class NotificationsHandler: FramedResponder {
    /// Below the base path.
    static let path = "/app-store/notifications"
    /// Bytes of a body.
    static let maximumBodySize = 65536

    private let purchases: Purchases
    private let verifier: PurchaseVerifier
    let frame: RequestFrame
    /// Limits refused notifications by address: 60 at once, then one a second.
    private let refusals = RateLimit(.init(count: 60, period: .seconds(60)))

    init(
        purchases: Purchases, verifier: PurchaseVerifier, limits: RequestLimits, metrics: ServiceMetrics,
        log: RequestLog
    ) {
        self.purchases = purchases
        self.verifier = verifier
        frame = RequestFrame(
            Self.path, type: "POST", limits: limits, isLimited: false, metrics: metrics.requests(.post, Self.path),
            log: log)
    }

    /// Adds the URL to a router.
    func add(to router: inout Router, basePath: String) {
        router.on(.post, basePath + Self.path, self)
    }

    func response(to request: Request, _ context: inout RequestContext) async -> Response {
        let client = context.client
        guard request.body.count <= Self.maximumBodySize else {
            return refused(client, V2.Problem(.contentTooLarge))
        }
        do {
            let signed = try StoreNotification.decode(request.body.span).signedPayload
            switch try await verifier.notice(signed) {
            case .success(let notice): try await purchases.take(notice)
            case .failure(let refusal):
                return refused(
                    client,
                    V2.Problem(
                        .requestInvalid, detail: "This is not a notification of the App Store about this app.",
                        path: "/signedPayload", reason: refusal.rawValue))
            }
        } catch let fault as V2.RequestFault {
            return refused(client, V2.Problem(fault))
        } catch is PurchaseVerifier.Closed {
            return .problem(.purchasesClosed)
        } catch {
            return frame.problem(for: error, request, context)
        }
        return .json(V2.NoMembers())
    }

    private func refused(_ client: RequestLimits.Client, _ problem: V2.Problem) -> Response {
        if let wait = refusals.take(client.address.network) { return .tooManyRequests(retryAfter: wait) }
        return .problem(problem)
    }
}
