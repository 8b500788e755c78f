-- Whom the functions of the app's URLs reach: players of the app, and nobody of /v2, because the app has no token.
--
-- These functions take the id of the player whose row it is (player), and for one who was claimed also the account under
-- which the app knows them (account). The caller looks that player up (claimed_user), so that it can sort a batch by the
-- rows that are locked; the functions do not believe it.

-- Whether an id does not have the form of one of /v2, so that the app reaches its player without more.
CREATE OR REPLACE FUNCTION is_app_id(id text) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$ SELECT substr(id, 15, 1) <> '8' OR NOT juliet.is_player_id(id) $$;

-- Whether the app may read of a player. By the id's form alone, unless it is one of /v2.
--
-- The planner puts this expression in the place of the call.
--
-- Called by: deal_word.
CREATE OR REPLACE FUNCTION app_reads(player text, account text) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN substr(player, 15, 1) = '8' THEN juliet.app_reaches_claimed(player, account, false) ELSE true END
$$;

-- Whether the app may change something of a player, likewise.
--
-- Called by: hold_app_user, register_user, start_game, add_win, record_played_word, credit_purchase, refuse_purchase.
-- Locks: of one of /v2 the player's row of users.
CREATE OR REPLACE FUNCTION app_changes(player text, account text) RETURNS boolean
LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN substr(player, 15, 1) = '8' THEN juliet.app_reaches_claimed(player, account, true) ELSE true END
$$;

-- Whether the app reaches a player whose id may be one of /v2: only one who claimed this account, and only where the
-- rules accept that. What waits for the lock goes by the rules afterwards; what they refuse locks nobody.
--
-- Called by: app_reads, app_changes.
-- Locks: if is_change, the player's row of users.
CREATE OR REPLACE FUNCTION app_reaches_claimed(player text, account text, is_change boolean) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    IF NOT is_player_id(player) THEN RETURN true; END IF;
    IF NOT EXISTS (SELECT FROM claims WHERE account_id = account AND user_id = player) THEN RETURN false; END IF;
    IF (SELECT claimed_app FROM rules ORDER BY since DESC LIMIT 1) IS DISTINCT FROM 'accept' THEN RETURN false; END IF;
    IF is_change THEN PERFORM FROM users WHERE id = player FOR NO KEY UPDATE; END IF;
    RETURN (SELECT claimed_app FROM rules ORDER BY since DESC LIMIT 1) IS NOT DISTINCT FROM 'accept';
END
$$;

-- Locks a player whom the app reaches.
--
-- Called by: pay_for_game, buy_energy, report_energy.
-- Locks: the player's row of users.
-- Answers: the time of the last entry of the player's ledger; NULL: the app reaches no such player.
CREATE OR REPLACE FUNCTION hold_app_user(player text, account text) RETURNS timestamptz
LANGUAGE plpgsql AS $$
DECLARE
    last_at timestamptz;
BEGIN
    IF app_changes(player, account) THEN
        SELECT ledger_at INTO last_at FROM users WHERE id = player FOR NO KEY UPDATE;
    END IF;
    RETURN last_at;
END
$$;

-- Locks the players of a set whose ids the app gave them, and passes over those that others hold and those of /v2.
--
-- Called by: pay_for_game_each, buy_energy_each, add_win_each, start_game_each, record_played_word_each.
-- Locks: the players' rows of users, in the order of the array.
-- Answers: for each place where the row is, which does not change while it is locked; NULL: it is not locked.
CREATE OR REPLACE FUNCTION hold_app_users(players text[]) RETURNS tid[]
LANGUAGE plpgsql AS $$
BEGIN
    RETURN (SELECT array_agg(held.ctid ORDER BY asked.place)
        FROM unnest(players) WITH ORDINALITY AS asked (id, place)
        LEFT JOIN LATERAL (
            SELECT users.ctid FROM users WHERE users.id = asked.id AND is_app_id(asked.id)
            FOR NO KEY UPDATE SKIP LOCKED OFFSET 0) AS held ON true);
END
$$;

-- Reads the id of the player who claimed a player of the app, if the rules accept that the app goes on; NULL: nobody.
--
-- Called by: the service, before it says that a player of the app is unknown.
CREATE OR REPLACE FUNCTION claimed_user(account text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
    SELECT user_id FROM claims
    WHERE account_id = account AND (SELECT claimed_app FROM rules ORDER BY since DESC LIMIT 1) = 'accept'
$$;
GRANT EXECUTE ON FUNCTION claimed_user(text) TO juliet_service;
