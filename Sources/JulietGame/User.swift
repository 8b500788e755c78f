/// A player.
package struct User: Sendable {
    /// What names a player: the app's vendorID or any other account id, exactly as the app spells it.
    package struct ID: Hashable, Sendable {
        /// 1 to 128 characters; the contract's decoder has checked them (WIRE.md).
        package let rawValue: String

        /// Wraps an account id.
        package init(_ rawValue: String) { self.rawValue = rawValue }
    }
}
