-- How an operation takes effect exactly once.
--
-- A request may name its operation. The functions of the service then get that name (operation) and a fingerprint of
-- the request (request); both are NULL otherwise. Each writes its own kind beside them (operation_kind).
--
-- Each function locks the player's row of users, and no other player's, before it looks for the name in energy_ledger. By
-- then every earlier operation of the player has ended, so what it wrote is visible. If the name is new, name and effect
-- are written together. If it is known, the first answer is returned. So an operation takes effect once, on any number of
-- services, and a repeat never raises an error, which would roll back its whole batch.

-- Whether an operation may have this name: visible ASCII characters. With a blank it could be the name of an entry that
-- has none.
CREATE OR REPLACE FUNCTION is_operation(operation text, request bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT (octet_length(operation) BETWEEN 1 AND 255 AND operation !~ '[^!-~]' AND request IS NOT NULL) IS TRUE
$$;

-- Raises an error unless an operation may have this name.
CREATE OR REPLACE FUNCTION check_operation(operation text, request bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF NOT is_operation(operation, request) THEN
        RAISE 'an operation needs a name of 1 to 255 visible ASCII characters, and a fingerprint'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- An answer with a refusal, otherwise as it was. answer: of a type that has a refusal.
--
-- Called by: many functions.
CREATE OR REPLACE FUNCTION with_refusal(answer anyelement, why text) RETURNS anyelement
LANGUAGE sql STABLE AS $$ SELECT jsonb_populate_record(answer, jsonb_build_object('refusal', why)) $$;

-- The answer about a user who does not exist.
CREATE OR REPLACE FUNCTION unknown_user() RETURNS operation_answer
LANGUAGE sql IMMUTABLE AS $$ SELECT ROW('user-unknown', 0, 0, NULL, NULL)::juliet.operation_answer $$;

-- Whether an operation of this kind, when it is done, always has an entry of the ledger.
--
-- Called by: keep_answer, fits_kind; operators (juliet energy audit).
CREATE OR REPLACE FUNCTION makes_entry(kind operation_kind) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT kind IN ('pay_for_game', 'start_game', 'buy_energy', 'move_energy', 'start_judged_game', 'take_refill',
        'create_challenge', 'credit_prize')
$$;

-- Whether the kind of a row of the ledger fits what the row says. A named row has a kind, and the reason and reference
-- of its entry, or what was kept of an answer without one, are of this kind; another row is called by its entry.
--
-- Called by: operators (juliet energy audit).
CREATE OR REPLACE FUNCTION fits_kind(
    id text, kind operation_kind, request bigint, entry integer, reason energy_reason, reference text, refusal text,
    answer jsonb
) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN request IS NULL THEN id = 'entry ' || entry AND kind IS NULL AND answer IS NULL
        WHEN jsonb_typeof(answer) <> 'object' THEN false
        WHEN entry IS NOT NULL THEN refusal IS NULL AND (answer IS NULL OR kind = 'take_refill') AND CASE kind
            WHEN 'register_user' THEN reason = 'registration'
            WHEN 'report_energy' THEN reason = 'client_report'
            WHEN 'pay_for_game' THEN reason = 'game' AND reference IS NULL
            WHEN 'start_game' THEN reason = 'game' AND char_length(reference) <> 36
            WHEN 'start_judged_game' THEN reason = 'game' AND char_length(reference) = 36
            WHEN 'create_challenge' THEN reason = 'challenge'
            WHEN 'buy_energy' THEN reason = 'purchase' AND reference IS NULL
            WHEN 'credit_purchase' THEN reason = 'purchase' AND reference IS NOT NULL
            WHEN 'take_refill' THEN reason = 'refill'
            WHEN 'move_energy' THEN reason = 'support'
            WHEN 'credit_prize' THEN reason = 'lottery' END
        WHEN kind = 'add_win' THEN jsonb_typeof(answer -> 'wins') = 'number'
        WHEN refusal IS NOT NULL THEN kind IS NOT NULL
        -- The entry is in the ledger of a player who was merged.
        WHEN answer ? 'ledger'
        THEN juliet.makes_entry(kind) OR kind IN ('register_user', 'report_energy', 'credit_purchase')
        ELSE CASE kind
            WHEN 'register_user' THEN answer IS NULL
            WHEN 'report_energy' THEN answer IS NULL
            WHEN 'credit_purchase' THEN answer IS NULL
            WHEN 'guess' THEN answer ? 'game_id'
            WHEN 'create_league' THEN answer ? 'invite'
            WHEN 'link_identity' THEN answer ? 'provider'
            WHEN 'merge_players' THEN answer ? 'player' END END IS TRUE
$$;

-- Reads what was kept of an answer beside refusal and balance: in the row, or by the entry itself.
--
-- Called by: first_answer, merge_operations.
CREATE OR REPLACE FUNCTION kept_answer(kept energy_ledger) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN kept.entry IS NULL THEN '{}' ELSE CASE kept.operation_kind
            WHEN 'start_game' THEN jsonb_build_object('word', kept.reference)
            WHEN 'start_judged_game'
            THEN jsonb_build_object('game_id', kept.reference, 'guess_count', 0, 'is_new', true)
            WHEN 'create_challenge' THEN jsonb_build_object('code', kept.reference)
            ELSE '{}' END END
        || coalesce(kept.answer, '{}')
$$;

-- Reads the first answer to an operation. answer: a row of NULLs of the answer's type.
--
-- Called by: refuse, change_energy, register_user, add_win, report_energy, start_game, buy_up_to, take_purchase,
-- take_refill, start_judged_game, guess, create_challenge, create_league, link_identity, merge_players. They hold
-- the player's row of users.
-- Answers: the first answer with is_replay; a row of NULLs when the name is new. Refuses: operation-reused, when the
-- fingerprint is another.
CREATE OR REPLACE FUNCTION first_answer(
    player text, operation text, request bigint, answer anyelement
) RETURNS anyelement
LANGUAGE plpgsql AS $$
DECLARE
    kept juliet.energy_ledger;
    told jsonb;
BEGIN
    PERFORM check_operation(operation, request);
    SELECT * INTO kept FROM energy_ledger WHERE user_id = player AND operation_id = operation;
    IF NOT FOUND THEN RETURN answer; END IF;
    IF kept.operation_request IS DISTINCT FROM request THEN RETURN with_refusal(answer, 'operation-reused'); END IF;
    told := kept_answer(kept);
    IF told ? 'game_id' THEN
        told := told || game_as_answered(player, told);
    ELSIF told ? 'code' THEN
        told := told || challenge_as_answered(player, told ->> 'code');
    END IF;
    RETURN jsonb_populate_record(answer, told || jsonb_build_object(
        'refusal', kept.refusal, 'energy', kept.balance_after, 'is_replay', true));
END
$$;

-- Keeps an answer that belongs to no entry under the operation's name, if it has one. balance NULL: as it is. told:
-- what the answer says beside refusal and balance: its members, or in place of a game game_id, guess_count (missing
-- when the game was over), and player_id when it is another's.
--
-- Called by: refuse, register_user, add_win, report_energy, take_purchase, start_judged_game, guess, create_challenge,
-- create_league, link_identity, merge_players. They hold the player's row of users.
-- Answers: false when the name is known, and then nothing has changed.
CREATE OR REPLACE FUNCTION keep_answer(
    player text, operation text, request bigint, kind operation_kind, why text, balance integer, told jsonb
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF operation IS NULL THEN RETURN true; END IF;
    PERFORM check_operation(operation, request);
    -- What is done and has no entry must not look like a payment that has lost its entry.
    IF why IS NULL AND makes_entry(kind) THEN
        RAISE 'a payment has an entry' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF balance IS NULL THEN SELECT energy INTO balance FROM users WHERE id = player; END IF;
    INSERT INTO energy_ledger (
        user_id, operation_id, delta, balance_after, operation_request, operation_kind, refusal, answer, created_at)
    VALUES (player, operation, 0, balance, request, kind, why, told, clock_timestamp())
    ON CONFLICT DO NOTHING;
    RETURN FOUND;
END
$$;

-- Refuses an operation, with the balance and the wins as they are under the lock. It stays refused under its name.
--
-- Called by: change_energy, buy_energy, buy_up_to, report_energy, add_win, record_played_word, refuse_purchase.
-- Locks: the player's row of users.
-- Answers: the refusal, or the first answer when the name is known. Refuses: user-unknown.
CREATE OR REPLACE FUNCTION refuse(
    player text, why text, operation text, request bigint, kind operation_kind
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.operation_answer;
BEGIN
    SELECT why, energy, wins INTO answer.refusal, answer.energy, answer.wins
    FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN unknown_user(); END IF;
    IF NOT keep_answer(player, operation, request, kind, why, answer.energy,
        CASE kind WHEN 'add_win' THEN jsonb_build_object('wins', answer.wins) END)
    THEN RETURN first_answer(player, operation, request, NULL::operation_answer); END IF;
    RETURN answer;
END
$$;
