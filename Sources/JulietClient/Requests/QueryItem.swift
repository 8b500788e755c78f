import JulietAPI

/// One `name=value` of a query.
public struct QueryItem: Codable, Hashable, Sendable {
    /// Not percent-encoded.
    public var name: String
    /// Not percent-encoded.
    public var value: String

    /// Names a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [QueryItem] {
    /// As they are sent, `name=value&name=value`: everything but letters, digits and `-._~` is encoded.
    var percentEncoded: String {
        map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    }
}
