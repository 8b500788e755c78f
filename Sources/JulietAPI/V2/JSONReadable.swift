/// A value that can be read in the body of a request.
package protocol JSONReadable: JSONWritable {
    /// Reads a member.
    ///
    /// - Returns: nil: it is missing or `null`.
    /// - Throws: `RequestFault` for a value of another kind, and for one that a rule excludes.
    static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self?
}

extension Bool: JSONReadable {
    package static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self? { try member.boolean() }
}

extension String: JSONReadable {
    /// The rule for accounts of the app is checked; names and the like are the game's.
    package static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self? {
        guard rules.contains(.account) else { return try member.text(in: body) }
        return try member.value("a string of 1 to 128 printable characters") { token in
            (try? token.text(in: body)).flatMap { isAccountID($0) ? $0 : nil }
        }
    }
}

extension Int: JSONReadable {
    package static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self? {
        guard case .range(let range) = rules.first else {
            return try member.value("an integer") { $0.integer(in: body) }
        }
        return try member.value("an integer from \(range.lowerBound) to \(range.upperBound)") { token in
            token.integer(in: body).flatMap { range ~= $0 ? $0 : nil }
        }
    }
}

extension V2.NewCredential: JSONReadable {
    package static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self? { try member.object(in: body).map(Self.init) }
}

extension V2.SignedCredential: JSONReadable {
    package static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self? { try member.object(in: body).map(Self.init) }
}

extension V2.IdentityProof: JSONReadable {
    package static func read(
        _ member: V2.BodyMember, in body: Span<UInt8>, _ rules: [Schema.Rule]
    ) throws(V2.RequestFault) -> Self? {
        guard let object = try member.object(in: body) else { return nil }
        return try decode(object.span, below: member.pointer)
    }
}
