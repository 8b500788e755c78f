// The answers of authenticators (WebAuthn Level 3 §5.1) in bodies of requests. They stay as they were sent; the code that
// verifies them reads them.

extension V2 {
    /// A new credential: a RegistrationResponseJSON, which `toJSON()` of a browser's credential gives.
    public struct NewCredential: Hashable, Sendable {
        /// One JSON object.
        package let json: [UInt8]

        /// Takes what was sent.
        ///
        /// - Parameter json: One whole object, which is not looked at.
        package init(json: [UInt8]) {
            self.json = json
        }

        /// Takes what the system answered: `ASAuthorizationPlatformPublicKeyCredentialRegistration` for instance.
        public init(
            id: some Sequence<UInt8>, clientDataJSON: some Sequence<UInt8>, attestationObject: some Sequence<UInt8>
        ) {
            var writer = JSONWriter(capacity: 1024)
            writer.credential(id) { writer in
                writer.member("clientDataJSON", Base64URLText.text(of: clientDataJSON))
                writer.member("attestationObject", Base64URLText.text(of: attestationObject))
            }
            json = writer.bytes
        }
    }

    /// What a passkey has signed: an AuthenticationResponseJSON, which `toJSON()` of a browser's credential gives.
    public struct SignedCredential: Hashable, Sendable {
        /// One JSON object.
        package let json: [UInt8]

        /// Takes what was sent.
        ///
        /// - Parameter json: One whole object, which is not looked at.
        package init(json: [UInt8]) {
            self.json = json
        }

        /// Takes what the system answered: `ASAuthorizationPlatformPublicKeyCredentialAssertion` for instance.
        public init(
            id: some Sequence<UInt8>, clientDataJSON: some Sequence<UInt8>, authenticatorData: some Sequence<UInt8>,
            signature: some Sequence<UInt8>, userHandle: some Sequence<UInt8>
        ) {
            var writer = JSONWriter(capacity: 1024)
            writer.credential(id) { writer in
                writer.member("clientDataJSON", Base64URLText.text(of: clientDataJSON))
                writer.member("authenticatorData", Base64URLText.text(of: authenticatorData))
                writer.member("signature", Base64URLText.text(of: signature))
                writer.member("userHandle", Base64URLText.text(of: userHandle))
            }
            json = writer.bytes
        }
    }

    /// Registers a passkey.
    package struct NewPasskey: Hashable, Sendable {
        /// The authenticator's answer.
        package var credential: NewCredential
        /// What to call it, as sent; nil: Passkey.
        package var name: String?

        /// Takes an answer.
        package init(credential: NewCredential, name: String? = nil) {
            self.credential = credential
            self.name = name
        }
    }
}

extension JSONWriter {
    /// Writes what an authenticator answered.
    fileprivate mutating func credential(_ id: some Sequence<UInt8>, _ response: (inout JSONWriter) -> Void) {
        let id = Base64URLText.text(of: id)
        openObject()
        member("id", id)
        member("rawId", id)
        member("type", "public-key")
        name("response")
        openObject()
        response(&self)
        closeObject()
        closeObject()
    }
}

extension Schema {
    private static let bytes = Schema(.string, [.pattern("^[A-Za-z0-9_-]*$")])

    /// An authenticator's answer; members of the standard that are not used are ignored.
    fileprivate static func credential(_ name: String, _ about: String, _ response: [Property]) -> Schema {
        Schema(
            .object([
                .init("id", bytes, "The credential's id at the authenticator."),
                .init("rawId", bytes, "The same as `id`."),
                .init("type", .string, "`public-key`."),
                .init("response", Schema(.object(response)), "What the authenticator made or signed, in base64url."),
            ]), name: name, about: about)
    }

    fileprivate static let clientData = Property("clientDataJSON", bytes, "The client data.")

    fileprivate static func member(_ name: String, _ about: String, isRequired: Bool = true) -> Property {
        Property(name, isRequired ? bytes : bytes.orNull, about, isRequired: isRequired)
    }
}

extension V2.NewCredential: JSONWritable {
    /// The members that are read.
    package static let schema = Schema.credential(
        "NewCredential", "A new credential: WebAuthn's RegistrationResponseJSON.",
        [Schema.clientData, Schema.member("attestationObject", "The attestation object.")])

    /// Writes it as it is.
    package func write(to writer: inout JSONWriter) { writer.raw(json) }
}

extension V2.SignedCredential: JSONWritable {
    /// The members that are read.
    package static let schema = Schema.credential(
        "SignedCredential", "What a passkey has signed: WebAuthn's AuthenticationResponseJSON.",
        [
            Schema.clientData, Schema.member("authenticatorData", "The authenticator data."),
            Schema.member("signature", "The signature."),
            Schema.member(
                "userHandle", "`user.id` of the registration. Without it nobody is signed in.", isRequired: false),
        ])

    /// Writes it as it is.
    package func write(to writer: inout JSONWriter) { writer.raw(json) }
}

extension V2.NewPasskey: V2.Body {
    package static var blank: Self { Self(credential: V2.NewCredential(json: [])) }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewPasskey>(
        "NewPasskey", "Registers a passkey.",
        [
            .required("credential", \.credential, "What the authenticator answered."),
            .accepted(
                "name", \.name,
                "What to call it: 1 to 40 characters (grapheme clusters), at least one of them visible. Default: Passkey."
            ),
        ])
}
