import Postgres

/// The data stored about a player in the lottery, from `lottery_records`.
package struct PlayersLottery: Sendable, Hashable, Codable {
    /// A draw that the player won.
    package struct Won: Sendable, Hashable, Codable {
        /// Its number.
        package let draw: Int
        /// When it started, ISO 8601 in UTC.
        package let at: String
        /// What was credited.
        package let energy: Int
    }

    /// The player's number as a participant.
    package let number: Int
    /// Whether they take part now.
    package let takesPart: Bool
    /// Whether their entry is void.
    package let isVoid: Bool
    /// Draws that are over, oldest first.
    package let won: [Won]
}

/// NULL: nothing.
struct ReadPlayersLottery: Statement {
    var sql: StaticString { "SELECT juliet.lottery_records($1)" }
    var access: StatementAccess { .read }
    let user: User.ID

    func bind(to parameters: inout Parameters) { parameters.append(user.rawValue) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> PlayersLottery? {
        try row.next(PostgresJSONBValue<PlayersLottery>?.self)?.value
    }
}
