import Crypto
import StrictEncoding

/// A provider of ID tokens (OpenID Connect Core 1.0 §2), and which of its tokens are accepted.
///
/// A value of constants, for any number of threads. It sends no requests: keys, nonce and time are arguments.
public struct IdentityProvider: Sendable, Equatable {
    /// The values of `iss` that are the provider's, compared byte by byte: `https://appleid.apple.com`.
    public let issuers: Set<String>
    /// The values of `aud` and `azp` that are ours: an app's bundle, a client's id.
    public let audiences: Set<String>

    /// How far this machine's clock and the provider's may differ.
    public static let clockSkew = Duration.seconds(60)

    /// The latest `exp`, from now. Tokens of providers are valid for minutes, or a day.
    public static let longestLife = Duration.seconds(365 * 86_400)

    /// A provider; with no issuer or no audience, all its tokens are refused.
    public init(issuers: Set<String>, audiences: Set<String>) {
        self.issuers = issuers
        self.audiences = audiences
    }

    /// Verifies an ID token (OpenID Connect Core 1.0 §3.1.3.7, RFC 8725).
    ///
    /// - Parameters:
    ///   - token: A compact JWS.
    ///   - nonce: The nonce for this token. The claim must be equal to it, or to its lower-case hexadecimal
    ///     SHA-256, which apps often pass to Sign in with Apple. The caller checks that it was issued and not used
    ///     before.
    ///   - keys: The provider's, as read last.
    ///   - now: The current time, since the beginning of 1970 in UTC.
    /// - Returns: Who it is.
    /// - Throws: ``IdentityRefusal``, the first rule that is broken in the order of its cases.
    public func verify(
        _ token: String, nonce: String, keys: JSONWebKeySet, now: Duration
    ) throws(IdentityRefusal) -> VerifiedIdentity {
        guard let jws = CompactJWS(token), !jws.isAccessToken else { throw .format }
        let claims = try Claims(jws.payload)
        guard claims.ends(by: (now + Self.longestLife) / .seconds(1)) else { throw .format }
        guard try keys.haveSigned(jws) else { throw .signature }
        guard let issuer = claims.issuer, issuers.contains(where: { ExactText($0) == issuer }) else { throw .issuer }
        let known = Set(audiences.map { ExactText($0) })
        // Items 3 to 5: for nobody else as well, and not requested by another client.
        guard let recipients = claims.recipients, recipients.isSubset(of: known) else { throw .audience }
        guard claims.isValid(at: now / .seconds(1), skew: Self.clockSkew / .seconds(1)) else { throw .expired }
        guard let claimed = claims.nonce, claimed == ExactText(nonce) || claimed == Self.digest(of: nonce) else {
            throw .nonce
        }
        return VerifiedIdentity(issuer: issuer.string, subject: claims.subject.string)
    }

    private static func digest(of nonce: String) -> ExactText {
        ExactText(Hexadecimal.encode(SHA256.hash(data: Array(nonce.utf8))))
    }
}

extension CompactJWS {
    /// Whether the header says that it is an access token (RFC 9068 §2.1), which providers sign with the same keys. Media
    /// types are compared without case, and `application/` may be left out (RFC 7515 §4.1.9).
    fileprivate var isAccessToken: Bool {
        guard let type = header["typ"]?.text?.string.lowercased() else { return false }
        return type == "at+jwt" || type == "application/at+jwt"
    }
}
