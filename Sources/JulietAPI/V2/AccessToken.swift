extension V2 {
    /// The token of a session: the player's id (16 bytes) and 128 random bits, written `jt_` and 43 characters of base64url
    /// (RFC 4648 §5), unpadded. So the service knows from it where the player is stored.
    ///
    /// `description` does not hold it.
    package struct AccessToken: Hashable, Sendable {
        private static let prefix = "jt_"

        /// 32 bytes. A secret.
        package let bytes: [UInt8]

        /// Takes 32 bytes; nil for any other number.
        package init?(bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            self.bytes = bytes
        }

        /// Makes a new token, of the system's randomness.
        ///
        /// - Parameter player: The first and the last eight bytes of the player's id, most significant first.
        package static func random(of player: (high: UInt64, low: UInt64)) -> AccessToken {
            let words = [player.high, player.low, .random(in: .min ... .max), .random(in: .min ... .max)]
            return AccessToken(
                unchecked: words.flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> (64 - 8 * $0)) } })
        }

        /// The bits in the place of the player's id. A text that the service did not make may have any.
        package var player: (high: UInt64, low: UInt64) {
            var words: (high: UInt64, low: UInt64) = (0, 0)
            for place in 0..<8 {
                words.high = words.high << 8 | UInt64(bytes[place])
                words.low = words.low << 8 | UInt64(bytes[place + 8])
            }
            return words
        }

        /// Reads a token; nil for anything else, and for a spelling other than the one `text` has.
        package init?(_ text: String) {
            self.init(text.utf8[...])
        }

        /// Reads the value of `Authorization` (RFC 6750 §2.1): `Bearer`, in any letter case, blanks, and a token.
        package init?(authorization fieldValue: String) {
            let scheme = "bearer".utf8
            let rest = fieldValue.utf8.dropFirst(scheme.count)
            // This bit makes a letter lower case, and makes no other character one of these letters.
            guard fieldValue.utf8.prefix(scheme.count).elementsEqual(scheme, by: { $0 | 0x20 == $1 }),
                rest.first == UInt8(ascii: " ")
            else { return nil }
            self.init(rest.drop { $0 == UInt8(ascii: " ") })
        }

        private init?(_ text: Substring.UTF8View) {
            guard text.count == Self.prefix.utf8.count + 43, text.starts(with: Self.prefix.utf8) else { return nil }
            guard let bytes = Base64URLText.bytes(of: text.dropFirst(Self.prefix.utf8.count)) else { return nil }
            self.bytes = bytes
        }

        /// The token as it is sent. A secret.
        package var text: String { Self.prefix + Base64URLText.text(of: bytes) }

        private init(unchecked bytes: [UInt8]) {
            self.bytes = bytes
        }
    }
}

extension V2.AccessToken: CustomStringConvertible, CustomReflectable {
    /// Says that it is a token, without the secret.
    package var description: String { "jt_…" }

    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
