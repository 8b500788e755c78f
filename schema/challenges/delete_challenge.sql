-- Deletes a challenge, so that it no longer leads to its maker. Its row stays, so that the first answer to the request
-- that made it can be given again; players keep the games that were begun.
--
-- Called by: the service (DELETE /v2/challenges/{code}).
-- Locks: the challenge. Batches take these statements in the order of the codes.
-- Answers: NULL, or a refusal: unauthorized; not-found; not-maker, if somebody else made it.
CREATE OR REPLACE FUNCTION delete_challenge(token bytea, wanted text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
BEGIN
    IF player IS NULL THEN RETURN 'unauthorized'; END IF;
    UPDATE challenges SET maker = NULL, ledger = NULL, deleted_at = clock_timestamp()
    WHERE code = wanted AND maker = player AND deleted_at IS NULL;
    IF FOUND THEN RETURN NULL; END IF;
    PERFORM FROM challenges WHERE code = wanted AND deleted_at IS NULL;
    RETURN CASE WHEN FOUND THEN 'not-maker' ELSE 'not-found' END;
END
$$;
GRANT EXECUTE ON FUNCTION delete_challenge(bytea, text) TO juliet_service;

-- Ends a challenge that is abused, as its maker would delete it, and writes a line of the audit trail. operation NULL:
-- without a name.
--
-- Called by: operators (juliet challenges end), admin_end.
-- Locks: the challenge.
-- Answers: whether there was one.
CREATE OR REPLACE FUNCTION end_challenge(who text, wanted text, why text, operation text, request bigint)
RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    former text;
BEGIN
    SELECT maker INTO former FROM challenges WHERE code = wanted AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    UPDATE challenges SET maker = NULL, ledger = NULL, deleted_at = clock_timestamp() WHERE code = wanted;
    PERFORM record_action(
        who, 'challenge.end', former, 'challenge/' || show_share_code(wanted), why, NULL, operation, request);
    RETURN true;
END
$$;

-- Takes the hint of a challenge away, from its games too, and writes a line of the audit trail, without the hint. operation
-- NULL: without a name.
--
-- Called by: operators (juliet challenges hide-hint), admin_hide_hint.
-- Locks: the challenge, then its games.
-- Answers: whether it had one; NULL: there is no such challenge.
CREATE OR REPLACE FUNCTION hide_hint(who text, wanted text, why text, operation text, request bigint) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    c challenges;
    holders text[];
    has_changed boolean;
    changed bigint;
    changed_former bigint;
BEGIN
    SELECT * INTO c FROM challenges WHERE code = wanted FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN NULL; END IF;
    has_changed := c.hint IS NOT NULL;
    UPDATE challenges SET hint = NULL WHERE code = wanted;
    -- A merge writes games anew: the first pass may have waited for one, and only the next sees what it wrote.
    FOR pass IN 1..10 LOOP
        UPDATE judged_games SET hint = NULL WHERE challenge = wanted AND hint IS NOT NULL;
        GET DIAGNOSTICS changed = ROW_COUNT;
        -- Found by their players: an index for these few would cost each guess.
        holders := ARRAY(SELECT DISTINCT holder FROM merges);
        UPDATE judged_games SET hint = NULL
        WHERE user_id = ANY (holders) AND former_challenge = wanted AND hint IS NOT NULL;
        GET DIAGNOSTICS changed_former = ROW_COUNT;
        has_changed := has_changed OR changed + changed_former > 0;
        EXIT WHEN pass > 1 AND changed + changed_former = 0;
    END LOOP;
    IF NOT has_changed THEN RETURN false; END IF;
    PERFORM record_action(
        who, 'challenge.hint', c.maker, 'challenge/' || show_share_code(wanted), why, NULL, operation, request);
    RETURN true;
END
$$;
