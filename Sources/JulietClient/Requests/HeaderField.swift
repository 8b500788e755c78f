/// One header field of a request or a response (RFC 9110 §5).
public struct HeaderField: Codable, Hashable, Sendable {
    /// Matches in any letter case.
    public var name: String
    /// Without blanks around it.
    public var value: String

    /// Names a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HeaderField] {
    /// The value of the first field of a name, in any letter case.
    func value(of name: String) -> String? {
        let name = name.lowercased()
        return first { $0.name.lowercased() == name }?.value
    }
}
