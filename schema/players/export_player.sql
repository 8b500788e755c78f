-- Everything kept about the player, as JSON; NULL: the token is nobody's.
CREATE OR REPLACE FUNCTION export_player(token bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    elsewhere jsonb := jsonb_build_object('purchases', purchase_records(player))
        || jsonb_strip_nulls(jsonb_build_object('lottery', lottery_records(player))) || coalesce(player_records(player), '{}');
BEGIN
    RETURN (SELECT (jsonb_build_object(
        'id', id, 'createdAt', show_time(created_at), 'energy', energy, 'wins', wins,
        'energyLedger', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry,
            'at', show_time(entries.created_at), 'delta', delta, 'balance', balance_after, 'reason', reason,
            'reference', reference)) ORDER BY entry), '[]')
            FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                    WHERE user_id = player AND entry IS NOT NULL
                UNION ALL
                SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                    WHERE user_id = player) AS entries),
        'idempotencyKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', operation_id,
            'at', show_time(energy_ledger.created_at)) ORDER BY energy_ledger.created_at, operation_id), '[]')
            FROM energy_ledger WHERE user_id = player AND operation_request IS NOT NULL),
        'playedWords', (SELECT coalesce(jsonb_agg(jsonb_build_object('word', word, 'language', language,
            'at', show_time(played_at)) ORDER BY number), '[]')
            FROM played_words JOIN words ON words.id = word_id WHERE user_id = player)
        ) || elsewhere)::text
        FROM users WHERE id = player);
END
$$;
GRANT EXECUTE ON FUNCTION export_player(bytea) TO juliet_service;
