import AppStore
import AppStoreTesting
import Testing

@Suite("Purchases")
struct PurchaseTests {
    @Test("a transaction of this app's is taken, and read")
    func valid() async throws {
        let authority = try TestAuthority()
        var configuration = AppStoreVerifier.Configuration(bundleID: "com.example.game")
        configuration.products = ["com.example.game.five"]
        configuration.rootCertificates = [authority.rootDER]
        let verifier = try AppStoreVerifier(configuration: configuration)
        let jws = try authority.sign(TestTransaction(quantity: 3).payload)
        let purchase = try await verifier.purchase(jws, account: "somebody")
        guard case .valid(let transaction) = purchase else {
            Issue.record("revoked")
            return
        }
        #expect(transaction.quantity == 3)
    }
}
