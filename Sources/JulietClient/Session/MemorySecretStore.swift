/// Keeps secrets in memory, until the process ends: for tests and previews.
public actor MemorySecretStore: SecretStore {
    private var secrets: [String: [UInt8]]

    /// Makes a store.
    ///
    /// - Parameter secrets: What it begins with.
    public init(_ secrets: [String: [UInt8]] = [:]) {
        self.secrets = secrets
    }

    /// The secret stored under a name; nil: none.
    public func load(_ name: String) -> [UInt8]? { secrets[name] }

    /// Stores a secret, replacing the former one.
    public func save(_ secret: [UInt8], as name: String) { secrets[name] = secret }

    /// Deletes the secret stored under a name.
    public func delete(_ name: String) { secrets[name] = nil }
}
