-- A recovery code opens a session on another device, once. The database keeps its digest of 32 bytes.

-- Reads the player of a recovery code; NULL: there is none.
--
-- Called by: the service (POST /v2/sessions), to make a token that names the player.
CREATE OR REPLACE FUNCTION recovered_player(recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    RETURN (SELECT user_id FROM players WHERE recovery_hash = sha256(recovery));
END
$$;
GRANT EXECUTE ON FUNCTION recovered_player(bytea) TO juliet_service;

-- Opens another session for a recovery code, which a new one replaces.
--
-- Called by: the service (POST /v2/sessions).
-- Locks: as make_room_for_session; then the player's row of players.
-- Answers: the player. Refuses: unauthorized, when nobody has the code.
CREATE OR REPLACE FUNCTION create_session(
    recovery bytea, token bytea, session uuid, new_recovery bytea
) RETURNS player_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := token_player(token);
    answer player_answer;
BEGIN
    IF (octet_length(token) = 68 AND octet_length(new_recovery) = 32 AND session IS NOT NULL) IS NOT TRUE THEN
        RAISE 'digests have 32 bytes, and an id 36; a session has an id' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM FROM players WHERE user_id = player AND recovery_hash = sha256(recovery);
    IF FOUND THEN PERFORM make_room_for_session(player); END IF;
    UPDATE players SET recovery_hash = sha256(new_recovery) WHERE user_id = player AND recovery_hash = sha256(recovery);
    IF NOT FOUND THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    INSERT INTO sessions (user_id, id, token_hash, opened_by)
    VALUES (player, session, session_digest(token), 'recoveryCode');
    RETURN show_player(player);
END
$$;
GRANT EXECUTE ON FUNCTION create_session(bytea, bytea, uuid, bytea) TO juliet_service;

-- Replaces the player's recovery code.
--
-- Called by: the service (POST /v2/players/me/recovery-code).
-- Locks: the player's row of players.
-- Answers: NULL, or a refusal: unauthorized.
CREATE OR REPLACE FUNCTION renew_recovery(token bytea, new_recovery bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
BEGIN
    IF (octet_length(new_recovery) = 32) IS NOT TRUE THEN
        RAISE 'digests have 32 bytes' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE players SET recovery_hash = sha256(new_recovery) WHERE user_id = player;
    RETURN CASE WHEN NOT FOUND THEN 'unauthorized' END;
END
$$;
GRANT EXECUTE ON FUNCTION renew_recovery(bytea, bytea) TO juliet_service;
