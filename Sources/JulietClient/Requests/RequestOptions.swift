/// How one request is sent and treated, beyond what HTTP says.
public struct RequestOptions: Codable, Hashable, Sendable {
    /// Replaces the client's base URL, `https://words.example.org/prod` for instance; nil keeps it. A request to another host (scheme, name
    /// or port) gets neither the API key nor a session's token: it brings its own credentials.
    public var host: String?
    /// How long one attempt may take; nil takes the client's.
    public var timeout: Duration?
    /// Whether the client's `prepare` hook may add credentials to it; default true.
    public var isAuthenticated: Bool
    /// Whether it may share the answer of an identical one that is under way; nil: GET and HEAD may.
    public var mayBeDeduplicated: Bool?
    /// A word for logs and observers; no secret.
    public var tag: String?
    /// Whether a queue asks the system for time to go on with it in the background (`QueueConfiguration.backgroundTime`);
    /// nil: for all but GET and HEAD.
    public var isBackground: Bool?

    /// Describes a treatment; the defaults suit most requests.
    public init(
        host: String? = nil, timeout: Duration? = nil, isAuthenticated: Bool = true, mayBeDeduplicated: Bool? = nil,
        tag: String? = nil, isBackground: Bool? = nil
    ) {
        self.host = host
        self.timeout = timeout
        self.isAuthenticated = isAuthenticated
        self.mayBeDeduplicated = mayBeDeduplicated
        self.tag = tag
        self.isBackground = isBackground
    }
}
