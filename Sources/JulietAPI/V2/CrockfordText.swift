/// Crockford's base 32, as people write it.
enum CrockfordText {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// Reads characters: letter case, hyphens and blanks do not matter, I and L are 1, O is 0.
    ///
    /// - Parameters:
    ///   - text: What somebody wrote.
    ///   - count: How many characters there have to be.
    /// - Returns: The characters, in upper case; nil for anything else.
    static func read(_ text: String, count: Int) -> String? {
        // This allows a blank around each character, but a megabyte is not scanned.
        guard text.utf8.count <= 256 else { return nil }
        var characters: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation { continue }
            guard let character = character(scalar) else { return nil }
            characters.append(character)
        }
        guard characters.count == count else { return nil }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Writes characters in groups, with hyphens in between.
    static func grouped(_ characters: String, by size: Int) -> String {
        var groups = ""
        for (index, character) in characters.enumerated() {
            if index > 0, index.isMultiple(of: size) { groups.append("-") }
            groups.append(character)
        }
        return groups
    }

    /// The character of the alphabet that is meant; nil for other characters.
    private static func character(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.isASCII else { return nil }
        let byte = UInt8(scalar.value)
        let upper = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 0x20 : byte
        switch upper {
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        default: return alphabet.contains(upper) ? upper : nil
        }
    }
}
