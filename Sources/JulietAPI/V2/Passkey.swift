extension V2 {
    /// A passkey that signs the player in.
    public struct Passkey: Codable, Hashable, Sendable, Identifiable {
        /// The passkey's id.
        public var id: Identifier<Passkey>
        /// The credential's id at its authenticator, in base64url.
        public var credentialId: String
        /// What the player calls it.
        public var name: String
        /// When it was registered.
        public var createdAt: Timestamp
        /// When it last signed the player in, rounded down to the hour; nil: never.
        public var lastUsedAt: Timestamp?
        /// Whether it was on several devices when it was last seen.
        public var isSynced: Bool

        /// Describes a passkey.
        public init(
            id: Identifier<Passkey>, credentialId: String, name: String, createdAt: Timestamp,
            lastUsedAt: Timestamp? = nil, isSynced: Bool
        ) {
            self.id = id
            self.credentialId = credentialId
            self.name = name
            self.createdAt = createdAt
            self.lastUsedAt = lastUsedAt
            self.isSynced = isSynced
        }
    }

    /// The player's passkeys.
    public struct PasskeyList: Codable, Hashable, Sendable {
        /// Newest first.
        public var passkeys: [Passkey]

        /// Takes passkeys.
        public init(passkeys: [Passkey]) {
            self.passkeys = passkeys
        }
    }

    /// A passkey that was registered.
    public struct RegisteredPasskey: Codable, Hashable, Sendable {
        /// The passkey.
        public var passkey: Passkey

        /// Takes a passkey.
        public init(passkey: Passkey) {
            self.passkey = passkey
        }
    }

    /// Whether a text is bytes in base64url, and which.
    ///
    /// For what a client hands to the system, which takes bytes. nil: it is not base64url without padding.
    public static func bytes(ofBase64URL text: String) -> [UInt8]? { Base64URLText.bytes(of: text.utf8) }

    /// Bytes in base64url.
    package static func base64URL(of bytes: some Sequence<UInt8>) -> String { Base64URLText.text(of: bytes) }
}

extension V2.Passkey: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Passkey>(
        "Passkey", "A passkey that signs the player in.",
        [
            .member("id", \.id, "The passkey's id."),
            .member(
                "credentialId", \.credentialId, "The credential's id at its authenticator, in base64url.", .base64URL),
            .member("name", \.name, "What the player calls it.", .length(1...160)),
            .member("createdAt", \.createdAt, "When it was registered."),
            .optional(
                "lastUsedAt", \.lastUsedAt,
                "When it last signed the player in, rounded down to the hour; missing if never."),
            .member("isSynced", \.isSynced, "Whether it was on several devices when it was last seen."),
        ])
}

extension V2.PasskeyList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.PasskeyList>(
        "PasskeyList", "The player's passkeys.",
        [
            .member("passkeys", \.passkeys, "Newest first.")
        ])
}

extension V2.RegisteredPasskey: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.RegisteredPasskey>(
        "RegisteredPasskey", "A passkey that was registered.",
        [
            .member("passkey", \.passkey, "The passkey.")
        ])
}

extension Schema.Rule {
    /// Bytes in base64url without padding.
    package static let base64URL = Self.pattern("^[A-Za-z0-9_-]+$")
}
