import Foundation

/// A function that the service's role may call, with usual and unusual arguments, as PostgreSQL's catalogue has it.
struct ServiceFunction {
    let name: String
    let arguments: [(name: String, type: String)]

    /// All of them.
    static func all(in database: TestDatabase) async throws -> [ServiceFunction] {
        try await database.psql(
            """
            SELECT proname || '|' || array_to_string(ARRAY(SELECT proargnames[place] || ' ' || format_type(type, NULL)
                FROM unnest(proargtypes) WITH ORDINALITY AS types (type, place) ORDER BY place), ';')
            FROM pg_proc WHERE pronamespace = 'juliet'::regnamespace
                AND has_function_privilege('player_service', oid, 'EXECUTE') ORDER BY proname
            """
        ).split(separator: "\n").map { line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false)
            return ServiceFunction(
                name: String(parts[0]),
                arguments: parts[1].split(separator: ";").map { argument in
                    let parts = argument.split(separator: " ", maxSplits: 1)
                    return (String(parts[0]), String(parts[1]))
                })
        }
    }

    /// A call of it with usual arguments, of which some are replaced.
    ///
    /// - Parameters:
    ///   - player: The player's number in ``world``.
    ///   - others: By the names of arguments.
    func call(player: String = "02", _ others: [String: String] = [:]) -> String {
        let values = arguments.map { argument -> String in
            let value = others[argument.name] ?? usual(argument.name, player: player)
            // A set of one.
            return others[argument.name] == nil && argument.type.hasSuffix("[]")
                ? "ARRAY[(\(value))::\(argument.type.dropLast(2))]" : "(\(value))::\(argument.type)"
        }
        return "\(name)(\(values.joined(separator: ", ")))"
    }

    /// Calls with one unusual argument each: NULL, empty, huge, wrong.
    func unusualCalls(player: String, _ others: [String: String] = [:]) -> [String] {
        arguments.flatMap { argument in
            Self.unusual(argument.type).map { value in
                call(player: player, others.merging([argument.name: value]) { _, new in new })
            }
        }
    }

    // MARK: Where they are called

    /// What the calls are about, in an empty world. The dealt words begin with `zqx`, which is in no text of ours. Player 01 has
    /// no game; 02 has a running one, and made a challenge and a league.
    static let world = """
        DELETE FROM word_lists; DELETE FROM words;
        INSERT INTO words (language, word, is_secret)
        SELECT 'en', 'zqx' || chr(97 + n / 8) || chr(97 + n % 8), true FROM generate_series(0, 63) AS n;
        INSERT INTO words (language, word, is_secret) VALUES ('en', 'crane', false), ('en', 'slate', false);
        SELECT refresh_word_lists(), choose_daily_words();
        INSERT INTO daily_words (day, language, word, salt, commitment, is_planned, seal)
        SELECT today() - 1, 'en', 'crane', salt, promise, false, daily_word_seal(today() - 1, promise, false, false)
        FROM gen_random_uuid() AS salt, commitment(salt, 'crane') AS promise;
        SELECT register_user('victim', NULL, NULL),
            create_player(\(id("01")), 'Ann', NULL, \(token("01")), gen_random_uuid(), sha256('01')),
            create_player(\(id("02")), 'Bob', NULL, \(token("02")), gen_random_uuid(), sha256('02'));
        SELECT start_judged_game(\(token("02")), 'en', 5, false, NULL, NULL),
            create_challenge(\(token("02")), 'en', 5, NULL, false, 7, NULL, NULL),
            enter_player(\(id("01"))), enter_player(\(id("02")));
        UPDATE judged_games SET id = \(game) WHERE kind = 'game';
        UPDATE energy_ledger SET reference = \(game) WHERE reason = 'game';
        UPDATE challenges SET code = 'ABCDEFGH';
        UPDATE energy_ledger SET reference = 'ABCDEFGH' WHERE reason = 'challenge';
        INSERT INTO leagues (id, name, invite, created_at) VALUES (\(league), 'Crew', 'ABCDEFGH', now());
        INSERT INTO league_members (league_id, id, user_id, joined_at)
        VALUES (\(league), gen_random_uuid(), \(id("02")), now());
        \(TestDatabase.signedIn(name: "test"));
        INSERT INTO admin_sessions (session_hash, key_hash, ends_at)
        VALUES (sha256(sha256('other')), sha256(sha256('key')), now() + interval '1 hour');
        INSERT INTO passkeys (user_id, id, credential_id, user_handle, public_key, sign_count, is_backup_eligible,
            is_backed_up, name)
        VALUES (\(id("02")), gen_random_uuid(), '\\x01', '\\x02', '\\x03', 0, false, false, 'p');
        INSERT INTO identities (issuer, subject, user_id, provider) VALUES ('iss', 'sub', \(id("02")), 'apple');
        INSERT INTO store_notifications (id, type, environment, transaction_id, signed_at)
        VALUES ('n1', 'REFUND', 'Sandbox', '1', now());
        """

    static func id(_ number: String) -> String { "'7ed8320e-51c1-8a06-b8b0-0000000000\(number)'" }

    static func token(_ number: String, of player: String? = nil) -> String {
        "sha256('token \(number)') || convert_to(\(id(player ?? number)), 'UTF8')"
    }

    private static let game = "'00000000-0000-7000-8000-000000000009'"
    private static let league = "'5ed8320e-51c1-4a06-b8b0-000000000001'"
    private static let nonce = """
        substr(int8send((extract(epoch FROM now()) + 600)::bigint), 5) || substr(uuid_send(gen_random_uuid())
            || uuid_send(gen_random_uuid()), 1, 28)
        """

    // MARK: Arguments

    /// What a call needs to do what the function is for.
    private func usual(_ argument: String, player: String) -> String {
        if let value = Self.special["\(name) \(argument)"] { return value }
        switch argument {
        case "players": return "'victim'"
        case "tokens": return Self.token(player)
        // The functions of the app's URLs.
        case "player" where arguments.last?.name == "account": return "'victim'"
        case "token": return Self.token(player)
        case "player": return Self.id(player)
        case "session" where name.hasPrefix("admin_"): return "sha256('key')"
        case "operation" where name.hasPrefix("admin_"): return "'op-' || gen_random_uuid()"
        case "request" where name.hasPrefix("admin_"): return "1"
        default: return Self.values[argument] ?? "NULL"
        }
    }

    private static let special: [String: String] = [
        "admin_change_name change": "'rename'", "admin_change_word change": "'retire'", "admin_end league": "NULL",
        "admin_find code": "NULL", "admin_find game": "NULL", "admin_find wanted": "'victim'",
        "admin_clear_day wanted": "current_date + 9", "admin_plan_day wanted": "current_date + 9",
        "admin_sign_in session": "sha256('new')", "admin_sign_out session": "sha256('other')",
        "admin_plan_day spelled": "'crane'", "admin_plan_day may_repeat": "true",
        "admin_together wanted": "NULL", "apply_notification notification": "'n1'",
        "create_identified_player its_subject": "'sub3'",
        "create_identified_player player": id("03"), "create_identified_player token": token("03"),
        "create_player player": id("03"), "create_player token": token("03"), "create_session recovery": "sha256('02')",
        "create_session token": token("04", of: "02"), "link_identity its_provider": "'google'",
        "link_identity its_subject": "'sub4'", "link_identity why": "NULL", "merge_by_identity token": token("01"),
        "merge_by_passkey token": token("01"), "merge_player other_token": token("02"),
        "merge_player token": token("01"),
        "open_identity_session token": token("04", of: "02"), "open_passkey_session token": token("04", of: "02"),
        "read_board wanted": "NULL", "read_past_day wanted": "current_date - 1", "refuse_purchase why": "'purchase-x'",
        "register_passkey credential": "'\\x77'", "request_draw wanted": "1", "show_draw wanted": "1",
        "start_archive_game wanted": "current_date - 1", "start_challenge_game token": token("01"),
        "start_judged_game token": token("01"), "start_judged_game_each tokens": token("01"),
    ]

    private static let values: [String: String] = [
        "amount": "5", "amounts": "5", "any_word": "false", "answered": nonce, "challenge": nonce, "change": "5",
        "code": "'ABCDEFGH'",
        "content": "'x'",
        "credential": "'\\x01'", "days": "7", "env": "'Sandbox'", "first_day": "current_date", "game": game,
        "games": game,
        "given_name": "'Zoe'", "hard": "false", "is_around": "true", "is_refused": "true", "is_shown": "true",
        "its_code": "repeat('a', 64)", "its_issuer": "'iss'", "its_key": "'\\x05'", "its_provider": "'apple'",
        "its_release": "'1'", "its_subject": "'sub'", "key": "sha256('key')", "kind": "'all'", "languages": "'en'",
        "letters": "5",
        "last_day": "current_date", "league": league, "list_language": "'en'",
        "list_letters": "5", "may_be_synced": "true", "member": "gen_random_uuid()", "most": "10",
        "new_recovery": "sha256('new')", "notification": "'n2'", "passkey": "gen_random_uuid()", "period": "'week'",
        "pseudonym": #"E'deleted\tx'"#, "recovery": "sha256('03')", "reported": "3", "service": "gen_random_uuid()",
        "session": "gen_random_uuid()", "signatures": "0", "signed": "now()", "sort": "'s'", "spelled": "'crane'",
        "spelled_language": "'en'", "synced": "false",
        "t": "ROW('Sandbox', '9', 'p', 1, 5, NULL, now(), now(), NULL)", "the_day": "current_date",
        "transaction": "'1'",
        "wanted": "'ABCDEFGH'", "which": "'day'", "why": "'why'",
    ]

    private static func unusual(_ type: String) -> [String] {
        switch type {
        case "text":
            [
                "NULL", "''", "' '", "repeat('x', 100000)", #"E'a\tb'"#, "'zz zz'", "'en'", "'addSecret'",
                "chr(1114111)",
            ]
        case "integer": ["NULL", "0", "-1", "2147483647", "-2147483648"]
        case "bigint": ["NULL", "0", "-1", "9223372036854775807", "-9223372036854775808"]
        case "bytea": ["NULL", "''", "repeat('x', 5000)::bytea", "'\\xff'"]
        case "uuid": ["NULL", "gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'"]
        case "date": ["NULL", "'infinity'", "'-infinity'", "'4713-01-01 BC'", "'5874897-12-31'"]
        case "timestamp with time zone": ["NULL", "'infinity'", "'-infinity'", "'294276-12-31'"]
        case "boolean": ["NULL", "true", "false"]
        case "board": ["NULL", "'daily'", "'all'"]
        case "store_transaction": ["NULL"] + unusualTransactions
        case let array where array.hasSuffix("[]"):
            ["NULL", "'{}'"] + unusual(String(array.dropLast(2))).map { "ARRAY[(\($0))::\(array.dropLast(2))]" }
        default: ["NULL"]
        }
    }

    private static let unusualTransactions: [String] = {
        let usual = ["'Sandbox'", "'9'", "'p'", "1", "5", "NULL", "now()", "now()", "NULL"]
        let texts = ["NULL", "''", "repeat('x', 100000)"]
        let numbers = ["NULL", "-1", "0", "2147483647"]
        let times = ["NULL", "'infinity'", "'-infinity'"]
        let unusual = [texts, texts, texts, numbers, numbers, texts, times, times, times]
        return usual.indices.flatMap { place in
            unusual[place].map { value in
                var fields = usual
                fields[place] = value
                return "ROW(\(fields.joined(separator: ", ")))"
            }
        }
    }()
}
