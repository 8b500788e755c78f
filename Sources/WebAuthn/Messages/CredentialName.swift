import StrictEncoding

/// How a client names a credential, in three members (WebAuthn Level 3 §5.1).
struct CredentialName: Sendable, Equatable {
    let id: String
    let rawId: String
    let type: String

    /// The name's bytes: 1 to 1,023; nil: the two texts differ, or the type is not `public-key`.
    var name: [UInt8]? {
        guard ExactText(type) == "public-key", ExactText(id) == ExactText(rawId),
            let name = Base64URL.decode(rawId), 1...1023 ~= name.count
        else { return nil }
        return name
    }

    /// Whether it is this one.
    func isNamed(_ other: [UInt8]) -> Bool { name == other }
}
