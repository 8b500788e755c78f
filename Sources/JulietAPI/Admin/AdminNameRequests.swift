extension AdminRequests {
    /// Gives a player another name, hides it, or shows it again.
    package struct NameChange: Hashable, Sendable {
        /// What to do with it.
        package var change: String
        /// The new name, to rename.
        package var name: String?
        /// The operator's reason.
        package var reason: String
    }
}

extension AdminRequests.NameChange: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminNameChange", of: AdminRequests.NameChange.self, "Changes a player's name.",
        [
            .member("change", \.change, "What to do with it."), .optional("name", \.name, "The new name."),
            .member("reason", \.reason, "Why."),
        ])

    /// Reads `change` and `reason`, strings, and `name`, which may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "change", "name", "reason")
        return Self(
            change: try members.first.required(members.first.text(in: body)), name: try members.second.text(in: body),
            reason: try members.third.required(members.third.text(in: body)))
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("change", change)
        writer.member("name", name)
        writer.member("reason", reason)
    }
}
