/// Keeps secrets in memory, until the process ends: for tests and previews.
public actor MemorySecretStore: SecretStore {
    private var secrets: [String: [UInt8]]

    /// Makes a store.
    ///
    /// - Parameter secrets: What it begins with.
    public init(_ secrets: [String: [UInt8]] = [:]) {
        self.secrets = secrets
    }

    /// What is kept under a name; nil: nothing.
    public func load(_ name: String) -> [UInt8]? { secrets[name] }

    /// Keeps a secret in the place of what there was.
    public func save(_ secret: [UInt8], as name: String) { secrets[name] = secret }

    /// Forgets what is kept under a name.
    public func delete(_ name: String) { secrets[name] = nil }
}
