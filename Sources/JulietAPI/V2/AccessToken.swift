extension V2 {
    /// The token of a session: the player's id (16 bytes) and 128 random bits, written `jt_` and 43 characters of base64url
    /// (RFC 4648 §5), unpadded. So the service knows from it where the player is stored.
    ///
    /// `description` does not hold it.
    package struct AccessToken: Hashable, Sendable {
        private static let prefix = "jt_"
        private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

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
            var bytes: [UInt8] = []
            bytes.reserveCapacity(32)
            var pending = 0
            var count = 0
            for character in text.dropFirst(Self.prefix.utf8.count) {
                guard let value = Self.value(character) else { return nil }
                pending = pending << 6 | value
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(pending >> count))
                    pending &= (1 << count) - 1
                }
            }
            // Two bits are left over, which must be 0 as in `text`.
            guard pending == 0 else { return nil }
            self.bytes = bytes
        }

        /// The token as it is sent. A secret.
        package var text: String {
            var text = Array(Self.prefix.utf8)
            text.reserveCapacity(46)
            for start in stride(from: 0, to: 32, by: 3) {
                let group = bytes[start..<min(start + 3, 32)]
                var bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
                for _ in 0...group.count {
                    text.append(Self.alphabet[bits >> 18])
                    bits = bits << 6 & 0xFF_FFFF
                }
            }
            return String(decoding: text, as: UTF8.self)
        }

        private init(unchecked bytes: [UInt8]) {
            self.bytes = bytes
        }

        private static func value(_ character: UInt8) -> Int? {
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "-"): 62
            case UInt8(ascii: "_"): 63
            default: nil
            }
        }
    }
}

extension V2.AccessToken: CustomStringConvertible, CustomReflectable {
    /// Says that it is a token, without the secret.
    package var description: String { "jt_…" }

    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
