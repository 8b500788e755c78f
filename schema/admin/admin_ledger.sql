-- The changes of a player's balance before an entry, newest first. What a game of the app was dealt is left out:
-- whether it is over, nobody knows here. Refused: not-found.
CREATE OR REPLACE FUNCTION admin_ledger(key bytea, player text, before_entry integer, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    entries jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry, 'at', show_time(created_at),
        'delta', delta, 'balance', balance_after, 'reason', reason,
        'reference', CASE WHEN reason <> 'game' OR char_length(reference) = 36 THEN reference END))
        ORDER BY entry DESC), '[]')
    INTO entries
    FROM (SELECT * FROM (
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                WHERE user_id = player AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                WHERE user_id = player) AS entries
        WHERE entry < coalesce(before_entry, 2147483647) ORDER BY entry DESC LIMIT most) AS page;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('entries', entries,
        'next', CASE WHEN (entries -> -1 ->> 'entry')::integer > 1 THEN entries -> -1 -> 'entry' END))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_ledger(bytea, text, integer, integer) TO juliet_service;
