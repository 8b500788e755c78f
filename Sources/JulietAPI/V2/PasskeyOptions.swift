// The options for authenticators (WebAuthn Level 3 §5.1). The service writes them with its own library; here are the parts
// that clients read, and their description.

extension V2 {
    /// The options to make a passkey with: `publicKey` is a PublicKeyCredentialCreationOptionsJSON.
    public struct PasskeyCreation: Codable, Hashable, Sendable {
        /// The service, as authenticators know it.
        public struct RelyingParty: Codable, Hashable, Sendable {
            /// The domain that passkeys are for.
            public var id: String
            /// What authenticators show.
            public var name: String
        }

        /// The player, as authenticators know them.
        public struct User: Codable, Hashable, Sendable {
            /// The 16 bytes of the player's id, in base64url.
            public var id: String
            /// The player's name.
            public var name: String
        }

        /// A passkey that the player has already.
        public struct Credential: Codable, Hashable, Sendable {
            /// The credential's id at its authenticator, in base64url.
            public var id: String
        }

        /// What browsers take.
        public struct Options: Codable, Hashable, Sendable {
            /// The service.
            public var rp: RelyingParty
            /// The player.
            public var user: User
            /// 32 bytes in base64url, valid once, for five minutes.
            public var challenge: String
            /// Passkeys that the player has already: an authenticator that has one of them makes no other.
            public var excludeCredentials: [Credential]
        }

        /// The argument for browsers: `PublicKeyCredential.parseCreationOptionsFromJSON(publicKey)`.
        public var publicKey: Options
    }

    /// The options to sign in with a passkey: `publicKey` is a PublicKeyCredentialRequestOptionsJSON.
    public struct PasskeyRequest: Codable, Hashable, Sendable {
        /// What browsers take.
        public struct Options: Codable, Hashable, Sendable {
            /// 32 bytes in base64url, valid once, for five minutes.
            public var challenge: String
            /// The domain that passkeys are for.
            public var rpId: String
        }

        /// The argument for browsers: `PublicKeyCredential.parseRequestOptionsFromJSON(publicKey)`.
        public var publicKey: Options
    }
}

extension V2.PasskeyCreation {
    /// The members.
    package static let schema = Schema(
        .object([.init("publicKey", options, "A PublicKeyCredentialCreationOptionsJSON.")]),
        name: "PasskeyCreation", about: "The options to make a passkey with.")

    private static let credential = Schema(
        .object([
            .init("type", .constant("public-key"), "The only type."),
            .init("id", Schema(.string, [.base64URL]), "The credential's id at its authenticator."),
        ]))

    private static let options = Schema(
        .object([
            .init(
                "rp",
                Schema(
                    .object([
                        .init("id", .string, "The domain that passkeys are for."),
                        .init("name", .string, "What authenticators show."),
                    ])), "The service."),
            .init(
                "user",
                Schema(
                    .object([
                        .init("id", Schema(.string, [.base64URL]), "The 16 bytes of the player's id."),
                        .init("name", .string, "The player's name."),
                        .init("displayName", .string, "The same as `name`."),
                    ])), "The player."),
            .init("challenge", Schema(.string, [.base64URL]), "32 bytes, valid once, for five minutes."),
            .init(
                "pubKeyCredParams",
                Schema(
                    .array(
                        of: Schema(
                            .object([
                                .init("type", .constant("public-key"), "The only type."),
                                .init("alg", .integer, "COSE's number: -7, -8 or -257."),
                            ])))), "The accepted algorithms, the best first."),
            .init("timeout", .integer, "How long the client may take, in milliseconds."),
            .init("excludeCredentials", Schema(.array(of: credential)), "The player's passkeys."),
            .init(
                "authenticatorSelection",
                Schema(
                    .object([
                        .init(
                            "residentKey", .constant("required"),
                            "The authenticator stores the credential, which makes it a passkey."),
                        .init("requireResidentKey", .boolean, "The same as `residentKey`, for older clients."),
                        .init(
                            "userVerification", .constant("preferred"),
                            "The authenticator asks for a fingerprint, a face or a PIN if it can."),
                    ])), "Which authenticators are suitable."),
            .init("attestation", .constant("none"), "The service does not ask for the maker of the authenticator."),
        ]))
}

extension V2.PasskeyRequest {
    /// The members.
    package static let schema = Schema(
        .object([.init("publicKey", options, "A PublicKeyCredentialRequestOptionsJSON.")]),
        name: "PasskeyRequest", about: "The options to sign in with a passkey.")

    private static let options = Schema(
        .object([
            .init("challenge", Schema(.string, [.base64URL]), "32 bytes, valid once, for five minutes."),
            .init("timeout", .integer, "How long the client may take, in milliseconds."),
            .init("rpId", .string, "The domain that passkeys are for."),
            .init(
                "userVerification", .constant("preferred"),
                "The authenticator asks for a fingerprint, a face or a PIN if it can."),
        ]))
}
