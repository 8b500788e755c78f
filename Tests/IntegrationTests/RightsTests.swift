import Foundation
import JulietAPI
import TestSupport
import Testing

/// The role the service connects with asks the game's functions, and can do nothing else.
@Suite("Rights of the service", .everyLayout)
struct RightsTests {
    @Test(
        "it writes to no table, reads no ledger, makes nothing of its own, and calls no part of a function",
        arguments: [
            "INSERT INTO energy_ledger (user_id, operation_id, delta, balance_after) VALUES ('x', 'k', 0, 5)",
            "UPDATE energy_ledger SET delta = 0", "DELETE FROM energy_ledger", "TRUNCATE energy_ledger",
            "SELECT delta FROM energy_ledger", "SELECT energy FROM users", "SELECT ledger_seal FROM users",
            "SELECT * FROM played_words", "SELECT * FROM energy_ledger_archive", "SELECT * FROM energy_checkpoints",
            "SELECT * FROM closed_ledgers", "SELECT id FROM users FOR UPDATE",
            """
            INSERT INTO users (id, energy, ledger_entry, ledger_seal) VALUES ('x', 1000000, 1, 0)
            """,
            "UPDATE users SET energy = 99, ledger_entry = 2", "UPDATE users SET wins = 2000000000",
            "UPDATE users SET id = 'x'", "UPDATE users SET played_secrets = ''", "DELETE FROM users", "TRUNCATE users",
            "INSERT INTO played_words (user_id, number, word_id, played_at) VALUES ('x', 1, 1, 'infinity')",
            "SELECT ctid FROM words", "SELECT xmax FROM words", "LOCK TABLE words IN ACCESS SHARE MODE",
            "DELETE FROM played_words", "DELETE FROM words", "UPDATE words SET is_secret = true",
            "INSERT INTO words (language, word, is_secret) VALUES ('en', 'zzzzz', true)",
            "UPDATE word_lists SET dealable = ''", "DROP TABLE played_words", "ALTER TABLE users ADD COLUMN x integer",
            "CREATE TABLE x (id integer)", "CREATE TEMPORARY TABLE energy_ledger (id integer)",
            "CREATE DOMAIN pg_temp.energy_reason AS text", "CREATE SCHEMA x",
            "CREATE FUNCTION x() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
            "UPDATE schema_migrations SET checksum = ''", "DELETE FROM schema_migrations",
            "ALTER TABLE users DISABLE TRIGGER ALL", "SET session_replication_role = replica",
            "SELECT change_energy('x', 1000000, 'support', 'for nothing', NULL, NULL)",
            "SELECT change_energy('x', 1000000, 'import', repeat('x', 10000000), NULL, NULL)",
            "SELECT keep_answer('x', 'k', 1, 'add_win', NULL, 5, NULL)", "SELECT refuse('x', 'why', 'k', 1, 'add_win')",
            "SELECT first_answer('x', 'k', 1, NULL::operation_answer)", "SELECT pick_word('x', '', 'en', 5)",
            "SELECT refresh_word_lists()",
            "SELECT energy_entry_seal(1, 5, 0)", "SELECT word FROM judged_games", "SELECT salt FROM daily_words",
            "SELECT token_hash FROM sessions", "SELECT recovery_hash FROM players", "SELECT account_id FROM claims",
            "SELECT word FROM challenges", "SELECT code FROM challenges", "UPDATE challenges SET players = 0",
            "DELETE FROM challenges", "SELECT challenge_results('x', now())", "SELECT challenge_records('x')",
            "SELECT show_challenge(NULL, 'x', NULL, now())", "SELECT pick_challenge_word('x', 'en', 5)",
            "SELECT end_challenge('x', 'x', 'x', NULL, NULL)", "SELECT challenge_as_answered('x', 'x')",
            "SELECT hide_hint('x', 'x', 'x', NULL, NULL)", "SELECT word FROM blocked_words",
            "DELETE FROM blocked_words",
            "SELECT block_words('x', '{crane}', NULL)", "SELECT unblock_words('x', '{crane}', NULL)",
            "SELECT is_blocked_word('crane')",
            "SELECT game_as_answered('x', NULL)",
            "SELECT new_share_code()",
            "SELECT invite FROM leagues", "SELECT user_id FROM league_members", "SELECT results FROM daily_results",
            "DELETE FROM leagues", "SELECT change_invite(NULL)", "SELECT note_daily_result('x', now()::date, 1)",
            "SELECT drop_member(NULL, 'x', true)", "SELECT close_league('x', NULL, 'why', NULL, NULL)",
            "SELECT public_key FROM passkeys", "DELETE FROM passkeys", "SELECT subject FROM identities",
            "UPDATE identities SET user_id = 'x'", "SELECT key FROM nonce_keys", "SELECT nonce FROM used_nonces",
            "DELETE FROM used_nonces", "SELECT use_nonce('x')", "SELECT give_nonce_back('x')",
            "SELECT use_passkey('x', 'x', 1, true)", "SELECT keep_identity('x', 'x', 'x', 'x')",
            "SELECT share_player('x')", "SELECT passkey_records('x')", "SELECT identity_records('x')",
            "SELECT take_ways('x', 'x', 'all', NULL, 'why', NULL, NULL)",
            "SELECT replace_recovery('x', 'x', '', 'why')", "SELECT all_records('x')",
            "SELECT move_energy('x', 'x', 5, 'why', true, NULL, NULL)", "SELECT begin_deed('x', 'why', 'k', 1)",
            "SELECT renew_nonce_key('x', 'why')", "SELECT end_sessions('x', '{}')",
            "SELECT make_room_for_session('x')",
            "SELECT score FROM board_entries", "UPDATE judged_games SET is_won = true", "DELETE FROM sessions",
            "INSERT INTO sessions (user_id, id, token_hash, opened_by) VALUES ('x', gen_random_uuid(), '', 'passkey')",
            "UPDATE players SET won = 1000", "UPDATE daily_words SET word = 'crane'", "DELETE FROM claims",
            "UPDATE board_entries SET score = -1000", "UPDATE board_counts SET count = 0",
            "SELECT session_player('')", "SELECT take_guess('', NULL, 'crane', 1, NULL)",
            "SELECT delete_user('x', E'a\\tb')",
            "SELECT player_records('x')", "SELECT move_ledger('x', 'y')", "SELECT mark_guess('crane', 'slate')",
            "SELECT show_player('x')",
            "SELECT note_on_boards('x', now(), ARRAY[ROW('all', '2000-01-01', NULL, -1, NULL)]::board_change[])",
            "SELECT count_changes(ARRAY[ROW('all', '2000-01-01', NULL, -1, NULL)]::board_change[])",
            "SELECT hold_session('x', '')", "SELECT changes FROM board_changes", "DELETE FROM board_changes",
            "SELECT name FROM admin_keys", "INSERT INTO admin_keys (key_hash, name) VALUES ('x', 'x')",
            "UPDATE admin_keys SET revoked_at = NULL", "SELECT key_hash FROM admin_sessions",
            "INSERT INTO admin_sessions VALUES ('x', 'x', now())", "UPDATE admin_sessions SET ends_at = 'infinity'",
            "DELETE FROM admin_sessions", "SELECT actor FROM admin_actions", "DELETE FROM admin_actions",
            "INSERT INTO admin_actions (actor, action) VALUES ('x', 'x')", "UPDATE admin_actions SET actor = 'x'",
            "SELECT admin_name('')", "SELECT admin_may('', 'owner')", "SELECT admin_refused('')",
            "SELECT find_exactly('x', NULL, NULL)",
            "SELECT find_by_name('x', NULL, 20)", "SELECT find_newest(NULL, 20)",
            "SELECT change_part('x', 'abc', true, 'why', NULL, NULL)",
            "SELECT refresh_refused_names()", "SELECT parts_in('x', '{}', '{}')", "SELECT public_text('x', 24)",
            "SELECT hidden_name FROM players", "SELECT part FROM refused_names", "SELECT reason FROM former_actions",
            "INSERT INTO refused_names VALUES ('x', 'x')", "DELETE FROM former_actions",
            "SELECT record_action('x', 'x', NULL, NULL, NULL, NULL, NULL, NULL)",
            "SELECT grant_energy('x', 'x', 5, 'why', NULL, NULL)", "SELECT show_word('en', 'crane')",
            "SELECT change_words('x', 'en', '{crane}', 'retire', NULL, NULL, NULL)",
            "SELECT user_id FROM purchases", "INSERT INTO purchases (environment, transaction_id) VALUES ('x', 'x')",
            "UPDATE purchases SET user_id = 'x'", "DELETE FROM purchases", "SELECT payload FROM store_notifications",
            "UPDATE store_notifications SET applied_at = now()", "DELETE FROM store_notifications",
            "UPDATE unverified_purchases SET energy = 0", "SELECT purchase_records('x')",
            "SELECT decide_purchase('Production', 'x', true, now())",
            "SELECT change_closed_energy('x', 5, 'purchase', 'x')", "SELECT take_purchase('x', NULL, 5, NULL, NULL)",
            "SELECT settle_purchase(NULL, 5, 'purchase')",
            "SELECT seed FROM lottery_draws", "SELECT winner FROM lottery_draws", "UPDATE lottery_draws SET prize = 5",
            "SELECT name FROM lottery_participants", "INSERT INTO lottery_entries (participant) VALUES (1)",
            "DELETE FROM lottery_entries", "SELECT list FROM lottery_lists", "SELECT nextval('lottery_player_numbers')",
            "SELECT freeze_list(1, interval '0')", "SELECT announce_prize('x', 5)",
            "SELECT start_draw(1, interval '0')", "SELECT start_draw('x'::text, 1)",
            "SELECT prepare_draw(1000)", "SELECT credit_prize(1)", "SELECT see_draw(NULL, true)",
            "SELECT enter_player('x')", "SELECT enter_player('x', 'x')", "SELECT change_entry('x', 1, 'void')",
            "SELECT import_lottery('x', '{}', '{}', '{}', '{}', '{}', '{}')", "SELECT lottery_records('x')",
            "SELECT lottery_index('x', 'x', 1, 5)", "SELECT lottery_rounds('x', 'x', '1 0')",
            "SELECT apply_rules('x', '{}')", "SELECT show_rules(NULL)", "UPDATE rules SET game_price = 0",
            "DELETE FROM rules", "SELECT * FROM rules",
            "INSERT INTO rules SELECT now(), 'x', 1, 1, 'x', 1, 'x', 'x', 1",
            "LOCK TABLE rules", "SELECT buy_up_to('PLAYER', 5, 100, NULL, NULL, NULL)",
        ])
    func refused(sql: String) async throws {
        let database = try await TestDatabase.shared()
        let failure = await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; \(sql)")
        }
        // It is there, and the role may not.
        #expect(!"\(failure.debugDescription)".contains("does not exist"))
    }

    @Test(
        "what it may call takes no more than the game allows; what is no operation's name is refused, and NULL is no way around a rule",
        arguments: [
            "pay_for_game('PLAYER', 'entry 17', 1)", "add_win('PLAYER', 'a b', 1)", "buy_energy('PLAYER', 5, '', 1)",
            "buy_energy('PLAYER', 5, repeat('x', 256), 1)", "buy_energy('PLAYER', 5, 'k', NULL)",
            "report_energy('PLAYER', -1, NULL, NULL)", "register_user('', NULL, NULL)",
            "register_user(repeat('x', 129), NULL, NULL)", "register_user(E'deleted\\t0123', NULL, NULL)",
            "register_user('new', 'entry 1', 1)", "refuse_purchase('PLAYER', 'energy-full', 'k', 1)",
            "refuse_purchase('PLAYER', NULL, 'k', 1)", "credit_purchase('PLAYER', NULL, 5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Xcode', 'x', 'p', 1, 5, NULL, now(), now(), NULL), 5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'a b', 'p', 1, 5, NULL, now(), now(), NULL), 5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 11, 11, NULL, now(), now(), NULL), 11, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 2, 5, NULL, now(), now(), NULL), 5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 1, -5, NULL, now(), now(), NULL), -5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 1, 5, NULL, now(), now(), NULL), 5, 'entry 1', 1)",
            "store_notification('', 'x', 'REFUND', NULL, 'Sandbox', 'x', NULL, now())",
            "store_notification('n', repeat('x', 65537), 'REFUND', NULL, 'Sandbox', 'x', NULL, now())",
            "start_game('PLAYER', 'xx', 5, 'entry 1', 0)", "start_game('PLAYER', 'xx', 5, 'entry 1', NULL)",
            "report_energy('PLAYER', NULL, NULL, NULL)", "add_win('PLAYER', E'tab\\x09', 1)",
            "add_win('PLAYER', 'é', 1)", "register_user('PLAYER', 'é', 1)",
            "register_user(NULL, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 1, 5, NULL, now(), now(), NULL), NULL, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 1, 5, NULL, 'infinity', now(), NULL), 5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 1, 5, NULL, now(), 'infinity', NULL), 5, NULL, NULL)",
            "credit_purchase('PLAYER', ROW('Sandbox', 'x', 'p', 1, 5, NULL, now(), now(), '-infinity'), 5, NULL, NULL)",
            "store_notification('n', 'x', 'REFUND', NULL, 'Sandbox', 'x', NULL, 'infinity')",
            "spend_nonce('x')", "spend_nonce(NULL)", "open_passkey_session('x', NULL, sha256('n'), 'x', 1, true)",
            "register_passkey(sha256('x'), sha256('n'), gen_random_uuid(), '', 'key', 0, true, true, NULL)",
            "register_passkey(sha256('x'), sha256('n'), gen_random_uuid(), 'c', 'key', -1, true, true, NULL)",
            "register_passkey(sha256('x'), sha256('n'), gen_random_uuid(), 'c', 'key', 0, false, true, NULL)",
            "open_identity_session(sha256('x'), gen_random_uuid(), sha256('n'), 'i', 's')",
            "admin_sign_in(sha256('key'), NULL)", "admin_sign_in(sha256('key'), 'short')",
            "admin_energy(sha256('key'), 'PLAYER', NULL, true, 'why', 'k', 1)",
            "admin_energy(sha256('key'), 'PLAYER', 5, true, NULL, 'k', 1)",
            "admin_energy(sha256('key'), 'PLAYER', 5, true, 'why', NULL, 1)",
            "admin_energy(sha256('key'), 'PLAYER', 0, true, 'why', 'k', 1)",
            "admin_energy(sha256('key'), 'PLAYER', -1000001, true, 'why', 'k', 1)",
            "admin_energy(sha256('key'), 'PLAYER', -5, NULL, 'why', 'k', 1)",
            "admin_energy(sha256('key'), 'PLAYER', -5, true, ' ', 'k', 1)",
            "admin_take_ways(sha256('key'), 'PLAYER', 'some', NULL, 'why', 'k', 1)",
            "admin_take_ways(sha256('key'), 'PLAYER', NULL, NULL, 'why', 'k', 1)",
            "admin_take_ways(sha256('key'), 'PLAYER', 'all', NULL, NULL, 'k', 1)",
            "admin_recovery(sha256('key'), 'PLAYER', 'short', 'why', 'k', 1)",
            "admin_recovery(sha256('key'), 'PLAYER', NULL, 'why', 'k', 1)",
            "admin_export(sha256('key'), 'PLAYER', NULL, 'k', 1)",
            "admin_delete(sha256('key'), 'PLAYER', 'no tab', 'why', 'k', 1)",
            "admin_delete(sha256('key'), 'PLAYER', NULL, 'why', 'k', 1)",
            "admin_delete(sha256('key'), 'PLAYER', E'deleted\\tx', 'why', NULL, 1)",
        ])
    func arguments(call: String) async throws {
        let database = try await TestDatabase.shared()
        let user = TestService.newUser()
        try await database.psql(
            """
            SELECT register_user('\(user)', NULL, NULL);
            \(TestDatabase.signedIn(name: "taken over"))
            """)
        let sql = "SELECT \(call.replacing("PLAYER", with: user))"
        let failure = await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; SET statement_timeout = '5s'; \(sql)")
        }
        #expect(failure?.output.contains("canceling statement") == false)
        #expect(
            try await database.psql("SELECT energy, wins, ledger_entry FROM users WHERE id = '\(user)'") == "30|0|1")
    }

    @Test("what requests call is the service's, and nothing is everybody's")
    func functions() async throws {
        let database = try await TestDatabase.shared()
        let own = """
            SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc
            WHERE pronamespace = 'juliet'::regnamespace AND has_function_privilege('%', oid, 'EXECUTE')
            """
        #expect(
            try await database.psql(own.replacing("%", with: "player_service"))
                == """
                add_win add_win_each admin_change_name admin_change_part admin_change_word admin_clear_day \
                admin_count_day admin_delete admin_end admin_end_game admin_energy admin_export admin_find admin_games \
                admin_hide_hint \
                admin_league admin_ledger admin_live admin_parts admin_plan_day admin_planned_days admin_player \
                admin_read_figures admin_recovery admin_show_session admin_sign_in admin_sign_out admin_take_ways admin_together admin_trail admin_ways \
                admin_word admin_word_lists apply_notification buy_energy buy_energy_each choose_daily_words \
                claimed_user count_figures create_challenge create_identified_player create_league create_player \
                create_session credit_purchase deal_word deal_word_each delete_challenge delete_passkey delete_player \
                end_league end_other_sessions enter_lottery export_player find_passkey guess guess_known_word \
                guess_known_word_each has_admin_keys identified_player join_league link_identity list_challenges \
                list_days list_energy list_games list_identities list_league_members list_leagues list_passkeys \
                list_sessions lottery_list_parts lottery_users_parts lottery_version merge_by_identity \
                merge_by_passkey merge_player open_identity_session open_passkey_session pay_for_game \
                pay_for_game_each present_purchase read_board read_challenge read_challenge_link \
                read_challenge_results read_game read_invite read_league read_league_table read_league_view read_nonce_key read_passkey_options \
                read_past_day read_player read_player_each read_rules read_today record_played_word \
                record_played_word_each recovered_player refuse_identified_player refuse_purchase register_passkey \
                register_user remove_member rename_league rename_player renew_invite renew_recovery renew_service \
                report_energy request_draw resign_game resign_game_each revoke_session show_draw show_lottery \
                spend_nonce start_archive_game start_challenge_game start_daily_game start_game start_game_each \
                start_judged_game start_judged_game_each store_notification take_refill tend_boards unlink_identity
                """
        )
        #expect(try await database.psql(own.replacing("%", with: "public")) == "")
    }

    @Test("the owner's hand changes no balance alone")
    func ownersHand() async throws {
        let database = try await TestDatabase.shared()
        let user = TestService.newUser()
        try await database.psql("SELECT register_user('\(user)', NULL, NULL)")
        for change in ["energy = 99", "energy = energy - 5", "energy = 99, wins = 1"] {
            let failure = await #expect(throws: Command.Failure.self) {
                try await database.psql("UPDATE users SET \(change) WHERE id = '\(user)'")
            }
            #expect(
                "\(failure.debugDescription)".contains("energy may change only together with an entry of the ledger"))
        }
        await #expect(throws: Command.Failure.self) {
            try await database.psql(
                """
                INSERT INTO users (id, energy, ledger_entry, ledger_seal) VALUES ('\(TestService.newUser())', 30, 1, 0)
                """)
        }
    }
}

