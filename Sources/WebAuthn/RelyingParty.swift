/// Who asks for credentials, and verifies what authenticators answer, by WebAuthn Level 3 §7.
///
/// A value of constants, for any number of threads. Nothing here waits for anything or keeps anything.
public struct RelyingParty: Sendable, Equatable {
    /// The RP ID: a host, for example `juliet.example`, or `localhost`.
    public let id: String
    /// What authenticators show of it, which is up to whoever asks.
    public let name: String
    /// The origins that may ask, compared byte by byte: `https://juliet.example`, without a slash at the end, or an
    /// Android app's `android:apk-key-hash:…`.
    public let origins: Set<String>

    /// A relying party.
    ///
    /// - Parameters:
    ///   - id: The host of its origins, or a suffix of it that somebody can register; the caller sees to that.
    ///   - name: What authenticators show.
    ///   - origins: Who may ask; with none, every answer is refused.
    public init(id: String, name: String, origins: Set<String>) {
        self.id = id
        self.name = name
        self.origins = origins
    }
}
