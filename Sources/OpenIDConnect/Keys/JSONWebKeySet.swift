import StrictEncoding

/// The keys of a provider: a JWK Set (RFC 7517 §5), without those that cannot verify ID tokens.
public struct JSONWebKeySet: Sendable {
    /// A key that is ignored, and why (RFC 7517 §5: unknown keys should be ignored).
    public struct SkippedKey: Sendable, Equatable {
        /// Which it is, counted from 0.
        public let index: Int
        /// Its `kid`, if it has one.
        public let keyID: String?
        /// Why it cannot be used.
        public let reason: JSONWebKeyFlaw
    }

    /// The text is not a JWK Set: no JSON object whose `keys` is an array of objects, or longer than 1 MiB.
    public struct ParseError: Error, Equatable {}

    /// The usable keys; several may have the same `kid`.
    private let keys: [JSONWebKey]
    /// The keys that are ignored.
    public let skipped: [SkippedKey]

    /// No keys: with them every token is refused.
    public init() {
        keys = []
        skipped = []
    }

    /// Reads a set. An empty set is valid.
    public init(json: [UInt8]) throws(ParseError) {
        guard json.count <= 1 << 20, let elements = JSON(json)?.members?["keys"]?.elements else {
            throw ParseError()
        }
        var keys: [JSONWebKey] = []
        var skipped: [SkippedKey] = []
        for (index, element) in elements.enumerated() {
            guard let members = element.members else { throw ParseError() }
            do {
                keys.append(try JSONWebKey(members))
            } catch {
                skipped.append(SkippedKey(index: index, keyID: members["kid"]?.text?.string, reason: error))
            }
        }
        self.keys = keys
        self.skipped = skipped
    }

    /// The names (`kid`) of the keys that can verify, in the order of the set; nil for a key that has none.
    public var keyIDs: [String?] { keys.map(\.keyID?.string) }

    /// Whether a key of the token's `kid` has signed it, by the algorithm that the key is for. A token without `kid` must be
    /// signed by the only key for its algorithm (OpenID Connect Core 1.0 §10.1). The token can only choose among these
    /// keys: `none`, HMAC and keys in the token are not accepted. Of its header only `alg`, `kid`, `typ` and `crit` are
    /// used, because the sender can put any keys into `jku`, `jwk`, `x5u` and `x5c` (RFC 8725 §3.10).
    ///
    /// - Throws: `format`: `alg` or `kid` is no text.
    func haveSigned(_ jws: CompactJWS) throws(IdentityRefusal) -> Bool {
        let (algorithm, keyID) = (try Self.text("alg", in: jws.header), try Self.text("kid", in: jws.header))
        let fitting = keys.filter { $0.algorithm == algorithm && (keyID == nil || $0.keyID == keyID) }
        guard keyID != nil || fitting.count == 1 else { return false }
        return fitting.contains { $0.isValidSignature(jws.signature, for: jws.signedBytes) }
    }

    private static func text(_ name: ExactText, in header: [ExactText: JSON]) throws(IdentityRefusal) -> ExactText? {
        guard let value = header[name] else { return nil }
        guard let text = value.text else { throw .format }
        return text
    }
}
