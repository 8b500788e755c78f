package import JulietAPI
package import Postgres

/// Who did best: at the word of a day, and by wins in a day, a week, a month or of all time.
package struct Leaderboards: Sendable {
    private let database: PostgresClient
    /// How many players' changes are gathered at a time, which takes some milliseconds.
    private static let part = 1000

    /// Leaderboards on this database.
    package init(database: PostgresClient) { self.database = database }

    /// Gathers the changes on the boards since the last time, and removes boards that are over.
    ///
    /// - Returns: Whether there was anything to do.
    package func tend() async throws(PostgresError) -> Bool {
        var (part, total) = (0, 0)
        repeat {
            part = Int(try await database.first(FunctionCall.tendBoards(most: Self.part)) ?? 0)
            total += part
        } while part >= Self.part
        return total > 0
    }

    /// The board of a day's word. Refused: unauthorized; not found, also for future days.
    ///
    /// - Parameters:
    ///   - limit: Entries at most, from 1 on.
    ///   - isAroundMe: Whether the entries are those around the player's, if there is one.
    package func day(
        _ day: V2.Day, for session: Credential?, limit: Int, isAroundMe: Bool
    ) async throws(PostgresError) -> V2Answer<V2.DailyLeaderboard> {
        guard let date = day.date else { return .refused(.notFound) }
        let page = FunctionCall.readBoard(
            session: session, board: "daily", day: date, limit: limit, isAroundMe: isAroundMe)
        return try await read(page).map { page in
            V2.DailyLeaderboard(
                entries: page.entries.map(V2.DailyLeaderboard.Entry.init), players: page.players,
                me: page.me.map(V2.DailyLeaderboard.Entry.init))
        }
    }

    /// The board of wins in the current period. Refused: unauthorized.
    package func wins(
        _ period: V2.Period, for session: Credential?, limit: Int, isAroundMe: Bool
    ) async throws(PostgresError) -> V2Answer<V2.WinsLeaderboard> {
        let page = FunctionCall.readBoard(
            session: session, board: period.rawValue, day: nil, limit: limit, isAroundMe: isAroundMe)
        return try await read(page).map { page in
            V2.WinsLeaderboard(
                entries: page.entries.map(V2.WinsLeaderboard.Entry.init), players: page.players,
                me: page.me.map(V2.WinsLeaderboard.Entry.init))
        }
    }

    private func read(_ page: FunctionCall<BoardAnswer>) async throws(PostgresError) -> V2Answer<BoardPage> {
        let rows = try await database.execute(page)
        if let refusal = rows.first?.refusal { return .refused(refusal) }
        return .done(
            BoardPage(
                players: rows.first?.players ?? 0, entries: rows.filter(\.isListed),
                me: rows.dropFirst().first { !$0.isListed }))
    }
}

private struct BoardPage {
    let players: Int
    let entries: [BoardAnswer]
    let me: BoardAnswer?
}

/// A `board_answer`: the first row says how many players there are, the others are entries.
struct BoardAnswer: PostgresDecodable, Sendable {
    let refusal: V2Refusal?
    let players: Int
    let rank: Int
    let name: String
    /// The value that the board is sorted by.
    let score: Int64
    let isMe: Bool
    /// Whether it is an entry of the page. The player's own entry comes once more, whether or not it is on the page.
    let isListed: Bool

    init(binary bytes: Span<UInt8>, type: PostgresType) throws(PostgresDecodingError.Reason) {
        var fields = CompositeReader()
        refusal = try fields.refusal(in: bytes)
        players = Int(try fields.next(Int64?.self, in: bytes) ?? 0)
        rank = Int(try fields.next(Int64?.self, in: bytes) ?? 0)
        name = try fields.next(String?.self, in: bytes) ?? ""
        score = try fields.next(Int64?.self, in: bytes) ?? 0
        isMe = try fields.next(Bool?.self, in: bytes) ?? false
        isListed = try fields.next(Bool?.self, in: bytes) ?? false
    }
}

extension V2.DailyLeaderboard.Entry {
    fileprivate init(_ row: BoardAnswer) {
        self.init(
            rank: row.rank, name: row.name, guesses: Int(row.score >> 32), seconds: Int(row.score & 0xFFFF_FFFF),
            isMe: row.isMe)
    }
}

extension V2.WinsLeaderboard.Entry {
    fileprivate init(_ row: BoardAnswer) {
        self.init(rank: row.rank, name: row.name, wins: Int(-row.score), isMe: row.isMe)
    }
}

extension FunctionCall<BoardAnswer> {
    /// A board has entries of all players.
    static func readBoard(session: Credential?, board: String, day: PostgresDate?, limit: Int, isAroundMe: Bool) -> Self
    {
        Self(
            "SELECT juliet.read_board($1, $2::juliet.board, $3, $4, $5)", session: session, access: .read,
            isSpread: false
        ) {
            $0.append(board, day, Int32(clamping: limit), isAroundMe)
        }
    }
}

extension FunctionCall<Int64> {
    static func tendBoards(most: Int) -> Self {
        Self("SELECT juliet.tend_boards($1)") { $0.append(Int32(clamping: most)) }
    }
}
