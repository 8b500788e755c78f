extension V2 {
    /// The player's account at a provider.
    public struct Identity: Codable, Hashable, Sendable {
        /// The provider's name at the service when it was linked.
        public var provider: String
        /// When it was linked.
        public var createdAt: Timestamp

        /// Describes an identity.
        public init(provider: String, createdAt: Timestamp) {
            self.provider = provider
            self.createdAt = createdAt
        }
    }

    /// The identities that sign the player in.
    public struct IdentityList: Codable, Hashable, Sendable {
        /// Newest first.
        public var identities: [Identity]

        /// Takes identities.
        public init(identities: [Identity]) {
            self.identities = identities
        }
    }

    /// An identity that was linked.
    public struct LinkedIdentity: Codable, Hashable, Sendable {
        /// The identity.
        public var identity: Identity

        /// Takes an identity.
        public init(identity: Identity) {
            self.identity = identity
        }
    }

    /// A nonce to request an identity token with. The token is then valid here, once.
    public struct Nonce: Codable, Hashable, Sendable {
        /// Send it to the provider, as it is or as the lower-case hex of its SHA-256.
        public var nonce: String
        /// Until when the token may be sent.
        public var expiresAt: Timestamp

        /// Takes a nonce.
        public init(nonce: String, expiresAt: Timestamp) {
            self.nonce = nonce
            self.expiresAt = expiresAt
        }
    }

    /// A proof of somebody's identity at a provider.
    public struct IdentityProof: Hashable, Sendable {
        /// The provider's name at the service: one of ``Service/identityProviders``.
        public var provider: String
        /// The ID token as the provider signed it. A secret.
        public var idToken: String
        /// The nonce that the token was requested with.
        public var nonce: String

        /// Takes a token.
        public init(provider: String, idToken: String, nonce: String) {
            self.provider = provider
            self.idToken = idToken
            self.nonce = nonce
        }
    }
}

extension V2.Identity: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Identity>(
        "Identity", "The player's account at a provider.",
        [
            .member("provider", \.provider, "The provider's name at the service when the identity was linked."),
            .member("createdAt", \.createdAt, "When it was linked."),
        ])
}

extension V2.IdentityList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.IdentityList>(
        "IdentityList", "The identities that sign the player in.",
        [
            .member("identities", \.identities, "Newest first.")
        ])
}

extension V2.LinkedIdentity: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LinkedIdentity>(
        "LinkedIdentity", "An identity that was linked.",
        [
            .member("identity", \.identity, "The identity.")
        ])
}

extension V2.Nonce: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Nonce>(
        "Nonce", "A nonce to request an identity token with. The token is then valid here, once.",
        [
            .member(
                "nonce", \.nonce, "Send it to the provider, as it is or as the lower-case hex of its SHA-256.",
                .base64URL),
            .member("expiresAt", \.expiresAt, "When it expires. Send the token before."),
        ])
}

extension V2.IdentityProof: V2.Body {
    package static var blank: Self { Self(provider: "", idToken: "", nonce: "") }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.IdentityProof>(
        "IdentityProof", "A proof of somebody's identity at a provider.",
        [
            .required("provider", \.provider, "The provider's name at the service."),
            .required("idToken", \.idToken, "The ID token as the provider signed it. A secret."),
            .required("nonce", \.nonce, "The nonce that the token was requested with."),
        ])
}
