package import JulietAPI
import Postgres

/// The data stored only about players of `/v2`, from `player_records`. It has neither word nor salt
/// of a running game, and no digests of tokens and recovery codes. Times are ISO 8601 in UTC.
package struct PlayerExport: Sendable, Hashable, Codable {
    /// A device that is signed in.
    package struct Session: Sendable, Hashable, Codable {
        /// Its id.
        package let id: String
        /// When it began.
        package let createdAt: String
        /// The hour in which it was last used.
        package let lastUsedAt: String
        /// How it was opened: `registration`, `recoveryCode`, `passkey`, or a provider's name.
        package let by: String
    }

    /// A passkey, without its key.
    package struct Passkey: Sendable, Hashable, Codable {
        /// Its id.
        package let id: String
        /// The credential's id at its authenticator, in base64url.
        package let credentialId: String
        /// What the player calls it.
        package let name: String
        /// When it was registered.
        package let createdAt: String
        /// The hour in which it was last used; nil: never.
        package let lastUsedAt: String?
        /// Whether it was on several devices when it was last seen.
        package let isSynced: Bool
    }

    /// The player's account at a provider.
    package struct Identity: Sendable, Hashable, Codable {
        /// The provider's name in the settings when it was linked.
        package let provider: String
        /// The provider, as its tokens name it.
        package let issuer: String
        /// The provider's id of the player.
        package let subject: String
        /// When it was linked.
        package let createdAt: String
    }

    /// A league that the player is a member of.
    package struct League: Sendable, Hashable, Codable {
        /// Its id.
        package let id: String
        /// Its name.
        package let name: String
        /// Whether the player owns it.
        package let isOwner: Bool
        /// The membership's id.
        package let member: String
        /// When the player joined.
        package let joinedAt: String
    }

    /// A player who was merged into this one, with their ledger.
    package struct Merged: Sendable, Hashable, Codable {
        /// A change of their balance, and what it was for.
        package struct Entry: Sendable, Hashable, Codable {
            /// When.
            package let at: String
            /// By how much.
            package let delta: Int
            /// The balance after it.
            package let balance: Int
            /// Why, as players see it.
            package let reason: String
            /// The id of a judged game.
            package let game: String?
            /// The word of a game of the published app.
            package let word: String?
            /// A transaction of the App Store.
            package let transaction: String?
            /// The number of a draw.
            package let draw: Int?
            /// The reason that support gave.
            package let note: String?
            /// The other player of a merge.
            package let player: String?
        }

        /// A key that is remembered.
        package struct Key: Sendable, Hashable, Codable {
            /// The key.
            package let key: String
            /// When it was used.
            package let at: String
        }

        /// The id that the player had.
        package let id: String
        /// The id of the player they were merged into: this player, or one who was merged into this player later.
        package let into: String
        /// When.
        package let mergedAt: String
        /// The energy that was taken over; below 0, a debt.
        package let energy: Int
        /// Every change of the balance, the oldest first.
        package let energyEntries: [Entry]
        /// The keys that are remembered, the oldest first.
        package let idempotencyKeys: [Key]
    }

    /// Places on leaderboards.
    package struct Places: Sendable, Hashable, Codable {
        /// One among those who won a day's game.
        package struct Daily: Sendable, Hashable, Codable {
            /// The day.
            package let day: String
            /// How many guesses it took.
            package let guesses: Int
            /// How long it took.
            package let seconds: Int
            /// When the game ended.
            package let reachedAt: String
        }

        /// One among those who won games in a period.
        package struct Wins: Sendable, Hashable, Codable {
            /// `day`, `week`, `month` or `all`.
            package let period: String
            /// The first day it is about; nil: `all`.
            package let startsOn: String?
            /// How many games were won.
            package let wins: Int
            /// When the last of them was won.
            package let reachedAt: String
        }

        /// By day.
        package let daily: [Daily]
        /// By period.
        package let wins: [Wins]
    }

    /// The player's name.
    package let name: String
    /// The name that support has hidden; nil: none.
    package let hiddenName: String?
    /// The figures of their games.
    package let statistics: V2.Statistics
    /// The energy that is due and when more will be; nil: none is due, and the clock is stopped.
    package let refill: V2.Refill?
    /// The account of the published app that became this player.
    package let claimed: String?
    /// The accounts of players who were merged into this one; nil: none.
    package let claimedToo: [String]?
    /// Players who were merged into this one, oldest first; nil: nobody was.
    package let merged: [Merged]?
    /// The devices, the oldest first.
    package let sessions: [Session]
    /// The passkeys, the oldest first.
    package let passkeys: [Passkey]
    /// The identities, the oldest first.
    package let identities: [Identity]
    /// The games, the oldest first.
    package let games: [V2.Game]
    /// How many of them are not over.
    package var runningGames: Int { games.count { $0.state == .playing } }
    /// The challenges that the player made, the oldest first; without word and salt if the word was dealt.
    package let challenges: [V2.Challenge]
    /// The leagues, in the order in which the player joined them.
    package let leagues: [League]
    /// The places on leaderboards.
    package let leaderboards: Places
}

/// NULL: there is no such player of `/v2`.
struct ReadPlayerExport: Statement {
    var sql: StaticString { "SELECT juliet.player_records($1)" }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> PlayerExport? {
        try row.next(PostgresJSONBValue<PlayerExport>?.self)?.value
    }
}
