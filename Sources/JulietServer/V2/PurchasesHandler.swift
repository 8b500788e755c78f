import HTTPServer
import JulietAPI
import JulietGame

/// `/v2/purchases`: what was bought in the App Store.
struct PurchasesHandler {
    let purchases: Purchases
    let accounts: PlayerAccounts
    let verifier: PurchaseVerifier
    let metrics: GameMetrics

    var routes: [V2Route] {
        [
            V2Route(
                "presentPurchase", .post, "/purchases",
                "Credits something bought in the App Store, once.",
                takes: V2.NewPurchase.self,
                answers: .created(V2.CreditedPurchase.self, at: .path("/players/me/energy")),
                .ok(V2.CreditedPurchase.self), refuses: [.transactionRefused]
            ) { try await present($0) }
        ]
    }

    func present(_ request: V2Request) async throws -> Response {
        let signed = try request.body(V2.NewPurchase.self).signedTransaction
        let session = try request.player()
        do {
            switch try await verifier.transaction(signed) {
            case .success(let transaction):
                let answer = try await purchases.present(transaction, by: session)
                if let news = answer.news, news.isNew { metrics.bought(news.purchase.transaction.energy) }
                return .of(answer) { .json($0.purchase, status: $0.isNew ? .created : .ok) }
            case .failure(let reason):
                return try await unauthorized(session)
                    ?? .problem(V2.Problem(for: .transactionRefused, V2Details(reason: reason.rawValue)))
            }
        } catch is PurchaseVerifier.Closed {
            return try await unauthorized(session) ?? .problem(.purchasesClosed)
        }
    }

    /// The token is checked first: 401 comes before 422 and 503.
    private func unauthorized(_ session: Credential) async throws -> Response? {
        try await accounts.stranger(session).map { .problem(V2.Problem(for: $0)) }
    }
}

extension V2.Problem {
    /// Purchases cannot be verified.
    static let purchasesClosed = V2.Problem(
        .unavailable, detail: "Purchases are not set up here: the operator must set purchases.bundleId.",
        retryAfter: 3600)
}
