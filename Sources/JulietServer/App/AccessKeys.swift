import Crypto

/// The API keys that requests may carry in `AuthToken`.
///
/// Only digests are kept, and they compare in constant time, so neither a log nor the time of an answer reveals a key.
package struct AccessKeys: Sendable {
    /// The header field that carries a key, and the name of the scheme that a refusal asks for.
    static let headerName = "AuthToken"

    /// The verdict on a request's key.
    enum Verdict: Sendable { case accepted, missing, wrong }

    private let digests: [SHA256.Digest]

    /// Accepts these keys; none: every request is accepted.
    package init(_ keys: [String]) {
        digests = keys.map { SHA256.hash(data: Array($0.utf8)) }
    }

    /// Whether every request is accepted.
    package var isEmpty: Bool { digests.isEmpty }

    /// Compares a key.
    ///
    /// - Parameter key: The header's value, each byte one character, as `Headers` reads it.
    func check(_ key: @autoclosure () -> String?) -> Verdict {
        guard !digests.isEmpty else { return .accepted }
        guard let key = key() else { return .missing }
        let digest = SHA256.hash(data: key.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        var isKnown = false
        // Every key is compared: stopping at the first match would tell which one it was. Digests compare in constant
        // time (swift-crypto).
        for known in digests where known == digest { isKnown = true }
        return isKnown ? .accepted : .wrong
    }
}
