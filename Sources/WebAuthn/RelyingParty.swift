/// The party that requests credentials and verifies the answers of authenticators, by WebAuthn Level 3 §7.
///
/// A value of constants, for any number of threads. Nothing here waits or is stored.
public struct RelyingParty: Sendable, Equatable {
    /// The RP ID: a host, for example `juliet.example`, or `localhost`.
    public let id: String
    /// The name that authenticators show.
    public let name: String
    /// The allowed origins, compared byte by byte: `https://juliet.example`, without a slash at the end, or an
    /// Android app's `android:apk-key-hash:…`.
    public let origins: Set<String>

    /// A relying party.
    ///
    /// - Parameters:
    ///   - id: The host of its origins, or a suffix of it that can be registered, which the caller must check.
    ///   - name: What authenticators show.
    ///   - origins: The allowed origins; with none, every answer is refused.
    public init(id: String, name: String, origins: Set<String>) {
        self.id = id
        self.name = name
        self.origins = origins
    }
}
