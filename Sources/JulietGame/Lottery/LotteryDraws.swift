package import Lottery
package import Postgres

/// The lottery's records in PostgreSQL, for the service and for operators. Nobody can read a round, a winner or a seed
/// before its time, because the functions of the schema check the time.
package struct LotteryDraws: DrawRepository, ParticipantRepository {
    /// The database has no draw, although one was made.
    private struct NoDraw: Error {}

    private enum Road {
        case service(PostgresClient)
        case `operator`(PostgresConnection, actor: String)
    }

    private let road: Road

    /// As the service's role: it starts draws without a prize, with a pause between them.
    package init(database: PostgresClient) { road = .service(database) }

    /// As the role that owns the tables: it starts any draw.
    ///
    /// - Parameter actor: The name for the audit trail.
    package init(connection: PostgresConnection, actor: String) { road = .operator(connection, actor: actor) }

    /// The current state.
    package func look() async throws -> LotteryLook {
        let draws = try await execute(ShowLottery())
        guard let next = draws.last?.draw else { throw NoDraw() }
        return LotteryLook(next: next, last: draws.dropLast().last?.draw)
    }

    /// A draw with its frozen list.
    package func draw(_ number: Int?) async throws -> KeptDraw? {
        try await execute(ShowDraw(number: number)).first
    }

    /// Starts a draw, in two transactions: the first freezes the list, and the second draws.
    ///
    /// - Throws: The list may be frozen, or the draw may have started: start it again.
    package func start(_ number: Int) async throws -> DrawStart {
        switch road {
        case .service(let database):
            // Once more, if an operator announced a prize or took it back between the two.
            while let answer = try await database.first(RequestDraw(number: number)) {
                if let answer { return answer }
            }
        case .operator(let connection, let actor):
            let frozen = try await connection.first(FreezeList(number: number)) ?? nil
            if case .refused(let refusal) = frozen { return .refused(refusal) }
            if let answer = try await connection.first(StartDraw(actor: actor, number: number)) ?? nil { return answer }
        }
        return .refused(.unknownDraw)
    }

    /// Enters the player of a session; a repeat changes nothing. Only for the service.
    ///
    /// - Returns: nil: there is no such session.
    /// - Throws: With the code `outcomeUnknown` they may take part: enter again.
    package func enter(_ session: Credential) async throws(PostgresError) -> LotteryPlace? {
        guard case .service(let database) = road else { return nil }
        let answer = try await database.first(EnterLottery(session: session))
        return answer?.refusal == nil ? answer?.place : nil
    }

    /// The version of the documents, and of what draws show: it grows with every change of participants and entries.
    package func version() async throws(PostgresError) -> Int {
        Int(try await execute(FunctionCall.lotteryVersion()).first ?? 0)
    }

    /// The document of all users, as it is served.
    package func usersDocument() async throws(PostgresError) -> String {
        try await execute(FunctionCall.lotteryUsers()).first ?? ""
    }

    /// The document of those who take part, as it is served.
    package func listDocument() async throws(PostgresError) -> String {
        try await execute(FunctionCall.lotteryList()).first ?? ""
    }

    /// All users, by their numbers.
    package func users() async throws -> [LotteryUser] {
        try LotteryDocuments.users(in: Array(try await usersDocument().utf8))
    }

    /// Those who take part, in the order of the list.
    package func entries() async throws -> [LotteryEntry] {
        try LotteryDocuments.entries(in: Array(try await listDocument().utf8))
    }

    private func execute<S: Statement>(_ statement: S) async throws(PostgresError) -> [S.Row] {
        switch road {
        case .service(let database): try await database.execute(statement)
        case .operator(let connection, _): try await connection.execute(statement)
        }
    }
}

/// An entry of the lottery.
package struct LotteryPlace: Sendable, Hashable, Encodable {
    /// Their number.
    package let userID: Int
    /// How many entries there are.
    package let entries: Int

    private enum CodingKeys: String, CodingKey {
        case userID = "userId"
        case entries
    }
}
