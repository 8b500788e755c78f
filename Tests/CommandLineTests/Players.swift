import Foundation
import Postgres
import TestSupport

@testable import JulietGame
@testable import juliet

// Databases with players, and what the tests of ledgers do to them.

extension Program {
    /// A database with two players whose ledgers are right. ANNA was registered, paid for a game and bought 30: 55.
    /// BEN was registered: 30. Each has a win that changed no balance.
    static func withPlayers() async throws -> Program {
        let program = try await Program.migrated()
        try await program.psql(
            """
            SELECT register_user('ANNA', NULL, NULL), register_user('BEN', NULL, NULL);
            SELECT change_energy('ANNA', -5, 'game', 'music', NULL, NULL);
            SELECT buy_energy('ANNA', 30, 'buy', 1);
            SELECT add_win('ANNA', 'win', 2), add_win('BEN', 'win', 2)
            """)
        return program
    }

    /// Makes a function that finds the one game of which a condition is true. A query that reads games and changes them would
    /// run where they are, and on several servers may not.
    static let findGame = """
        CREATE FUNCTION pg_temp.game(condition text) RETURNS uuid LANGUAGE plpgsql AS $$
        DECLARE found uuid; BEGIN
         EXECUTE 'SELECT id FROM juliet.judged_games WHERE ' || condition INTO STRICT found;
         RETURN found; END $$;
        """

    /// A database with one player of `/v2`, called Ada, who claimed DEVICE-1 and its game of "music", then won a judged
    /// game and the day's, and plays another. All of that under names, where there can be one.
    static func withJudgedPlayer() async throws -> (program: Program, player: String) {
        let program = try await Program.migrated()
        let player = "6ed8320e-51c1-8a06-b8b0-2ca148cbfb98"
        let token = "sha256('token') || '\(player)'::bytea"
        try await program.psql(
            """
            \(findGame)
            INSERT INTO words (language, word, is_secret) VALUES ('en', 'apple', true), ('en', 'crane', false);
            SELECT refresh_word_lists();
            SELECT choose_daily_words(), register_user('DEVICE-1', NULL, NULL);
            SELECT change_energy('DEVICE-1', -5, 'game', 'music', 'app', 1, 'start_game');
            SELECT apply_rules('test', '{"players.claims": "allow"}');
            SELECT create_player('\(player)', 'Ada', 'DEVICE-1', \(token), gen_random_uuid(), sha256('code'));
            SELECT start_judged_game(\(token), 'en', 5, false, 'start', \(Operation(.init(""), .startJudgedGame).request));
            SELECT start_judged_game(\(token), 'en', 5, false, 'again', \(Operation(.init(""), .startJudgedGame).request));
            SELECT guess(\(token), pg_temp.game('true'), 'apple', NULL, 'guess', 5);
            SELECT start_daily_game(\(token), false);
            SELECT guess(\(token), pg_temp.game('day IS NOT NULL'), 'apple', 1, NULL, NULL);
            INSERT INTO words (language, word, is_secret) VALUES ('en', 'bread', true);
            SELECT refresh_word_lists();
            SELECT start_judged_game(\(token), 'en', 5, false, NULL, NULL);
            SELECT guess(\(token), pg_temp.game('ended_at IS NULL'), 'crane', NULL, NULL, NULL)
            """)
        return (program, player)
    }

    /// The same players, and transactions of the App Store: ANNA's T1 counts, her T2 was refunded and given back; BEN's T3
    /// was refunded; T4 was refunded before BEN presented it, T5 before anybody did.
    static func withPurchases() async throws -> Program {
        let program = try await withPlayers()
        func credit(_ player: String, _ number: String) -> String {
            """
            credit_purchase('\(player)', ROW('Production', '\(number)', 'thirty', 1, 30, NULL, '2026-01-01', '2026-01-01',
                NULL)::store_transaction, 30, NULL, NULL)
            """
        }
        func tell(_ id: String, _ type: String, _ number: String, _ day: Int) -> String {
            """
            store_notification('\(id)', 'signed', '\(type)', NULL, 'Production', '\(number)', NULL, '2026-02-0\(day)'),
                apply_notification('\(id)')
            """
        }
        try await program.psql(
            """
            SELECT \(credit("ANNA", "T1")), \(credit("ANNA", "T2")), \(credit("BEN", "T3"));
            SELECT \(tell("n1", "REFUND", "T2", 1)), \(tell("n2", "REFUND_REVERSED", "T2", 2));
            SELECT \(tell("n3", "REFUND", "T3", 1)), \(tell("n4", "REFUND", "T4", 1)), \(tell("n5", "REVOKE", "T5", 1));
            SELECT \(credit("BEN", "T4")), \(tell("n6", "CONSUMPTION_REQUEST", "T1", 1))
            """)
        return program
    }

