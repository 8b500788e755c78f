import AppStore

/// The example of the documentation's first page; `DocumentationTests` sees to it that both are the same.
func firstPage(signedTransaction: String, signedPayload: String, player: String) async throws {
    // begin
    var configuration = AppStoreVerifier.Configuration(bundleID: "com.example.game")
    configuration.appAppleID = 1_234_567_890
    configuration.products = ["com.example.game.five"]
    let verifier = try AppStoreVerifier(configuration: configuration)

    switch try await verifier.purchase(signedTransaction, account: player) {
    case .valid(let transaction):
        // Once: transactionID is one of its kind in its environment.
        print("\(player) bought \(transaction.quantity) of \(transaction.productID)")
    case .revoked(let transaction, let date):
        print("\(transaction.transactionID) was given back at \(date.milliseconds)")
    }

    let notification = try await verifier.notification(signedPayload)
    if notification.type == "REFUND", let transaction = notification.transaction {
        print("\(transaction.transactionID) was given back")
    }
    // end
}
