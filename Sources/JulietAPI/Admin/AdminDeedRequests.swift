extension AdminRequests {
    /// Gives a player energy, or takes some.
    package struct EnergyChange: Hashable, Sendable {
        /// How much is added; below 0, taken.
        package var amount: Int
        /// The operator's reason.
        package var reason: String
        /// Whether the player may read the reason; nil: they may.
        package var isShown: Bool?
    }

    /// Removes ways to sign in.
    package struct WaysEnd: Hashable, Sendable {
        /// The kind of ways to remove.
        package var kind: String
        /// A session's or passkey's id, or an identity's provider; nil: all of that kind.
        package var one: String?
        /// The operator's reason.
        package var reason: String
    }

    /// A change that needs only a reason.
    package struct Deed: Hashable, Sendable {
        /// The operator's reason.
        package var reason: String
    }

    /// Deletes a player.
    package struct Deletion: Hashable, Sendable {
        /// The player's id, typed once more.
        package var id: String
        /// The operator's reason.
        package var reason: String
    }
}

extension AdminRequests.EnergyChange: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminEnergyChange", of: AdminRequests.EnergyChange.self, "Gives a player energy, or takes some.",
        [
            .member("amount", \.amount, "How much; below 0, what is taken."), .member("reason", \.reason, "Why."),
            .optional("isShown", \.isShown, "Whether the player may read why."),
        ])

    /// Reads `amount`, an integer, `reason`, a string, and `isShown`, a boolean.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "amount", "reason", "isShown")
        return Self(
            amount: try members.first.required(members.first.value("an integer") { $0.integer(in: body) }),
            reason: try members.second.required(members.second.text(in: body)),
            isShown: try members.third.boolean())
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("amount", amount)
        writer.member("reason", reason)
        writer.member("isShown", isShown)
    }
}

extension AdminRequests.WaysEnd: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminWaysEnd", of: AdminRequests.WaysEnd.self, "Removes ways to sign in.",
        [
            .member("kind", \.kind, "The kind of ways to remove."),
            .optional(
                "one", \.one, "A session's or passkey's id, or an identity's provider; without it, all of that kind."),
            .member("reason", \.reason, "Why."),
        ])

    /// Reads `kind`, `one` and `reason`, strings.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "kind", "one", "reason")
        return Self(
            kind: try members.first.required(members.first.text(in: body)), one: try members.second.text(in: body),
            reason: try members.third.required(members.third.text(in: body)))
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("kind", kind)
        writer.member("one", one)
        writer.member("reason", reason)
    }
}

extension AdminRequests.Deed: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminDeed", of: AdminRequests.Deed.self, "Changes something for which only a reason is needed.",
        [.member("reason", \.reason, "Why.")])

    /// Reads `reason`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let member = try V2.BodyMembers(body, "reason").first
        return Self(reason: try member.required(member.text(in: body)))
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) { writer.member("reason", reason) }
}

extension AdminRequests.Deletion: V2.Body {
    /// The members.
    package static let schema = Schema.request(
        "AdminDeletion", of: AdminRequests.Deletion.self, "Deletes a player.",
        [.member("id", \.id, "The player's id once more."), .member("reason", \.reason, "Why.")])

    /// Reads `id` and `reason`, strings.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let members = try V2.BodyMembers(body, "id", "reason")
        return Self(
            id: try members.first.required(members.first.text(in: body)),
            reason: try members.second.required(members.second.text(in: body)))
    }

    /// Writes the members.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("reason", reason)
    }
}
