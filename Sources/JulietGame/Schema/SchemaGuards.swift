package import Postgres

/// Whether the schema still keeps what it promises: its functions, keys and triggers are there, unaltered and alone,
/// and the service has no rights beyond its own.
package enum SchemaGuards {
    /// What is wrong, in words: "the key energy_ledger_pkey is missing".
    ///
    /// - Parameters:
    ///   - isOwn: Whether the schema is this release's. One that is newer may have altered functions: then they only
    ///     must be there.
    ///   - read: Runs the statement: `{ try await client.execute($0) }`.
    package static func faults(
        isOwn: Bool = true, read: (FindFaults) async throws(PostgresError) -> [String]
    ) async throws(PostgresError) -> [String] {
        try await read(FindFaults(comparesDefinitions: isOwn))
    }

    /// The rights that roles of the service have and should not have, in words: "player_service may INSERT into users".
    ///
    /// - Parameters:
    ///   - scope: Whose rights.
    ///   - read: Runs the statement.
    /// - Returns: nil when the role owns the tables or is a superuser: nothing can be kept from it.
    package static func excessRights(
        of scope: RightsScope, read: (FindExcessRights) async throws(PostgresError) -> [String]
    ) async throws(PostgresError) -> [String]? {
        let rights = try await read(FindExcessRights(scope: scope))
        return rights.contains(FindExcessRights.ownership) ? nil : rights
    }

    /// Whose rights are looked at.
    package enum RightsScope: Sendable {
        /// Of the role that looks.
        case own
        /// Of `juliet_service` and all its members but the tables' owners.
        case service
    }

    /// The tables that hold the game's records.
    static let tables = [
        "users", "energy_ledger", "energy_ledger_archive", "energy_checkpoints", "closed_ledgers", "words",
        "word_lists", "played_words", "players", "sessions", "claims", "judged_games", "daily_words", "board_entries",
        "board_counts", "board_changes", "admin_keys", "admin_actions", "purchases", "store_notifications",
        "unverified_purchases",
        "lottery_participants", "lottery_entries", "lottery_lists", "lottery_draws",
    ]

    /// Every function, key and trigger, with the digest of its definition. `SchemaGuardsTests` says what to write here
    /// when a migration changes one.
    static let expected: [(name: String, digest: String)] = [
        ("the function add_win", "db06344225e29301"),
        ("the function admin_change_word", "e50ae28b45c646f0"),
        ("the function admin_figures", "8518eadb9d964ca6"),
        ("the function admin_games", "1674aedb9801d492"),
        ("the function admin_grant", "01f10df652e089fa"),
        ("the function admin_ledger", "a8521d6490ea46a8"),
        ("the function admin_name", "6818fe4689709e1b"),
        ("the function admin_player", "ac9dd3f9726555d9"),
        ("the function admin_refusal", "142f5e3564c974f9"),
        ("the function admin_search", "dbdaf2ed69d47d8e"),
        ("the function admin_sign_in", "2932a0234713bc72"),
        ("the function admin_trail", "c456f3dffae67b12"),
        ("the function admin_word", "b92cacf5d8caf69d"),
        ("the function admin_word_lists", "780910ec2c988157"),
        ("the function announce_prize", "bc9f84923cd3ca5a"),
        ("the function apply_notification", "76749b6f1518238d"),
        ("the function board_start", "f2bc3bdb76a37c46"),
        ("the function buy_energy", "3d36410a745b9d85"),
        ("the function buy_energy_within", "f248a0c127ebd901"),
        ("the function change_closed_energy", "951fdc9953d0048e"),
        ("the function change_energy", "f0c5e53f2c5eeaba"),
        ("the function change_entry", "270de9fee8791bf4"),
        ("the function change_words", "cefd0495fefdf9ef"),
        ("the function check_operation", "bbacde3212b23b6f"),
        ("the function choose_daily_words", "c57d7cbc14e34fc0"),
        ("the function claimed_user", "b8f9d2ef1d5aa7d0"),
        ("the function commitment", "2e057cb52201cbf8"),
        ("the function count_better", "dd6a1ffe6771974d"),
        ("the function count_changes", "c2ddc711837ef8bc"),
        ("the function count_outcomes", "3a23e1648e6fc26b"),
        ("the function count_players", "84a658ed388f99e4"),
        ("the function create_player", "6056b0fa22c56472"),
        ("the function create_session", "451eb714109a438b"),
        ("the function credit_prize", "4af5354539af3ba4"),
        ("the function credit_purchase", "621d8847df7ba965"),
        ("the function deal_word", "26307dc0197c945e"),
        ("the function decide_purchase", "010aefa0e3220600"),
        ("the function delete_player", "e28152c6d8f5ad38"),
        ("the function delete_user", "24ce9942a6291568"),
        ("the function end_game", "03f547d02120f872"),
        ("the function energy_entry_digest", "445f7bd3b8092d90"),
        ("the function energy_entry_seal", "719e8976883c79c2"),
        ("the function energy_entry_seal", "849882face00c5ab"),
        ("the function enter_lottery", "3580e84440b293e8"),
        ("the function enter_player", "1dd84beaf8ab32fe"),
        ("the function enter_player", "ae3c1f9b232199a0"),
        ("the function export_player", "5d7e856e4655e336"),
        ("the function first_answer", "a94c58190077fcd4"),
        ("the function first_game_answer", "efc9910b8f4c2793"),
        ("the function folded_name", "f9e1fd188745b3d7"),
        ("the function forget_session", "b627f427a1ebbc9b"),
        ("the function game_price", "4ecd306a07822d31"),
        ("the function grant_energy", "98bad334ce87637c"),
        ("the function guess", "17b4ce7e544727f6"),
        ("the function guess_known_word", "6b620bf87c82b7d3"),
        ("the function has_admin_keys", "8fa6ac9c8569b0d2"),
        ("the function hold_session", "83e6de067b4ee2de"),
        ("the function import_lottery", "46ed957d643a8976"),
        ("the function is_product", "3b5dbb268ba4f835"),
        ("the function keep_answer", "0f044cc48bdaee7f"),
        ("the function keep_game_answer", "8de66ef10e48d8f8"),
        ("the function list_energy", "4cf4aa3530d04cb3"),
        ("the function list_games", "4981d2d0350f8c0a"),
        ("the function list_sessions", "b3e5a64685eaabbe"),
        ("the function lottery_index", "72cc893170422064"),
        ("the function lottery_list", "7219b6861e44dba1"),
        ("the function lottery_name", "d09279ebb5881c01"),
        ("the function lottery_records", "309160e4092e6bcf"),
        ("the function lottery_rounds", "44375f06778e74ec"),
        ("the function lottery_rules", "2951d06b43eca073"),
        ("the function lottery_users", "55d6dd20ecd9cb54"),
        ("the function mark_guess", "3ad5e8a520e6fbb2"),
        ("the function maximum_guesses", "2f98b73b7445be29"),
        ("the function move_ledger", "ef2d1811a09b5d25"),
        ("the function next_moment", "1c25483b5cb428d4"),
        ("the function no_bits", "50c2bc8b29071620"),
        ("the function note_on_boards", "66a7497702d73b92"),
        ("the function ordered_uuid", "fefbe3f02647d96f"),
        ("the function pay_for_game", "6fa5df0d64baf0f1"),
        ("the function pick_word", "d856425955c188d0"),
        ("the function player_name", "bb4d31acab166265"),
        ("the function player_records", "7e8b81a8bf6e7fd4"),
        ("the function prepare_draw", "08e0af4a1b9d1931"),
        ("the function present_purchase", "1fda5950a983f487"),
        ("the function purchase_records", "21f5a72e7c461300"),
        ("the function purchase_reference", "5b21f54337bca05c"),
        ("the function purchase_state", "5a13edcd84af2913"),
        ("the function read_board", "97486784f1796028"),
        ("the function read_game", "a4118daaefbfaf8b"),
        ("the function read_past_day", "bc3a7b5b1368aaa2"),
        ("the function read_player", "49fb84b69374dab9"),
        ("the function read_today", "5f8a175e3a043663"),
        ("the function record_action", "dc4bcff7ec1509be"),
        ("the function record_played_word", "c89db35181986235"),
        ("the function recovered_player", "4e38cdb821c66731"),
        ("the function refresh_word_lists", "f6076e4f0d241fd5"),
        ("the function refuse", "a144eb39a903180c"),
        ("the function refuse_energy_without_entry", "7f48fdfd8a4b3b9a"),
        ("the function refuse_purchase", "04098281409db0a8"),
        ("the function register_user", "6d35e2ee872184ef"),
        ("the function rename_player", "02955827d0297577"),
        ("the function renew_recovery", "ed3f97934a495b28"),
        ("the function report_energy", "bf1d1859a2fca9c3"),
        ("the function request_draw", "01685065398934a4"),
        ("the function resign_game", "88cf05f9e9df630f"),
        ("the function revoke_session", "dbc8fb2bad3ffc80"),
        ("the function see_draw", "5bf3b6bd02b557dc"),
        ("the function session_player", "be0acde38aab5492"),
        ("the function settle_purchase", "07577bfbfe4ddbc7"),
        ("the function show_draw", "67a9197d9501fbc1"),
        ("the function show_game", "958f4cb537402352"),
        ("the function show_game_after", "234d5748c9656587"),
        ("the function show_lottery", "652950b950045db7"),
        ("the function show_player", "c3dd44f2ddfe2841"),
        ("the function show_time", "38259248cf3c3be1"),
        ("the function show_word", "bbedbecef3148fa6"),
        ("the function start_daily_game", "14cd6a0d247ab2a7"),
        ("the function start_draw", "179bb1bd4dbc4b75"),
        ("the function start_draw", "1c822afe2f5b629c"),
        ("the function start_game", "06b29ed736ef1033"),
        ("the function start_judged_game", "22dd1603d72f3c92"),
        ("the function starting_energy", "0fc1f2af3b3db3cb"),
        ("the function store_notification", "9dc475545b7fa629"),
        ("the function take_guess", "d4ce2b5a34e9ac7e"),
        ("the function take_purchase", "81fce60d0b460bf6"),
        ("the function tend_boards", "63678ac558ba6655"),
        ("the function today", "01bc6e234e332b65"),
        ("the key admin_actions_operation_key", "f6c4fb3d644a1082"),
        ("the key admin_actions_pkey", "6fd172104587bc61"),
        ("the key admin_keys_name_key", "38ba3a0f17257888"),
        ("the key admin_keys_pkey", "d7882e8fa3e07d2e"),
        ("the key board_changes_pkey", "8412a304f62f16e8"),
        ("the key board_counts_pkey", "6f2551a59c48ac2b"),
        ("the key board_entries_pkey", "a18e3776e4ef3a4c"),
        ("the key claims_pkey", "894b69073fd5bbca"),
        ("the key claims_user_id_key", "74d1da50e0ba1a8b"),
        ("the key closed_ledgers_pkey", "b1d47957d4570555"),
        ("the key daily_words_pkey", "eb223cd6c6d2d128"),
        ("the key energy_checkpoints_pkey", "a30b9cfaf7115a4d"),
        ("the key energy_ledger_archive_pkey", "a10088115c78fbad"),
        ("the key energy_ledger_pkey", "993cf5d65b304393"),
        ("the key judged_games_day_key", "9627cb19d9a950f1"),
        ("the key judged_games_pkey", "7c2eacac77bcf1a0"),
        ("the key judged_games_playing_key", "6c67385094a93fc5"),
        ("the key lottery_draws_list_digest_fkey", "4a3300f944287dcf"),
        ("the key lottery_draws_pkey", "4222a8203bddcc48"),
        ("the key lottery_draws_prize_check", "2a3517b84c4420b1"),
        ("the key lottery_draws_started_check", "45e7607b27f4c0a6"),
        ("the key lottery_entries_participant_fkey", "b2ad86e983b5480e"),
        ("the key lottery_entries_pkey", "98d42f413253f780"),
        ("the key lottery_entries_place_key", "17915df58f90a3a4"),
        ("the key lottery_lists_pkey", "432beeca2a09dbde"),
        ("the key lottery_participants_name_check", "ec6739c86690b2b5"),
        ("the key lottery_participants_number_check", "2712e5d19b3b2cb6"),
        ("the key lottery_participants_pkey", "4222a8203bddcc48"),
        ("the key lottery_participants_user_id_key", "74d1da50e0ba1a8b"),
        ("the key played_words_pkey", "32ff4df652c52386"),
        ("the key players_pkey", "b1d47957d4570555"),
        ("the key players_recovery_hash_key", "fdc9cef4e138605a"),
        ("the key purchases_pkey", "13e5681eb6d0d82d"),
        ("the key sessions_pkey", "7c2eacac77bcf1a0"),
        ("the key sessions_token_hash_key", "16f903d3452c11ed"),
        ("the key store_notifications_pkey", "6fd172104587bc61"),
        ("the key unverified_purchases_pkey", "b1d47957d4570555"),
        ("the key users_pkey", "6fd172104587bc61"),
        ("the key word_lists_pkey", "028e4ab8ef08e508"),
        ("the key words_is_banned_check", "a61bb26e63bef3e8"),
        ("the key words_language_check", "ed78532a39d3632d"),
        ("the key words_language_word_key", "131df7164b1184a9"),
        ("the key words_pkey", "6fd172104587bc61"),
        ("the key words_place_check", "a36d1a886516cea4"),
        ("the key words_place_key", "17915df58f90a3a4"),
        ("the key words_word_check", "a85a1dfe01c3aaf1"),
        ("the trigger sessions_games_guard", "dd315d152f348a78"),
        ("the trigger users_energy_guard", "cdbf5dc62d64200f"),
        ("the trigger users_first_entry_guard", "c8f5f12e69aafe6e"),
    ]

    /// What is missing or altered, by name.
    package struct FindFaults: Statement {
        /// Compares the catalogs with the expected names and digests.
        package static let sql: StaticString = """
            WITH home AS (SELECT relnamespace AS id FROM pg_class WHERE oid = to_regclass('users')),
            tables AS (
                SELECT pg_class.oid, relname, relrowsecurity FROM pg_class, home
                WHERE relnamespace = id AND relname = ANY ($4::text[])),
            found AS (
                SELECT 'the function ' || proname AS name, concat_ws(' ', prosrc, lanname, prosecdef, provolatile,
                    replace(array_to_string(proconfig, ' '), quote_ident(nspname), 'schema'),
                    pronargs) AS definition
                FROM home JOIN pg_namespace ON pg_namespace.oid = id JOIN pg_proc ON pronamespace = id
                    JOIN pg_language ON pg_language.oid = prolang
                UNION ALL
                SELECT 'the key ' || conname, regexp_replace(pg_get_constraintdef(pg_constraint.oid), '[\\s()]', '', 'g')
                FROM tables JOIN pg_constraint ON conrelid = tables.oid
                    LEFT JOIN pg_index ON indexrelid = conindid
                WHERE contype <> 't' AND convalidated AND (indexrelid IS NULL OR indisvalid AND indisready)
                UNION ALL
                SELECT 'the key ' || relation.relname, replace(
                    pg_get_indexdef(indexrelid), quote_ident(nspname) || '.', '')
                FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class AS relation ON relation.oid = indexrelid
                    JOIN home ON true JOIN pg_namespace ON pg_namespace.oid = home.id
                WHERE indisunique AND indpred IS NOT NULL AND indisvalid AND indisready
                UNION ALL
                SELECT 'the trigger ' || tgname, replace(
                    pg_get_triggerdef(pg_trigger.oid), quote_ident(nspname) || '.', '')
                FROM tables JOIN pg_trigger ON tgrelid = tables.oid JOIN home ON true
                    JOIN pg_namespace ON pg_namespace.oid = id
                WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')),
            digests AS (
                SELECT name, left(encode(sha256(convert_to(definition, 'UTF8')), 'hex'), 16) AS digest FROM found)
            SELECT name || CASE WHEN EXISTS (SELECT FROM digests WHERE digests.name = expected.name)
                THEN ' is altered' ELSE ' is missing' END
            FROM unnest($1::text[], $2::text[]) AS expected (name, digest)
            WHERE NOT EXISTS (
                SELECT FROM digests WHERE digests.name = expected.name AND (digests.digest = expected.digest OR NOT $3))
            UNION ALL
            SELECT format('the trigger %s on %s is none of ours', tgname, relname)
            FROM tables JOIN pg_trigger ON tgrelid = tables.oid
            WHERE NOT tgisinternal AND 'the trigger ' || tgname <> ALL ($1::text[])
            UNION ALL
            SELECT name || ' is there in another form as well' FROM digests
            WHERE $3 AND name = ANY ($1::text[])
            GROUP BY name HAVING count(*) > (SELECT count(*) FROM unnest($1::text[]) AS known WHERE known = name)
            UNION ALL
            SELECT format('the rule %s on %s is none of ours', rulename, relname)
            FROM tables JOIN pg_rewrite ON ev_class = tables.oid
            UNION ALL
            SELECT format('row security hides rows of %s', relname) FROM tables WHERE relrowsecurity
            ORDER BY 1
            """
        /// Reads.
        package static let access = StatementAccess.read

        let comparesDefinitions: Bool

        /// Binds the expected.
        package func bind(to parameters: inout Parameters) {
            parameters.append(SchemaGuards.expected.map(\.name))
            parameters.append(SchemaGuards.expected.map(\.digest))
            parameters.append(comparesDefinitions)
            parameters.append(SchemaGuards.tables)
        }

        /// One fault.
        package static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }

    /// What roles may do beyond what migrations 0007, 0012, 0013, 0014, 0016 and 0020 grant.
    package struct FindExcessRights: Statement {
        /// Asks PostgreSQL for each role and right.
        package static let sql: StaticString = """
            WITH RECURSIVE members AS (
                SELECT oid FROM pg_roles WHERE rolname = CASE WHEN $1 THEN 'juliet_service' ELSE current_user END
                UNION SELECT member FROM members JOIN pg_auth_members ON roleid = members.oid WHERE $1),
            home AS (SELECT relnamespace AS id, relowner AS owner FROM pg_class WHERE oid = to_regclass('users')),
            roles AS (
                SELECT pg_roles.oid, rolname, rolsuper OR pg_has_role(pg_roles.oid, owner, 'USAGE') AS is_owner
                FROM members JOIN pg_roles USING (oid), home),
            tables AS (
                SELECT pg_class.oid, relname FROM pg_class, home
                WHERE relnamespace = id AND relname = ANY ($3::text[] || 'schema_migrations'::text)),
            columns AS (
                SELECT tables.oid, relname, attname, attnum FROM tables JOIN pg_attribute ON attrelid = tables.oid
                WHERE attnum > 0 AND NOT attisdropped)
            SELECT 'owner' FROM roles WHERE is_owner AND NOT $1
            UNION ALL
            SELECT format('%I may %s %s', rolname, right_name, relname)
            FROM roles, tables, unnest('{INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS right_name
            WHERE NOT is_owner AND (has_table_privilege(roles.oid, tables.oid, right_name)
                OR right_name IN ('INSERT', 'UPDATE', 'REFERENCES')
                    AND has_any_column_privilege(roles.oid, tables.oid, right_name))
            UNION ALL
            SELECT format('%I may SELECT %s.%s', rolname, relname, attname) FROM roles, columns
            WHERE NOT is_owner AND has_column_privilege(roles.oid, columns.oid, attnum, 'SELECT')
                AND relname NOT IN ('words', 'schema_migrations')
                AND NOT (relname = 'users' AND attname IN ('id', 'wins'))
            UNION ALL
            SELECT format('%I may EXECUTE %s', rolname, proname) FROM roles, home, pg_proc
            WHERE NOT is_owner AND pronamespace = id AND has_function_privilege(roles.oid, pg_proc.oid, 'EXECUTE')
                AND 'the function ' || proname = ANY ($2::text[])
                AND proname NOT IN ('register_user', 'pay_for_game', 'start_game', 'deal_word', 'buy_energy', 'report_energy',
                    'add_win', 'record_played_word', 'claimed_user', 'create_player', 'create_session', 'recovered_player', 'renew_recovery',
                    'list_sessions', 'revoke_session', 'read_player', 'rename_player', 'list_energy', 'export_player',
                    'delete_player', 'start_judged_game', 'read_game', 'list_games', 'guess', 'guess_known_word',
                    'resign_game', 'choose_daily_words', 'read_today', 'read_past_day', 'start_daily_game', 'read_board',
                    'tend_boards',
                    'has_admin_keys', 'admin_sign_in', 'admin_search', 'admin_player', 'admin_ledger', 'admin_games',
                    'admin_grant', 'admin_word_lists', 'admin_word', 'admin_change_word', 'admin_figures', 'admin_trail',
                    'credit_purchase', 'present_purchase', 'refuse_purchase', 'buy_energy_within', 'store_notification',
                    'apply_notification',
                    'lottery_users', 'lottery_list', 'show_lottery', 'show_draw', 'request_draw', 'enter_lottery')
            UNION ALL
            SELECT format('%I may CREATE in schema %I', rolname, nspname) FROM roles, pg_namespace
            WHERE NOT is_owner AND has_schema_privilege(roles.oid, pg_namespace.oid, 'CREATE')
                AND nspname !~ '^pg_(toast_)?temp_'
            UNION ALL
            SELECT format('%I may %s in database %I', rolname, right_name, current_database())
            FROM roles, unnest('{CREATE,TEMP}'::text[]) AS right_name
            WHERE NOT is_owner AND has_database_privilege(roles.oid, current_database(), right_name)
            ORDER BY 1
            """
        /// Reads.
        package static let access = StatementAccess.read
        /// What the statement answers of a role from which nothing can be kept.
        static let ownership = "owner"

        let scope: RightsScope

        /// Binds the scope.
        package func bind(to parameters: inout Parameters) {
            parameters.append(scope == .service)
            parameters.append(SchemaGuards.expected.map(\.name))
            parameters.append(SchemaGuards.tables)
        }

        /// One right.
        package static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }
}
