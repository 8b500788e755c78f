/// Where secrets of the app lie that outlive it: a device's token, a recovery code.
///
/// `KeychainStore` on Apple's systems, `FileSecretStore` elsewhere, `MemorySecretStore` in tests and previews. A store of your own
/// has to keep one promise: what `save` has replaced is whole, the old value or the new one, whenever the process ends.
public protocol SecretStore: Sendable {
    /// What is kept under a name; nil: nothing.
    ///
    /// - Throws: `SecretStoreError`, or an error of the store's own: it is not known what is kept.
    func load(_ name: String) async throws -> [UInt8]?

    /// Keeps a secret in the place of what there was, and returns when a crash does not lose it any more.
    ///
    /// - Throws: `SecretStoreError`, or an error of the store's own: the old value is kept, or the new one.
    func save(_ secret: [UInt8], as name: String) async throws

    /// Forgets what is kept under a name, if anything is.
    ///
    /// - Throws: `SecretStoreError`, or an error of the store's own: it may be kept still.
    func delete(_ name: String) async throws
}

/// Why a store of secrets could not do what was asked. It holds no secret.
public struct SecretStoreError: Error, Hashable, Sendable {
    /// What kind of error it is. More may come: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name, stable.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The system could not read or write.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The device is locked, and has been since it started: try again when it is unlocked.
        public static let locked = Code(rawValue: "locked")
        /// What is kept is not what was written.
        public static let damaged = Code(rawValue: "damaged")
    }

    /// What kind of error it is.
    public var code: Code
    /// The system's number for it: `errno`, or an `OSStatus` of the Keychain.
    public var systemError: Int32?

    /// Describes an error.
    public init(_ code: Code, systemError: Int32? = nil) {
        self.code = code
        self.systemError = systemError
    }
}

extension SecretStoreError: CustomStringConvertible {
    /// The code, and the system's error if there is one.
    public var description: String {
        systemError.map { "\(code.rawValue) (\($0))" } ?? code.rawValue
    }
}
