-- The visible part of a game. No other function shows a word that may still be guessed.

-- Shows a game. Word, meaning and salt are there only when it has ended. After a merge there may be two of a day or a challenge.
--
-- Called by: take_guess, resign_game, resign_game_each, start_judged_game, start_daily_game, start_archive_game, read_game,
-- list_games, read_today, read_past_day, list_days, game_as_answered, show_game_after, start_challenge_game,
-- show_challenge, admin_show_game, player_records, merge_players.
CREATE OR REPLACE FUNCTION show_game(g judged_games) RETURNS shown_game
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF g.ended_at IS NULL THEN
        RETURN ROW(g.id, coalesce(g.day, g.former_day), g.language, g.letters, g.guesses, g.marks, false, g.commitment,
            g.started_at, NULL, NULL, NULL, NULL, g.kind, g.is_hard, coalesce(g.challenge, g.former_challenge),
            NULL, g.is_any_word, g.hint)::shown_game;
    END IF;
    RETURN ROW(g.id, coalesce(g.day, g.former_day), g.language, g.letters, g.guesses, g.marks, g.is_won, g.commitment,
        g.started_at, g.ended_at, g.word, g.salt, g.reward, g.kind, g.is_hard, coalesce(g.challenge, g.former_challenge),
        meaning_of(g.language, g.word), g.is_any_word, g.hint)::shown_game;
END
$$;

-- Shows a game as it was after some of its guesses.
--
-- Called by: game_as_answered.
CREATE OR REPLACE FUNCTION show_game_after(g judged_games, count integer) RETURNS shown_game
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF count < g.guess_count OR count < maximum_guesses() AND NOT g.is_won THEN
        g.guesses := left(g.guesses, count * g.letters);
        g.marks := left(g.marks, count * g.letters);
        g.ended_at := NULL;
    END IF;
    RETURN show_game(g);
END
$$;

-- Shows a game as the first answer to an operation did. told: what was kept of the answer, as keep_answer says.
--
-- Called by: first_answer.
-- Answers: a JSON object of a game_answer's game; an empty one when it is gone, with the other player whose it was.
CREATE OR REPLACE FUNCTION game_as_answered(player text, told jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    wanted uuid := told ->> 'game_id';
    g juliet.judged_games;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = wanted;
    IF NOT FOUND THEN
        SELECT * INTO g FROM judged_games WHERE user_id = told ->> 'player_id' AND id = wanted;
        IF NOT FOUND THEN RETURN '{}'; END IF;
    END IF;
    RETURN jsonb_build_object('game', CASE WHEN told ? 'guess_count'
        THEN show_game_after(g, (told ->> 'guess_count')::integer) ELSE show_game(g) END);
END
$$;
