-- A guess, counted when the game takes it; guess_number NULL: the next. Refused as guess() says.
CREATE OR REPLACE FUNCTION take_guess(token bytea, game uuid, spelled text, guess_number integer) RETURNS game_answer
LANGUAGE plpgsql AS $$
DECLARE
    token_digest bytea := substr(token, 1, 32);
    player text := session_player(token);
    seen_at timestamptz;
    g juliet.judged_games;
    answer juliet.game_answer;
BEGIN
    SELECT * INTO g FROM judged_games WHERE user_id = player AND id = game FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        answer.refusal := CASE WHEN player IS NULL THEN 'unauthorized' ELSE 'not-found' END;
        RETURN answer;
    END IF;
    IF guess_number <= g.guess_count THEN
        IF substr(g.guesses, (guess_number - 1) * g.letters + 1, g.letters) <> spelled THEN
            answer.refusal := 'guess-taken';
        END IF;
    ELSE
        answer.refusal := CASE WHEN g.ended_at IS NOT NULL THEN 'game-over'
            WHEN guess_number > g.guess_count + 1 THEN 'guess-early'
            WHEN char_length(spelled) <> g.letters
                OR NOT EXISTS (SELECT FROM words WHERE words.language = g.language AND words.word = spelled)
            THEN 'word-unknown' END;
        IF answer.refusal IS NULL THEN
            seen_at := hold_session(player, token_digest);
            IF seen_at IS NULL THEN
                answer.refusal := 'unauthorized';
                RETURN answer;
            END IF;
            UPDATE judged_games SET guesses = guesses || spelled, marks = marks || mark_guess(spelled, judged_games.word),
                guess_count = guess_count + 1, session_hash = token_digest, session_seen_at = seen_at
            WHERE user_id = g.user_id AND id = g.id RETURNING * INTO g;
            IF spelled = g.word OR g.guess_count = maximum_guesses() THEN g := end_game(g, spelled = g.word); END IF;
        END IF;
    END IF;
    answer.game := show_game(g);
    RETURN answer;
END
$$;
