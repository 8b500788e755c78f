-- What operators did. Nothing in it is ever changed.

-- Records that somebody did something.
--
-- Called by: many functions: whatever an operator changes, here and in commands; operators (juliet words import).
CREATE OR REPLACE FUNCTION record_action(
    who text, what text, player text, about text, why text, details_of_it jsonb, operation text, request bigint
) RETURNS void
LANGUAGE sql SET search_path = juliet, pg_temp AS $$
    INSERT INTO admin_actions (actor, action, user_id, subject, reason, details, operation_id, operation_request)
    VALUES (who, what, player, about, why, details_of_it, operation, request)
$$;

-- Lists what was done before an action, newest first. player NULL: all actions, for owners.
--
-- Called by: the service (the admin page).
CREATE OR REPLACE FUNCTION admin_trail(session bytea, player text, before_action bigint, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    actions jsonb;
    has_more boolean;
BEGIN
    IF admin_may(session, CASE WHEN player IS NULL THEN 'owner' ELSE 'support' END) IS NULL THEN
        RETURN admin_refused(session);
    END IF;
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', id, 'at', show_time(done_at), 'actor', actor,
        'action', action, 'player', user_id, 'subject', subject, 'reason', reason, 'details', details))
        ORDER BY id DESC), '[]')
    INTO actions FROM (
        SELECT * FROM admin_actions WHERE id < coalesce(before_action, 9223372036854775807) AND player IS NULL
        UNION ALL
        SELECT * FROM admin_actions WHERE id < coalesce(before_action, 9223372036854775807) AND user_id = player
        ORDER BY id DESC LIMIT most + 1) AS newest;
    has_more := jsonb_array_length(actions) > most;
    actions := actions - most;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('actions', actions,
        'next', CASE WHEN has_more THEN actions -> -1 -> 'id' END))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_trail(bytea, text, bigint, integer) TO juliet_service;
