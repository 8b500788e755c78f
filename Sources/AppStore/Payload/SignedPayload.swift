import StrictEncoding

/// What the App Store signs: JSON with the date of the signature in it. Unknown members are ignored, because Apple adds some.
protocol SignedPayload {
    /// When it was signed.
    var signedDate: AppStoreDate { get }

    /// Reads the members that count.
    ///
    /// - Throws: `malformed` when one is missing or of another type.
    init(_ members: SignedMembers) throws(AppStoreRefusal)
}

extension SignedPayload {
    /// Reads a text; as above.
    init(json: [UInt8]) throws(AppStoreRefusal) {
        guard let members = JSON(json).flatMap(SignedMembers.init) else { throw .malformed }
        try self.init(members)
    }
}

/// The members of an object. One that is `null` counts as missing.
struct SignedMembers {
    private let members: [ExactText: JSON]

    /// The members of an object.
    init(_ members: [ExactText: JSON]) { self.members = members }

    /// nil for other values than an object.
    init?(_ json: JSON) {
        guard let members = json.members else { return nil }
        self.members = members
    }

    /// A member that may be missing.
    ///
    /// - Throws: `malformed` when there is one that cannot be read so.
    func optional<Value>(_ name: ExactText, _ read: (JSON) -> Value?) throws(AppStoreRefusal) -> Value? {
        guard let json = members[name], json != .null else { return nil }
        guard let value = read(json) else { throw .malformed }
        return value
    }

    /// A member that must be there; as above.
    func required<Value>(_ name: ExactText, _ read: (JSON) -> Value?) throws(AppStoreRefusal) -> Value {
        guard let value = try optional(name, read) else { throw .malformed }
        return value
    }
}

extension JSON {
    /// The text of a string; nil for anything else.
    var string: String? { text?.string }
}

/// A name that is kept as a key: 1 to 64 visible ASCII characters.
struct StoredName {
    let text: String

    init?(_ json: JSON) {
        guard let text = json.text, 1...64 ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return nil
        }
        self.text = text.string
    }
}
