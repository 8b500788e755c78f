-- Takes over the balance that a client reports, as far as the rules allow it.
--
-- Called by: the service (updateUserEnergy).
-- Locks: the player's row of users.
-- Answers: the balance afterwards. Refuses: report-refused, user-unknown.
--
-- If the rules accept reports, a report may raise the balance up to their maximum, and lower it. A balance below zero
-- stays: a refund took it there, and a report must not take that back.
CREATE OR REPLACE FUNCTION report_energy(
    player text, reported integer, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    last_at timestamptz := hold_app_user(player, account);
    answer operation_answer;
    change integer;
    held rules;
    maximum integer;
BEGIN
    IF (reported >= 0) IS NOT TRUE THEN
        RAISE 'energy must be 0 or more' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF last_at IS NULL THEN RETURN unknown_user(); END IF;
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    maximum := CASE held.client_updates WHEN 'accept' THEN held.maximum_energy WHEN 'lowerOnly' THEN 0 END;
    IF maximum IS NULL THEN RETURN refuse(player, 'report-refused', operation, request, 'report_energy'); END IF;
    SELECT energy, wins, CASE WHEN energy < 0 THEN 0 ELSE least(reported, greatest(maximum, energy)) - energy END
    INTO answer.energy, answer.wins, change FROM users WHERE id = player;
    IF change = 0 THEN
        IF NOT keep_answer(player, operation, request, 'report_energy', NULL, answer.energy, NULL) THEN
            RETURN first_answer(player, operation, request, NULL::operation_answer);
        END IF;
        RETURN answer;
    END IF;
    RETURN change_energy(player, change, 'client_report', NULL, operation, request, 'report_energy', held,
        not_before => last_at);
END
$$;
GRANT EXECUTE ON FUNCTION report_energy(text, integer, text, bigint, text) TO juliet_service;
