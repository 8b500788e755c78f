import EventLoop
import Foundation
import Postgres
import TestSupport
import Testing

/// Judged games of many players, which begin and go on by one statement for all of them (schema/operations/sets.sql).
@Suite("Sets of judged games", .defaultLayout("where players are spread over servers, each is asked for alone"))
struct JudgedSetTests {
    /// Ids and tokens of players, by their numbers.
    private static let people = """
        CREATE FUNCTION public.id(n integer) RETURNS text LANGUAGE sql IMMUTABLE
        AS $$ SELECT '7ed8320e-51c1-8a06-b8b0-' || lpad(n::text, 12, '0') $$;
        CREATE FUNCTION public.token(n integer) RETURNS bytea LANGUAGE sql IMMUTABLE
        AS $$ SELECT sha256(n::text::bytea) || convert_to(public.id(n), 'UTF8') $$;
        """

    @Test(
        "random histories have the same answers and leave the same records, together and one by one", arguments: 1...4)
    func histories(seed: Int) async throws {
        let database = try await TestDatabase.create()
        // Players 1 to 60 play in sets, 101 to 160 one by one. 59 was merged, into 60; 58 claimed an account of the app.
        let said = try await database.psql(
            """
            \(Self.people)
            SELECT apply_rules('test', '{"players.claims": "allow", "energy.refillEvery": 3600}');
            SELECT register_user('APP' || side, NULL, NULL) FROM unnest('{0,100}'::integer[]) AS side;
            SELECT create_player(id(side + n), 'Ann', CASE n WHEN 58 THEN 'APP' || side END, token(side + n), gen_random_uuid(),
                sha256('r' || (side + n)::text::bytea))
            FROM unnest('{0,100}'::integer[]) AS side, generate_series(1, 60) AS n;
            SELECT merge_player(token(side + 60), token(side + 59), NULL, NULL, NULL) FROM unnest('{0,100}'::integer[]) AS side;
            SELECT change_energy(id(side + 1), 100, 'support', 'x', NULL, NULL) FROM unnest('{0,100}'::integer[]) AS side;
            CREATE TABLE public.codes AS
            SELECT side, ((create_challenge(token(side + 1), 'en', 5, 'crane', n = 2, 7, NULL, NULL, n = 1)).challenge).code
            FROM unnest('{0,100}'::integer[]) AS side, generate_series(1, 2) AS n;
            SELECT start_challenge_game(token(codes.side + n), code) FROM codes, generate_series(2, 20) AS n;
            CREATE FUNCTION public.alone(
                kind text, token bytea, hard boolean, operation text, request bigint, game uuid, word text, number integer
            ) RETURNS text LANGUAGE plpgsql AS $$
            BEGIN
                RETURN CASE kind WHEN 'start' THEN juliet.start_judged_game(token, 'en', 5, hard, operation, request)
                    WHEN 'guess' THEN juliet.guess_known_word(token, game, word, number, 'en')
                    ELSE juliet.resign_game(token, game) END::text;
            EXCEPTION WHEN invalid_parameter_value THEN RETURN 'error';
            END
            $$;
            CREATE FUNCTION public.together(
                kind text, tokens bytea[], hard boolean[], operations text[], requests bigint[], games uuid[], spelled text[],
                numbers integer[]
            ) RETURNS TABLE (answer text, place bigint) LANGUAGE plpgsql AS $$
            DECLARE
                languages text[] := array_fill('en'::text, ARRAY[cardinality(tokens)]);
            BEGIN
                RETURN QUERY SELECT s.answer::text, s.place FROM juliet.start_judged_game_each(
                    tokens, languages, array_fill(5, ARRAY[cardinality(tokens)]), hard, operations, requests) AS s
                    WHERE kind = 'start'
                UNION ALL SELECT s.answer::text, s.place
                    FROM juliet.guess_known_word_each(tokens, games, spelled, numbers, languages) AS s WHERE kind = 'guess'
                UNION ALL SELECT s.answer::text, s.place FROM juliet.resign_game_each(tokens, games) AS s WHERE kind = 'resign';
            END
            $$;
            -- What is chosen at random, and moments: all that may differ.
            CREATE FUNCTION public.masked(answer text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
                SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(answer, ',[0-9A-Z]{8},,([tf]),', ',code,,\\1,'), '[0-9a-f]{8}-[0-9a-f-]{27}', 'id', 'g'),
                    'x[0-9a-f]{64}', 'hash', 'g'), '[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:.]+\\+00', 'moment', 'g')
            $$;
            CREATE TABLE public.seen (round integer, kind text, place bigint, is_served boolean, answer text, alone text);
            DO $$
            DECLARE
                what text;
                who integer[]; valid boolean[]; is_hard boolean[]; operations text[]; requests bigint[]; picks integer[];
                words text[]; numbers integer[]; places integer[];
                spellings text[] := '{crane,slate,eerie,niece,crane,caner,zzzzz}';
            BEGIN
                PERFORM setseed(0.\(seed)), set_config('search_path', 'public,juliet', true);
                <<play>>
                FOR round IN 1 .. 160 LOOP
                    IF random() < 0.05 THEN
                        PERFORM apply_rules('test', jsonb_build_object('energy.price', floor(random() * 8)));
                    END IF;
                    IF random() < 0.05 THEN
                        UPDATE sessions SET last_used_at = now() - interval '2 hours'
                        WHERE right(user_id, 2)::integer = play.round % 60;
                        UPDATE judged_games SET session_seen_at = now() - interval '2 hours'
                        WHERE right(user_id, 2)::integer % 7 = play.round % 7 AND session_seen_at IS NOT NULL;
                    END IF;
                    what := CASE WHEN random() < 0.3 THEN 'start' WHEN random() < 0.1 THEN 'resign' ELSE 'guess' END;
                    SELECT array_agg(n), array_agg(is_valid), array_agg(hard), array_agg(name), array_agg(request),
                        array_agg(pick), array_agg(word), array_agg(number)
                    INTO who, valid, is_hard, operations, requests, picks, words, numbers FROM (
                        SELECT n, random() > 0.02 AS is_valid, CASE WHEN random() < 0.01 THEN NULL ELSE random() < 0.3 END AS hard,
                            CASE WHEN random() < 0.6 THEN NULL WHEN random() < 0.03 THEN 'bad name'
                                ELSE 'n' || floor(random() * 12) END AS name,
                            CASE WHEN random() < 0.1 THEN 2 ELSE 1 END::bigint AS request, floor(random() * 9)::integer AS pick,
                            spellings[floor(random() * 7) + 1] AS word,
                            CASE WHEN random() < 0.8 THEN NULL ELSE floor(random() * 7)::integer END AS number
                        FROM generate_series(1, 60) AS n ORDER BY md5(n || '-' || play.round) LIMIT play.round % 60 + 1) AS asked;
                    -- Each player's game: mostly the one that goes on, or one of the last, or none.
                    CREATE TEMPORARY TABLE asked ON COMMIT DROP AS
                    SELECT side, place, CASE WHEN valid[place] THEN token(side + who[place])
                            ELSE sha256('wrong') || convert_to(id(side + who[place]), 'UTF8') END AS token,
                        (SELECT g.id FROM judged_games AS g WHERE user_id = id(side + who[place])
                            ORDER BY ended_at IS NULL DESC, started_at DESC, kind, g.is_hard OFFSET greatest(0, picks[place] - 6) LIMIT 1) AS game
                    FROM unnest('{0,100}'::integer[]) AS side, generate_subscripts(who, 1) AS place;
                    INSERT INTO seen SELECT play.round, what, abs(s.place), s.place > 0, s.answer
                    FROM together(what, ARRAY(SELECT token FROM asked WHERE side = 0 ORDER BY place), is_hard, operations, requests,
                        ARRAY(SELECT game FROM asked WHERE side = 0 ORDER BY place), words, numbers) AS s;
                    UPDATE seen SET answer = alone(what, a.token, is_hard[a.place], operations[a.place], requests[a.place], a.game,
                        words[a.place], numbers[a.place])
                    FROM asked AS a WHERE side = 0 AND a.place = seen.place AND seen.round = play.round AND NOT is_served;
                    UPDATE seen SET alone = alone(what, a.token, is_hard[a.place], operations[a.place], requests[a.place], a.game,
                        words[a.place], numbers[a.place])
                    FROM asked AS a WHERE side = 100 AND a.place = seen.place AND seen.round = play.round;
                    IF (SELECT array_agg(place ORDER BY place) FROM seen WHERE seen.round = play.round)
                        IS DISTINCT FROM ARRAY(SELECT generate_series(1, cardinality(who))::bigint)
                    THEN RAISE 'not each place once: %', round; END IF;
                    DROP TABLE asked;
                    -- The same words for both.
                    UPDATE judged_games SET word = spellings[right(user_id, 2)::integer % 5 + 1],
                        commitment = commitment(salt, spellings[right(user_id, 2)::integer % 5 + 1])
                    WHERE ended_at IS NULL AND guess_count = 0 AND kind = 'game';
                END LOOP;
            END
            $$;
            SELECT 'differs', kind, place, masked(answer), masked(alone) FROM seen
            WHERE masked(answer) IS DISTINCT FROM masked(alone);
            WITH records AS (
                SELECT 'entry' AS what, user_id, concat_ws(',', CASE WHEN operation_id NOT LIKE 'entry%' THEN operation_id END,
                    entry, delta, balance_after, reason, operation_request, operation_kind, refusal, masked(answer::text)) AS record
                FROM energy_ledger
                UNION ALL SELECT 'user', id, concat_ws(',', energy, ledger_entry, wins, words_played, (refill).due,
                    md5(played_secrets::text)) FROM users
                UNION ALL SELECT 'player', user_id, concat_ws(',', played, won, current_streak, longest_streak, distribution,
                    days_played, days_won, day_streak, longest_day_streak, last_day_won, md5(judged_secrets::text)) FROM players
                UNION ALL SELECT 'game', user_id, concat_ws(',', kind, is_hard, word, guesses, marks, guess_count, is_won, reward,
                    ended_at IS NULL, session_hash IS NULL, commitment = commitment(salt, word)) FROM judged_games
                UNION ALL SELECT 'word', user_id, concat_ws(',', number, word_id) FROM played_words
                UNION ALL SELECT 'session', user_id, last_used_at::text FROM sessions
                UNION ALL SELECT 'board', user_id, concat_ws(',', board, starts_on, score) FROM board_entries),
            sides AS (SELECT what, record, substr(user_id, 34)::integer / 100 AS side, right(user_id, 2) AS who
                FROM records WHERE user_id LIKE '7ed8320e%')
            SELECT 'differs', what, who, record FROM sides GROUP BY what, who, record HAVING count(*) <> 2 * count(*) FILTER (WHERE side = 0)
            """)
        #expect(
            !said.contains("differs"), "\(said.split(separator: "\n").filter { $0.hasPrefix("differs") }.prefix(5))")
        let seen = try await database.psql(
            """
            SELECT count(*) > 3000, bool_or(answer LIKE '%insufficient%'), bool_or(answer LIKE '%unfinished%'),
                bool_or(answer LIKE '%reused%'), bool_or(answer LIKE '%unauthorized%'), bool_or(NOT is_served),
                bool_or(answer = 'error'), bool_or(answer LIKE '%guess-taken%'), bool_or(answer LIKE '%guess-early%'),
                bool_or(answer LIKE '%guess-hard%'), bool_or(answer LIKE '%game-over%'), bool_or(answer LIKE '%not-found%'),
                bool_or(answer LIKE '%challenge%'), bool_or(kind = 'guess' AND answer LIKE '%ccccc,t,%'),
                bool_or(kind = 'resign' AND answer LIKE '%unauthorized%'), bool_or(kind = 'resign' AND answer LIKE '%not-found%'),
                count(*) FILTER (WHERE kind = 'resign' AND is_served) > 50
            FROM public.seen
            """)
        #expect(seen == Array(repeating: "t", count: 17).joined(separator: "|"))
        #expect(try await database.ledgerFaults().isEmpty)
    }

    @Test("players are read as one by one, whatever their clocks and sessions")
    func readPlayers() async throws {
        let database = try await TestDatabase.create()
        // Of every tenth the token is wrong. Clocks stand, run, are full, or were moved under former rules; there is one of the app's.
        let said = try await database.psql(
            """
            \(Self.people)
            SELECT count(create_player(public.id(n), 'Ann ' || n, NULL, public.token(n), gen_random_uuid(), sha256(n::text::bytea)))
            FROM generate_series(1, 60) AS n;
            UPDATE users SET refill = CASE WHEN right(id, 2)::integer % 4 < 3
                THEN ROW(right(id, 1)::integer, now() - right(id, 2)::integer * interval '30 minutes')::refill_clock END;
            SELECT count(start_judged_game(public.token(n), 'en', 5, false, NULL, NULL)) FROM generate_series(1, 20) AS n;
            UPDATE sessions SET last_used_at = now() - interval '2 hours' WHERE right(user_id, 2)::integer % 7 = 0;
            CREATE TABLE public.tokens AS SELECT n, CASE WHEN n % 10 = 0 THEN public.token(n + 1000) ELSE public.token(n) END AS token
            FROM generate_series(1, 60) AS n UNION ALL SELECT 61, NULL UNION ALL SELECT 62, 'x';
            CREATE TABLE public.seen (way text, n bigint, answer text);
            DO $$
            BEGIN
                FOR turn IN 1 .. 4 LOOP
                    IF turn = 2 THEN PERFORM apply_rules('test', '{"energy.refillAmount": 2}'); END IF;
                    IF turn = 3 THEN
                        UPDATE users SET refill = ROW((refill).due, clock_timestamp())::refill_clock WHERE energy > 25 AND refill IS NOT NULL;
                    END IF;
                    IF turn = 4 THEN PERFORM apply_rules('test', '{"energy.refillUpTo": 0}'); END IF;
                    INSERT INTO public.seen SELECT 'set ' || turn, place, answer::text
                    FROM read_player_each(ARRAY(SELECT token FROM public.tokens ORDER BY n));
                    INSERT INTO public.seen SELECT 'one ' || turn, n, read_player(token)::text FROM public.tokens;
                END LOOP;
            END
            $$;
            SELECT 'differs', s.way, s.answer, o.answer FROM public.seen AS s LEFT JOIN public.seen AS o
                ON o.way = replace(s.way, 'set', 'one') AND o.n = s.n
            WHERE s.way LIKE 'set%' AND s.answer IS DISTINCT FROM o.answer;
            SELECT count(*), count(DISTINCT answer) > 60, count(*) FILTER (WHERE answer LIKE '(unauthorized%') FROM public.seen
            """)
        #expect(!said.contains("differs"), "\(said)")
        #expect(said.hasSuffix("496|t|64"), "\(said.suffix(40))")
    }

    @Test("a game that is held elsewhere is passed over, and so is one whose end needs a row that is")
    func held() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(
            """
            \(Self.people)
            SELECT count(create_player(public.id(n), 'Ann', NULL, public.token(n), gen_random_uuid(), sha256(n::text::bytea)))
            FROM generate_series(1, 4) AS n;
            SELECT count(start_judged_game(public.token(n), 'en', 5, false, NULL, NULL)) FROM generate_series(1, 3) AS n
            """)
        func guesses(_ word: String) -> String {
            """
            SET ROLE player_service;
            SELECT place, (answer).refusal, char_length((answer).game.guesses) FROM juliet.guess_known_word_each(
                ARRAY[public.token(1), public.token(2), public.token(3)], \(games),
                \(word), '{NULL,NULL,NULL}', '{en,en,en}') ORDER BY abs(place)
            """
        }
        let games =
            "'{\(try await database.psql("SELECT string_agg(id::text, ',' ORDER BY user_id) FROM judged_games"))}'"
        let words = "'{\(try await database.psql("SELECT string_agg(word, ',' ORDER BY user_id) FROM judged_games"))}'"
        let other = try await database.psql(
            "SELECT word FROM words WHERE char_length(word) = 5 AND word <> ALL (\(words)::text[]) LIMIT 1")
        let wrong = "'{\(other),\(other),\(other)}'"
        let resigning = """
            SET ROLE player_service;
            SELECT place, (answer).game.ended_at IS NOT NULL FROM juliet.resign_game_each(
                ARRAY[public.token(1), public.token(2), public.token(3)], \(games)) ORDER BY 1
            """
        try await database.withOwner { holder in
            try await holder.executeScript(
                "BEGIN; SELECT FROM juliet.judged_games WHERE user_id = public.id(1) FOR UPDATE")
            #expect(try await database.psql(guesses(wrong)) == "-1||\n2||5\n3||5")
            try await holder.executeScript("COMMIT")
            for table in ["users WHERE id", "players WHERE user_id", "sessions WHERE user_id"] {
                try await holder.executeScript("BEGIN; SELECT FROM juliet.\(table) = public.id(2) FOR UPDATE")
                // Guesses that end no game need none of these rows; the right word needs all.
                #expect(
                    try await database.psql(guesses(wrong)).split(separator: "\n").allSatisfy { !$0.hasPrefix("-") })
                #expect(try await database.psql("BEGIN; \(guesses(words)); ROLLBACK").contains("-2||\n"), "\(table)")
                #expect(try await database.psql("BEGIN; \(resigning); ROLLBACK") == "-2|f\n1|t\n3|t", "\(table)")
                try await holder.executeScript("COMMIT; BEGIN; SELECT FROM juliet.\(table) = public.id(4) FOR UPDATE")
                let start = try await database.psql(
                    """
                    SET ROLE player_service;
                    SELECT place, answer IS NULL FROM juliet.start_judged_game_each(
                        ARRAY[public.token(4)], '{en}', '{5}', '{f}', '{NULL}', '{NULL}')
                    """)
                // Nobody waits for a row of players.
                if !table.hasPrefix("players") { #expect(start == "-1|t", "\(table)") }
                try await holder.executeScript("COMMIT")
            }
        }
        try await database.expectCleanAudit()
    }

    @Test(
        "arrays that are no set are refused",
        arguments: [
            "guess_known_word_each(NULL, '{NULL}', '{crane}', '{1}', '{en}')",
            "guess_known_word_each('{a}', '{NULL,NULL}', '{crane}', '{1}', '{en}')",
            "guess_known_word_each('{a}', '{NULL}', '{}', '{1}', '{en}')",
            "guess_known_word_each('{{a},{b}}', '{NULL,NULL}', '{a,b}', '{1,1}', '{en,en}')",
            "guess_known_word_each('{a}', '{NULL}', '{crane}', NULL, '{en}')",
            "resign_game_each('{a,b}', '{NULL}')", "resign_game_each('{a}', NULL)",
            "start_judged_game_each('{a}', '{en}', '{5}', '{f}', '{k}', NULL)",
            "start_judged_game_each('{a}', '{en}', '{5}', '{f,f}', '{k}', '{1}')",
            "start_judged_game_each('{a,b}', '{en,en}', '{5,5}', '{f,f}', '{k}', '{1,1}')",
        ])
    func arrays(call: String) async throws {
        let database = try await TestDatabase.shared()
        let failure = await #expect(throws: Command.Failure.self) {
            try await database.psql("SET ROLE player_service; SELECT \(call)")
        }
        #expect(failure?.output.contains("a set is arrays of equal length") == true)
    }

    @Test("no plan reads a table of players whole, however many players there were when it was planned")
    func plans() async throws {
        let database = try await TestDatabase.create()
        try await database.psql(Self.people)
        // They hide plans, which have their constants.
        for function in ["start_judged_game", "guess_known_word", "resign_game"] {
            try await database.psql(
                "ALTER FUNCTION \(function) RESET client_min_messages; ALTER FUNCTION \(function)_each RESET client_min_messages"
            )
        }
        let asked = "unnest('{1,2,3,4,5,400,499,70000,500000,999999}'::integer[]) AS n"
        func all(_ value: String) -> String { "array_fill(\(value), ARRAY[10])" }
        let calls = """
            CREATE TEMPORARY TABLE a AS SELECT ARRAY(SELECT public.token(n) FROM \(asked)) AS tokens,
                ARRAY(SELECT (SELECT g.id FROM juliet.judged_games AS g WHERE user_id = public.id(n) AND ended_at IS NULL OFFSET 0)
                    FROM \(asked)) AS games;
            SET auto_explain.log_min_duration = 0;
            SELECT s.place FROM a, start_judged_game_each(tokens, \(all("'en'::text")), \(all("5")), \(all("false")),
                \(all("NULL::text")), \(all("NULL::bigint"))) AS s;
            SELECT s.place FROM a, guess_known_word_each(tokens, games, \(all("'crane'::text")), \(all("NULL::integer")), \(all("'en'::text"))) AS s;
            SELECT s.place FROM a, resign_game_each(tokens[:3], games[:3]) AS s;
            SET auto_explain.log_min_duration = -1;
            DROP TABLE a;
            """
        // Of every five, three have a game that runs. The ledger has gone to files.
        func fill(_ from: Int, _ to: Int) -> String {
            """
            SET session_replication_role = replica;
            INSERT INTO users (id, energy, wins, words_played, ledger_entry, ledger_seal, ledger_at)
            SELECT public.id(n), 30, 0, 0, 1, 0, now() FROM generate_series(\(from), \(to)) AS n;
            INSERT INTO players (user_id, name, recovery_hash)
            SELECT public.id(n), 'Ann', sha256(n::text::bytea) FROM generate_series(\(from), \(to)) AS n;
            INSERT INTO sessions (user_id, id, token_hash, opened_by)
            SELECT public.id(n), gen_random_uuid(), session_digest(public.token(n)), 'registration'
            FROM generate_series(\(from), \(to)) AS n;
            INSERT INTO judged_games (user_id, id, kind, is_hard, language, letters, word, salt, commitment, started_at, session_hash,
                session_seen_at)
            SELECT public.id(n), gen_random_uuid(), 'game', false, 'en', 5, 'slate', public.id(n)::uuid, 'x', now(),
                session_digest(public.token(n)), now()
            FROM generate_series(\(from), \(to)) AS n WHERE n % 5 < 3;
            SET session_replication_role = origin;
            """
        }
        let begin = """
            LOAD 'auto_explain'; SET auto_explain.log_nested_statements = on; SET client_min_messages = log;
            """
        let analyze = "ANALYZE users, energy_ledger, judged_games, players, sessions;"
        // One session that has planned everything on empty tables, and new ones for each size.
        var said = try await database.psql(begin + calls + fill(1, 5) + calls + analyze + calls + fill(6, 500) + calls)
        said += try await database.psql(begin + calls)
        said += try await database.psql(begin + analyze + calls + fill(501, 500_000) + calls)
        said += try await database.psql(begin + calls)
        said += try await database.psql(begin + analyze + calls)
        #expect(said.contains("Update on judged_games") && said.contains("Insert on judged_games"))
        #expect(said.contains("Update on players") && said.contains("LockRows"))
        let tables = ["users", "players", "sessions", "judged_games", "energy_ledger"]
        let lines = said.split(separator: "\n").map { $0.trimmingCharacters(in: ["-", ">", " ", "\t"]) }
        for (index, line) in lines.enumerated() {
            #expect(!tables.contains { line.contains("Seq Scan on \($0)") }, "\(line)")
            if line.hasPrefix("Index"), tables.contains(where: { line.contains(" on \($0)") }) {
                #expect(lines[index + 1].hasPrefix("Index Cond:"), "\(line)")
            }
        }
    }
}
