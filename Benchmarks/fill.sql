-- Leaves players of /v2 as the schema's functions would, in seconds instead of minutes: each was
-- registered with a session, pays for a game that is not guessed at yet, and has won the day's, on its day. BenchmarkFillTests
-- compares it with the functions, row by row.
--
-- Reads the table "filling", a row a player: id, name, token, recovery (both as they are stored), session, session_at, created_at; game, word,
-- salt, paid_at, started_at of the game that runs; daily, day, daily_started_at, guesses, marks, rewarded_at, played_at, ended_at of the
-- day's.
INSERT INTO juliet.energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference, created_at)
SELECT id, 'entry 1', 1, starting_energy, starting_energy, 'registration'::juliet.energy_reason, NULL, created_at
FROM filling, (SELECT starting_energy, game_price FROM juliet.rules ORDER BY since DESC LIMIT 1) AS rules
UNION ALL
SELECT id, 'entry 2', 2, -game_price, starting_energy - game_price, 'game', game::text, paid_at
FROM filling, (SELECT starting_energy, game_price FROM juliet.rules ORDER BY since DESC LIMIT 1) AS rules
UNION ALL
SELECT id, 'entry 3', 3, daily_reward, starting_energy - game_price + daily_reward, 'daily', daily::text, rewarded_at
FROM filling, (SELECT starting_energy, game_price, daily_reward FROM juliet.rules ORDER BY since DESC LIMIT 1) AS rules;

INSERT INTO juliet.users (id, energy, ledger_entry, ledger_seal, ledger_at, wins, words_played, played_secrets, created_at,
    refill)
SELECT filling.id, starting_energy - game_price + daily_reward, 3,
    juliet.energy_entry_seal(1, starting_energy, starting_energy, 'registration', NULL, filling.created_at)
        # juliet.energy_entry_seal(2, -game_price, starting_energy - game_price, 'game', game::text, paid_at)
        # juliet.energy_entry_seal(3, daily_reward, starting_energy - game_price + daily_reward, 'daily', daily::text, rewarded_at),
    rewarded_at, 1, 1, set_bit(juliet.no_bits((place / 512 + 1) * 512), place, 1), filling.created_at,
    ROW(0, paid_at)::juliet.refill_clock
FROM filling JOIN juliet.daily_words USING (day) JOIN juliet.words ON words.language = daily_words.language AND words.word = daily_words.word,
    (SELECT starting_energy, game_price, daily_reward FROM juliet.rules ORDER BY since DESC LIMIT 1) AS rules;

INSERT INTO juliet.players (user_id, name, recovery_hash, played, won, current_streak, longest_streak, distribution, last_ended_at,
    judged_secrets, days_played, days_won, day_streak, longest_day_streak, last_day_won)
SELECT filling.id, name, recovery, 1, 1, 1, 1,
    ARRAY(SELECT (number = char_length(marks) / 5)::integer FROM generate_series(1, juliet.maximum_guesses()) AS number), ended_at,
    juliet.with_bit(B'', place), 1, 1, 1, 1, day
FROM filling JOIN juliet.daily_words USING (day) JOIN juliet.words ON words.language = daily_words.language AND words.word = daily_words.word;

INSERT INTO juliet.sessions (user_id, id, token_hash, opened_by, created_at, last_used_at)
SELECT id, session, token, 'registration', session_at, date_trunc('hour', session_at, 'UTC') FROM filling;

INSERT INTO juliet.judged_games (user_id, id, kind, is_hard, language, letters, word, salt, commitment, started_at, session_hash, session_seen_at)
SELECT id, game, 'game', false, 'en', 5, word, salt, juliet.commitment(salt, word), started_at, token, date_trunc('hour', session_at, 'UTC')
FROM filling;
INSERT INTO juliet.judged_games (user_id, id, kind, is_hard, day, language, letters, word, salt, commitment, guesses, marks, guess_count, is_won,
    started_at, ended_at, reward)
SELECT id, daily, 'daily', false, day, language, 5, daily_words.word, daily_words.salt, commitment, guesses, marks, char_length(marks) / 5,
    true, daily_started_at, ended_at, daily_reward
FROM filling JOIN juliet.daily_words USING (day), (SELECT daily_reward FROM juliet.rules ORDER BY since DESC LIMIT 1) AS rules;

INSERT INTO juliet.played_words (user_id, number, word_id, played_at)
SELECT filling.id, 1, words.id, played_at
FROM filling JOIN juliet.daily_words USING (day) JOIN juliet.words ON words.language = daily_words.language AND words.word = daily_words.word;

INSERT INTO juliet.daily_results (user_id, month, results)
SELECT id, juliet.board_start('month', day),
    overlay(repeat('0', 31) PLACING (char_length(marks) / 5)::text FROM day - juliet.board_start('month', day) + 1)
FROM filling;

WITH entries AS (
    INSERT INTO juliet.board_entries (user_id, board, starts_on, score, reached_at)
    SELECT id, 'daily', day, (char_length(marks)::bigint / 5 << 32)
        + floor(extract(epoch FROM ended_at - daily_started_at))::bigint, ended_at FROM filling
    UNION ALL
    SELECT id, board, juliet.board_start(board, juliet.day_at(ended_at)), -1, ended_at
    FROM filling, unnest('{day,week,month,all}'::juliet.board[]) AS board
    RETURNING board, starts_on, score)
INSERT INTO juliet.board_counts (board, starts_on, step, bucket, count)
SELECT board, starts_on, step, bucket, count(*)
FROM entries CROSS JOIN LATERAL (VALUES
    (CASE WHEN board = 'daily' THEN 0 END, score >> 32), (1, score >> 32), (2, score >> 8), (3, score)
) AS counted (step, bucket)
WHERE step IS NOT NULL GROUP BY board, starts_on, step, bucket;
