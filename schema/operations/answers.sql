-- How an operation takes effect exactly once.
--
-- A request may name its operation. The functions of the service then get that name (operation) and a fingerprint of
-- the request (request); both are NULL otherwise.
--
-- Each function changes or locks the player's row of users, and no other player's, before it inserts the name into
-- energy_ledger. By then every earlier operation of the player has ended, so what it wrote is visible. If the name is
-- new, name and effect are written together. If it is known, the function undoes the change, which nobody can have
-- seen, and returns the first answer. So an operation takes effect once, on any number of services, and a repeat
-- never raises an error, which would roll back its whole batch.

-- Raises an error unless an operation may have this name: visible ASCII characters. With a blank it could be the name
-- of an entry that has none.
CREATE OR REPLACE FUNCTION check_operation(operation text, request bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF (octet_length(operation) BETWEEN 1 AND 255 AND operation !~ '[^!-~]') IS NOT TRUE OR request IS NULL THEN
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

-- Reads the first answer to an operation, whose name must be known.
--
-- Called by: keep_answer, change_energy, start_game, buy_up_to, take_purchase.
-- Answers: the first answer with is_replay. Refuses: operation-reused, when the fingerprint is another.
CREATE OR REPLACE FUNCTION first_answer(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.operation_answer;
    first_request bigint;
BEGIN
    PERFORM check_operation(operation, request);
    SELECT refusal, balance_after, coalesce(wins, 0), CASE WHEN reason = 'game' THEN reference END, true,
        operation_request
    INTO STRICT answer.refusal, answer.energy, answer.wins, answer.word, answer.is_replay, first_request
    FROM energy_ledger WHERE user_id = player AND operation_id = operation;
    IF first_request IS DISTINCT FROM request THEN
        RETURN ROW('operation-reused', answer.energy, answer.wins, NULL, NULL)::operation_answer;
    END IF;
    RETURN answer;
END
$$;

-- Keeps an answer that belongs to no entry under the operation's name, if it has one.
--
-- Called by: refuse, register_user, add_win, report_energy, take_purchase. They hold the player's row of users.
-- Answers: the answer, or the first answer when the name is known.
CREATE OR REPLACE FUNCTION keep_answer(
    player text, operation text, request bigint, answer operation_answer
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
BEGIN
    IF operation IS NOT NULL THEN
        PERFORM check_operation(operation, request);
        -- What is done and has no entry must not look like a payment that has lost its entry.
        IF answer.refusal IS NULL AND is_payment(request) THEN
            RAISE 'a payment has an entry' USING ERRCODE = 'invalid_parameter_value';
        END IF;
        INSERT INTO energy_ledger (user_id, operation_id, delta, balance_after, operation_request, refusal, wins)
        VALUES (player, operation, 0, answer.energy, request, answer.refusal, answer.wins)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN RETURN first_answer(player, operation, request); END IF;
    END IF;
    RETURN answer;
END
$$;

-- Refuses an operation, with the balance and the wins as they are under the lock. It stays refused under its name.
--
-- Called by: change_energy, buy_energy, buy_up_to, report_energy, add_win, record_played_word, refuse_purchase.
-- Locks: the player's row of users.
-- Answers: the refusal, or the first answer when the name is known. Refuses: user-unknown.
CREATE OR REPLACE FUNCTION refuse(player text, why text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer juliet.operation_answer;
BEGIN
    SELECT why, energy, wins INTO answer.refusal, answer.energy, answer.wins
    FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN unknown_user(); END IF;
    RETURN keep_answer(player, operation, request, answer);
END
$$;
