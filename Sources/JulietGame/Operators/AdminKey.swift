import Crypto

/// The key with which an operator signs in to the admin page (``AdminSession``): 256 random bits, written `juliet-admin-` and 52 letters and digits
/// that are not easily confused (Crockford's base 32).
///
/// `description` does not hold it.
package struct AdminKey: Sendable, Hashable {
    private static let prefix = "juliet-admin-"
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let length = 52

    /// The key as people copy it. A secret.
    package let text: String

    /// Makes a new key: 260 bits of the system's randomness.
    package static func random() -> AdminKey {
        let letters = (0..<length).map { _ in alphabet[Int.random(in: 0..<32)] }
        return AdminKey(unchecked: prefix + String(decoding: letters, as: UTF8.self))
    }

    /// Reads a key, ignoring blanks around it; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let trimmed = text.utf8.drop { $0 <= 0x20 }
        let letters = trimmed.prefix(Self.prefix.utf8.count + Self.length)
        guard letters.starts(with: Self.prefix.utf8), trimmed.dropFirst(letters.count).allSatisfy({ $0 <= 0x20 }),
            letters.count == Self.prefix.utf8.count + Self.length,
            letters.dropFirst(Self.prefix.utf8.count).allSatisfy(Self.alphabet.contains)
        else { return nil }
        self.init(unchecked: String(decoding: Array(letters), as: UTF8.self))
    }

    private init(unchecked text: String) { self.text = text }

    /// The SHA-256 of the text; the database has nothing else of it.
    var digest: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

extension AdminKey: CustomStringConvertible, CustomReflectable {
    /// Says that it is a key, without the secret.
    package var description: String { "juliet-admin-…" }

    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
