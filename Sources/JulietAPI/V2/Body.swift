extension V2 {
    /// The body of a request: JSON both ways.
    ///
    /// `encoded()` is its canonical form: members in a fixed order, without absent and unknown ones, integers as
    /// integers. Two requests with the same canonical form are the same request, however they were written.
    package protocol Body: JSONObject, Hashable, Sendable {
        /// A body before its members are read.
        static var blank: Self { get }

        /// Refuses members that do not go together.
        func check() throws(RequestFault)
    }
}

extension V2.Body {
    /// All members go together.
    package func check() {}

    /// Reads a whole body, strictly.
    ///
    /// One JSON object (RFC 8259, UTF-8) of at most 32 levels, no name twice; no body at all is `{}`. Members beyond
    /// the known ones are ignored, but must be valid JSON. `null` is the absence of a member.
    ///
    /// - Throws: `RequestFault`.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self { try decode(body, below: "") }

    /// The same.
    ///
    /// - Parameter ignored: Members that are not known here.
    package static func decode(
        _ body: Span<UInt8>, ignoring ignored: [PartialKeyPath<Self>]
    ) throws(V2.RequestFault) -> Self {
        try decode(body, below: "", by: jsonMembers.without(ignored))
    }

    /// Reads an object within a body.
    ///
    /// - Parameter parent: A JSON Pointer to it.
    static func decode(_ object: Span<UInt8>, below parent: String) throws(V2.RequestFault) -> Self {
        try decode(object, below: parent, by: jsonMembers)
    }

    private static func decode(
        _ object: Span<UInt8>, below parent: String, by members: JSONMembers<Self>
    ) throws(V2.RequestFault) -> Self {
        var body = blank
        try members.read(object, into: &body, below: parent)
        try body.check()
        return body
    }
}
