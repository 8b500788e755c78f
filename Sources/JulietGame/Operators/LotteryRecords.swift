package import Lottery
package import Postgres
import StrictEncoding

/// The lottery for operators, over one session of the role that owns the tables. Each change is recorded in the audit trail,
/// in the same transaction.
package struct LotteryRecords {
    /// What an import changed.
    package struct Import: Sendable, Hashable, Encodable {
        /// Users that are new.
        package let usersAdded: Int
        /// Users whose names changed, or who are back.
        package let usersChanged: Int
        /// Users whom the document does not name any more.
        package let usersRemoved: Int
        /// Users who take part now.
        package let entered: Int
        /// Entries that became void, or count again.
        package let changed: Int
        /// Users who take part no longer.
        package let left: Int
    }

    /// A change of an entry.
    package enum Change: String, Sendable {
        case enter, leave, void, valid
    }

    /// Somebody who takes part.
    package struct Participant: Sendable, Hashable, Encodable {
        /// Their number.
        package let userID: Int
        /// Their name.
        package let name: String
        /// Their short name.
        package let username: String
        /// Whether the entry is void.
        package let isVoid: Bool
        /// The account id, of a player.
        package let player: String?

        private enum CodingKeys: String, CodingKey {
            case userID = "userId"
            case name, username, player
            case isVoid = "void"
        }
    }

    /// A number that no user or player has.
    package struct UnknownParticipant: Error, Hashable {
        /// The number.
        package let userID: Int
    }

    private let connection: PostgresConnection
    private let actor: String

    /// How much can be won.
    package static let prizes = 0...1_000_000

    /// Works on this session.
    ///
    /// - Parameter actor: The name for the audit trail.
    package init(connection: PostgresConnection, actor: String) {
        self.connection = connection
        self.actor = actor
    }

    /// Imports both documents completely, or nothing. A repeat changes nothing; players stay as they are.
    ///
    /// - Parameter users: As ``LotteryDocuments/users(in:numbers:)`` reads ``LotteryDocuments/ownNumbers``.
    /// - Throws: Nothing was changed, unless with the code `outcomeUnknown`.
    package func `import`(_ users: [LotteryUser], _ entries: [LotteryEntry]) async throws(PostgresError) -> Import? {
        try await connection.first(ImportLottery(actor: actor, users: users, entries: entries))
    }

    /// Changes the entries of participants: all, or none.
    ///
    /// - Returns: For each, whether it changed; or the first number that nobody has or, for ``Change/void`` and
    ///   ``Change/valid``, that has no entry.
    package func change(
        _ numbers: [Int], _ change: Change
    ) async throws(PostgresError) -> Result<[Bool], UnknownParticipant> {
        do throws(PostgresError) {
            try await connection.executeScript("BEGIN")
            var changes: [Bool] = []
            for number in numbers {
                let answer = try await connection.first(ChangeEntry(actor: actor, number: number, change: change))
                guard let answer, answer.refusal == nil else {
                    try await connection.executeScript("ROLLBACK")
                    return .failure(UnknownParticipant(userID: number))
                }
                changes.append(answer.isNew)
            }
            try await connection.executeScript("COMMIT")
            return .success(changes)
        } catch {
            try? await connection.executeScript("ROLLBACK")
            throw error
        }
    }

    /// Lets a player of the game take part.
    ///
    /// - Returns: Their place, and whether it is new; nil: there is no such player.
    package func enter(_ player: User.ID) async throws(PostgresError) -> (place: LotteryPlace, isNew: Bool)? {
        let answer = try await connection.first(EnterPlayer(actor: actor, player: player))
        return answer.flatMap { $0.refusal == nil ? ($0.place, $0.isNew) : nil }
    }

    /// Announces the prize of the next draw.
    ///
    /// - Parameter prize: Within ``prizes``; 0 takes the prize away.
    /// - Returns: The draw's number and its commitment, as hexadecimal digits.
    package func announce(prize: Int) async throws(PostgresError) -> (number: Int, commitment: String) {
        let number = try await connection.first(AnnouncePrize(actor: actor, prize: prize)) ?? 0
        let draw = try await connection.first(ShowDraw(number: number))?.draw
        return (number, Hexadecimal.encode(draw?.commitment ?? []))
    }

    /// Those who take part, in the order of the list.
    package func list() async throws(PostgresError) -> [Participant] {
        try await connection.execute(ListParticipants())
    }
}

private struct ImportLottery: Statement {
    var sql: StaticString {
        """
        SELECT counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]
        FROM juliet.import_lottery($1, $2, $3, $4, $5::text[]::date[], $6, $7) AS counts
        """
    }
    let actor: String
    let users: [LotteryUser]
    let entries: [LotteryEntry]

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(users.map { Int64($0.userID) })
        parameters.append(users.map(\.name))
        parameters.append(users.map(\.username))
        parameters.append(users.map(\.registrationDate))
        parameters.append(entries.map { Int64($0.userID) })
        parameters.append(entries.map(\.isVoid))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LotteryRecords.Import {
        func next() throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
        return LotteryRecords.Import(
            usersAdded: try next(), usersChanged: try next(), usersRemoved: try next(), entered: try next(),
            changed: try next(), left: try next())
    }
}

private struct ChangeEntry: Statement {
    var sql: StaticString { "SELECT refusal, is_new, participant, entries FROM juliet.change_entry($1, $2, $3)" }
    let actor: String
    let number: Int
    let change: LotteryRecords.Change

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(Int64(number))
        parameters.append(change.rawValue)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LotteryAnswer {
        try LotteryAnswer(&row)
    }
}

private struct EnterPlayer: Statement {
    var sql: StaticString {
        "SELECT refusal, is_new, participant, entries FROM juliet.enter_player($1::text, $2::text)"
    }
    let actor: String
    let player: User.ID

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(player.rawValue)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LotteryAnswer {
        try LotteryAnswer(&row)
    }
}

private struct AnnouncePrize: Statement {
    var sql: StaticString { "SELECT juliet.announce_prize($1, $2)" }
    let actor: String
    let prize: Int

    func bind(to parameters: inout Parameters) {
        parameters.append(actor)
        parameters.append(Int32(clamping: prize))
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int { Int(try row.next(Int64.self)) }
}

private struct ListParticipants: Statement {
    var sql: StaticString {
        """
        SELECT number, juliet.lottery_name(p), coalesce(username, 'player' || number), is_void, user_id
        FROM juliet.lottery_entries JOIN juliet.lottery_participants AS p ON number = participant ORDER BY place
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LotteryRecords.Participant {
        LotteryRecords.Participant(
            userID: Int(try row.next(Int64.self)), name: try row.next(), username: try row.next(),
            isVoid: try row.next(), player: try row.next())
    }
}