/// The functions run with the owner's rights. What names in them mean, the caller cannot bend, whatever it may make.
@Suite("Names that another schema's objects cannot redirect", .everyLayout)
struct HostileNamesTests {
    /// What a role makes that may make everything: an operator and a function of its own for nearly each of
    /// PostgreSQL's, tables, types and domains of the session's with the names of ours.
    private static let hostilities = """
        -- Of several servers only on the one that is asked.
        SET citus.enable_ddl_propagation = off;
        CREATE SCHEMA hostile;
        DO $$
        DECLARE
            shadow record;
        BEGIN
            FOR shadow IN
                SELECT oprname AS name, oprleft::regtype::text || ', ' || oprright::regtype::text AS operands,
                    format('LEFTARG = %s, RIGHTARG = %s', oprleft::regtype, oprright::regtype) AS arguments,
                    oprresult::regtype::text AS result
                FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
            LOOP
                BEGIN
                    EXECUTE format('CREATE FUNCTION hostile.bent(%s) RETURNS %s LANGUAGE plpgsql AS
                        ''BEGIN RAISE ''''bent''''; END''', shadow.operands, shadow.result);
                EXCEPTION WHEN OTHERS THEN NULL;
                END;
                BEGIN
                    EXECUTE format('CREATE OPERATOR hostile.%s (%s, FUNCTION = hostile.bent)', shadow.name, shadow.arguments);
                EXCEPTION WHEN OTHERS THEN NULL;
                END;
            END LOOP;
            FOR shadow IN
                SELECT proname, pg_get_function_identity_arguments(oid) AS arguments, prorettype::regtype::text AS result
                FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND NOT proretset
            LOOP
                BEGIN
                    EXECUTE format('CREATE FUNCTION hostile.%I(%s) RETURNS %s LANGUAGE plpgsql AS
                        ''BEGIN RAISE ''''bent''''; END''', shadow.proname, shadow.arguments, shadow.result);
                EXCEPTION WHEN OTHERS THEN NULL;
                END;
            END LOOP;
        END
        $$;
        CREATE TEMPORARY TABLE users (LIKE shapes.users);
        CREATE TEMPORARY TABLE energy_ledger (LIKE shapes.energy_ledger);
        CREATE TEMPORARY TABLE words (LIKE shapes.words);
        CREATE TEMPORARY TABLE word_lists (LIKE shapes.word_lists);
        CREATE TEMPORARY TABLE played_words (LIKE shapes.played_words);
        CREATE FUNCTION hostile.steal() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''bent''; END';
        CREATE TRIGGER steal BEFORE INSERT ON energy_ledger FOR EACH ROW EXECUTE FUNCTION hostile.steal();
        CREATE DOMAIN pg_temp.energy_reason AS text;
        CREATE DOMAIN pg_temp.int4 AS pg_catalog.text;
        CREATE DOMAIN pg_temp.varbit AS pg_catalog.text;
        CREATE TYPE pg_temp.operation_answer AS (x integer);
        CREATE DOMAIN pg_temp.text AS pg_catalog.int4;
        """

