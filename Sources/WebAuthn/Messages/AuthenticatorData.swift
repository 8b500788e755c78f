/// The data that an authenticator signs (WebAuthn Level 3 §6.1).
struct AuthenticatorData {
    /// The flags. Reserved bits are ignored.
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 1 << 0)
        static let userVerified = Flags(rawValue: 1 << 2)
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let attestedCredential = Flags(rawValue: 1 << 6)
        static let extensions = Flags(rawValue: 1 << 7)
    }

    /// A new credential in it (§6.5.2).
    struct AttestedCredential {
        let aaguid: [UInt8]
        let id: [UInt8]
        let key: CBOR
        let keyBytes: [UInt8]
    }

    let flags: Flags
    let signCount: UInt32
    /// The SHA-256 of the RP ID.
    let relyingPartyHash: [UInt8]
    /// The credential, then the extensions.
    private let rest: ArraySlice<UInt8>

    /// Reads what they all have; nil: they are too short.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 37 else { return nil }
        relyingPartyHash = Array(bytes[..<32])
        flags = Flags(rawValue: bytes[32])
        signCount = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        rest = bytes[37...]
    }

    /// The new credential; nil: there is none, or what follows is not as long as it says, or not CBOR.
    func attestedCredential() -> AttestedCredential? {
        guard flags.contains(.attestedCredential), rest.count >= 18 else { return nil }
        let start = rest.startIndex + 18
        let count = Int(rest[start - 2]) << 8 | Int(rest[start - 1])
        // §7.1 step 25.
        guard 1...1023 ~= count, rest.endIndex - start >= count else { return nil }
        var reader = CBORReader(rest[(start + count)...])
        guard let key = try? reader.item() else { return nil }
        let end = reader.position
        guard areExtensions(rest[end...]) else { return nil }
        return AttestedCredential(
            aaguid: Array(rest.prefix(16)), id: Array(rest[start..<start + count]), key: key,
            keyBytes: Array(rest[(start + count)..<end]))
    }

    /// Whether there is no new credential, as in assertions (§6.1), and what follows is as they say.
    func hasNoCredential() -> Bool { !flags.contains(.attestedCredential) && areExtensions(rest) }

    /// Whether bytes are a map of extensions if the flag says so, or nothing. The extensions are not checked
    /// (§7.1 step 28), nor the form in which they are written.
    private func areExtensions(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard flags.contains(.extensions) else { return bytes.isEmpty }
        return (try? CBORReader.item(Array(bytes), form: .wellFormed))?.entries != nil
    }
}
