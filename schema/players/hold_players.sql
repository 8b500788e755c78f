-- Holds players who are deleted or merged: all rows by which others hold them, or none. With some of them it would wait
-- for a guess, or a game that begins, that waits for it. A game that begins holds its session, so no game is missed.
-- Who waits in vain may wait for a batch that waits for this one: giving up ends that, and the service tries again.
--
-- Called by: delete_user, merge_players.
-- Locks: of each player (NULL: nobody) the rows of users and players, the sessions, the running games, and the rows of
-- the leagues.
CREATE OR REPLACE FUNCTION hold_players(names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    player text;
BEGIN
    FOR attempt IN 1..200 LOOP
        BEGIN
            FOREACH player IN ARRAY names LOOP
                PERFORM FROM users WHERE id = player FOR UPDATE NOWAIT;
                PERFORM FROM players WHERE user_id = player FOR UPDATE NOWAIT;
                PERFORM FROM sessions WHERE user_id = player ORDER BY id FOR UPDATE NOWAIT;
                PERFORM FROM judged_games WHERE user_id = player AND ended_at IS NULL ORDER BY id FOR UPDATE NOWAIT;
                PERFORM FROM leagues WHERE id IN (SELECT league_id FROM league_members WHERE user_id = player)
                ORDER BY id FOR UPDATE NOWAIT;
            END LOOP;
            RETURN;
        EXCEPTION
            WHEN lock_not_available THEN
                IF attempt = 200 THEN RAISE 'others hold the player' USING ERRCODE = 'deadlock_detected'; END IF;
                PERFORM pg_sleep(0.01);
        END;
    END LOOP;
END
$$;
