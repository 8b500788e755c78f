-- The games of two players who are merged.

-- Moves the other's games to the player. If both have played a day, one game stays the day's: a daily game before an
-- archive game, otherwise the player's. If both have played a challenge, it is the player's, and if either made it
-- with an own word, it is none. The other game becomes one of the kind archive, which does not count.
--
-- Called by: take_over, which holds both players; nobody has changed the makers of challenges yet.
-- Answers: the days whose game is the other's daily game.
CREATE OR REPLACE FUNCTION merge_games(player text, other text) RETURNS date[]
LANGUAGE plpgsql AS $$
DECLARE
    g juliet.judged_games;
    own juliet.judged_games;
    days date[] := '{}';
    own_words text[] := ARRAY(SELECT code FROM challenges WHERE maker = player AND is_own_word);
    others_words text[] := ARRAY(SELECT code FROM challenges WHERE maker = other AND is_own_word);
BEGIN
    UPDATE judged_games SET kind = 'archive', former_challenge = challenge, challenge = NULL
    WHERE user_id = player AND challenge = ANY (others_words);
    FOR g IN DELETE FROM judged_games WHERE user_id = other RETURNING * LOOP
        g.user_id := player;
        g.ledger := coalesce(g.ledger, other);
        IF g.day IS NOT NULL THEN
            SELECT * INTO own FROM judged_games WHERE user_id = player AND day = g.day;
            IF FOUND AND own.kind = 'archive' AND g.kind = 'daily' THEN
                UPDATE judged_games SET former_day = day, day = NULL WHERE user_id = player AND id = own.id;
            ELSIF FOUND THEN
                g.kind := 'archive';
                g.former_day := g.day;
                g.day := NULL;
            END IF;
            IF g.kind = 'daily' THEN days := days || g.day; END IF;
        ELSIF g.challenge IS NOT NULL THEN
            PERFORM FROM judged_games WHERE user_id = player AND challenge = g.challenge;
            IF FOUND OR g.challenge = ANY (own_words) THEN
                g.kind := 'archive';
                g.former_challenge := g.challenge;
                g.challenge := NULL;
            END IF;
        END IF;
        INSERT INTO judged_games SELECT g.*;
    END LOOP;
    RETURN days;
END
$$;

-- Counts a player's games again, in the order in which they ended, and adds those that were won to the wins of the app.
--
-- Called by: take_over (after merge_wins and merge_games).
CREATE OR REPLACE FUNCTION recount_games(player text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    g record;
    counted juliet.players;
BEGIN
    counted.played := 0;
    counted.won := 0;
    counted.current_streak := 0;
    counted.longest_streak := 0;
    counted.distribution := '{0,0,0,0,0,0}';
    counted.last_ended_at := '-infinity';
    FOR g IN SELECT is_won, guess_count, ended_at FROM judged_games
        WHERE user_id = player AND ended_at IS NOT NULL AND kind IN ('game', 'daily') ORDER BY ended_at, id
    LOOP
        counted.played := counted.played + 1;
        counted.last_ended_at := g.ended_at;
        IF g.is_won THEN
            counted.won := counted.won + 1;
            counted.current_streak := counted.current_streak + 1;
            counted.longest_streak := greatest(counted.longest_streak, counted.current_streak);
            counted.distribution[g.guess_count] := counted.distribution[g.guess_count] + 1;
        ELSE
            counted.current_streak := 0;
        END IF;
    END LOOP;
    UPDATE players SET played = counted.played, won = counted.won, current_streak = counted.current_streak,
        longest_streak = counted.longest_streak, distribution = counted.distribution,
        last_ended_at = counted.last_ended_at
    WHERE user_id = player;
    UPDATE users SET wins = least(2147483647, wins::bigint + counted.won) WHERE id = player;
END
$$;
