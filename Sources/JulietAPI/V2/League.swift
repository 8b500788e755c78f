extension V2 {
    /// A league, as one of its members sees it.
    public struct League: Codable, Hashable, Sendable, Identifiable {
        /// Its id.
        public var id: Identifier<League>
        /// Its name.
        public var name: String
        /// How many members it has.
        public var members: Int
        /// Whether the calling player owns it.
        public var isOwner: Bool
        /// The code with which others join, as people read it: `9F3K-QX7A`; nil for all except the owner.
        public var invite: String?
        /// When it was created.
        public var createdAt: Timestamp

        /// Describes a league.
        public init(
            id: Identifier<League>, name: String, members: Int, isOwner: Bool, invite: String? = nil,
            createdAt: Timestamp
        ) {
            self.id = id
            self.name = name
            self.members = members
            self.isOwner = isOwner
            self.invite = invite
            self.createdAt = createdAt
        }
    }

    /// The player's leagues.
    public struct LeagueList: Codable, Hashable, Sendable {
        /// In the order in which the player joined them.
        public var leagues: [League]

        /// Takes leagues.
        public init(leagues: [League]) {
            self.leagues = leagues
        }
    }

    /// A league that was created or joined.
    public struct JoinedLeague: Codable, Hashable, Sendable {
        /// The league.
        public var league: League

        /// Takes a league.
        public init(league: League) {
            self.league = league
        }
    }

    /// A new invite of a league. The old one no longer works.
    public struct RenewedInvite: Codable, Hashable, Sendable {
        /// As people read it: `9F3K-QX7A`.
        public var invite: String

        /// Takes an invite.
        public init(invite: String) {
            self.invite = invite
        }
    }

    /// The league that an invite is for.
    public struct Invitation: Codable, Hashable, Sendable {
        /// A league, as somebody sees it who is not a member.
        public struct League: Codable, Hashable, Sendable {
            /// Its name.
            public var name: String
            /// How many members it has.
            public var members: Int

            /// Describes a league.
            public init(name: String, members: Int) {
                self.name = name
                self.members = members
            }
        }

        /// The league.
        public var league: League

        /// Takes a league.
        public init(league: League) {
            self.league = league
        }
    }

    /// A member of a league.
    public struct LeagueMember: Codable, Hashable, Sendable, Identifiable {
        /// The id of the membership, not of the player, who has another one in each league.
        public var id: Identifier<LeagueMember>
        /// The player's current name.
        public var name: String
        /// True: the league's owner; nil: not.
        public var isOwner: Bool?
        /// True: the calling player; nil: not.
        public var isMe: Bool?
        /// When they joined.
        public var joinedAt: Timestamp

        /// Describes a member.
        public init(
            id: Identifier<LeagueMember>, name: String, isOwner: Bool = false, isMe: Bool = false, joinedAt: Timestamp
        ) {
            self.id = id
            self.name = name
            self.isOwner = isOwner ? true : nil
            self.isMe = isMe ? true : nil
            self.joinedAt = joinedAt
        }
    }

    /// The members of a league.
    public struct LeagueMemberList: Codable, Hashable, Sendable {
        /// The member who joined first, who owns the league, is first.
        public var members: [LeagueMember]

        /// Takes members.
        public init(members: [LeagueMember]) {
            self.members = members
        }
    }
}

extension V2.Identifier where Subject == V2.LeagueMember {
    /// The member who asks.
    public static let me = Self("me")
}

extension Schema.Rule {
    /// An invite, in two groups.
    fileprivate static let invite = Self.pattern("^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$")
}

extension V2.League: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.League>(
        "League", "A league, as one of its members sees it.",
        [
            .member("id", \.id, "The league's id."),
            .member("name", \.name, "What it is called."),
            .member("members", \.members, "How many members it has.", .minimum(1)),
            .member("isOwner", \.isOwner, "Whether the calling player owns it."),
            .optional("invite", \.invite, "The code with which others join; only the owner gets it.", .invite),
            .member("createdAt", \.createdAt, "When it was created."),
        ])
}

extension V2.LeagueList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LeagueList>(
        "LeagueList", "The player's leagues.",
        [
            .member("leagues", \.leagues, "In the order in which the player joined them.")
        ])
}

extension V2.JoinedLeague: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.JoinedLeague>(
        "JoinedLeague", "A league that was created or joined.",
        [
            .member("league", \.league, "The league.")
        ])
}

extension V2.RenewedInvite: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.RenewedInvite>(
        "RenewedInvite", "A new invite of a league. The old one no longer works.",
        [
            .member("invite", \.invite, "The code with which others join.", .invite)
        ])
}

extension V2.Invitation.League: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Invitation.League>(
        "InvitingLeague", "A league, as a player who is not a member sees it.",
        [
            .member("name", \.name, "What it is called."),
            .member("members", \.members, "How many members it has.", .minimum(1)),
        ])
}

extension V2.Invitation: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.Invitation>(
        "Invitation", "The league that an invite is for.",
        [
            .member("league", \.league, "The league.")
        ])
}

extension V2.LeagueMember: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LeagueMember>(
        "LeagueMember", "A member of a league.",
        [
            .member(
                "id", \.id, "The id of the membership, not of the player. In a URL, `me` stands for the calling player."
            ),
            .member("name", \.name, "The player's current name."),
            .optional("isOwner", \.isOwner, "`true` for the league's owner, otherwise missing."),
            .optional("isMe", \.isMe, "`true` for the calling player, otherwise missing."),
            .member("joinedAt", \.joinedAt, "When they joined."),
        ])
}

extension V2.LeagueMemberList: JSONObject {
    /// The members.
    package static let jsonMembers = JSONMembers<V2.LeagueMemberList>(
        "LeagueMemberList", "The members of a league.",
        [
            .member("members", \.members, "The member who joined first, who owns the league, is first.")
        ])
}
