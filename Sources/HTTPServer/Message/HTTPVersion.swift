/// The versions this server speaks. HTTP/1.2 to 1.9 are served as 1.1 (RFC 9110 §2.5); another major version is refused.
public enum HTTPVersion: Sendable, Hashable {
    /// HTTP/1.0
    case http10
    /// HTTP/1.1, or a later 1.x
    case http11
}