    /// The same, and the first two entries of ANNA are in the archive.
    static func withArchive() async throws -> Program {
        let program = try await withPlayers()
        try await program.age(days: 500)
        let outcome = try await program.run(["energy", "archive"])
        guard outcome.output == "2 rows moved to the archive" else { throw Unusable(notes: outcome.notes) }
        return program
    }

    /// Makes what is young in the ledger older, and the seals as they would have been then.
    func age(days: Int) async throws {
        try await psql(
            """
            UPDATE energy_ledger SET created_at = earlier(created_at, '\(days) days')
            WHERE created_at > now() - interval '1 day'
            """)
        try await reseal()
    }

    /// On several servers an update calls only what depends on nothing else: not an interval's subtraction.
    static let earlier = """
        CREATE OR REPLACE FUNCTION public.earlier(at timestamptz, by interval) RETURNS timestamptz
        LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN at - by; END';
        """

    /// Makes the seals fit, as only a thorough forger would.
    func reseal() async throws {
        for (table, id) in [("users", "id"), ("closed_ledgers", "user_id")] {
            try await psql(
                """
                UPDATE \(table) AS player SET ledger_seal = coalesce((
                        SELECT seal FROM energy_checkpoints WHERE user_id = player.\(id) AND begins = 'ledger'), 0)
                    # (SELECT bit_xor(energy_entry_seal(
                            entry, delta, balance_after, reason, reference, energy_ledger.created_at))
                        FROM energy_ledger WHERE user_id = player.\(id) AND entry IS NOT NULL)
                """)
        }
    }

    /// Runs SQL as the superuser, and no trigger and no foreign key sees it, on no server.
    func harm(_ sql: String) async throws {
        let configuration = PostgresConfiguration(connectionString: cluster.connectionString(database: database))
        try await withSession(configuration) { connection in
            let isSpread = try await !connection.query("SELECT extname FROM pg_extension WHERE extname = 'citus'") {
                row throws(PostgresDecodingError) in try row.next(String.self)
            }.isEmpty
            let settings =
                (isSpread
                    ? ["citus.propagate_set_commands = 'local'", "citus.multi_shard_modify_mode = 'sequential'"] : [])
                + ["session_replication_role = replica", "search_path = juliet, public"]
            // One by one, because Citus passes settings on with the text that they came in.
            try await connection.inTransaction("BEGIN") { () async throws(PostgresError) in
                for setting in settings { try await connection.executeScript("SET LOCAL \(setting)") }
                try await connection.executeScript(sql)
            }
        }
    }

    /// Every row of what ledgers are made of, to find out whether anything changed.
    func ledgerRows() async throws -> String {
        let tables = ["users", "energy_ledger", "energy_ledger_archive", "energy_checkpoints", "closed_ledgers"]
        return try await psql(
            tables.map { "SELECT '\($0)', t::text FROM \($0) AS t" }.joined(separator: " UNION ALL ")
                + " ORDER BY 1, 2")
    }

    /// How many rows of all tables say this somewhere.
    func rows(thatSay text: String) async throws -> Int {
        let tables = try await psql(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'juliet'::regnamespace")
        let counts = tables.split(separator: "\n").map { table in
            "(SELECT count(*) FROM \(table) AS t WHERE strpos(t::text, '\(text)') > 0)"
        }
        return Int(try await psql("SELECT " + counts.joined(separator: " + "))) ?? -1
    }

    /// Waits until the server has noticed that all commands of this database have ended.
    func waitUntilAlone() async throws {
        for _ in 0..<3000 {
            let others = try await psql(
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = 'juliet'
                """)
            if others == "0" { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Unusable(notes: "a session does not end")
    }

    /// The audit's answer, without the time it took.
    func audit(archive files: [String] = []) async throws -> Outcome {
        let outcome = try await run(["energy", "audit"] + (files.isEmpty ? [] : ["--archive"] + files))
        return Outcome(
            status: outcome.status, output: outcome.output.replacing(#/ \([\d.]+ s\)$/#, with: ""), notes: outcome.notes
        )
    }
}

extension Program.Outcome {
    /// The output of a command that was run with `--json`.
    func document() throws -> [String: Any] {
        let document = try JSONSerialization.jsonObject(with: Data(output.utf8))
        return document as? [String: Any] ?? [:]
    }

    /// What an audit found: every line but the last.
    var faults: [String] { output.split(separator: "\n").dropLast().map(String.init) }
}
