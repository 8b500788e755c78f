import Postgres

// The example of `COPY` on the first page.

// begin
/// Loads players, and reads all of them back.
///
/// - Throws: `PostgresError`; no player was loaded then.
func load(_ players: [String: Int32], on connection: PostgresConnection) async throws -> [String: Int32] {
    // A value goes into a column of its own type: nothing is converted. More or fewer values than columns are refused.
    try await connection.copyIn(players, into: "players", columns: ["id", "points"]) { row, player in
        row.append(player.key, player.value)
    }
    var all: [String: Int32] = [:]
    let rows = connection.rows(copying: "SELECT id, points FROM players") { (row) throws(PostgresDecodingError) in
        (id: try row.next(String.self), points: try row.next(Int32.self))
    }
    for try await row in rows { all[row.id] = row.points }
    return all
}
// end
