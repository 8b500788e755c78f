-- Creates players of /v2, as new players or by claiming a player of the app.

-- Creates a player with a first session. account: a player of the app, who continues as this player; NULL: none.
-- given_name NULL: a name is made.
--
-- Called by: the service (POST /v2/players), create_identified_player.
-- Locks: those of claim_user, then the player's new rows.
-- Answers: the player. Refuses: name-refused, claimed; claim-refused, always where the rules do not allow claims.
CREATE OR REPLACE FUNCTION create_player(
    player text, given_name text, account text, token bytea, session uuid, recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    new_name text := CASE WHEN given_name IS NULL THEN made_name() ELSE player_name(given_name) END;
    moment timestamptz;
    answer player_answer;
BEGIN
    IF (is_player_id(player) AND octet_length(recovery) = 32 AND octet_length(token) = 68
        AND substr(token, 33) = convert_to(player, 'UTF8') AND session IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'a player has a UUID of version 8, digests of 32 bytes, and a session'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF new_name IS NULL THEN
        answer.refusal := 'name-refused';
    ELSIF account IS NULL THEN
        IF create_user(player, NULL, NULL) IS NULL THEN
            RAISE 'the id is taken' USING ERRCODE = 'invalid_parameter_value';
        END IF;
    ELSIF (SELECT claims FROM rules ORDER BY since DESC LIMIT 1) = 'allow' THEN
        answer.refusal := claim_user(account, player);
    ELSE
        answer.refusal := 'claim-refused';
    END IF;
    IF answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    moment := clock_timestamp();
    UPDATE users SET refill = ROW(0, moment)::refill_clock WHERE id = player;
    INSERT INTO players (user_id, name, recovery_hash) VALUES (player, new_name, sha256(recovery));
    INSERT INTO sessions (user_id, id, token_hash, opened_by)
    VALUES (player, session, session_digest(token), 'registration');
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION create_player(text, text, text, bytea, uuid, bytea) TO juliet_service;

-- Whether an id is one of /v2: a UUID of version 8, which no device makes.
CREATE OR REPLACE FUNCTION is_player_id(id text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT id ~ '^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'
$$;

-- Gives a player of the app another id: energy, wins, words and the whole ledger move to it. The old id can never
-- be used again.
--
-- Called by: create_player.
-- Locks: the table energy_ledger_archive against writers, the account's row of users.
-- Answers: NULL, or a refusal: claimed (by another player), claim-refused (no such account, or one of /v2).
CREATE OR REPLACE FUNCTION claim_user(account text, player text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    claimed juliet.users;
BEGIN
    LOCK TABLE energy_ledger_archive IN SHARE ROW EXCLUSIVE MODE;
    -- A new statement sees what an earlier claim has written since.
    IF EXISTS (SELECT FROM claims WHERE account_id = account) THEN RETURN 'claimed'; END IF;
    DELETE FROM users WHERE id = account AND NOT is_player_id(account) AND strpos(account, E'\t') = 0
    RETURNING * INTO claimed;
    IF NOT FOUND THEN RETURN 'claim-refused'; END IF;
    claimed.id := player;
    INSERT INTO users SELECT claimed.*;
    INSERT INTO claims (account_id, user_id) VALUES (account, player);
    PERFORM move_ledger(account, player);
    WITH moved AS (DELETE FROM played_words WHERE user_id = account RETURNING *)
    INSERT INTO played_words (user_id, number, word_id, played_at)
    SELECT player, number, word_id, played_at FROM moved;
    RETURN NULL;
END
$$;
