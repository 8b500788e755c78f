/// Why something signed is refused. The raw values are for clients, metrics and logs: they never change, and reveal
/// nothing about the refused text.
public enum AppStoreRefusal: String, Error, Sendable, CaseIterable {
    /// No compact JWS of at most 64 KiB (RFC 7515 §7.1), or its header or payload is not JSON with the members of Apple's
    /// documentation.
    case malformed
    /// The header's `alg` is not `ES256`.
    case algorithm
    /// The certificates are not leaf, intermediate and root of the App Store, or were not valid at the signed date; or that
    /// date is in the future.
    case chain
    /// The leaf's key has not signed this.
    case signature
    /// Another app's bundle.
    case bundle
    /// Another app, or a notification of Production while no app is known.
    case app
    /// An environment that is not allowed, or not the one of the notification around it.
    case environment
    /// Not a consumable that was bought by the account itself.
    case type
    /// A product that is not configured.
    case product
    /// A quantity outside 1...10.
    case quantity
    /// Bought for another account.
    case account
}
