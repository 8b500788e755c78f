extension V2 {
    /// Names one thing of a kind, `V2.Game` for instance: an opaque text of at most 64 visible characters.
    public struct Identifier<Subject>: RawRepresentable, Codable, Hashable, Sendable {
        /// The value as it is sent.
        public let rawValue: String

        /// Takes an id as it was received.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Takes an id as it was received.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension V2.Identifier: ExpressibleByStringLiteral {
    /// Takes an id as it was received.
    public init(stringLiteral value: String) {
        rawValue = value
    }
}

extension V2.Identifier: CustomStringConvertible {
    /// The id.
    public var description: String { rawValue }
}

extension V2.Identifier: JSONWritable {
    /// 1 to 64 visible characters.
    package static var schema: Schema { Schema(.string, [.length(1...64)]) }
}
