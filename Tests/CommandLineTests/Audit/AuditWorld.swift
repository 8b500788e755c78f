extension AuditWorld {
    /// Players of the app and of `/v2`, one claimed and one deleted; games won, lost, resigned and running; purchases
    /// and a refund; a draw; keys, grants, rules and words that operators changed.
    static let script = """
        \(Program.findGame)
        INSERT INTO words (language, word, is_secret) SELECT 'en', w, true
            FROM unnest('{apple,bread,chair,drink,eagle,flame,grape,house,igloo,joker}'::text[]) w;
        INSERT INTO words (language, word, is_secret) SELECT 'en', w, false
            FROM unnest('{crane,slate,music,lemon}'::text[]) w;
        SELECT refresh_word_lists();
        SELECT choose_daily_words();
        SELECT register_user('ANNA', NULL, NULL), register_user('BEN', NULL, NULL), register_user('DEVICE-1', 'reg', 1);
        SELECT change_energy('DEVICE-1', -5, 'game', 'music', 'app', 1, 'start_game');
        SELECT pay_for_game('ANNA', NULL, NULL), buy_energy('ANNA', 30, 'buy', 1), add_win('ANNA', 'win', 2),
            add_win('ANNA', NULL, NULL);
        SELECT record_played_word('ANNA', 'apple', 'en'), record_played_word('ANNA', 'crane', 'en'),
            record_played_word('ANNA', 'bread', 'en');
        SELECT record_played_word('DEVICE-1', 'chair', 'en');
        SELECT apply_rules('os:test', '{"players.claims": "allow", "purchases.unverifiedDailyLimit": 100}');
        SELECT create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb91', 'Ada', NULL, \(Someone.token("ada")), gen_random_uuid(),
            sha256('ada code'));
        SELECT create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb92', 'Bob', 'DEVICE-1', \(Someone.token("bob")),
            gen_random_uuid(), sha256('bob code'));
        SELECT create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb93', 'Cleo', NULL, \(Someone.token("cleo")), gen_random_uuid(),
            sha256('cleo code'));
        SELECT grant_energy('os:test', '6ed8320e-51c1-8a06-b8b0-2ca148cbfb91', 100, 'a gift', 'gift-1', 1);
        SELECT grant_energy('os:test', 'BEN', 10, 'ticket 17', 'ticket-17', 1);
        CREATE FUNCTION saved_win(token bytea, wrong int) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE player text := session_player(token); g judged_games; BEGIN
         SELECT * INTO g FROM judged_games WHERE user_id = player AND ended_at IS NULL ORDER BY id DESC LIMIT 1;
         FOR i IN 1..wrong LOOP PERFORM guess(token, g.id, CASE WHEN i % 2 = 1 THEN 'crane' ELSE 'slate' END, i,
             NULL, NULL); END LOOP;
         IF wrong < 6 THEN PERFORM guess(token, g.id, g.word, wrong + 1, NULL, NULL); END IF; END $$;
        SELECT start_judged_game(\(Someone.token("ada")), 'en', 5, false, 'start-1', 3);
        SELECT saved_win(\(Someone.token("ada")), 1);
        SELECT start_judged_game(\(Someone.token("ada")), 'en', 5, false, NULL, NULL);
        SELECT saved_win(\(Someone.token("ada")), 6);
        SELECT start_daily_game(\(Someone.token("ada")), false);
        SELECT saved_win(\(Someone.token("ada")), 3);
        SELECT start_judged_game(\(Someone.token("bob")), 'en', 5, false, NULL, NULL);
        SELECT resign_game(\(Someone.token("bob")), pg_temp.game($c$ended_at IS NULL AND user_id LIKE '%92'$c$));
        SELECT tend_boards(100);
        SELECT start_daily_game(\(Someone.token("bob")), false);
        SELECT saved_win(\(Someone.token("bob")), 6);
        SELECT start_judged_game(\(Someone.token("ada")), 'en', 5, false, NULL, NULL);
        SELECT saved_win(\(Someone.token("ada")), 2);
        SELECT start_judged_game(\(Someone.token("ada")), 'en', 5, false, NULL, NULL);
        SELECT guess(\(Someone.token("ada")), pg_temp.game('ended_at IS NULL'), 'crane', 1, NULL, NULL);
        SELECT create_challenge(\(Someone.token("ada")), 'en', 5, 'crane', true, 7, 'challenge-1', 5, false,
            'a kind of bird');
        SELECT create_challenge(\(Someone.token("ada")), 'en', 5, NULL, false, 30, NULL, NULL);
        SELECT create_challenge(\(Someone.token("cleo")), 'en', 5, NULL, false, 1, NULL, NULL);
        SELECT start_challenge_game(\(Someone.token("bob")), code) FROM challenges WHERE is_own_word;
        SELECT guess(\(Someone.token("bob")), pg_temp.game('challenge IS NOT NULL'), 'slate', 1, NULL, NULL);
        SELECT start_challenge_game(\(Someone.token("cleo")), code) FROM challenges WHERE maker LIKE '%93';
        SELECT create_challenge(\(Someone.token("ada")), 'en', 5, 'slate', true, 7, NULL, NULL);
        SELECT delete_challenge(\(Someone.token("ada")), code) FROM challenges WHERE word = 'slate';
        SELECT start_daily_game(\(Someone.token("cleo")), false);
        SELECT saved_win(\(Someone.token("cleo")), 0);
        SELECT credit_purchase('ANNA', ROW('Production', 'T1', 'thirty', 1, 30, NULL, '2026-01-01', '2026-01-01',
            NULL)::store_transaction, 30, NULL, NULL);
        SELECT credit_purchase('ANNA', ROW('Production', 'T2', 'thirty', 1, 30, NULL, '2026-01-01', '2026-01-01',
            NULL)::store_transaction, 30, NULL, NULL);
        SELECT present_purchase(\(Someone.token("cleo")), ROW('Production', 'T3', 'thirty', 1, 30, NULL, '2026-01-01',
            '2026-01-01', NULL)::store_transaction);
        SELECT store_notification('n1', 'signed', 'REFUND', NULL, 'Production', 'T2', NULL, '2026-02-01'),
            apply_notification('n1');
        SELECT store_notification('n2', 'signed', 'CONSUMPTION_REQUEST', NULL, 'Production', 'T1', NULL,
            '2026-02-01'), apply_notification('n2');
        SELECT store_notification('n3', 'signed', 'REFUND', NULL, 'Production', 'T5', NULL, '2026-02-01'),
            apply_notification('n3');
        SELECT buy_energy('BEN', 5, NULL, NULL);
        SELECT store_notification('n4', 'signed', 'CONSUMPTION_REQUEST', NULL, 'Production', 'T3', NULL,
            '2026-02-01'), apply_notification('n4');
        SELECT enter_lottery(\(Someone.token("ada"))), enter_player('os:test', 'ANNA'), enter_player('os:test',
            '6ed8320e-51c1-8a06-b8b0-2ca148cbfb93'), enter_player('BEN');
        SELECT import_lottery('os:test', '{7,9}', '{Xenia,Yves}', '{x,y}', '{2020-01-01,2020-01-02}', '{7,9}',
            '{false,true}');
        SELECT change_entry('os:test', (SELECT number FROM lottery_participants WHERE user_id = 'BEN'), 'void');
        SELECT announce_prize('os:test', 50);
        SELECT start_draw('os:test', 1);
        SELECT create_league(\(Someone.token("ada")), 'The Crew', 'league-1', 4), create_league(\(Someone.token("cleo")), 'Mine', NULL, NULL);
        SELECT join_league(\(Someone.token("cleo")), invite), join_league(\(Someone.token("bob")), invite) FROM leagues
            WHERE name = 'The Crew';
        -- As the services make them: the first four bytes are the second at which it ends.
        CREATE FUNCTION pg_temp.nonce(text) RETURNS bytea LANGUAGE sql AS $$
            SELECT substr(int8send(extract(epoch FROM now())::bigint + 300), 5) || substr(sha256($1::bytea), 5) $$;
        SELECT register_passkey(\(Someone.token("ada")), pg_temp.nonce('n1'), gen_random_uuid(), 'ada 1', 'key', 0, true, true, 'Phone'),
            register_passkey(\(Someone.token("cleo")), pg_temp.nonce('n2'), gen_random_uuid(), 'cleo 1', 'key', 7, false, false, NULL);
        SELECT link_identity(\(Someone.token("bob")), pg_temp.nonce('n3'), NULL, 'apple', 'https://appleid.apple.com', '001', NULL, NULL),
            link_identity(\(Someone.token("cleo")), pg_temp.nonce('n4'), NULL, 'apple', 'https://appleid.apple.com', '002', 'link-1', 6);
        SELECT open_identity_session(sha256('bob 2') || '6ed8320e-51c1-8a06-b8b0-2ca148cbfb92', gen_random_uuid(),
            pg_temp.nonce('n5'), 'https://appleid.apple.com', '001');
        SELECT delete_user('6ed8320e-51c1-8a06-b8b0-2ca148cbfb93', E'deleted\\tx');
        WITH added AS (INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('key')), 'kim', 'owner') RETURNING *)
            INSERT INTO admin_actions (actor, action, subject, details)
            SELECT 'os:test', 'key.add', name, jsonb_build_object('role', role) FROM added;
        WITH added AS (INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('words')), 'mia', 'words') RETURNING *)
            INSERT INTO admin_actions (actor, action, subject, details)
            SELECT 'os:test', 'key.add', name, jsonb_build_object('role', role) FROM added;
        WITH added AS (INSERT INTO admin_keys (key_hash, name, role) VALUES (sha256(sha256('old')), 'lee', 'owner') RETURNING *)
            INSERT INTO admin_actions (actor, action, subject, details)
            SELECT 'os:test', 'key.add', name, jsonb_build_object('role', role) FROM added;
        -- Who has a key is signed in; the digest of the session is that of the key.
        INSERT INTO admin_sessions (session_hash, key_hash, ends_at)
            SELECT key_hash, key_hash, now() + interval '12 hours' FROM admin_keys;
        WITH revoked AS (UPDATE admin_keys SET revoked_at = now() WHERE name = 'lee' RETURNING name)
            INSERT INTO admin_actions (actor, action, subject) SELECT 'os:test', 'key.revoke', name FROM revoked;
        SELECT change_words('os:test', 'en', '{igloo}', 'retire', 'rude', NULL, NULL), choose_days_again('os:test');
        SELECT create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb94', 'Dora', NULL, \(Someone.token("dora")), gen_random_uuid(),
            sha256('dora code'));
        SELECT create_player('6ed8320e-51c1-8a06-b8b0-2ca148cbfb95', 'Eve', NULL, \(Someone.token("eve")), gen_random_uuid(),
            sha256('eve code'));
        SELECT grant_energy('os:test', '6ed8320e-51c1-8a06-b8b0-2ca148cbfb94', 20, 'a merge', NULL, NULL);
        SELECT start_judged_game(\(Someone.token("dora")), 'en', 5, false, NULL, NULL);
        SELECT saved_win(\(Someone.token("dora")), 1);
        SELECT start_daily_game(\(Someone.token("dora")), false), start_daily_game(\(Someone.token("eve")), false);
        SELECT saved_win(\(Someone.token("dora")), 1);
        SELECT saved_win(\(Someone.token("eve")), 2);
        SELECT create_challenge(\(Someone.token("dora")), 'en', 5, NULL, false, 7, NULL, NULL);
        SELECT present_purchase(\(Someone.token("dora")), ROW('Production', 'T6', 'thirty', 1, 30, NULL, '2026-01-01',
            '2026-01-01', NULL)::store_transaction);
        SELECT merge_player(\(Someone.token("eve")), \(Someone.token("dora")), NULL, 'merge-1', 7);
        SELECT store_notification('n6', 'signed', 'REFUND', NULL, 'Production', 'T6', NULL, '2026-02-01'),
            apply_notification('n6');
        DROP FUNCTION saved_win(bytea, integer);
        """
}
