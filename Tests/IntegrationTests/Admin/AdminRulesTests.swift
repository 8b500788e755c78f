import Foundation
import JulietGame
import Postgres
import TestSupport
import Testing

/// What the service's role can do of the admin page's functions: with a key what they say, and nothing without.
@Suite("Rules of the admin page", .everyLayout)
struct AdminRulesTests {
    private static let league = "00000000-0000-4000-8000-000000000000"

    /// Every function that takes a session, called with its digest in the place of KEY.
    private static let calls = [
        "admin_show_session(KEY, NULL)", "admin_find(KEY, 'a', NULL, NULL, NULL, 20)", "admin_player(KEY, 'PLAYER')",
        "admin_ledger(KEY, 'PLAYER', NULL, 50)", "admin_games(KEY, 'PLAYER', NULL, 50)",
        "admin_energy(KEY, 'PLAYER', -5, false, 'why', 'KEYOP', 1)",
        "admin_ways(KEY, 'PLAYER')", "admin_export(KEY, 'PLAYER', 'why', 'KEYOP', 1)", "admin_word_lists(KEY)",
        "admin_word(KEY, 'en', 'crane')",
        "admin_change_word(KEY, 'en', 'crane', 'retire', 'why', 'KEYOP', 1)",
        "admin_planned_days(KEY)", "admin_plan_day(KEY, current_date + 9, 'slate', true)",
        "admin_clear_day(KEY, current_date + 9, 'why')",
        "admin_together(KEY, NULL, NULL, 20)", "admin_league(KEY, '\(league)')",
        "admin_end(KEY, '\(league)', NULL, 'why', 'KEYOP', 1)", "admin_end(KEY, NULL, 'AAAAAAAA', 'why', 'KEYOP', 1)",
        "admin_hide_hint(KEY, 'AAAAAAAA', 'why', 'KEYOP', 1)",
        "admin_count_day(KEY, current_date)",
        "admin_read_figures(KEY, current_date, current_date)", "admin_live(KEY)", "admin_trail(KEY, NULL, NULL, 50)",
        "admin_trail(KEY, 'PLAYER', NULL, 50)", "admin_parts(KEY, NULL, 50)",
        "admin_change_part(KEY, 'ab', true, 'why', 'KEYOP', 1)",
        "admin_change_name(KEY, 'NAMED', 'rename', 'Ben', 'why', 'KEYOP', 1)",
    ]

    /// What the keys of a role may not call.
    private static func isForbidden(_ call: String, to role: String) -> Bool {
        let isOfWords = [
            "admin_word", "admin_change_word", "admin_planned_days", "admin_plan_day", "admin_clear_day",
        ].contains { call.hasPrefix($0) }
        let isOwners = ["admin_count_day", "admin_read_figures", "admin_trail(KEY, NULL"].contains {
            call.hasPrefix($0)
        }
        let isAnybodys = call.hasPrefix("admin_show_session")
        switch role {
        case "words": return !isOfWords && !isAnybodys
        case "support": return isOfWords || isOwners
        default: return false
        }
    }

    /// What takes a player of `/v2`, or leaves none.
    private static let others = [
        "admin_take_ways(KEY, 'PLAYER', 'all', NULL, 'why', 'KEYOP', 1)",
        "admin_recovery(KEY, 'PLAYER', sha256('new'), 'why', 'KEYOP', 1)",
        "admin_end_game(KEY, 'PLAYER', '\(league)', 'why', 'KEYOP', 1)",
        "admin_delete(KEY, 'PLAYER', E'deleted\\tx', 'why', 'KEYOP', 1)",
    ]

    @Test(
        "without a session, with one that is over or whose key is revoked, and with a digest nothing is told or changed"
    )
    func unauthorized() async throws {
        let database = try await TestDatabase.create()
        let player = TestService.newUser()
        try await database.psql("SELECT register_user('\(player)', NULL, NULL)")
        #expect(try await database.psql("SET ROLE player_service; SELECT has_admin_keys()").hasSuffix("f"))
        try await database.psql(TestDatabase.signedIn("sha256('anna')"))
        let digest = try await database.psql("SELECT session_hash FROM admin_sessions")
        try await database.revokeAdminKey("anna")
        #expect(try await database.psql("SET ROLE player_service; SELECT has_admin_keys()").hasSuffix("f"))
        // A key is no session; one session is over.
        try await database.psql(
            """
            INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('ben')), 'ben', 'owner');
            INSERT INTO admin_sessions (session_hash, key_hash, ends_at)
            VALUES (sha256(sha256('over')), sha256(sha256('ben')), now())
            """)
        let before = try await database.psql("SELECT count(*) FROM admin_actions")
        for key in [
            "NULL", "''::bytea", "sha256('x')", "'\(digest)'::bytea", "sha256('anna')", "sha256('ben')",
            "sha256('over')",
        ] {
            for call in Self.calls + Self.others + ["admin_sign_in(KEY, sha256('new'))"] {
                if call.hasPrefix("admin_sign_in"), key == "sha256('ben')" { continue }
                let call = call.replacing("KEYOP", with: "op").replacing("KEY", with: key)
                    .replacing("PLAYER", with: player)
                let answer = try await database.psql("SET ROLE player_service; SELECT \(call)")
                #expect(answer.hasSuffix("(unauthorized,)"), "\(call)")
            }
        }
        #expect(try await database.psql("SELECT count(*) FROM admin_actions") == before)
        #expect(try await database.psql("SELECT energy FROM users WHERE id = '\(player)'") == "30")
        #expect(try await database.psql("SELECT count(*) FROM words WHERE retired_at IS NOT NULL") == "0")
    }

