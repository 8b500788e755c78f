/// A store for secrets that outlive the app's process: a device's token, a recovery code.
///
/// `KeychainStore` on Apple's systems, `FileSecretStore` elsewhere, `MemorySecretStore` in tests and previews. Your own store must
/// make one guarantee: whenever the process ends, the value is complete, either the old one or the new one.
public protocol SecretStore: Sendable {
    /// The secret stored under a name; nil: none.
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

/// Why a call of a store of secrets failed. It contains no secret.
public struct SecretStoreError: Error, Hashable, Sendable {
    /// The kind of error. There may be more kinds in later versions: a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name, stable.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The system could not read or write.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The device is locked; with `.afterFirstUnlock`, it has been since it started. Try again when it is unlocked.
        public static let locked = Code(rawValue: "locked")
        /// The stored value is damaged.
        public static let damaged = Code(rawValue: "damaged")
    }

    /// The kind of error.
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
