extension V2 {
    /// A code that signs a player in on another device, once: 100 random bits in Crockford's base 32, which people can read out.
    ///
    /// `description` does not hold it.
    public struct RecoveryCode: Hashable, Sendable {
        /// The code's 20 characters, upper case. A secret.
        public let characters: String

        /// Reads a code as people write it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0.
        ///
        /// Nil for anything else.
        public init?(_ text: String) {
            guard let characters = CrockfordText.read(text, count: 20) else { return nil }
            self.characters = characters
        }

        /// Makes a new code, of the system's randomness.
        package static func random() -> RecoveryCode {
            let characters = (0..<20).map { _ in CrockfordText.alphabet[Int.random(in: 0..<32)] }
            return RecoveryCode(characters: String(decoding: characters, as: UTF8.self))
        }

        /// The code as it is shown to people, in four groups: `0123A-4567B-89CDE-FGHJK`. A secret.
        public var groups: String { CrockfordText.grouped(characters, by: 5) }

        private init(characters: String) {
            self.characters = characters
        }
    }
}

extension V2.RecoveryCode: CustomStringConvertible, CustomReflectable {
    /// Says that it is a code, without the secret.
    public var description: String { "recovery code" }

    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
