/// The letters that Normalization Form C writes as one code point (Unicode Standard Annex #15).
///
/// The standard library cannot compose, but it compares characters by canonical equivalence: so a letter in two
/// code points can be looked up in a table of composed letters.
enum ComposedLetters {
    /// The one code point of a letter.
    ///
    /// - Returns: nil for a character that is no letter, and for one that stays several code points when composed.
    static func letter(_ character: Character) -> Unicode.Scalar? {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, scalars.count > 1 || first.properties.isFullCompositionExclusion else {
            return scalars.first.flatMap { $0.properties.isAlphabetic ? $0 : nil }
        }
        return table[character]
    }

    /// Every letter but the ideographs, which nothing composes. 36,000 entries, 1.3 MB, 20 ms: made when the first
    /// word comes that is not composed.
    private static let table: [Character: Unicode.Scalar] = {
        var table: [Character: Unicode.Scalar] = [:]
        for value in UInt32(0x80)...0x1_FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            if properties.isAlphabetic, !properties.isIdeographic, !properties.isFullCompositionExclusion {
                table[Character(scalar)] = scalar
            }
        }
        return table
    }()
}
