/// A player.
package struct User: Sendable {
    /// What names a player: the app's vendorID or any other account id, exactly as the app spells it.
    package struct ID: Sendable {
        /// 1 to 128 characters; the contract's decoder has checked them (WIRE.md).
        package let rawValue: String

        /// Wraps an account id.
        package init(_ rawValue: String) { self.rawValue = rawValue }
    }
}

extension User.ID: Hashable {
    /// By the bytes: strings that Unicode calls equivalent name two players (WIRE.md, "byte for byte").
    package static func == (one: Self, other: Self) -> Bool { one.rawValue.utf8.elementsEqual(other.rawValue.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
}
