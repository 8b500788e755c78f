-- Grants a player energy, once under a name.
--
-- Called by: the service (the admin page).
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: not-found, energy-full, operation-reused.
CREATE OR REPLACE FUNCTION admin_grant(key bytea, player text, amount integer, why text, operation text, request bigint)
RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    who text := admin_may(key, 'support');
    granted operation_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refused(key); END IF;
    PERFORM check_operation(operation, request);
    granted := grant_energy(who, player, amount, why, operation, request);
    IF granted.refusal IS NOT NULL THEN
        RETURN admin_refusal(CASE granted.refusal WHEN 'user-unknown' THEN 'not-found' ELSE granted.refusal END);
    END IF;
    RETURN ROW(NULL, jsonb_build_object(
        'balance', granted.energy, 'isReplay', coalesce(granted.is_replay, false))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_grant(bytea, text, integer, text, text, bigint) TO juliet_service;
