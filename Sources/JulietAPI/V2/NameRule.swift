/// Which characters a name may hold, and where.
///
/// The database has the same rule (`may_be_seen`), with the kinds of characters in a table that is made of the same
/// properties (`config/names`). Only here are grapheme clusters counted. Marks are counted here as they are given, and there
/// in NFD: a letter that has its mark in one scalar has none here.
enum NameRule {
    /// What is wrong with a name that has no white space around it; nil: nothing.
    ///
    /// - Parameter limit: The most grapheme clusters.
    static func fault(of name: String, limit: Int) -> V2.NameFault? {
        // No name that is allowed has more bytes: what is longer is not looked at.
        guard name.utf8.count <= 64 * limit else { return .tooLong(limit) }
        let scalars = Array(name.unicodeScalars)
        if let fault = fault(in: scalars) { return fault }
        if name.count > limit { return .tooLong(limit) }
        return scalars.count > 4 * limit ? .tooManyScalars(4 * limit) : nil
    }

    private static func fault(in scalars: [Unicode.Scalar]) -> V2.NameFault? {
        var isVisible = false
        var marks = 0
        // Where the tags of the last flag end.
        var endOfFlag = 0
        for (place, scalar) in scalars.enumerated() {
            if scalar.isRefusedInNames {
                guard place < endOfFlag || isJoiner(at: place, in: scalars) || isSelector(at: place, in: scalars) else {
                    return scalar.hasPlacesInNames ? .misplaced(scalar) : .character(scalar)
                }
                continue
            }
            if scalar == "\u{1F3F4}" { endOfFlag = endOfTags(after: place, in: scalars) ?? endOfFlag }
            marks = scalar.isMarkOnLetter ? marks + 1 : 0
            guard marks <= 3 else { return .marks }
            isVisible = isVisible || scalar.isVisible
        }
        return isVisible ? nil : .invisible
    }

    /// The place after the tags of a flag: a region and a part of it, and the end (UTS #51, emoji tag sequences).
    private static func endOfTags(after flag: Int, in scalars: [Unicode.Scalar]) -> Int? {
        let tags = scalars[(flag + 1)...].prefix {
            (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value)
        }
        guard (3...6).contains(tags.count), tags.endIndex < scalars.count, scalars[tags.endIndex] == "\u{E007F}" else {
            return nil
        }
        return tags.endIndex + 1
    }

    /// Whether a scalar is a variation selector of an emoji, or of a keycap.
    private static func isSelector(at place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[place]
        guard scalar == "\u{FE0E}" || scalar == "\u{FE0F}", place > 0 else { return false }
        let before = scalars[place - 1]
        if before.isPartOfEmoji { return true }
        let isKeycap = before.isASCII && before.properties.isEmoji && scalar == "\u{FE0F}"
        return isKeycap && place + 1 < scalars.count && scalars[place + 1] == "\u{20E3}"
    }

    /// Whether a scalar joins two emoji to one, or is between letters of scripts that join.
    private static func isJoiner(at place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[place]
        guard scalar == "\u{200C}" || scalar == "\u{200D}", place > 0, place + 1 < scalars.count else { return false }
        let (before, after) = (scalars[place - 1], scalars[place + 1])
        if before.joins && after.joins { return true }
        let hasSelector = place > 1 && (before == "\u{FE0E}" || before == "\u{FE0F}")
        let emoji = hasSelector ? scalars[place - 2] : before
        return scalar == "\u{200D}" && emoji.isPartOfEmoji && after.isPartOfEmoji
    }
}

extension Unicode.Scalar {
    /// Whether a name may not hold it, but for a few places: nobody sees it, or nobody knows what it is.
    fileprivate var isRefusedInNames: Bool { !isPrintable || properties.isDefaultIgnorableCodePoint }

    /// Whether there are such places.
    fileprivate var hasPlacesInNames: Bool {
        switch value {
        case 0x200C, 0x200D, 0xFE0E, 0xFE0F, 0xE0020...0xE007F: true
        default: false
        }
    }

    /// Whether it can be seen by itself.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .spaceSeparator: false
        default: !isBlank
        }
    }

    /// Whether it is a symbol or letter that leaves its place empty.
    private var isBlank: Bool {
        switch value {
        // BRAILLE PATTERN BLANK, OBJECT REPLACEMENT CHARACTER, EGYPTIAN HIEROGLYPH FULL BLANK and HALF BLANK, MUSICAL
        // SYMBOL NULL NOTEHEAD.
        case 0x2800, 0xFFFC, 0x13441, 0x13442, 0x1D159: true
        default: false
        }
    }

    /// Whether it is a mark that takes no place of its own.
    fileprivate var isMarkOnLetter: Bool {
        [.nonspacingMark, .enclosingMark].contains(properties.generalCategory)
    }

    /// Whether it is an emoji, or the colour of a skin: not a digit, nor a letter of a flag.
    fileprivate var isPartOfEmoji: Bool {
        properties.isEmoji && !isASCII && !(0x1F1E6...0x1F1FF).contains(value)
    }

    /// Whether it is a letter or mark of a script whose letters join, by its block.
    fileprivate var joins: Bool {
        switch value {
        // Arabic, Syriac, Thaana, N'Ko.
        case 0x600...0x7FF: isLetterOrMark
        // Mandaic, Syriac, Arabic, the scripts of India and Sri Lanka.
        case 0x840...0xDFF: isLetterOrMark
        // Myanmar; Khmer and Mongolian; Balinese; Phags-pa; Javanese.
        case 0x1000...0x109F, 0x1780...0x18AF, 0x1B00...0x1B7F, 0xA840...0xA87F, 0xA980...0xA9DF: isLetterOrMark
        // Hanifi Rohingya, Adlam.
        case 0x10D00...0x10D3F, 0x1E900...0x1E95F: isLetterOrMark
        default: false
        }
    }

    private var isLetterOrMark: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: !isRefusedInNames
        case .nonspacingMark, .spacingMark, .enclosingMark: !isRefusedInNames
        default: false
        }
    }
}
