-- Writes down that something was done.
CREATE OR REPLACE FUNCTION record_action(
    who text, what text, player text, about text, why text, details_of_it jsonb, operation text, request bigint
) RETURNS void
LANGUAGE sql SET search_path = juliet, pg_temp AS $$
    INSERT INTO admin_actions (actor, action, user_id, subject, reason, details, operation_id, operation_request)
    VALUES (who, what, player, about, why, details_of_it, operation, request)
$$;
