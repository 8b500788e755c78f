import Postgres

/// What is kept about a player of the second contract beyond what is kept about all: as `player_records` gives it,
/// which tells neither word nor salt of a running game, and no digests of tokens and recovery codes.
/// Times are ISO 8601 in UTC.
package struct PlayerRecords: Sendable, Hashable, Codable {
    /// What became of the games that ended.
    package struct Statistics: Sendable, Hashable, Codable {
        /// How many ended.
        package let played: Int
        /// How many of them were won.
        package let won: Int
        /// How many in a row were won last.
        package let currentStreak: Int
        /// How many in a row were ever won.
        package let longestStreak: Int
        /// How many were won with 1, 2, … guesses.
        package let distribution: [Int]
    }

    /// The clock of energy that comes back.
    package struct Refill: Sendable, Hashable, Codable {
        /// What was due at its last change.
        package let due: Int
        /// From when the time for more runs.
        package let since: String
    }

    /// A device that is signed in.
    package struct Session: Sendable, Hashable, Codable {
        /// Names it.
        package let id: String
        /// When it began.
        package let createdAt: String
        /// The hour in which it was used last.
        package let lastUsedAt: String
    }

    /// A judged game.
    package struct Game: Sendable, Hashable, Codable {
        /// Names it.
        package let id: String
        /// `game`, `daily` or `archive`.
        package let kind: String
        /// True in hard mode.
        package let hard: Bool?
        /// The day, of a day's game.
        package let day: String?
        /// The language of its word.
        package let language: String
        /// The letters of its word.
        package let length: Int
        /// The guesses, one after the other.
        package let guesses: String
        /// Their marks, a letter for a letter: c correct, p present, a absent.
        package let marks: String
        /// `playing`, `won` or `lost`.
        package let state: String
        /// What the service committed to, in hex digits.
        package let commitment: String
        /// When it started.
        package let startedAt: String
        /// When it ended.
        package let endedAt: String?
        /// The energy that the word of the day brought.
        package let reward: Int?
        /// The word, of a game that has ended.
        package let secret: String?
        /// The salt, of a game that has ended.
        package let salt: String?
    }

    /// A place on a leaderboard.
    package struct Place: Sendable, Hashable, Codable {
        /// Which: `daily`, `day`, `week`, `month` or `all`.
        package let board: String
        /// The first day it is about.
        package let startsOn: String
        /// What it is sorted by.
        package let score: Int
        /// Since when.
        package let reachedAt: String
    }

    /// What the player is called.
    package let name: String
    /// What became of their games.
    package let statistics: Statistics
    /// The clock of energy that comes back.
    package let refill: Refill?
    /// The account of the published app that became this player.
    package let claimed: String?
    /// The devices, the oldest first.
    package let sessions: [Session]
    /// The games, the oldest first.
    package let games: [Game]
    /// The places on leaderboards.
    package let leaderboards: [Place]
}

/// NULL: no player of the second contract.
struct ReadPlayerRecords: Statement {
    var sql: StaticString { "SELECT juliet.player_records($1)" }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> PlayerRecords? {
        try row.next(PostgresJSONBValue<PlayerRecords>?.self)?.value
    }
}
