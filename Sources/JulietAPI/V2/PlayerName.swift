extension V2 {
    /// A name that a player may have, as far as can be checked before normalisation.
    package struct PlayerName: Hashable, Sendable {
        /// The name without white space around it.
        package let text: String

        /// Trims a name; nil when none is left, it holds a scalar of the categories Cc, Cf, Co, Cn, Cs, Zl or Zp, or it has
        /// more than 1,024 bytes.
        ///
        /// It may still be too long: 24 Unicode scalars are counted after NFC, which the database applies.
        package init?(_ text: String) {
            guard text.utf8.count <= 1024 else { return nil }
            let scalars = text.unicodeScalars
            guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
                let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
            else { return nil }
            let trimmed = scalars[first...last]
            guard trimmed.allSatisfy(\.isPrintable) else { return nil }
            self.text = String(Substring(trimmed))
        }
    }
}
