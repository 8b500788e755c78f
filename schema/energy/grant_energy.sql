-- Gives a player energy and writes a line of the audit trail.
--
-- Called by: operators (juliet energy grant), admin_grant.
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: energy-full, user-unknown.
CREATE OR REPLACE FUNCTION grant_energy(
    who text, player text, amount integer, why text, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    answer operation_answer;
BEGIN
    IF (amount BETWEEN 1 AND 1000000 AND char_length(why) <= 500 AND why ~ '[^[:space:]]') IS NOT TRUE THEN
        RAISE 'a grant is 1 to 1000000, for a reason of up to 500 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    answer := change_energy(player, amount, 'support', why, operation, request);
    IF answer.refusal IS NULL AND answer.is_replay IS NULL THEN
        PERFORM record_action(who, 'energy.grant', player, NULL, why,
            jsonb_build_object('amount', amount, 'balance', answer.energy), NULL, NULL);
    END IF;
    RETURN answer;
END
$$;
