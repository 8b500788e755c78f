import Foundation
import TestSupport
import Testing

/// What the functions of the service show beside their answers.
@Suite("A service that was taken over, and the secrets that functions read", .defaultLayout("about the functions"))
struct TakeoverSecretTests {
    /// The pages and rows that a transaction has noted to have read.
    private static let noted = """
        SELECT string_agg(DISTINCT coalesce(tables.relname, indexed.relname)::text, ' ')
        FROM pg_locks JOIN pg_class AS relation ON relation.oid = pg_locks.relation
            LEFT JOIN pg_class AS tables ON tables.oid = relation.oid AND tables.relkind = 'r'
            LEFT JOIN pg_index ON indexrelid = relation.oid LEFT JOIN pg_class AS indexed ON indexed.oid = indrelid
        WHERE pid = pg_backend_pid() AND (mode = 'SIReadLock' OR page IS NOT NULL OR tuple IS NOT NULL)
        """

    @Test("a challenge is dealt any secret but those of its maker's own games, so drawing finds no day's word")
    func challenges() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(ServiceFunction.world)
        let drawn = """
            SELECT count(DISTINCT picked) FROM (SELECT pick_challenge_word(\(ServiceFunction.id("02")), '', 'en', 5) AS picked
                FROM generate_series(1, 3000)) AS words
            """
        // A running game and a challenge that 02 has not begun: the game's word alone is left out.
        #expect(try await database.psql(drawn) == "63")
        #expect(try await database.psql(drawn.replacing("02", with: "01")) == "64")
        // Also when all but the days' words are played.
        try await database.psql(
            """
            SELECT note_played_word(\(ServiceFunction.id("01")), id, place) FROM words
            WHERE is_secret AND word NOT IN (SELECT word FROM daily_words WHERE day BETWEEN today() AND today() + 2)
            """)
        let left = """
            SELECT count(DISTINCT picked), count(*) FILTER (WHERE picked NOT IN (
                SELECT word FROM daily_words WHERE day BETWEEN today() AND today() + 2))
            FROM (SELECT pick_challenge_word(\(ServiceFunction.id("01")), played_secrets, 'en', 5) AS picked
                FROM users, generate_series(1, 200) WHERE id = \(ServiceFunction.id("01"))) AS words
            """
        #expect(try await database.psql(left) == "3|0")
    }
}
