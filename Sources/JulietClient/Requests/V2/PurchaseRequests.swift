/// Presents something bought in the App Store, which is credited once, however often it is presented. Nothing is lost or
/// doubled when an answer is: present it again.
///
/// Refused with `transaction-refused`; `V2.Problem` says why.
public struct PresentPurchase: V2Request {
    /// The balance and what was credited.
    public typealias Response = V2.CreditedPurchase
    /// The transaction as the App Store signed it: `jwsRepresentation` of StoreKit's `VerificationResult`.
    public var signedTransaction: String

    /// Takes a transaction.
    public init(signedTransaction: String) {
        self.signedTransaction = signedTransaction
    }

    /// POST.
    public var method: HTTPMethod { .post }
    /// The purchases.
    public var path: String { "/v2/purchases" }
    var content: V2.NewPurchase? { V2.NewPurchase(signedTransaction: signedTransaction) }
}
