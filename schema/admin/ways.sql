-- Operators' view of the ways to sign in, how they remove them, and how they make a new recovery code.

-- Lists a player's devices (sessions), passkeys and identities, the oldest first, without a secret.
--
-- Called by: the service (the admin page).
-- Refuses: not-found.
CREATE OR REPLACE FUNCTION admin_ways(session bytea, player text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    devices jsonb;
    passkeys jsonb;
    identities jsonb;
BEGIN
    IF admin_may(session, 'support') IS NULL THEN RETURN admin_refused(session); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'createdAt', show_time(created_at),
        'lastUsedAt', show_time(last_used_at), 'by', opened_by) ORDER BY created_at, id), '[]')
    INTO devices FROM sessions WHERE user_id = player;
    passkeys := passkey_records(player);
    identities := identity_records(player);
    RETURN ROW(NULL, jsonb_build_object(
        'sessions', devices, 'passkeys', passkeys, 'identities', identities)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_ways(bytea, text) TO juliet_service;

-- Removes ways to sign in, as take_ways does, once under a name.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; then as take_ways.
-- Answers: how many are gone. Refuses: not-found, when there is none; operation-reused.
CREATE OR REPLACE FUNCTION admin_take_ways(
    session bytea, player text, kind text, one text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    who text := admin_may(session, 'support');
    answer admin_answer;
    taken bigint;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(player, why, operation, request);
    IF NOT answer IS NULL THEN RETURN answer; END IF;
    taken := take_ways(who, player, kind, one, why, operation, request);
    IF taken = 0 THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, jsonb_build_object('isReplay', false, 'taken', taken)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_take_ways(bytea, text, text, text, text, text, bigint) TO juliet_service;

-- Gives a player another recovery code with this digest, once under a name; the old one stops working. A repeat
-- is refused, because only the first answer had the code.
--
-- Called by: the service (the admin page).
-- Locks: as begin_deed; then the player's row of players.
-- Refuses: not-found, for a player of the app too; recovery-made; operation-reused.
CREATE OR REPLACE FUNCTION admin_recovery(
    session bytea, player text, new_recovery bytea, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_may(session, 'support');
    answer admin_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(session); END IF;
    answer := begin_deed(player, why, operation, request);
    IF NOT answer IS NULL THEN RETURN admin_refusal(coalesce(answer.refusal, 'recovery-made')); END IF;
    IF NOT replace_recovery(who, player, new_recovery, why, operation, request) THEN
        RETURN admin_refusal('not-found');
    END IF;
    RETURN ROW(NULL, '{}')::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_recovery(bytea, text, bytea, text, text, bigint) TO juliet_service;
