import EventLoop
import Postgres

/// Gives points to a player. No row: there is no such player.
struct GivePoints: Statement {
    let player: String
    let points: Int32

    var sql: StaticString { "UPDATE players SET points = points + $2 WHERE id = $1 RETURNING points" }
    /// Only this player's row is locked.
    var orderingKey: String? { player }

    func bind(to parameters: inout Parameters) { parameters.append(player, points) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int32 { try row.next() }
}

func reward(_ player: String, in configuration: PostgresConfiguration) async throws -> Int32? {
    let loop = try EventLoop(label: "database")
    defer { loop.shutdown() }
    let client = PostgresClient(configuration: configuration, loops: [loop])
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await client.run() }
        defer { group.cancelAll() }
        return try await client.first(GivePoints(player: player, points: 5))
    }
}
