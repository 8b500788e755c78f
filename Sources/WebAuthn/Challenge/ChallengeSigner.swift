import Crypto

/// Makes challenges that need no table: signed, with an end, and bound to a purpose.
///
/// A challenge is 32 bytes: four with the second at which it ends, twelve at random, and the first sixteen of
///
///     HMAC-SHA256(key, "challenge 1" ‖ purpose ‖ subject ‖ end ‖ random)
///
/// where purpose and subject have their lengths before them. So every process with the key recognises them, also
/// after a restart, and only challenges that were answered must be stored, until they end.
///
/// ## Why that is enough
///
/// - **Nobody makes one without the key.** HMAC-SHA256 is a pseudorandom function, and so are its first sixteen bytes,
///   the shortest that RFC 2104 §5 advises: a guess is right once in 2^128, and each takes a request. The signed
///   text can be split in only one way, because the lengths are signed too.
/// - **Nobody knows one before it is given** (WebAuthn Level 3 §13.4.3): twelve bytes are random, so even somebody
///   with the key cannot predict it, and without the key the sixteen bytes after them cannot be predicted either.
/// - **None is given twice.** Two of the same second, purpose and subject are the same once in 2^96; among a million a
///   second for a year that is a chance below 2^-30. Then only the second answer would be refused.
/// - **Each is valid only for its purpose.** Purpose and subject are signed but not contained: one for signing in
///   proves nothing at registration, and one of a player proves nothing for another.
/// - **Each is valid once** if the caller stores those that were answered until they end, by the same clock as
///   `now`. One that is forgotten earlier is valid again, so use the end that it contains.
///
/// Nonces of OpenID Connect can be made in the same way: with their own purpose and lifetime, and the bytes as base64url.
///
/// A thousand requests cost a thousand HMACs and no row. Somebody who has the key can make challenges, but signing in
/// also needs a credential's signature. If the key is known, change it; challenges under way then end.
public struct ChallengeSigner: Sendable {
    /// What a challenge is for.
    public struct Purpose: Sendable, Hashable {
        let name: String
        let subject: [UInt8]

        /// The caller's own purpose.
        ///
        /// - Parameters:
        ///   - name: A constant, one for each purpose.
        ///   - subject: Whom it is for, for example a player's id; none: whoever answers it.
        public init(_ name: String, subject: [UInt8] = []) {
            self.name = name
            self.subject = subject
        }
    }

    /// A challenge and its end.
    public struct Challenge: Sendable, Hashable {
        /// 32 bytes.
        public let bytes: [UInt8]
        /// When it ends, since the beginning of 1970 in UTC, in whole seconds: from then on it is not valid.
        public let end: Duration
    }

    /// The key is shorter than 32 bytes.
    public struct KeyTooShort: Error, Equatable {}

    private let key: SymmetricKey

    private static let size = (end: 4, random: 12, code: 16)

    /// A signer with this key. All processes that must recognise each other's challenges have the same key.
    ///
    /// - Parameter key: 32 bytes or more, random, kept secret.
    public init(key: [UInt8]) throws(KeyTooShort) {
        guard key.count >= 32 else { throw KeyTooShort() }
        self.key = SymmetricKey(data: key)
    }

    /// Makes a challenge.
    ///
    /// - Parameters:
    ///   - purpose: What it is for.
    ///   - now: The current time, since the beginning of 1970 in UTC; until 2106.
    ///   - lifetime: How long it is valid, at least; at most a second longer.
    public func challenge(
        for purpose: Purpose, now: Duration, lifetime: Duration = .seconds(300)
    ) -> Challenge {
        let end = UInt32(clamping: (now + lifetime + .nanoseconds(999_999_999)).components.seconds)
        var random = SystemRandomNumberGenerator()
        let body = Self.bytes(end) + (0..<Self.size.random).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return Challenge(bytes: body + code(of: body, purpose), end: .seconds(Int64(end)))
    }

    /// Reads a challenge.
    ///
    /// - Returns: nil: it was not made by a signer of this key for this purpose, or has ended.
    public func challenge(_ bytes: [UInt8], for purpose: Purpose, now: Duration) -> Challenge? {
        guard bytes.count == Self.size.end + Self.size.random + Self.size.code else { return nil }
        let body = Array(bytes.dropLast(Self.size.code))
        // All bytes are compared, so that the time does not reveal how many were right.
        let codes = zip(code(of: body, purpose), bytes.suffix(Self.size.code))
        let difference = codes.reduce(0) { $0 | ($1.0 ^ $1.1) }
        let end = Duration.seconds(Int64(body.prefix(Self.size.end).reduce(0) { $0 << 8 | UInt32($1) }))
        guard difference == 0, now < end else { return nil }
        return Challenge(bytes: bytes, end: end)
    }

    private func code(of body: [UInt8], _ purpose: Purpose) -> ArraySlice<UInt8> {
        var signed = Array("challenge 1".utf8)
        for part in [Array(purpose.name.utf8), purpose.subject] {
            signed += Self.bytes(UInt32(clamping: part.count)) + part
        }
        return Array(HMAC<SHA256>.authenticationCode(for: signed + body, using: key)).prefix(Self.size.code)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
}

extension ChallengeSigner.Purpose {
    /// A new credential of a user.
    public static func registration(of userID: [UInt8]) -> Self { Self("registration", subject: userID) }

    /// Signing in, for any user.
    public static let authentication = Self("authentication")
}
