import EventLoop
import Postgres

// The example of the documentation's first page; `DocumentationTests` sees to it that both are the same, and runs it.

// begin
/// Takes points from a player. No row: the player has not that many, and keeps them.
struct TakePoints: Statement {
    let player: String
    let points: Int32

    var sql: StaticString {
        "UPDATE players SET points = points - $2 WHERE id = $1 AND points >= $2 RETURNING points"
    }

    /// Only this player's row is locked.
    var orderingKey: String? { player }

    func bind(to parameters: inout Parameters) {
        parameters.append(player, points)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 {
        try row.next(Int32.self)
    }
}

func play(_ configuration: PostgresConfiguration) async throws -> Int32? {
    let loop = try EventLoop(label: "database")
    defer { loop.shutdown() }

    // A session for what comes once: the schema.
    let connection = try await PostgresConnection.connect(configuration, on: loop)
    try await connection.executeScript(
        "CREATE TABLE players (id text PRIMARY KEY, points integer NOT NULL CHECK (points >= 0))")
    try await connection.run("INSERT INTO players VALUES ($1, $2)", ["Juliet", Int32(30)])
    await connection.close()

    // A client for what comes all the time. It lives as long as its `run()`.
    let client = PostgresClient(configuration: configuration, loops: [loop])
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await client.run() }
        let left = try await client.first(TakePoints(player: "Juliet", points: 5))
        try await client.withTransaction(isolation: .serializable) { transaction in
            _ = try await transaction.execute(TakePoints(player: "Juliet", points: 10))
            try await transaction.run("INSERT INTO players VALUES ($1, $2)", ["Romeo", Int32(10)])
        }
        group.cancelAll()
        return left
    }
}
// end
