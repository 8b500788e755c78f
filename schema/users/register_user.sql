-- Creates users.

-- Whether an id belonged to a player who now has another one. It stays taken.
--
-- Called by: create_user, register_user.
CREATE OR REPLACE FUNCTION goes_on_elsewhere(player text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM claims WHERE account_id = player) THEN RETURN true; END IF;
    RETURN EXISTS (SELECT FROM merges WHERE user_id = player);
END
$$;

-- Creates a user with the starting energy and the first entry of the ledger, unless the id is taken. The id of a player
-- who was claimed or merged stays taken.
--
-- Called by: register_user, create_player.
-- Locks: the player's row of users, when it is new.
-- Answers: the starting energy; NULL when the id is taken.
CREATE OR REPLACE FUNCTION create_user(player text, operation text, request bigint) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    start integer;
    ruled_at timestamptz;
    moment timestamptz;
    digest bigint;
BEGIN
    SELECT starting_energy, since INTO start, ruled_at FROM rules ORDER BY since DESC LIMIT 1;
    moment := CASE WHEN check_isolation() THEN greatest(clock_timestamp(), ruled_at) END;
    digest := energy_entry_digest(start, 'registration', NULL, moment);
    WITH created AS (
        INSERT INTO users (id, energy, ledger_entry, ledger_seal, ledger_at, created_at)
        SELECT player, start, 1, energy_entry_seal(0, 0, digest), moment, moment
        WHERE NOT EXISTS (SELECT FROM claims WHERE account_id = player)
            AND NOT EXISTS (SELECT FROM merges WHERE merges.user_id = player)
        ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, operation_request,
        operation_kind, created_at)
    SELECT id, coalesce(operation, 'entry 1'), 1, start, start, 'registration',
        CASE WHEN operation IS NOT NULL THEN request END,
        CASE WHEN operation IS NOT NULL THEN 'register_user'::juliet.operation_kind END, moment
    FROM created;
    IF NOT FOUND THEN RETURN NULL; END IF;
    -- The INSERT may have waited for a claim or merge that deleted the row, and that its own snapshot does not show.
    IF goes_on_elsewhere(player) THEN
        DELETE FROM energy_ledger WHERE user_id = player;
        DELETE FROM users WHERE id = player;
        RETURN NULL;
    END IF;
    RETURN start;
END
$$;

-- Registers a player. One who exists stays as they are, and so does one of /v2 who has claimed the account.
--
-- Called by: the service (initialRegistration; for an unknown player, before it asks once more).
-- Locks: the player's row of users.
-- Answers: the balance and the wins. Refuses: user-unknown, for a player who was claimed or merged, and for one of /v2
-- whom the app does not reach.
CREATE OR REPLACE FUNCTION register_user(
    player text, operation text, request bigint, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    answer operation_answer;
BEGIN
    IF (char_length(player) BETWEEN 1 AND 128 AND player !~ '[[:cntrl:]]') IS NOT TRUE THEN
        RAISE 'an account id has 1 to 128 printable characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF operation IS NOT NULL THEN PERFORM check_operation(operation, request); END IF;
    IF NOT app_changes(player, account) THEN RETURN unknown_user(); END IF;
    LOOP
        IF NOT is_player_id(player) THEN
            answer := ROW(NULL, create_user(player, operation, request), 0, NULL, NULL);
            IF answer.energy IS NOT NULL THEN RETURN answer; END IF;
        END IF;
        SELECT energy, wins INTO answer.energy, answer.wins FROM users WHERE id = player FOR NO KEY UPDATE;
        EXIT WHEN FOUND;
        IF is_player_id(player) OR goes_on_elsewhere(player) THEN RETURN unknown_user(); END IF;
        -- The player was deleted since the INSERT: register them anew.
    END LOOP;
    IF NOT keep_answer(player, operation, request, 'register_user', NULL, answer.energy, NULL) THEN
        RETURN first_answer(player, operation, request, NULL::operation_answer);
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION register_user(text, text, bigint, text) TO juliet_service;
