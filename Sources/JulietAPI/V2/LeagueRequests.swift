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

extension V2.NewLeague: V2.Body {
    package static var blank: Self { Self(name: "") }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.NewLeague>(
        "NewLeague", "Creates a league.",
        [
            .required(
                "name", \.name, "What to call it: 1 to 40 characters (grapheme clusters), at least one of them visible."
            )
        ])
}

extension V2.RenameLeague: V2.Body {
    package static var blank: Self { Self(name: nil) }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.RenameLeague>(
        "RenameLeague", "Changes a league's name.",
        [
            .accepted(
                "name", \.name,
                "What to call it: 1 to 40 characters (grapheme clusters), at least one of them visible. Without one nothing changes."
            )
        ])
}

extension V2.JoinLeague: V2.Body {
    package static var blank: Self { Self(invite: "") }

    /// The members.
    package static let jsonMembers = JSONMembers<V2.JoinLeague>(
        "JoinLeague", "Joins a league.",
        [
            .required(
                "invite", \.invite,
                "As people type it: letter case, hyphens and blanks do not matter, I and L are 1, O is 0.")
        ])
}
