/// Why a purchase is not credited. Part of the interface of both contracts: a reason is never renamed or reused.
package enum PurchaseReason: String, Error, CaseIterable {
    // The transaction is not what the App Store signs.
    case malformed, algorithm, chain, signature
    // It is about something that is not sold here.
    case bundle, environment, type, product, quantity
    /// The App Store has taken it back.
    case revoked
    /// It was bought for another player.
    case account
    /// Another player has it.
    case used
    /// The balance would be too high.
    case full
    /// The app's purchases must be signed here, and this one is not.
    case unverified
    /// The player has bought as much without a signature as is allowed in a day.
    case limit

    /// The stable code at the app's URLs.
    package var code: String { "purchase.\(rawValue)" }

    /// The inner code at the app's URLs.
    package static let status = 404

    /// The message for people. It never contains anything that the client sent.
    package var message: String {
        switch self {
        case .malformed: "This is not a signed transaction of the App Store."
        case .algorithm: "The transaction is not signed in the way that the App Store signs."
        case .chain: "The transaction's certificates are not the App Store's."
        case .signature: "The transaction's signature is not valid."
        case .bundle: "The transaction belongs to another app."
        case .environment: "Transactions of this environment are not accepted here."
        case .type: "The transaction is not a purchase of energy by this account."
        case .product: "The product is not on sale here, or is worth another amount."
        case .quantity: "1 to 10 pieces can be bought at once."
        case .revoked: "The App Store has taken the transaction back."
        case .account: "The transaction was bought for another player."
        case .used: "Another player has already used this transaction."
        case .full: "The balance would be too high."
        case .unverified: "Send the signedTransaction: only purchases that the App Store has signed count here."
        case .limit: "No more energy can be bought today without a signedTransaction."
        }
    }
}
