import Postgres

// The example of pipelines and rows on the documentation's first page; `DocumentationTests` sees to it that both are the
// same, and runs it.

// begin
/// Moves points from one player to another in one round trip. Both players exist: a statement that finds no row has not
/// failed, and the other one would take effect.
///
/// - Returns: What each has now.
/// - Throws: `PostgresError`, and neither row has changed: `.server` if the first player has not that many, for the
///   table's `CHECK` fails that statement, and so the transaction.
func give(_ points: Int32, on connection: PostgresConnection) async throws -> [String: Int32] {
    var pipeline = PostgresPipeline()
    pipeline.run("UPDATE players SET points = points - $2 WHERE id = $1", ["Juliet", points])
    pipeline.run("UPDATE players SET points = points + $2 WHERE id = $1", ["Romeo", points])
    _ = try await connection.execute(pipeline: pipeline, timeout: .seconds(5)).get()

    // Any number of rows, in constant memory: the server waits while nobody takes them.
    var all: [String: Int32] = [:]
    let rows = connection.rows("SELECT id, points FROM players") { (row) throws(PostgresDecodingError) in
        (id: try row.next(String.self), points: try row.next(Int32.self))
    }
    for try await row in rows { all[row.id] = row.points }
    return all
}
// end