    @Test("tables, types, operators and functions of one's own change nothing")
    func bending() async throws {
        let database = try await TestDatabase.create()
        let calls = [
            "register_user('PLAYER', 'r', 1)", "start_game('PLAYER', 'en', 5, NULL, NULL)",
            "start_game('PLAYER', 'en', 5, 'k', 2)", "start_game('PLAYER', 'en', 5, 'k', 2)",
            "record_played_word('PLAYER', 'music', 'en')", "record_played_word('PLAYER', 'music', 'en')",
            "record_played_word('PLAYER', 'zzzzz', 'en')", "add_win('PLAYER', NULL, NULL)", "add_win('PLAYER', 'w', 3)",
            "add_win('PLAYER', 'w', 3)", "add_win('PLAYER', 'w', 4)", "buy_energy('PLAYER', 5, 'b', 4)",
            "buy_energy('PLAYER', 7, 'c', 5)", "report_energy('PLAYER', 7, NULL, NULL)",
            "report_energy('PLAYER', 7, 'd', 6)", "pay_for_game('PLAYER', NULL, NULL)",
            "pay_for_game('PLAYER', 'p', 8)", "pay_for_game('PLAYER', 'p', 8)", "deal_word('PLAYER', 'en', 5)",
            "refuse_purchase('PLAYER', 'purchase-chain', 'f', 9)", "buy_energy('PLAYER', 5, NULL, NULL)",
            "buy_energy('PLAYER', 5, 'm', 10)",
        ]
        try await database.psql(
            #"SELECT apply_rules('test', '{"purchases.unverifiedDailyLimit": 12, "energy.maximum": 100}')"#)
        // It may make what it likes, and has copies to make it of.
        try await database.psql(
            """
            GRANT CREATE, TEMP ON DATABASE \(database.name) TO player_service;
            GRANT CREATE ON SCHEMA juliet TO player_service;
            CREATE SCHEMA shapes;
            GRANT USAGE ON SCHEMA shapes TO player_service;
            CREATE TABLE shapes.users (LIKE users);
            CREATE TABLE shapes.energy_ledger (LIKE energy_ledger);
            CREATE TABLE shapes.words (LIKE words);
            CREATE TABLE shapes.word_lists (LIKE word_lists);
            CREATE TABLE shapes.played_words (LIKE played_words);
            GRANT SELECT ON ALL TABLES IN SCHEMA shapes TO player_service;
            """)
        func play(as user: String, in path: String, after preparation: String) async throws -> String {
            let asked = calls.map {
                "SELECT ROW((answer).refusal, (answer).energy, (answer).wins, (answer).is_replay) "
                    + "FROM (SELECT juliet.\($0.replacing("PLAYER", with: user)) AS answer) AS answered"
            }
            let script = "SET ROLE player_service; \(preparation); SET search_path = \(path); "
            return try await database.psql(script + asked.joined(separator: "; "))
        }
        let honest = try await play(as: "HONEST", in: "juliet", after: "SELECT")
        let bent = try await play(
            as: "BENT", in: "hostile, pg_temp, pg_catalog, juliet", after: Self.hostilities)
        #expect(
            bent.trimmingCharacters(in: .whitespacesAndNewlines)
                == honest.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(try await database.ledgerFaults() == "")

        // The hostilities are no blanks: whoever does not mind their names runs into them.
        await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; SET search_path = hostile, pg_catalog; SELECT 1 + 1")
        }
        await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; SET search_path = hostile, pg_catalog; SELECT now()")
        }
    }

    @Test("the guards of the balance cannot be hung on a table of one's own")
    func triggers() async throws {
        let database = try await TestDatabase.create()
        try await database.psql("GRANT TEMP ON DATABASE \(database.name) TO player_service")
        let failure = await #expect(throws: Command.Failure.self) {
            try await database.psql(
                """
                SET ROLE player_service;
                CREATE TEMPORARY TABLE mine (id text, energy integer, ledger_entry integer);
                CREATE TRIGGER guard AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION refuse_energy_without_entry();
                """)
        }
        #expect("\(failure.debugDescription)".contains("permission denied for function refuse_energy_without_entry"))
    }
}
