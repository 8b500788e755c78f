/// A request method: a case-sensitive token (RFC 9110 §9.1).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The method as it stands in the request line.
    public let rawValue: String

    /// Wraps any token; only the methods named below are known to the server, others are answered with 501.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Transfer a representation of the resource (RFC 9110 §9.3.1).
    public static let get = HTTPMethod(rawValue: "GET")
    /// As GET, without the content (RFC 9110 §9.3.2).
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Process the content (RFC 9110 §9.3.3).
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replace the resource (RFC 9110 §9.3.4).
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Remove the resource (RFC 9110 §9.3.5).
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Make a tunnel (RFC 9110 §9.3.6); never offered by this server.
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    /// Ask what can be done (RFC 9110 §9.3.7).
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Loop the request back (RFC 9110 §9.3.8); never offered by this server.
    public static let trace = HTTPMethod(rawValue: "TRACE")
    /// Modify the resource (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")

    /// Whether the method is one of those named above; the rest is answered with 501 (RFC 9110 §15.6.2).
    public var isKnown: Bool {
        switch self {
        case .get, .post, .head, .options, .put, .delete, .patch, .connect, .trace: true
        default: false
        }
    }

    /// The method as it stands in the request line.
    public var description: String { rawValue }
}
