-- How many days in a row are won with a day, after the days before it.
--
-- Called by: recount_days, end_game.
CREATE OR REPLACE FUNCTION days_in_row(streak integer, last_won date, day date) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$ SELECT CASE WHEN last_won = day - 1 THEN streak + 1 ELSE 1 END $$;

-- Ends a game: statistics, the reward of the day, the word played, the win, the boards, what leagues count. It writes
-- only rows of the player.
--
-- A game of a past day, or of a challenge, does not count. A day's game counts for the day only if it ends on it: when
-- the day is over, its word is public, and its figures stay as they are.
--
-- Called by: take_guess, resign_game, admin_end_game. They hold the game's row.
-- Locks: the player's row of players, then the player's row of users.
-- Answers: the game as it is now.
CREATE OR REPLACE FUNCTION end_game(g judged_games, has_won boolean) RETURNS judged_games
LANGUAGE plpgsql AS $$
DECLARE
    moment timestamptz := clock_timestamp();
    ended timestamptz;
    ended_day date;
    word_id integer;
    word_place integer;
    new_score bigint;
    changes juliet.board_change[] := '{}';
    is_on_its_day boolean := false;
    last_at timestamptz;
    ruled_at timestamptz;
    reward integer;
    rewarded juliet.operation_answer;
BEGIN
    IF g.kind IN ('archive', 'challenge') THEN
        UPDATE judged_games SET ended_at = moment, is_won = has_won, session_hash = NULL, session_seen_at = NULL
        WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
        RETURN g;
    END IF;
    SELECT id, place INTO word_id, word_place FROM words WHERE language = g.language AND word = g.word;
    IF g.kind = 'daily' THEN
        SELECT greatest(moment, next_moment(last_ended_at)) INTO moment FROM players
        WHERE user_id = g.user_id FOR NO KEY UPDATE;
        ended_day := day_at(moment);
        is_on_its_day := g.day = ended_day;
    END IF;
    IF has_won THEN
        UPDATE players SET played = played + 1, won = won + 1, current_streak = current_streak + 1,
            longest_streak = greatest(longest_streak, current_streak + 1),
            distribution[g.guess_count] = distribution[g.guess_count] + 1,
            last_ended_at = greatest(moment, next_moment(last_ended_at)),
            judged_secrets = with_bit(judged_secrets, word_place),
            days_played = days_played + is_on_its_day::integer, days_won = days_won + is_on_its_day::integer,
            day_streak = CASE WHEN is_on_its_day THEN days_in_row(day_streak, last_day_won, g.day) ELSE day_streak END,
            longest_day_streak = CASE WHEN is_on_its_day
                THEN greatest(longest_day_streak, days_in_row(day_streak, last_day_won, g.day))
                ELSE longest_day_streak END,
            last_day_won = CASE WHEN is_on_its_day THEN g.day ELSE last_day_won END
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    ELSE
        UPDATE players SET played = played + 1, current_streak = 0,
            last_ended_at = greatest(moment, next_moment(last_ended_at)),
            judged_secrets = with_bit(judged_secrets, word_place),
            days_played = days_played + is_on_its_day::integer,
            day_streak = CASE WHEN is_on_its_day THEN 0 ELSE day_streak END
        WHERE user_id = g.user_id RETURNING last_ended_at INTO STRICT ended;
    END IF;
    IF is_on_its_day AND g.guess_count > 0 THEN
        SELECT ledger_at INTO last_at FROM users WHERE id = g.user_id FOR NO KEY UPDATE;
        SELECT daily_reward, since INTO reward, ruled_at FROM rules ORDER BY since DESC LIMIT 1;
        IF reward > 0 THEN
            rewarded := change_energy(g.user_id, reward, 'daily', g.id::text, NULL, NULL,
                not_before => greatest(last_at, ruled_at));
            IF rewarded.refusal IS NULL THEN g.reward := reward; END IF;
        END IF;
    END IF;
    UPDATE judged_games SET ended_at = ended, is_won = has_won, reward = g.reward, session_hash = NULL,
        session_seen_at = NULL
    WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
    IF word_id IS NOT NULL THEN PERFORM note_played_word(g.user_id, word_id, word_place); END IF;
    IF has_won THEN
        UPDATE users SET wins = wins + 1 WHERE id = g.user_id AND wins < 2147483647;
        -- The moment is that of the locked player, so a game of the day has it already.
        ended_day := coalesce(ended_day, day_at(ended));
        WITH counted AS (
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            SELECT g.user_id, which, board_start(which, ended_day), -1, ended
            FROM unnest('{day,week,month,all}'::board[]) AS which
            ON CONFLICT (user_id, board, starts_on)
            DO UPDATE SET score = board_entries.score - 1, reached_at = EXCLUDED.reached_at
            RETURNING board, starts_on, score)
        SELECT array_agg(ROW(board, starts_on, nullif(score + 1, 0), score, NULL)::board_change ORDER BY board)
        INTO changes FROM counted;
    END IF;
    IF is_on_its_day THEN
        new_score := CASE WHEN has_won
            THEN (g.guess_count::bigint << 32) + floor(extract(epoch FROM ended - g.started_at))::bigint END;
        IF has_won THEN
            INSERT INTO board_entries (user_id, board, starts_on, score, reached_at)
            VALUES (g.user_id, 'daily', g.day, new_score, ended);
        END IF;
        changes := changes
            || ROW('daily', g.day, NULL, new_score, CASE WHEN has_won THEN g.guess_count ELSE 7 END)::board_change;
        PERFORM note_daily_result(g.user_id, g.day, CASE WHEN has_won THEN g.guess_count ELSE 7 END);
    END IF;
    PERFORM note_on_boards(g.user_id, ended, changes);
    RETURN g;
END
$$;

-- Locks all that the end of a game of each player of a set locks, or passes over it. served: the places that have their
-- answers.
--
-- Called by: guess_known_word_each, resign_game_each.
-- Locks: the games' rows, the players' rows of players and of users, and the sessions', shared. It waits for none of them.
-- Answers: the places that are left, in their order, with the rows. is_free: the complete function will not wait: all is
-- locked, or there is no such game or session.
CREATE OR REPLACE FUNCTION hold_ends(ids text[], digests bytea[], games uuid[], served bigint[])
RETURNS TABLE (place bigint, is_free boolean, game_row tid, player_row tid, user_row tid)
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY
    SELECT asked.n, held.g IS NOT NULL
        OR NOT EXISTS (SELECT FROM judged_games AS g WHERE g.user_id = asked.id AND g.id = asked.game OFFSET 0)
        OR NOT EXISTS (SELECT FROM sessions AS s WHERE s.user_id = asked.id AND s.token_hash = asked.digest OFFSET 0),
        held.g, held.p, held.u
    FROM unnest(ids, digests, games) WITH ORDINALITY AS asked (id, digest, game, n)
    LEFT JOIN LATERAL (
        SELECT g.ctid AS g, p.ctid AS p, u.ctid AS u
        FROM judged_games AS g JOIN players AS p USING (user_id) JOIN users AS u ON u.id = user_id
        JOIN sessions AS s USING (user_id)
        WHERE user_id = asked.id AND g.id = asked.game AND s.token_hash = asked.digest
        FOR NO KEY UPDATE OF g, p, u SKIP LOCKED FOR KEY SHARE OF s SKIP LOCKED OFFSET 0) AS held ON true
    WHERE asked.n <> ALL (coalesce(served, '{}'))
    ORDER BY asked.n;
END
$$;
