/// What operators send from the admin page. Not for clients: it changes with the page.
package enum AdminRequests {
    /// Changes a word, or adds one.
    package struct WordChange: Hashable, Sendable {
        /// What to do with it.
        package var change: String
        /// The operator's reason.
        package var reason: String
    }

    /// Ends a league or a challenge.
    package struct End: Hashable, Sendable {
        /// The operator's reason.
        package var reason: String
    }
}

extension AdminRequests.WordChange: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminWordChange", of: AdminRequests.WordChange.self, "Changes a word, or adds one.",
        [.member("change", \.change, "What to do with it."), .member("reason", \.reason, "Why.")])

    /// Reads `change` and `reason`, strings.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "change", "reason")
        return Self(
            change: try members.first.required(members.first.text(in: body)),
            reason: try members.second.required(members.second.text(in: body)))
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("change", change)
        writer.member("reason", reason)
    }
}

extension AdminRequests.End: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminEnd", of: AdminRequests.End.self, "Ends a league or a challenge.",
        [.member("reason", \.reason, "Why.")])

    /// Reads `reason`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let member = try V2.BodyMembers(body, "reason").first
        return Self(reason: try member.required(member.text(in: body)))
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) { writer.member("reason", reason) }
}
