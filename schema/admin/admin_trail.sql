-- What was done before an action, newest first; player NULL: to anybody and anything.
CREATE OR REPLACE FUNCTION admin_trail(key bytea, player text, before_action bigint, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    actions jsonb := '[]';
    has_more boolean := false;
    a admin_actions;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    FOR a IN SELECT * FROM admin_actions
        WHERE id < coalesce(before_action, 9223372036854775807) AND player IS NULL
        UNION ALL
        SELECT * FROM admin_actions WHERE id < coalesce(before_action, 9223372036854775807) AND user_id = player
        ORDER BY id DESC LIMIT most + 1
    LOOP
        has_more := jsonb_array_length(actions) = most;
        EXIT WHEN has_more;
        actions := actions || jsonb_strip_nulls(jsonb_build_object('id', a.id, 'at', show_time(a.done_at),
            'actor', a.actor, 'action', a.action, 'player', a.user_id, 'subject', a.subject, 'reason', a.reason,
            'details', a.details));
    END LOOP;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('actions', actions,
        'next', CASE WHEN has_more THEN actions -> -1 -> 'id' END))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_trail(bytea, text, bigint, integer) TO juliet_service;
