import StrictEncoding

/// What an authenticator answers to a registration (WebAuthn Level 3 §6.5.4).
enum AttestationObject {
    /// Bytes of one that are read at all. Those of TPMs with their certificates take some 6,000.
    static let maximumSize = 65_536

    /// The authenticator data in it; nil: it is none. Format and statement must be there, and are not looked at.
    static func authenticatorData(_ bytes: [UInt8]) -> AuthenticatorData? {
        guard bytes.count <= maximumSize, let object = try? CBORReader.item(bytes),
            case .text? = object[.text("fmt")], object[.text("attStmt")] != nil,
            let data = object[.text("authData")]?.bytes
        else { return nil }
        return AuthenticatorData(data)
    }
}
