-- What operators do about leagues.

-- Ends a league, for all its members, and records it in the audit trail, without its name, which players made.
-- operation NULL: without a name.
--
-- Called by: operators (juliet leagues end), admin_end.
-- Locks: the league's row.
-- Answers: whether there was such a league.
CREATE OR REPLACE FUNCTION close_league(who text, league uuid, why text, operation text, request bigint)
RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    members bigint;
BEGIN
    PERFORM FROM leagues WHERE id = league FOR UPDATE;
    IF NOT FOUND THEN RETURN false; END IF;
    SELECT count(*) INTO members FROM league_members WHERE league_id = league;
    DELETE FROM leagues WHERE id = league;
    PERFORM record_action(who, 'league.end', NULL, league::text, why, jsonb_build_object('members', members),
        operation, request);
    RETURN true;
END
$$;
