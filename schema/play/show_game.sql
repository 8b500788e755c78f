-- Shows a game: its word and salt only when it has ended.
CREATE OR REPLACE FUNCTION show_game(g judged_games) RETURNS shown_game
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF g.ended_at IS NULL THEN
        RETURN ROW(g.id, g.day, g.language, g.letters, g.guesses, g.marks, false, g.commitment, g.started_at, NULL, NULL,
            NULL)::shown_game;
    END IF;
    RETURN ROW(g.id, g.day, g.language, g.letters, g.guesses, g.marks, g.is_won, g.commitment, g.started_at, g.ended_at,
        g.word, g.salt)::shown_game;
END
$$;
