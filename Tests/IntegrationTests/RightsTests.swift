import TestSupport
import Testing

/// The role the service connects with plays the game and can do nothing else.
@Suite("Rights of the service")
struct RightsTests {
    @Test(
        "history is not rewritten, the schema not changed",
        arguments: [
            "UPDATE energy_ledger SET delta = 0", "DELETE FROM energy_ledger", "TRUNCATE energy_ledger",
            "INSERT INTO energy_ledger (user_id, entry, delta, balance_after, reason) VALUES ('x', 1, 5, 5, 'support')",
            "INSERT INTO energy_ledger (user_id, delta, balance_after, operation_id, is_done) VALUES ('x', 0, 5, 'k', true)",
            "UPDATE users SET operation_answer = NULL",
            "DELETE FROM users", "TRUNCATE users", "UPDATE users SET id = 'x'", "UPDATE users SET energy_entry = 7",
            "DELETE FROM played_words", "DELETE FROM words", "UPDATE words SET is_secret = true",
            "INSERT INTO words (language, word, is_secret) VALUES ('en', 'zzzzz', true)", "DROP TABLE played_words",
            "ALTER TABLE users ADD COLUMN x integer", "CREATE TABLE x (id integer)",
            "UPDATE schema_migrations SET checksum = ''", "DELETE FROM schema_migrations",
            "ALTER TABLE users DISABLE TRIGGER ALL", "SET session_replication_role = replica",
        ])
    func refused(sql: String) async throws {
        let database = try await TestDatabase.shared()
        await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; \(sql)")
        }
    }

    @Test("what runs with the owner's rights is not led astray by the service's search_path")
    func searchPath() async throws {
        let database = try await TestDatabase.shared()
        let user = TestService.newUser()
        try await database.psql("INSERT INTO users (id, energy, energy_reason) VALUES ('\(user)', 30, 'registration')")
        try await database.psql(
            """
            SET ROLE player_service;
            CREATE TEMP TABLE energy_ledger (LIKE energy_ledger INCLUDING ALL);
            UPDATE users SET energy = energy - 5, energy_reason = 'game' WHERE id = '\(user)';
            UPDATE users SET wins = wins + 1, operation_id = 'win', operation_request = 1 WHERE id = '\(user)';
            SELECT record_operation('\(user)', 'word', 2, true, 25, 1);
            """)
        #expect(
            try await database.psql(
                "SELECT operation_id FROM energy_ledger WHERE user_id = '\(user)' ORDER BY operation_id")
                == "entry 1\nentry 2\nwin\nword")
        #expect(
            try await database.psql(
                """
                SELECT has_function_privilege('public', oid, 'EXECUTE') FROM pg_proc
                WHERE proname = 'record_operation'
                """) == "f")
    }

    @Test("a balance changes by what its reason allows and is never negative, whatever the service's SQL says")
    func constraints() async throws {
        let database = try await TestDatabase.shared()
        let user = TestService.newUser()
        try await database.psql("INSERT INTO users (id, energy, energy_reason) VALUES ('\(user)', 3, 'registration')")
        for change in [
            "energy = energy - 5, energy_reason = 'game'", "energy = 7", "energy = 10, energy_reason = 'purchase'",
            "wins = -1",
        ] {
            await #expect(throws: Command.Failure.self) {
                try await database.psql("SET ROLE player_service; UPDATE users SET \(change) WHERE id = '\(user)'")
            }
        }
        try await database.psql(
            "SET ROLE player_service; UPDATE users SET energy = energy + 5, energy_reason = 'purchase' WHERE id = '\(user)'"
        )
        #expect(try await database.psql("SELECT energy, wins FROM users WHERE id = '\(user)'") == "8|0")
    }
}
