import Crypto
package import JulietAPI

/// A token or recovery code as the records know it: only its SHA-256. It is long enough that nobody finds it by trying.
package struct Credential: Sendable, Hashable {
    /// 32 bytes.
    let digest: [UInt8]

    /// The token of a session.
    package init(_ token: V2.AccessToken) { digest = Array(SHA256.hash(data: token.bytes)) }

    /// A recovery code.
    package init(_ code: V2.RecoveryCode) { digest = Array(SHA256.hash(data: Array(code.characters.utf8))) }

    /// Orders the statements of a session. A part of the digest, short enough to need no memory of its own.
    var orderingKey: String {
        String(unsafeUninitializedCapacity: 14) { buffer in
            for (index, byte) in digest[..<7].enumerated() {
                for (offset, digit) in [byte >> 4, byte & 15].enumerated() {
                    buffer[2 * index + offset] = digit < 10 ? 0x30 + digit : 0x57 + digit
                }
            }
            return 14
        }
    }
}
