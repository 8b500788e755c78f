-- Lists the changes of a player's balance before an entry, newest first.
--
-- Called by: the service (GET /v2/players/me/energy).
-- Locks: the session's row, when the hour of its use is noted.
-- Answers: a row with the refusal, then at most that many entries (most). Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_energy(token bytea, before_entry integer, most integer) RETURNS SETOF energy_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
BEGIN
    RETURN QUERY SELECT CASE WHEN player IS NULL THEN 'unauthorized' END, NULL::integer, NULL::timestamptz,
        NULL::integer, NULL::integer, NULL::text, NULL::text;
    -- Only the reference of a judged game is a game's id, of 36 characters; that of another game is a word.
    RETURN QUERY SELECT NULL::text, entry, created_at, delta, balance_after, reason::text,
            CASE WHEN reason IN ('game', 'daily') AND char_length(reference) = 36 THEN reference END
        FROM (SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                WHERE user_id = player AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                WHERE user_id = player) AS entries
        WHERE entry < coalesce(before_entry, 2147483647) ORDER BY entry DESC LIMIT most;
END
$$;
GRANT EXECUTE ON FUNCTION list_energy(bytea, integer, integer) TO juliet_service;
