import Foundation
import JulietGame
import Postgres
import QueueTestClient
import TestSupport
import Testing

/// Whoever has taken the service over may call what it may call, as its role, in transactions of any shape.
@Suite("A service that was taken over", .defaultLayout("about the service, not the database"))
struct TakeoverTests {
    private static let player = "7ed8320e-51c1-8a06-b8b0-0000000000"
    private static func token(_ number: String) -> String {
        "(sha256('token \(number)') || convert_to('\(player)\(number)', 'UTF8'))"
    }

    private static func create(_ number: String) -> String {
        "SELECT create_player('\(player)\(number)', 'Ann', NULL, \(token(number)), gen_random_uuid(), sha256('\(number)'));"
    }

    @Test("a draw that is started in a transaction is seen by later ones alone")
    func draws() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            "SELECT register_user('ANNA', NULL, NULL); SELECT enter_player('os:x', 'ANNA'), show_lottery()")
        let seen = """
            SELECT started_at IS NULL, elapsed IS NULL, list_digest IS NULL, numbers IS NULL, seed IS NULL, list IS NULL
            FROM show_draw(1);
            SELECT number, started_at IS NULL FROM show_lottery() ORDER BY number;
            SELECT started_at IS NULL FROM show_draw(NULL);
            """
        #expect(try await database.psql("SET ROLE player_service; SELECT request_draw(1)") == "(frozen,,)")
        #expect(try await database.psql("SELECT started_at IS NULL FROM show_draw(1)") == "t")
        let inside = try await database.psql(
            "SET ROLE player_service; BEGIN; SELECT (request_draw(1)).is_new; SAVEPOINT later; \(seen) ROLLBACK")
        #expect(inside == "t\nt|t|t|t|t|t\n1|t\n2|t\nt")
        #expect(try await database.psql("SELECT started_at IS NULL FROM show_draw(1)") == "t")
        try await database.psql("SET ROLE player_service; SELECT request_draw(1)")
        #expect(try await database.psql("SET ROLE player_service; \(seen)").hasPrefix("f|f|f|f|t|f\n1|f\n2|t\nf"))
        // As after a restore, where the number may be that of any transaction.
        try await database.psql("UPDATE lottery_draws SET started_by = '1' WHERE number = 1")
        #expect(try await database.psql("SELECT started_at IS NULL FROM show_draw(1)") == "f")
    }

    @Test("with another prize a draw has another seed; the former one and its commitment stand in the trail")
    func announcedAgain() async throws {
        let database = try await TestDatabase.create()
        let read = "SELECT encode(seed, 'hex'), encode(commitment, 'hex'), sha256(seed) = commitment FROM lottery_draws"
        var former = try await database.psql(read).split(separator: "|").map(String.init)
        for prize in [500, 1000, 5, 0] {
            try await database.psql("SELECT announce_prize('os:x', \(prize))")
            let now = try await database.psql(read).split(separator: "|").map(String.init)
            #expect(now[2] == "t" && now[0] != former[0] && now[1] != former[1])
            let trail = try await database.psql(
                """
                SELECT details ->> 'prize', details ->> 'formerSeed', details ->> 'formerCommitment',
                    details ->> 'commitment' FROM admin_actions ORDER BY id DESC LIMIT 1
                """)
            #expect(trail == "\(prize)|\(former[0])|\(former[1])|\(now[1])")
            former = now
        }
        try await database.psql("SELECT announce_prize('os:x', 0)")
        #expect(try await database.psql(read).hasPrefix(former[0]), "the same prize changes nothing")
    }

    @Test("no debugging output tells a word, a salt or a seed")
    func debugging() async throws {
        let database = try await TestDatabase.create()
        let debugging = """
            SET ROLE player_service; SET client_min_messages = debug5; SET debug_print_plan = on;
            SET debug_print_parse = on; SET debug_print_rewritten = on; SET debug_pretty_print = off;
            SET plan_cache_mode = force_custom_plan; SET plpgsql.print_strict_params = on;
            """
        try await database.psql(
            """
            \(Self.create("01")) \(Self.create("02")) SELECT enter_player('\(Self.player)01');
            INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
            SELECT today() - 1, 'en', 'vixen', salt, promise, false, daily_word_seal(today() - 1, promise, false, false)
            FROM gen_random_uuid() AS salt, commitment(salt, 'vixen') AS promise;
            SELECT freeze_list(1, interval '0')
            """)
        // The server does print what is not kept from it.
        let printed = try await database.psql("\(debugging) SELECT pay_for_game('\(Self.player)01', NULL, NULL)")
        #expect(printed.contains("PLANNEDSTMT"))
        var output = ""
        for call in [
            "choose_daily_words()", "start_judged_game(\(Self.token("01")), 'en', 5, false, NULL, NULL)",
            "start_judged_game(\(Self.token("02")), 'en', 5, false, 'k', 7)",
            "start_daily_game(\(Self.token("01")), false)",
            "read_today(\(Self.token("01")))", "list_games(\(Self.token("01")), NULL, 5, NULL, NULL)",
            "list_days(\(Self.token("01")), NULL, 5)",
            "start_archive_game(\(Self.token("01")), (now() AT TIME ZONE 'UTC')::date - 1, true)",
            "create_challenge(\(Self.token("01")), 'en', 5, NULL, false, 7, 'c', 9)",
            "create_challenge(\(Self.token("01")), 'en', 5, NULL, false, 7, 'c', 9)",
            "list_challenges(\(Self.token("01")), NULL, NULL, 5)",
            "export_player(\(Self.token("01")))", "request_draw(1)", "show_draw(1)", "show_lottery()",
        ] {
            // Without what it answers: only what the server says beside it.
            output += try await database.psql("\(debugging) SELECT count(answer) FROM \(call) AS answer")
        }
        let code = try await database.psql("SELECT code FROM challenges")
        for call in [
            "start_challenge_game(\(Self.token("01")), '\(code)')", "read_challenge(\(Self.token("01")), '\(code)')",
            "read_challenge_results('\(code)')", "read_challenge_link('\(code)')",
        ] {
            output += try await database.psql("\(debugging) SELECT count(answer) FROM \(call) AS answer")
        }
        let games = try await database.psql("SELECT id FROM judged_games WHERE user_id LIKE '\(Self.player)01'")
        for game in games.split(separator: "\n") {
            for call in [
                "guess_known_word(\(Self.token("01")), '\(game)', 'crane', NULL, 'en')",
                "guess(\(Self.token("01")), '\(game)', 'slate', NULL, 'key', 8)",
                "read_game(\(Self.token("01")), '\(game)')",
            ] {
                output += try await database.psql("\(debugging) SELECT count(answer) FROM \(call) AS answer")
            }
        }
        // Constants are printed byte by byte.
        let secrets = try await database.psql(
            """
            SELECT DISTINCT word || '|' || (SELECT string_agg(get_byte(convert_to(word, 'UTF8'), i)::text, ' ' ORDER BY i)
                FROM generate_series(0, octet_length(word) - 1) AS i)
            FROM (SELECT word FROM judged_games UNION ALL SELECT word FROM daily_words UNION ALL SELECT word FROM challenges)
                AS words
            UNION ALL
            SELECT replace(salt::text, '-', '') || '|' || (SELECT string_agg(
                CASE WHEN byte > 127 THEN byte - 256 ELSE byte END::text, ' ' ORDER BY i)
                FROM generate_series(0, 15) AS i, LATERAL (SELECT get_byte(uuid_send(salt), i) AS byte) AS bytes)
            FROM judged_games
            UNION ALL
            SELECT encode(seed, 'hex') || '|' || (SELECT string_agg(
                CASE WHEN byte > 127 THEN byte - 256 ELSE byte END::text, ' ' ORDER BY i)
                FROM generate_series(0, 31) AS i, LATERAL (SELECT get_byte(seed, i) AS byte) AS bytes)
            FROM lottery_draws
            """
        ).split(separator: "\n")
        #expect(secrets.count >= 7)
        for secret in secrets.map({ $0.split(separator: "|") }) {
            // What was guessed is no secret, nor what stands in these calls, and a word may stand in any output: of words the
            // bytes alone are looked for.
            if ["crane", "slate", "token"].contains(secret[0]) { continue }
            #expect(!output.contains(secret[1]), "\(secret)")
            if secret[0].count > 5 { #expect(!output.contains(secret[0]), "\(secret)") }
        }
    }

    @Test("the seed of random() makes no word predictable")
    func seeds() async throws {
        let database = try await TestDatabase.shared()
        let users = (0..<2).map { _ in TestService.newUser() }
        for user in users { try await database.psql("SELECT register_user('\(user)', NULL, NULL)") }
        var dealt: [String] = []
        for user in users {
            dealt.append(
                try await database.psql(
                    """
                    SET ROLE player_service; SELECT setseed(0.5);
                    SELECT (deal_word('\(user)', 'en', 5)).word FROM generate_series(1, 8)
                    """))
        }
        #expect(dealt[0] != dealt[1])
        #expect(Set(dealt[0].split(separator: "\n")).count > 1)
    }

    @Test("no board, draw or player is kept from readers by a transaction that is held open")
    func locks() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            \(Self.create("01")) SELECT choose_daily_words();
            INSERT INTO board_changes (user_id, noted_at, changes)
            VALUES ('x', now(), ARRAY[ROW('all', '2000-01-01', NULL, -1, NULL)]::board_change[]);
            UPDATE sessions SET last_used_at = now() - interval '1 day'
            """)
        try await withSession(of: database) { holder in
            try await holder.executeScript(
                """
                BEGIN; SELECT tend_boards(100); SELECT read_player(\(Self.token("01")));
                SELECT pg_advisory_xact_lock('juliet.board_changes'::regclass::oid::bigint);
                SELECT show_lottery(); SELECT request_draw(1); SELECT count(*) FROM words
                """)
            try await readEverything(on: database)
        }
    }

    @Test(
        "no day waits for a transaction that chooses the words of days, and no chosen word is replaced"
    )
    func days() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            "\(Self.create("01")) SELECT choose_daily_words(); DELETE FROM daily_words WHERE day = today() + 30")
        try await withSession(of: database) { holder in
            try await holder.executeScript("BEGIN; SELECT choose_daily_words()")
            try await readEverything(on: database)
            let chosen = "SELECT * FROM daily_words ORDER BY day"
            let before = try await database.psql(chosen)
            // Nor after the lists have changed.
            try await database.psql(
                """
                INSERT INTO words (language, word, is_secret) VALUES ('xx', 'abcd', true); SELECT refresh_word_lists();
                SELECT change_words('os:x', 'en', array_agg(word), 'retire', 'why', NULL, NULL) FROM daily_words
                """)
            // It waits for the day that the other transaction chooses, so it gets no further.
            await #expect(throws: (any Error).self) {
                try await database.psql(
                    "SET ROLE player_service; SET lock_timeout = '1s'; SELECT choose_daily_words()")
            }
            #expect(try await database.psql(chosen) == before)
            // The owner replaces later days, and waits for nobody.
            try await database.psql("SET statement_timeout = '5s'; SELECT choose_days_again('test')")
            let after = try await database.psql(chosen)
            #expect(after.split(separator: "\n").prefix(3) == before.split(separator: "\n").prefix(3))
            #expect(
                try await database.psql(
                    """
                    SELECT count(*), count(DISTINCT word), count(*) FILTER (WHERE retired_at IS NOT NULL)
                    FROM daily_words JOIN words USING (language, word) WHERE day > today() + 2
                    """) == "27|27|0")
        }
    }

    private func readEverything(on database: TestDatabase) async throws {
        for call in [
            "read_board(NULL, 'all', NULL, 10, false)", "read_board(\(Self.token("01")), 'day', NULL, 10, true)",
            "read_past_day(NULL, '2026-01-01')", "read_today(\(Self.token("01")))", "show_lottery()",
            "start_daily_game(\(Self.token("01")), false)", "show_draw(1)", "read_player(\(Self.token("01")))",
            "list_sessions(\(Self.token("01")))", "lottery_users_parts()", "lottery_list_parts()", "lottery_version()",
            "export_player(\(Self.token("01")))", "deal_word('\(Self.player)01', 'en', 5)", "tend_boards(100)",
        ] {
            try await database.psql("SET ROLE player_service; SET statement_timeout = '5s'; SELECT * FROM \(call)")
        }
    }

    @Test("a role has a hundred rows in the list of services, and writes there what a terminal may show")
    func services() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            \(TestDatabase.signedIn());
            SELECT renew_service('00000000-0000-4000-8000-000000000000', '1.0.0', repeat('a', 64))
            """)
        for (release, checksum) in [
            ("E'\\x1b[31m'", "repeat('0', 64)"), ("E'1.0.0\\n'", "repeat('0', 64)"), ("''", "repeat('0', 64)"),
            ("NULL", "repeat('0', 64)"), ("repeat('1', 65)", "repeat('0', 64)"), ("'é'", "repeat('0', 64)"),
            ("'1.0.0'", "repeat('0', 63)"), ("'1.0.0'", "repeat('F', 64)"), ("'1.0.0'", "NULL"),
        ] {
            let failure = await #expect(throws: Command.Failure.self, "\(release) \(checksum)") {
                try await database.psql(
                    "SET ROLE player_service; SELECT renew_service(gen_random_uuid(), \(release), \(checksum))")
            }
            #expect(failure?.output.contains("a service has an id, a release and the checksum") == true)
        }
        let more = "SELECT renew_service(gen_random_uuid(), repeat('1', 64), repeat('f', 64))"
        try await withSession(of: database) { one in
            // Rows that are not committed are nobody else's.
            try await one.executeScript("BEGIN; \(more) FROM generate_series(1, 50)")
            try await withSession(of: database) { other in
                try await other.executeScript("\(more) FROM generate_series(1, 49)")
                let error = await #expect(throws: PostgresError.self) { try await other.executeScript(more) }
                #expect(error?.operatorMessage?.contains("no row for another service") == true)
            }
            try await one.executeScript("COMMIT")
        }
        #expect(try await database.psql("SELECT count(*) FROM services WHERE seen_at IS NOT NULL") == "100")
        // Whoever is in the list stays in it, and whoever is not seen for a minute gives up the row.
        let first = "SELECT renew_service('00000000-0000-4000-8000-000000000000', '1.0.1', repeat('a', 64))"
        try await database.psql("SET ROLE player_service; \(first)")
        #expect(try await database.psql("SELECT count(*) FROM services WHERE release = '1.0.1'") == "1")
        let page = "SELECT octet_length((admin_live(sha256('key'))).body) < 20000"
        #expect(try await database.psql("SET ROLE player_service; \(page)").hasSuffix("t"))
        try await database.psql("UPDATE services SET seen_at = now() - interval '61 s' WHERE release = '1.0.1'")
        try await database.psql("SET ROLE player_service; \(more)")
        #expect(try await database.psql("SELECT count(*), count(DISTINCT release) FROM services") == "100|1")
    }

    @Test("with what the tables have nobody opens a session, recovers a player or is an operator")
    func storedDigests() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            \(Self.create("01")) SELECT create_player('\(Self.player)02', 'Bob', NULL, \(Self.token("02")),
                gen_random_uuid(), sha256('02'));
            INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('key')), 'anna', 'owner');
            SELECT admin_sign_in(sha256('key'), sha256('session'))
            """)
        let stored = try await database.psql(
            """
            SELECT token_hash, recovery_hash, (SELECT key_hash FROM admin_keys),
                (SELECT session_hash FROM admin_sessions)
            FROM sessions JOIN players USING (user_id) WHERE user_id = '\(Self.player)02'
            """
        ).split(separator: "|").map { "'\($0)'::bytea" }
        let token = "\(stored[0]) || convert_to('\(Self.player)02', 'UTF8')"
        for (call, answer) in [
            ("(read_player(\(token))).refusal", "unauthorized"),
            ("(start_judged_game(\(token), 'en', 5, false, NULL, NULL)).refusal", "unauthorized"),
            ("(merge_player(\(Self.token("01")), \(token), NULL, NULL, NULL)).refusal", "proof-unknown"),
            ("(merge_player(\(Self.token("01")), NULL, \(stored[1]), NULL, NULL)).refusal", "proof-unknown"),
            ("recovered_player(\(stored[1])) IS NULL", "t"),
            (
                "(create_session(\(stored[1]), \(Self.token("02")), gen_random_uuid(), sha256('x'))).refusal",
                "unauthorized"
            ),
            ("(admin_sign_in(\(stored[2]), sha256('new'))).refusal", "unauthorized"),
            ("(admin_show_session(\(stored[3]), NULL)).refusal", "unauthorized"),
            // The digests that the service makes are taken.
            ("(read_player(\(Self.token("02")))).refusal IS NULL", "t"),
            ("recovered_player(sha256('02')) IS NOT NULL", "t"),
            ("(admin_sign_in(sha256('key'), sha256('new'))).refusal IS NULL", "t"),
            ("(admin_show_session(sha256('session'), NULL)).refusal IS NULL", "t"),
        ] {
            #expect(
                try await database.psql("SET ROLE player_service; SELECT \(call)").hasSuffix(answer), "\(call)")
        }
    }

    @Test("whatever it is given, a function answers or refuses, in time, and the audit finds nothing")
    func nonsenseEverywhere() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            \(Self.create("01")) SELECT register_user('victim', NULL, NULL), choose_daily_words();
            SELECT start_judged_game(\(Self.token("01")), 'en', 5, false, NULL, NULL);
            \(TestDatabase.signedIn(name: "taken over"))
            """)
        let functions = try await database.psql(
            """
            SELECT proname || '|' || array_to_string(ARRAY(SELECT format_type(type, NULL)
                FROM unnest(proargtypes) WITH ORDINALITY AS types (type, place) ORDER BY place), ';')
            FROM pg_proc WHERE pronamespace = 'juliet'::regnamespace
                AND has_function_privilege('player_service', oid, 'EXECUTE') ORDER BY proname
            """
        ).split(separator: "\n").map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
        #expect(functions.count > 50)
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededRandom(seed: seed)
        var refused = 0
        try await withSession(of: database) { session in
            for function in functions {
                let types = function[1].split(separator: ";").map(String.init)
                for _ in 0..<(types.isEmpty ? 1 : 25) {
                    let arguments = types.map { Self.value(of: $0, &random) }.joined(separator: ", ")
                    let call = "SELECT count(*) FROM \(function[0])(\(arguments)) AS answer"
                    do {
                        try await session.executeScript(call, timeout: .seconds(20))
                    } catch let error as PostgresError {
                        refused += 1
                        // Too slow, an error inside PostgreSQL, a deadlock with itself, or no such function.
                        let code = error.sqlState.map { "\($0)" } ?? "\(error.code)"
                        let isWrong =
                            ["57014", "42883", "42P01"].contains(code) || code.hasPrefix("XX") || code.hasPrefix("40")
                        if isWrong || error.sqlState == nil { Issue.record("seed \(seed): \(call): \(error)") }
                    }
                }
            }
        }
        #expect(refused > 100, "seed \(seed): there is nonsense")
        #expect(try await database.ledgerFaults() == "", "seed \(seed)")
        // A service may count wins of anybody, and the test made its key as the tables' owner.
        try await database.expectCleanAudit("seed \(seed)", without: [.players, .trail])
        // Operators can still read what it left.
        try await database.psql("SELECT purchase_records(id), lottery_records(id), player_records(id) FROM users")
    }

    /// A session of the service's role, in which the game's names need no schema.
    private func withSession(
        of database: TestDatabase, _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await database.withSession(database.serviceConnectionString) { session in
            try await session.executeScript("SET search_path = juliet, public; SET statement_timeout = '10s'")
            try await body(session)
        }
    }

    /// A value of a type, more often a strange one than a usual one.
    private static func value(of type: String, _ random: inout SeededRandom) -> String {
        let values: [String]
        switch type {
        case "text":
            values = [
                "NULL", "''", "' '", "'victim'", "'\(player)01'", "'entry 1'", "'k'", "'en'", "'crane'", "'xx'",
                "repeat('x', 300)", "E'deleted\\t1'", "'é'", "'retire'", "'playing'", "'purchase-full'", "'Sandbox'",
                "'REFUND'", "chr(1114111)", "repeat('ab', 100000)",
            ]
        case "integer", "bigint":
            let wide = type == "bigint" ? ["9223372036854775807", "-9223372036854775808", "7739284370211950619"] : []
            values = ["NULL", "0", "1", "5", "-1", "2147483647", "-2147483648"] + wide
        case "bytea":
            values = [
                "NULL", "''", "sha256('t')", token("01"), "sha256('key')", "sha256('01')", "repeat('x', 5000)::bytea",
                "'\\xff'::bytea",
            ]
        case "uuid":
            values = ["NULL", "gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'"]
        case "date":
            values = ["NULL", "current_date", "'infinity'", "'-infinity'", "'4713-01-01 BC'", "'5874897-12-31'"]
        case "date[]": values = ["NULL", "'{}'", "'{infinity}'", "'{NULL}'", "'{2026-01-01,-infinity}'"]
        case "timestamp with time zone": values = ["NULL", "now()", "'infinity'", "'-infinity'", "'294276-12-31'"]
        case "boolean": values = ["NULL", "true", "false"]
        case "board": values = ["NULL", "'daily'", "'day'", "'all'"]
        case "store_transaction":
            let times = ["now()", "NULL", "'infinity'", "'-infinity'"].map { "\($0)::timestamptz" }
            let fields = [
                one(of: ["'Sandbox'", "'Production'", "NULL"], &random),
                one(of: ["'1'", "'2'", "NULL", "'a b'"], &random),
                one(of: ["'p'", "NULL"], &random),
                one(of: ["1", "10", "0", "NULL"], &random),
                one(of: ["5", "30", "2147483647", "-5", "NULL"], &random),
                one(of: ["NULL", "'victim'"], &random),
            ]
            let moments = (0..<3).map { _ in one(of: times, &random) }
            values = ["NULL", "ROW(\((fields + moments).joined(separator: ", ")))::store_transaction"]
        default: values = ["NULL"]
        }
        return "\(one(of: values, &random))::\(type)"
    }

    private static func one(of values: [String], _ random: inout SeededRandom) -> String {
        values[Int.random(in: values.indices, using: &random)]
    }
}
