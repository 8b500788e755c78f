-- Who has this id, this account of the app, or a name that begins so: at most so many, and whether there are more.
CREATE OR REPLACE FUNCTION admin_search(key bytea, wanted text, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    wanted_folded bytea := folded_name(normalize(wanted, NFC));
    found jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    WITH hits AS MATERIALIZED (
        SELECT id AS user_id, 0 AS rank, 'id' AS matched, ''::bytea AS folded FROM users WHERE id = wanted
        UNION ALL
        SELECT claims.user_id, 1, 'account', '' FROM claims WHERE account_id = wanted
        UNION ALL
        (SELECT players.user_id, 2, 'name', folded_name(name) FROM players
            WHERE folded_name(name) >= wanted_folded AND folded_name(name) < wanted_folded || '\xff'::bytea
            ORDER BY folded_name(name), user_id LIMIT most + 1))
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', users.id, 'matched', matched, 'name', name,
        'energy', energy, 'createdAt', show_time(created_at))) ORDER BY rank, hits.folded, users.id)
    INTO found
    FROM hits JOIN users ON users.id = hits.user_id LEFT JOIN players ON players.user_id = users.id;
    found := coalesce(found, '[]');
    RETURN ROW(NULL, jsonb_build_object('hasMore', jsonb_array_length(found) > most, 'players',
        (SELECT coalesce(jsonb_agg(hit ORDER BY place), '[]')
            FROM jsonb_array_elements(found) WITH ORDINALITY AS hits (hit, place) WHERE place <= most))::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_search(bytea, text, integer) TO juliet_service;
