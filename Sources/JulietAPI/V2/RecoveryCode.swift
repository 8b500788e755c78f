extension V2 {
    /// What signs a player in on another device, once: 100 random bits in Crockford's base 32, which people can read out.
    ///
    /// `description` does not hold it.
    public struct RecoveryCode: Hashable, Sendable {
        private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

        /// The code's 20 characters, upper case. A secret.
        public let characters: String

        /// Reads a code as people write it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0.
        ///
        /// Nil for anything else.
        public init?(_ text: String) {
            // Whoever puts a blank around each character is within it; a megabyte is not walked through.
            guard text.utf8.count <= 256 else { return nil }
            var characters: [UInt8] = []
            for scalar in text.unicodeScalars {
                if scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation { continue }
                guard let character = Self.character(scalar) else { return nil }
                characters.append(character)
            }
            guard characters.count == 20 else { return nil }
            self.characters = String(decoding: characters, as: UTF8.self)
        }

        /// Makes a new code, of the system's randomness.
        package static func random() -> RecoveryCode {
            let characters = (0..<20).map { _ in alphabet[Int.random(in: 0..<32)] }
            return RecoveryCode(characters: String(decoding: characters, as: UTF8.self))
        }

        /// The code as people are shown it, in four groups: `0123A-4567B-89CDE-FGHJK`. A secret.
        public var groups: String {
            var groups = ""
            for (index, character) in characters.enumerated() {
                if index > 0, index.isMultiple(of: 5) {
                    groups.append("-")
                }
                groups.append(character)
            }
            return groups
        }

        private init(characters: String) {
            self.characters = characters
        }

        /// The character of the alphabet that is meant; nil for none.
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
}

extension V2.RecoveryCode: CustomStringConvertible, CustomReflectable {
    /// That it is a code, not which.
    public var description: String { "recovery code" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