    @Test("with a key each does what it says, if it is of the role", arguments: ["owner", "support", "words"])
    func authorized(role: String) async throws {
        let database = try await TestDatabase.create()
        let player = TestService.newUser()
        try await database.psql(
            """
            SELECT register_user('\(player)', NULL, NULL), register_user('named', NULL, NULL);
            \(TestDatabase.signedIn("sha256('k')", role: role));
            INSERT INTO admin_key_uses (key_hash) VALUES (sha256(sha256('k')));
            INSERT INTO players (user_id, name, recovery_hash) VALUES ('named', 'Ada', sha256('named'));
            INSERT INTO leagues (id, name, invite, created_at) VALUES ('\(Self.league)', 'Us', 'BBBBBBBB', now());
            INSERT INTO challenges (code, is_own_word, is_hard, language, letters, word, salt, commitment, created_at, ends_at)
            SELECT 'AAAAAAAA', false, false, 'en', 5, 'crane', salt, commitment(salt, 'crane'), now(), now() + interval '1 day'
            FROM gen_random_uuid() AS salt
            """)
        for (index, asked) in Self.calls.enumerated() {
            let call = asked.replacing("KEYOP", with: "op\(index)").replacing("KEY", with: "sha256('k')")
                .replacing("PLAYER", with: player).replacing("NAMED", with: "named")
            let answer = try await database.psql(
                "SET ROLE player_service; SELECT coalesce((\(call)).refusal, 'done')")
            #expect(answer.hasSuffix(Self.isForbidden(asked, to: role) ? "forbidden" : "done"), "\(call)")
        }
        #expect(
            try await database.psql("SELECT used_at = date_trunc('hour', now(), 'UTC') FROM admin_key_uses") == "t")
    }

    @Test("a transaction that a service holds open keeps neither a revoked key nor a session that is over")
    func heldOpen() async throws {
        let database = try await TestDatabase.create()
        let player = TestService.newUser()
        try await database.psql("SELECT register_user('\(player)', NULL, NULL); \(TestDatabase.signedIn())")
        let grant = "SELECT (juliet.admin_energy(sha256('key'), '\(player)', 5, true, 'why', 'o', 1)).refusal"
        for change in [
            "UPDATE admin_sessions SET ends_at = now() + interval '1 ms'", "UPDATE admin_keys SET revoked_at = now()",
        ] {
            try await database.withSession(database.serviceConnectionString) { service in
                try await service.executeScript("BEGIN; SELECT juliet.has_admin_keys()")
                try await database.psql("\(change); SELECT pg_sleep(0.01)")
                try await service.executeScript("\(grant); COMMIT")
            }
            #expect(try await database.psql("SELECT energy FROM users WHERE id = '\(player)'") == "30", "\(change)")
            try await database.psql("UPDATE admin_sessions SET ends_at = now() + interval '1 hour'")
        }
        // An old snapshot would have the key as it was.
        let failure = await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; BEGIN ISOLATION LEVEL REPEATABLE READ; \(grant)")
        }
        #expect(failure?.output.contains("only in a READ COMMITTED transaction") == true)
    }

    @Test("a session is whose key opened it: another key does not take it over or make it longer")
    func ownership() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            \(TestDatabase.signedIn());
            INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('ben')), 'ben', 'words');
            UPDATE admin_sessions SET ends_at = now() + interval '1 hour'
            """)
        let before = try await database.psql("SELECT * FROM admin_sessions")
        #expect(
            try await database.psql("SET ROLE player_service; SELECT admin_sign_in(sha256('ben'), sha256('key'))")
                .contains("anna"))
        #expect(try await database.psql("SELECT * FROM admin_sessions") == before)
    }

    @Test("what is done is in the trail with it, and what is taken back is not")
    func rollback() async throws {
        let database = try await TestDatabase.shared()
        let (player, key) = (TestService.newUser(), UUID().uuidString)
        try await database.psql(
            """
            SELECT register_user('\(player)', NULL, NULL);
            \(TestDatabase.signedIn("sha256('\(key)')", name: key))
            """)
        let grant = "SELECT admin_energy(sha256('\(key)'), '\(player)', 7, true, 'why', 'o', 1)"
        try await database.psql("BEGIN; \(grant); ROLLBACK")
        #expect(try await database.actions(to: player) == 0)
        #expect(try await database.psql("SELECT energy FROM users WHERE id = '\(player)'") == "30")
        try await database.psql(grant)
        #expect(
            try await database.psql(
                "SELECT actor = '\(key)', action, reason, details FROM admin_actions WHERE user_id = '\(player)'")
                == #"t|energy.grant|why|{"amount": 7, "balance": 37}"#)
        for bad in [
            "0, true, 'why'", "-1000001, true, 'why'", "1000001, true, 'why'", "5, true, ' '",
            "5, true, repeat('x', 501)",
        ] {
            await #expect(throws: Command.Failure.self, "\(bad)") {
                try await database.psql("SELECT admin_energy(sha256('\(key)'), '\(player)', \(bad), 'p', 2)")
            }
        }
        #expect(try await database.actions(to: player) == 1)
    }

    @Test("a secret that becomes a word to guess is dealt no more, keeps its place, and becomes a secret again")
    func places() async throws {
        let database = try await TestDatabase.create()
        let player = TestService.newUser()
        try await database.psql(
            """
            \(TestDatabase.signedIn("sha256('k')"));
            DELETE FROM words WHERE is_secret AND word NOT IN ('crane', 'slate');
            SELECT refresh_word_lists(); SELECT register_user('\(player)', NULL, NULL)
            """)
        func change(_ word: String, _ change: String) async throws -> String {
            try await database.psql(
                """
                SELECT (admin_change_word(sha256('k'), 'en', '\(word)', '\(change)', 'why', gen_random_uuid()::text, 1)).refusal
                """)
        }
        func dealt() async throws -> Set<Substring> {
            let words = try await database.psql(
                "SELECT (deal_word('\(player)', 'en', 5)).word FROM generate_series(1, 40)")
            return Set(words.split(separator: "\n"))
        }
        let place = try await database.psql("SELECT place FROM words WHERE word = 'crane'")
        #expect(try await dealt() == ["crane", "slate"])
        #expect(try await change("crane", "guessable") == "")
        #expect(try await dealt() == ["slate"])
        // Played while it was no secret: it counts when it is one again.
        try await database.psql(
            "SELECT record_played_word('\(player)', word, 'en') FROM unnest('{crane,slate}'::text[]) AS word")
        #expect(try await dealt() == ["slate"], "the one played longest ago is no secret")
        let guessed = try await database.psql("SELECT word FROM words WHERE NOT is_secret AND word <> 'crane' LIMIT 1")
        #expect(try await change(guessed, "addSecret") == "word-known")
        #expect(try await change("qqqqq", "addSecret") == "")
        #expect(try await dealt() == ["qqqqq"])
        #expect(try await change("crane", "secret") == "")
        #expect(try await database.psql("SELECT place FROM words WHERE word = 'crane'") == place)
        #expect(try await dealt() == ["qqqqq"], "it was played")
        #expect(try await change("qqqqq", "retire") == "")
        #expect(try await change("crane", "retire") == "")
        #expect(try await dealt() == ["slate"])
        #expect(try await change("crane", "restore") == "")
        #expect(try await change("nowor", "restore") == "not-found")
    }

    @Test("a player who is claimed takes the trail along, and one who is deleted leaves it under the pseudonym")
    func pseudonyms() async throws {
        let database = try await TestDatabase.shared(["players.claims": "allow"])
        let account = TestService.newUser()
        let player = "00000000-0000-8000-8000-\(UUID().uuidString.lowercased().suffix(12))"
        try await database.psql(
            """
            SELECT register_user('\(account)', NULL, NULL);
            SELECT grant_energy('os:test', '\(account)', 5, 'why', 'o', 1);
            SELECT create_player('\(player)', NULL, '\(account)', sha256('\(account)') || '\(player)'::bytea,
                gen_random_uuid(), sha256('\(player)'))
            """)
        #expect(try await database.actions(to: account) == 0)
        #expect(try await database.actions(to: player) == 1)
        try await database.psql("SELECT delete_user('\(player)', E'deleted\\t\(account)')")
        #expect(try await database.actions(to: player) == 0)
        #expect(
            try await database.psql(
                "SELECT count(*) FROM admin_actions WHERE user_id = E'deleted\\t\(account)' AND actor = 'os:test'")
                == "1")
    }
}
