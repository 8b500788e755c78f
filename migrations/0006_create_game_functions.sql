-- What can be asked of the game: one function each, and the only way by which the service changes anything. They run
-- with the owner's rights, and their search_path is fixed when they are made, temporary tables last, so nobody can put
-- a table, a type, an operator or a function of their own in the place of one of these names.
--
-- Each takes the player first (a distributed PostgreSQL sends the call to the player's node by it) and, where the
-- request carries a key, the operation's name and a fingerprint of what is asked; both NULL otherwise. Each answers one
-- row that says it all: refusal (NULL: done), balance and wins as they stand where the request has to do with them, the
-- word, and is_replay, true when this is the first answer given once more.
--
-- Each changes or locks the player's row, and no other player's, before it writes the operation's name: an INSERT that
-- finds out whether the name is known. Until then others have waited for that lock, so what they wrote is seen. When
-- the name is known the change is taken back, which nobody can have seen, and the first answer goes out; when it is
-- new, name and effect are there together. So no two can both take effect, in any number of services, and a repeat
-- never fails the batch it travels in.
--
-- The functions without SECURITY DEFINER are parts of the others. They inherit their rights and their search_path, and
-- nobody else may call them.

-- migrate:up
CREATE TYPE operation_answer AS (refusal text, energy integer, wins integer, word text, is_replay boolean);
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Raises an error unless an operation can be called so. A blank would make it the name of an entry that has none.
CREATE FUNCTION check_operation(operation text, request bigint) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF octet_length(operation) NOT BETWEEN 1 AND 255 OR strpos(operation, ' ') > 0 OR request IS NULL THEN
        RAISE 'an operation needs a name of 1 to 255 bytes without blanks, and a fingerprint'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
END
$$;

-- The answer that is kept under an operation's name.
CREATE FUNCTION first_answer(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer operation_answer;
    first_request bigint;
BEGIN
    SELECT refusal, balance_after, coalesce(wins, 0), reference, true, coalesce(operation_request, 0)
    INTO STRICT answer.refusal, answer.energy, answer.wins, answer.word, answer.is_replay, first_request
    FROM energy_ledger WHERE user_id = player AND operation_id = operation;
    IF first_request <> request THEN
        RETURN ROW('operation-reused', answer.energy, answer.wins, NULL, NULL)::operation_answer;
    END IF;
    RETURN answer;
END
$$;

-- Keeps an answer that belongs to no entry under the operation's name, if it has one. Whoever calls it holds the
-- player's lock. Returns the first answer instead when the name is known.
CREATE FUNCTION keep_answer(player text, operation text, request bigint, answer operation_answer) RETURNS operation_answer
LANGUAGE plpgsql AS $$
BEGIN
    IF operation IS NOT NULL THEN
        PERFORM check_operation(operation, request);
        INSERT INTO energy_ledger (user_id, operation_id, delta, balance_after, operation_request, refusal, wins)
        VALUES (player, operation, 0, answer.energy, request, answer.refusal, answer.wins)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN RETURN first_answer(player, operation, request); END IF;
    END IF;
    RETURN answer;
END
$$;

-- Refuses an operation, with balance and wins as they stand under the player's lock. It stays refused under its name.
CREATE FUNCTION refuse(player text, why text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer operation_answer;
BEGIN
    SELECT why, energy, wins INTO answer.refusal, answer.energy, answer.wins
    FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    RETURN keep_answer(player, operation, request, answer);
END
$$;

-- The one place where energy moves: balance and ledger, together or not at all. Refused when the balance would fall
-- below 0 or rise beyond what an integer holds.
CREATE FUNCTION change_energy(
    player text, change integer, reason energy_reason, reference text, operation text, request bigint
) RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer operation_answer;
    new_entry integer;
    least_needed integer := greatest(0, -change);
    most_allowed integer := 2147483647 - greatest(0, change);
    digest bigint := energy_entry_digest(change, reason, reference, now());
BEGIN
    LOOP
        UPDATE users SET energy = energy + change, ledger_entry = ledger_entry + 1,
            ledger_seal = ledger_seal # energy_entry_seal(ledger_entry, energy, digest)
        WHERE id = player AND energy BETWEEN least_needed AND most_allowed
        RETURNING energy, ledger_entry INTO answer.energy, new_entry;
        EXIT WHEN FOUND;
        -- Refused by the balance as it is under the lock: another change may have come in between.
        SELECT energy INTO answer.energy FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
        IF answer.energy NOT BETWEEN least_needed AND most_allowed THEN
            RETURN refuse(
                player, CASE WHEN change < 0 THEN 'energy-insufficient' ELSE 'energy-full' END, operation, request);
        END IF;
    END LOOP;
    IF operation IS NULL THEN
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference)
        VALUES (player, 'entry ' || new_entry, new_entry, change, answer.energy, reason, reference);
    ELSE
        PERFORM check_operation(operation, request);
        INSERT INTO energy_ledger (
            user_id, operation_id, entry, delta, balance_after, reason, reference, operation_request)
        VALUES (player, operation, new_entry, change, answer.energy, reason, reference, request)
        ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            UPDATE users SET energy = energy - change, ledger_entry = ledger_entry - 1,
                ledger_seal = ledger_seal # energy_entry_seal(ledger_entry - 1, energy - change, digest)
            WHERE id = player;
            RETURN first_answer(player, operation, request);
        END IF;
    END IF;
    RETURN answer;
END
$$;

-- A random word of a list that is not among the played ones: each of them is equally likely, whether all are left or
-- one. Then, when none is left, the one played longest ago; NULL when the list has no words.
CREATE FUNCTION pick_word(player text, played bit varying, list_language text, list_letters integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    unplayed bit varying;
    size integer;
    rank bigint;
    low integer;
    high integer;
    middle integer;
    last_number integer := 0;
    oldest integer;
    picked text;
BEGIN
    SELECT dealable & ~ "bit"(played, length(dealable), true) INTO unplayed
    FROM word_lists WHERE language = list_language AND letters = list_letters;
    size := length(unplayed);
    -- A few places at random, which nearly always suffice while not many are played.
    FOR attempt IN 1..4 LOOP
        low := floor(random() * size) + 1;
        EXIT WHEN get_bit(unplayed, low - 1) = 1;
        low := NULL;
    END LOOP;
    IF low IS NULL THEN
        -- Which of them, and by halving its place: that of the bit with this rank among those that are set.
        rank := ceil((1 - random()) * bit_count(unplayed));
        IF rank > 0 THEN
            low := 1;
            high := size;
            WHILE low < high LOOP
                middle := (low + high) / 2;
                IF bit_count(substring(unplayed FROM 1 FOR middle)) < rank THEN low := middle + 1;
                ELSE high := middle;
                END IF;
            END LOOP;
        END IF;
    END IF;
    IF low IS NOT NULL THEN
        SELECT word INTO picked FROM words WHERE place = low - 1;
    ELSE
        LOOP
            SELECT number, word_id INTO last_number, oldest FROM played_words
            WHERE user_id = player AND number > last_number ORDER BY number LIMIT 1;
            EXIT WHEN NOT FOUND;
            SELECT word INTO picked FROM words
            WHERE id = oldest AND place IS NOT NULL AND retired_at IS NULL
                AND language = list_language AND char_length(word) = list_letters;
            EXIT WHEN FOUND;
        END LOOP;
    END IF;
    RETURN picked;
END
$$;

-- Creates the player with the starting energy; one who exists stays as they are. Always done.
CREATE FUNCTION register_user(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    digest bigint := energy_entry_digest(starting_energy(), 'registration', NULL, now());
BEGIN
    IF char_length(player) NOT BETWEEN 1 AND 128 OR player ~ '[[:cntrl:]]' THEN
        RAISE 'an account id has 1 to 128 printable characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF operation IS NOT NULL THEN PERFORM check_operation(operation, request); END IF;
    WITH created AS (
        INSERT INTO users (id, energy, ledger_entry, ledger_seal)
        VALUES (player, starting_energy(), 1, energy_entry_seal(0, 0, digest))
        ON CONFLICT (id) DO NOTHING RETURNING id)
    INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, operation_request)
    SELECT id, coalesce(operation, 'entry 1'), 1, starting_energy(), starting_energy(), 'registration', request FROM created;
    IF FOUND THEN RETURN ROW(NULL, starting_energy(), 0, NULL, NULL)::operation_answer; END IF;
    SELECT energy, wins INTO answer.energy, answer.wins FROM users WHERE id = player FOR NO KEY UPDATE;
    -- Deleted in this moment: so they register anew.
    IF NOT FOUND THEN RETURN register_user(player, operation, request); END IF;
    RETURN keep_answer(player, operation, request, answer);
END
$$;

-- Pays for a game. Refused: energy-insufficient.
CREATE FUNCTION pay_for_game(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    RETURN change_energy(player, -game_price(), 'game', NULL, operation, request);
END
$$;

-- Pays for a game and deals a word, both or neither. Refused: energy-insufficient, and no-words, which is not
-- remembered.
CREATE FUNCTION start_game(player text, list_language text, list_letters integer, operation text, request bigint)
RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    played bit varying;
    dealt text;
BEGIN
    SELECT played_secrets INTO played FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    dealt := pick_word(player, played, list_language, list_letters);
    IF dealt IS NULL THEN
        IF EXISTS (SELECT FROM energy_ledger WHERE user_id = player AND operation_id = operation) THEN
            RETURN first_answer(player, operation, request);
        END IF;
        RETURN ROW('no-words', 0, 0, NULL, NULL)::operation_answer;
    END IF;
    answer := change_energy(player, -game_price(), 'game', dealt, operation, request);
    IF answer.refusal IS NULL AND answer.is_replay IS NULL THEN answer.word := dealt; END IF;
    RETURN answer;
END
$$;

-- Deals a word for nothing; changes nothing. Refused: no-words.
CREATE FUNCTION deal_word(player text, list_language text, list_letters integer) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    played bit varying;
BEGIN
    SELECT played_secrets INTO played FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    answer.word := pick_word(player, played, list_language, list_letters);
    IF answer.word IS NULL THEN answer.refusal := 'no-words'; END IF;
    RETURN answer;
END
$$;

-- Adds a purchase. Refused: product-unknown, energy-full.
CREATE FUNCTION buy_energy(player text, amount integer, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    IF is_product(amount) THEN RETURN change_energy(player, amount, 'purchase', NULL, operation, request); END IF;
    RETURN refuse(player, 'product-unknown', operation, request);
END
$$;

-- Takes over the balance that a client reports: it may lower it, and raise it up to a maximum; 0 lets it only lower it,
-- NULL refuses it (report-refused).
CREATE FUNCTION report_energy(player text, reported integer, maximum integer, operation text, request bigint)
RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
    change integer;
BEGIN
    IF reported < 0 THEN RAISE 'nobody has less than no energy' USING ERRCODE = 'invalid_parameter_value'; END IF;
    IF maximum IS NULL THEN RETURN refuse(player, 'report-refused', operation, request); END IF;
    SELECT energy, wins, least(reported, greatest(maximum, energy)) - energy INTO answer.energy, answer.wins, change
    FROM users WHERE id = player FOR NO KEY UPDATE;
    IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    IF change = 0 THEN RETURN keep_answer(player, operation, request, answer); END IF;
    RETURN change_energy(player, change, 'client_report', NULL, operation, request);
END
$$;

-- Counts a win. Refused: wins-full.
CREATE FUNCTION add_win(player text, operation text, request bigint) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    answer operation_answer;
BEGIN
    LOOP
        UPDATE users SET wins = wins + 1 WHERE id = player AND wins < 2147483647
        RETURNING energy, wins INTO answer.energy, answer.wins;
        EXIT WHEN FOUND;
        -- Refused by the count as it is under the lock: the player may have been registered in between.
        SELECT wins INTO answer.wins FROM users WHERE id = player FOR NO KEY UPDATE;
        IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
        IF answer.wins = 2147483647 THEN RETURN refuse(player, 'wins-full', operation, request); END IF;
    END LOOP;
    IF operation IS NOT NULL THEN
        answer := keep_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN
            UPDATE users SET wins = wins - 1 WHERE id = player;
        END IF;
    END IF;
    RETURN answer;
END
$$;

-- Records that a word was played, or played again: then it is the latest. Refused: word-unknown. A word counts in any
-- list of the language, retired or not: it may have been dealt before it was retired.
CREATE FUNCTION record_played_word(player text, spelled text, list_language text) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    found_id integer;
    found_place integer;
    new_number integer;
BEGIN
    SELECT id, place INTO found_id, found_place FROM words WHERE language = list_language AND word = spelled;
    IF NOT FOUND THEN RETURN refuse(player, 'word-unknown', NULL, NULL); END IF;
    LOOP
        UPDATE users SET words_played = words_played + 1,
            played_secrets = set_bit(
                "bit"(played_secrets, greatest(length(played_secrets), (found_place / 512 + 1) * 512), true),
                found_place, 1)
        WHERE id = player AND substring(played_secrets FROM found_place + 1 FOR 1) <> B'1'
        RETURNING words_played INTO new_number;
        EXIT WHEN FOUND;
        UPDATE users SET words_played = words_played + 1
        WHERE id = player AND (found_place IS NULL OR substring(played_secrets FROM found_place + 1 FOR 1) = B'1')
        RETURNING words_played INTO new_number;
        IF FOUND THEN
            -- From the first on: the one that comes round again when all have been played is found at once.
            DELETE FROM played_words WHERE user_id = player AND number = (
                SELECT number FROM played_words WHERE user_id = player AND word_id = found_id ORDER BY number LIMIT 1);
            EXIT;
        END IF;
        -- Unknown, or registered since the first look.
        PERFORM FROM users WHERE id = player;
        IF NOT FOUND THEN RETURN ROW('user-unknown', 0, 0, NULL, NULL)::operation_answer; END IF;
    END LOOP;
    INSERT INTO played_words (user_id, number, word_id) VALUES (player, new_number, found_id);
    RETURN ROW(NULL, 0, 0, NULL, NULL)::operation_answer;
END
$$;

REVOKE ALL ON FUNCTION check_operation(text, bigint), first_answer(text, text, bigint), keep_answer(text, text, bigint, operation_answer),
    refuse(text, text, text, bigint), change_energy(text, integer, energy_reason, text, text, bigint),
    pick_word(text, bit varying, text, integer), register_user(text, text, bigint), pay_for_game(text, text, bigint),
    start_game(text, text, integer, text, bigint), deal_word(text, text, integer),
    buy_energy(text, integer, text, bigint), report_energy(text, integer, integer, text, bigint),
    add_win(text, text, bigint), record_played_word(text, text, text) FROM PUBLIC;

-- migrate:down
DROP FUNCTION record_played_word(text, text, text);
DROP FUNCTION add_win(text, text, bigint);
DROP FUNCTION report_energy(text, integer, integer, text, bigint);
DROP FUNCTION buy_energy(text, integer, text, bigint);
DROP FUNCTION deal_word(text, text, integer);
DROP FUNCTION start_game(text, text, integer, text, bigint);
DROP FUNCTION pay_for_game(text, text, bigint);
DROP FUNCTION register_user(text, text, bigint);
DROP FUNCTION pick_word(text, bit varying, text, integer);
DROP FUNCTION change_energy(text, integer, energy_reason, text, text, bigint);
DROP FUNCTION refuse(text, text, text, bigint);
DROP FUNCTION keep_answer(text, text, bigint, operation_answer);
DROP FUNCTION first_answer(text, text, bigint);
DROP FUNCTION check_operation(text, bigint);
DROP TYPE operation_answer;
