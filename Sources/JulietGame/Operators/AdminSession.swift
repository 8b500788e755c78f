import Crypto
import StrictEncoding

/// Somebody who is signed in to the admin page: 32 bytes of the system's randomness, written as 64 hexadecimal digits. The
/// database ends it after twelve hours, when they sign out, or when the key is revoked.
///
/// `description` does not hold it.
package struct AdminSession: Sendable, Hashable {
    private static let size = 32

    private let bytes: [UInt8]

    /// The session as a browser keeps it. A secret.
    package var text: String { Hexadecimal.encode(bytes) }

    /// A new session, which nobody has signed in to yet.
    package static func random() -> AdminSession {
        AdminSession(bytes: (0..<size).map { _ in UInt8.random(in: .min ... .max) })
    }

    /// Reads a session; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 2 * Self.size, let bytes = Hexadecimal.decode(String(text)) else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The SHA-256 of the bytes; the database has nothing else of it.
    var digest: [UInt8] { Array(SHA256.hash(data: bytes)) }
}

extension AdminSession: CustomStringConvertible, CustomReflectable {
    /// Says that it is a session, without the secret.
    package var description: String { "a session of the admin page" }

    /// Shows nothing.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
