-- Gives a player energy and writes a line of the audit trail.
--
-- Called by: operators (juliet energy grant).
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: energy-full, user-unknown.
CREATE OR REPLACE FUNCTION grant_energy(
    who text, player text, amount integer, why text, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
BEGIN
    IF (amount > 0) IS NOT TRUE THEN
        RAISE 'a grant is more than 0' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN move_energy(who, player, amount, why, true, operation, request);
END
$$;

-- Gives a player energy, or takes some (change below 0), and writes a line of the audit trail. is_shown: whether the
-- entry has the reason, which its player reads in the export; the trail has it in any case.
--
-- Called by: grant_energy, admin_energy.
-- Locks: the player's row of users.
-- Answers: the balance. Refuses: energy-full, energy-insufficient, user-unknown.
CREATE OR REPLACE FUNCTION move_energy(
    who text, player text, change integer, why text, is_shown boolean, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    most CONSTANT integer := 1000000; -- EnergyLedger.grants says the same
    held juliet.rules;
    answer juliet.operation_answer;
BEGIN
    IF (change BETWEEN -most AND most AND change <> 0 AND char_length(why) <= 500 AND why ~ '[^[:space:]]'
        AND is_shown IS NOT NULL) IS NOT TRUE
    THEN
        RAISE 'what support gives or takes is 1 to %, for a reason of up to 500 characters', most
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF change < 0 THEN
        PERFORM FROM users WHERE id = player FOR NO KEY UPDATE;
        SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    END IF;
    answer := change_energy(player, change, 'support', CASE WHEN is_shown THEN why END, operation, request,
        'move_energy', held);
    IF answer.refusal IS NULL AND answer.is_replay IS NULL THEN
        PERFORM record_action(who, CASE WHEN change > 0 THEN 'energy.grant' ELSE 'energy.take' END, player, NULL, why,
            jsonb_build_object('amount', change, 'balance', answer.energy)
            || CASE WHEN is_shown THEN '{}' ELSE '{"isShown": false}' END::jsonb, NULL, NULL);
    END IF;
    RETURN answer;
END
$$;
