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

    /// The code points of a character that has nothing but letters (categories Ll, Lo and Lm), composed: nearly always one. In
    /// some scripts a character has several, as Thai กำ.
    ///
    /// - Returns: nil for a character with anything else, such as a mark that cannot be composed, or with a letter that
    ///   nobody sees.
    static func letters(_ character: Character) -> [Unicode.Scalar]? {
        var letters: [Unicode.Scalar] = []
        var rest = Array(character.unicodeScalars)[...]
        while !rest.isEmpty {
            // What Hangul composes need not be the whole character. No letter is composed of more than four.
            let composed = (1...min(rest.count, 4)).reversed().lazy.compactMap { count in
                Self.composed(rest.prefix(count)).map { (letter: $0, count: count) }
            }.first
            guard let composed, composed.letter.isVisibleSmallLetter else { return nil }
            letters.append(composed.letter)
            rest = rest.dropFirst(composed.count)
        }
        return letters
    }

    /// The one code point that some are composed to; nil: there is none.
    private static func composed(_ scalars: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
        if scalars.count == 1, let scalar = scalars.first, !scalar.properties.isFullCompositionExclusion {
            return scalar
        }
        let text = String(String.UnicodeScalarView(scalars))
        return text.count == 1 ? table[Character(text)] : nil
    }

    /// Every letter, and of the ideographs those that a compatibility ideograph is composed to. 37,000 entries, 1.3 MB, 45 ms:
    /// made when the first word comes that is not composed.
    private static let table: [Character: Unicode.Scalar] = {
        let compatible = [UInt32(0xF900)...0xFAFF, 0x2_F800...0x2_FA1F].joined().compactMap(Unicode.Scalar.init)
        let ideographs = Set(compatible.filter(\.properties.isFullCompositionExclusion).map { Character($0) })
        var table: [Character: Unicode.Scalar] = [:]
        for value in UInt32(0x80)...0x2_A6FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            if properties.isAlphabetic, !properties.isFullCompositionExclusion,
                !properties.isIdeographic || ideographs.contains(Character(scalar))
            {
                table[Character(scalar)] = scalar
            }
        }
        return table
    }()
}

extension Unicode.Scalar {
    /// Whether it is a letter that has no other lower case.
    fileprivate var isVisibleSmallLetter: Bool {
        switch properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter: !properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}
