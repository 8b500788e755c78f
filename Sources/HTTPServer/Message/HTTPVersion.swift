/// The versions this server speaks; any other is refused (RFC 9112 §2.3).
public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.0
    case http10
    /// HTTP/1.1
    case http11
}
