// What the bodies of requests about leagues hold.

extension V2 {
    /// Creates a league.
    package struct NewLeague: Hashable, Sendable {
        /// The name, as sent.
        package var name: String

        /// Takes a name.
        package init(name: String) {
            self.name = name
        }
    }

    /// Changes a league's name.
    package struct RenameLeague: Hashable, Sendable {
        /// What to call it, as sent; nil changes nothing.
        package var name: String?

        /// Takes a name.
        package init(name: String?) {
            self.name = name
        }
    }

    /// Joins a league.
    package struct JoinLeague: Hashable, Sendable {
        /// The invite, as people typed it.
        package var invite: String

        /// Takes an invite.
        package init(invite: String) {
            self.invite = invite
        }
    }
}

extension V2.NewLeague: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewLeague>.request(
        "NewLeague", "Creates a league.",
        [
            .member("name", \.name, "What to call it: 1 to 40 characters, no control characters.")
        ])
}

extension V2.NewLeague: V2.Body {
    /// Reads `name`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let name = try V2.BodyMembers(body, ["name"])["name"]
        return Self(name: try name.requiredText(in: body))
    }
}

extension V2.RenameLeague: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.RenameLeague>.request(
        "RenameLeague", "Changes a league's name.",
        [
            .optional(
                "name", \.name,
                "What to call it: 1 to 40 characters, no control characters. Without one nothing changes.")
        ])
}

extension V2.RenameLeague: V2.Body {
    /// Reads `name`, a string that may be missing.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        Self(name: try V2.BodyMembers(body, ["name"])["name"].text(in: body))
    }
}

extension V2.JoinLeague: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.JoinLeague>.request(
        "JoinLeague", "Joins a league.",
        [
            .member(
                "invite", \.invite,
                "As people type it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0.")
        ])
}

extension V2.JoinLeague: V2.Body {
    /// Reads `invite`, a string.
    package static func decode(_ body: Span<UInt8>) throws(V2.RequestFault) -> Self {
        let invite = try V2.BodyMembers(body, ["invite"])["invite"]
        return Self(invite: try invite.requiredText(in: body))
    }
}
