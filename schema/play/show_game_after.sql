-- The game as it stood after some guesses: what was answered then.
CREATE OR REPLACE FUNCTION show_game_after(g judged_games, count integer) RETURNS shown_game
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF count < g.guess_count OR count < maximum_guesses() AND NOT g.is_won THEN
        g.guesses := left(g.guesses, count * g.letters);
        g.marks := left(g.marks, count * g.letters);
        g.ended_at := NULL;
    END IF;
    RETURN show_game(g);
END
$$;
