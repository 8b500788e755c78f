import StrictEncoding

/// An authenticator's answer to a registration (WebAuthn Level 3 §6.5.4).
enum AttestationObject {
    /// The maximum size in bytes. Those of TPMs with their certificates take some 6,000.
    static let maximumSize = 65_536

    /// The authenticator data in it; nil: it is not valid. Format and statement must be there, but are not checked; nor is
    /// the form in which the map is written.
    static func authenticatorData(_ bytes: [UInt8]) -> AuthenticatorData? {
        guard bytes.count <= maximumSize, let object = try? CBORReader.item(bytes, form: .wellFormed),
            case .text? = object[.text("fmt")], object[.text("attStmt")] != nil,
            let data = object[.text("authData")]?.bytes
        else { return nil }
        return AuthenticatorData(data)
    }
}
