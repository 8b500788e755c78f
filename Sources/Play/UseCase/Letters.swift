// Words have as many letters as their composed form (NFC) has code points. Unicode may show two of them as one character, as
// in กำ: so a letter is a `Character` of one code point here, or of one with accents that came by themselves, which the service
// composes.

extension [Character] {
    /// The letters of a text; what is no letter is left out.
    package init(lettersOf text: String) {
        self.init()
        for scalar in text.unicodeScalars { add(Character(scalar), upTo: .max) }
    }

    /// Takes what was typed: an accent belongs on the last letter, another letter comes after it, and nothing else counts.
    ///
    /// - Parameter length: How many letters there may be.
    mutating func add(_ typed: Character, upTo length: Int) {
        if let last, let joined = last.joined(by: typed) {
            self[count - 1] = joined
        } else if typed.isVisibleLetter, count < length {
            append(typed)
        }
    }
}

extension Character {
    /// Whether it can be a letter of a word, as far as can be seen here.
    var isVisibleLetter: Bool {
        isLetter && unicodeScalars.first?.properties.isDefaultIgnorableCodePoint == false
    }

    /// This letter together with what follows it; nil: that is a letter of its own, or none.
    fileprivate func joined(by next: Character) -> Character? {
        guard let scalar = next.unicodeScalars.first else { return nil }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            let text = String(self) + String(next)
            return text.count == 1 ? Character(text) : nil
        default:
            return unicodeScalars.count == 1 ? unicodeScalars.first?.syllable(with: scalar) : nil
        }
    }

    /// The upper-case letter of a language, where that is one letter and no other letter's: not of "ß" and "ς".
    package func inUpperCase(of language: String) -> Character {
        if language == "tr" || language == "az" {
            if self == "i" { return "İ" }
            if self == "ı" { return "I" }
        }
        let text = uppercased()
        let isOwn = text.count == 1 && (text.lowercased() == lowercased())
        return isOwn ? Character(text) : self
    }
}

extension Unicode.Scalar {
    /// The Korean syllable that two parts of one compose to (the Unicode Standard, section 3.12); nil: none.
    fileprivate func syllable(with next: Unicode.Scalar) -> Character? {
        let composed: UInt32
        switch (value, next.value) {
        case (0x1100...0x1112, 0x1161...0x1175):
            composed = 0xAC00 + ((value - 0x1100) * 21 + (next.value - 0x1161)) * 28
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (value - 0xAC00).isMultiple(of: 28):
            composed = value + (next.value - 0x11A7)
        default:
            return nil
        }
        return Unicode.Scalar(composed).map { Character($0) }
    }
}

extension String {
    /// In upper case, letter by letter, as boards show it.
    package func inUpperCase(of language: String) -> String {
        String([Character](lettersOf: self).map { $0.inUpperCase(of: language) })
    }
}
