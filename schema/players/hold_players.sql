-- Locks a player who joins a league or creates one, or gets another way to sign in: the player is not deleted, and
-- no other device does the same, until the transaction ends.
--
-- Called by: create_league, join_league, register_passkey, link_identity.
-- Locks: the player's row of players.
-- Answers: whether there is such a player.
CREATE OR REPLACE FUNCTION hold_player(player text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM players WHERE user_id = player FOR NO KEY UPDATE;
    RETURN FOUND;
END
$$;

-- Locks players who are deleted or merged: all rows by which others lock them, or none. With only some of the locks it
-- could deadlock with a guess or a new game. A new game locks its session, so no game is missed. If the wait is in
-- vain, it may be a deadlock with a batch: giving up ends that, and the service tries again.
--
-- Called by: delete_user, hold_merge.
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
                IF attempt = 200 THEN RAISE 'other sessions keep the player locked' USING ERRCODE = 'deadlock_detected'; END IF;
                PERFORM pg_sleep(0.01);
        END;
    END LOOP;
END
$$;
