/// A method of HTTP (RFC 9110 §9), upper case.
public struct HTTPMethod: RawRepresentable, Codable, Hashable, Sendable {
    /// As it stands in the request line.
    public let rawValue: String

    /// Names a method.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Transfers a resource's current representation.
    public static let get = HTTPMethod(rawValue: "GET")
    /// The same as GET without the content.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Lets the resource process the content.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes the resource in part (RFC 5789).
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")

    /// Whether it only reads (RFC 9110 §9.2.1): such requests may run side by side and be sent once for many callers.
    public var isSafe: Bool {
        self == .get || self == .head
    }
}
