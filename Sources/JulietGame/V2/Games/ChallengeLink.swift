package import JulietAPI
import Postgres

/// What everybody may see who sees a link to a challenge: nothing of the word but its length.
package struct ChallengeLink: Sendable {
    /// The maker's name; nil: the maker is deleted.
    package let maker: String?
    /// How many letters the word has.
    package let length: Int
    /// The day on which the challenge ends, in the host's time zone.
    package let lastDay: V2.Day
    /// Whether it has ended.
    package let isOver: Bool

    /// A link that shows these.
    package init(maker: String?, length: Int, lastDay: V2.Day, isOver: Bool) {
        self.maker = maker
        self.length = length
        self.lastDay = lastDay
        self.isOver = isOver
    }
}

/// No row: there is no such challenge.
struct ReadChallengeLink: Statement {
    var sql: StaticString {
        "SELECT maker_name, word_length, last_day, is_over FROM juliet.read_challenge_link($1)"
    }
    var access: StatementAccess { .read }
    let code: V2.ShareCode

    func bind(to parameters: inout Parameters) { parameters.append(code.characters) }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> ChallengeLink {
        ChallengeLink(
            maker: try row.next(), length: Int(try row.next(Int32.self)),
            lastDay: V2.Day(try row.next(PostgresDate.self)), isOver: try row.next())
    }
}
