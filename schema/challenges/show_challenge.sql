-- The visible part of a challenge. No other function shows a word that somebody may still guess.

-- Shows a challenge to a player, or without a player (player NULL), as it is at a moment. own_game: the player's
-- game of it; NULLs: none.
--
-- Word, meaning and salt are there, and results may be seen (is_open), when the challenge is over, when the player has ended
-- their game, and for the maker of an own word.
--
-- Called by: create_challenge, challenge_as_answered, read_challenge, list_challenges.
CREATE OR REPLACE FUNCTION show_challenge(
    c challenges, player text, own_game judged_games, moment timestamptz
) RETURNS shown_challenge
LANGUAGE plpgsql STABLE AS $$
DECLARE
    shown juliet.shown_challenge;
BEGIN
    shown.code := c.code;
    SELECT name INTO shown.maker_name FROM players WHERE user_id = c.maker;
    shown.is_mine := coalesce(c.maker = player, false);
    shown.is_own_word := c.is_own_word;
    shown.language := c.language;
    shown.letters := c.letters;
    shown.is_hard := c.is_hard;
    shown.commitment := c.commitment;
    shown.created_at := c.created_at;
    shown.ends_at := c.ends_at;
    shown.players := c.players;
    shown.is_any_word := c.is_any_word;
    shown.hint := c.hint;
    IF own_game.id IS NOT NULL THEN
        shown.game := show_game(own_game);
        SELECT name INTO shown.reader_name FROM players WHERE user_id = player;
    END IF;
    shown.is_open := moment >= c.ends_at OR own_game.ended_at IS NOT NULL OR shown.is_mine AND c.is_own_word;
    IF shown.is_open THEN
        shown.word := c.word;
        shown.salt := c.salt;
        shown.meaning := meaning_of(c.language, c.word);
    END IF;
    RETURN shown;
END
$$;

-- Makes the results of a challenge: of the games that ended before it did, won ones by guesses, then seconds, lost ones
-- after them on one rank. The games of deleted players are deleted too.
--
-- Called by: read_challenge, read_challenge_results.
-- Answers: a row a game, in their order. The first hundred have their players' names, the others none: each of them is
-- shown to its own player alone.
CREATE OR REPLACE FUNCTION challenge_results(wanted text, ends timestamptz) RETURNS SETOF challenge_result
LANGUAGE plpgsql STABLE AS $$
DECLARE
    line record;
    best text[] := '{}';
    names text[];
    number integer := 0;
    score bigint;
    score_before bigint;
    result juliet.challenge_result;
BEGIN
    SELECT array_agg(user_id), array_agg(name) INTO best, names
    FROM (SELECT user_id FROM judged_games WHERE challenge = wanted AND ended_at < ends
        ORDER BY is_won DESC, CASE WHEN is_won THEN guess_count END,
            CASE WHEN is_won THEN floor(extract(epoch FROM ended_at - started_at)) END, ended_at, id
        LIMIT 100) AS listed
        JOIN players USING (user_id);
    FOR line IN SELECT user_id, id, is_won, guess_count, marks,
            floor(extract(epoch FROM ended_at - started_at))::bigint AS seconds
        FROM judged_games WHERE challenge = wanted AND ended_at < ends
        ORDER BY is_won DESC, CASE WHEN is_won THEN guess_count END,
            CASE WHEN is_won THEN floor(extract(epoch FROM ended_at - started_at)) END, ended_at, id
    LOOP
        number := number + 1;
        score := CASE WHEN line.is_won THEN (line.guess_count::bigint << 32) + line.seconds ELSE -1 END;
        IF score IS DISTINCT FROM score_before THEN result.rank := number; END IF;
        score_before := score;
        result.game := line.id;
        result.name := CASE WHEN number <= 100 THEN names[array_position(best, line.user_id)] END;
        result.is_won := line.is_won;
        result.guess_count := line.guess_count;
        result.seconds := line.seconds;
        result.marks := line.marks;
        RETURN NEXT result;
    END LOOP;
END
$$;
