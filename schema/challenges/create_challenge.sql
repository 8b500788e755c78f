-- Takes the price of a game and makes a challenge: of the maker's own word, or of one that is dealt. A language or a length
-- that is NULL is the one of the rules; an own word has its own length. Words are in small letters, composed. any_word:
-- the word need not be in a list, and neither need the guesses.
--
-- Called by: the service (POST /v2/challenges).
-- Locks: the player's row of users, then the session's row, shared.
-- Answers: the challenge and the balance; with an own word results as well, of which there are none yet. Refuses, in
-- this order: unauthorized, operation-reused, name-refused (the hint), word-unknown or list-unknown, word-refused,
-- hint-tells, too-many, energy-insufficient; no-words, which is not remembered.
CREATE OR REPLACE FUNCTION create_challenge(
    token bytea, list_language text, list_letters integer, own_word text, hard boolean, days integer, operation text,
    request bigint, any_word boolean DEFAULT false, given_hint text DEFAULT NULL
) RETURNS challenge_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    token_digest bytea := session_digest(token);
    player text := session_player(token);
    last_at timestamptz;
    balance integer;
    moment timestamptz;
    told jsonb;
    dealt text := own_word;
    is_usual boolean := list_language IS NULL AND list_letters IS NULL;
    new_hint text := CASE WHEN player IS NOT NULL THEN public_text(given_hint, 80) END;
    new_code text;
    new_salt uuid := gen_random_uuid();
    held rules;
    paid operation_answer;
    nothing judged_games;
    made challenges;
    answer challenge_answer;
BEGIN
    IF (days BETWEEN 1 AND 30 AND hard IS NOT NULL AND any_word IS NOT NULL) IS NOT TRUE THEN
        RAISE 'a challenge goes on for 1 to 30 days, and is hard or not' USING ERRCODE = 'invalid_parameter_value';
    ELSIF own_word IS NULL AND (any_word OR given_hint IS NOT NULL) THEN
        RAISE 'only an own word can be any word or have a hint' USING ERRCODE = 'invalid_parameter_value';
    ELSIF own_word <> folded_word(own_word) THEN
        RAISE 'a word is in small letters, composed' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    SELECT energy, ledger_at INTO balance, last_at FROM users WHERE id = player FOR NO KEY UPDATE;
    IF hold_session(player, token_digest) IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    IF operation IS NOT NULL THEN
        answer := first_answer(player, operation, request, answer);
        IF answer.is_replay OR answer.refusal IS NOT NULL THEN RETURN answer; END IF;
    END IF;
    answer.energy := balance;
    moment := clock_timestamp();
    SELECT * INTO held FROM rules ORDER BY since DESC LIMIT 1;
    list_language := coalesce(list_language, held.language);
    list_letters := CASE WHEN own_word IS NULL THEN coalesce(list_letters, held.letters) ELSE char_length(own_word) END;
    IF own_word IS NULL THEN dealt := pick_challenge_word(player, list_language, list_letters); END IF;
    IF given_hint IS NOT NULL AND new_hint IS NULL THEN
        answer.refusal := 'name-refused';
    ELSIF dealt IS NULL AND NOT is_usual THEN
        answer.refusal := 'list-unknown';
    ELSIF any_word AND (list_language !~ '^[a-z]{2,3}$' OR own_word COLLATE "und-x-icu" !~ '^[[:alpha:]]{4,8}$')
        OR own_word IS NOT NULL AND NOT any_word
            AND NOT EXISTS (SELECT FROM words WHERE language = list_language AND word = own_word)
    THEN
        answer.refusal := 'word-unknown';
    ELSIF is_blocked_word(own_word) THEN
        answer.refusal := 'word-refused';
    ELSIF tells_word(new_hint, own_word, list_language) THEN
        answer.refusal := 'hint-tells';
    ELSIF (SELECT count(*) FROM challenges WHERE maker = player AND ends_at > moment) >= maximum_open_challenges() THEN
        answer.refusal := 'too-many';
    ELSIF balance < held.game_price THEN
        answer.refusal := 'energy-insufficient';
        SELECT due, next_at INTO answer.refill_due, answer.refill_next_at FROM show_refill(player);
        told := jsonb_build_object('refill_due', answer.refill_due, 'refill_next_at', answer.refill_next_at);
    END IF;
    IF answer.refusal IS NOT NULL THEN
        PERFORM keep_answer(player, operation, request, 'create_challenge', answer.refusal, balance, told);
        RETURN answer;
    END IF;
    IF dealt IS NULL THEN RETURN with_refusal(answer, 'no-words'); END IF;
    LOOP
        new_code := new_share_code();
        INSERT INTO challenges (code, maker, is_own_word, is_hard, language, letters, word, salt, commitment,
            created_at, ends_at, is_any_word, hint)
        VALUES (new_code, player, own_word IS NOT NULL, hard, list_language, list_letters, dealt, new_salt,
            commitment(new_salt, dealt), moment, moment + make_interval(hours => 24 * days), any_word, new_hint)
        ON CONFLICT DO NOTHING RETURNING * INTO made;
        EXIT WHEN FOUND;
    END LOOP;
    paid := change_energy(player, -held.game_price, 'challenge', new_code, operation, request,
        'create_challenge', held, not_before => last_at);
    IF paid.refusal IS NOT NULL THEN RAISE 'a balance that was locked has changed: %', paid.refusal; END IF;
    answer.energy := paid.energy;
    answer.challenge := show_challenge(made, player, nothing, moment);
    IF (answer.challenge).is_open THEN answer.results := '{}'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION
    create_challenge(bytea, text, integer, text, boolean, integer, text, bigint, boolean, text) TO juliet_service;

-- Whether a hint contains the word that it is for, in any letter case, also inside another word.
--
-- Called by: create_challenge; operators (juliet audit).
CREATE OR REPLACE FUNCTION tells_word(hint text, word text, language text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE SET search_path = juliet, pg_temp AS $$
BEGIN
    -- Final sigma depends on what follows.
    RETURN strpos(translate(folded_word(hint), 'ς', 'σ'), translate(word, 'ς', 'σ')) > 0
        OR language IN ('tr', 'az')
            AND strpos(folded_word(translate(replace(normalize(hint, NFC), 'I', 'ı'), 'İ', 'i')), word) > 0;
END
$$;

-- Picks a secret that is in no game of the player; if all are, as for a game. Nothing else is left out, because what is
-- left out can be found by drawing often. The words of the player's own games tell others nothing, and whoever has the
-- player's session learns them at less cost by giving the games up.
--
-- Called by: create_challenge.
-- Answers: the word; NULL when there is none.
CREATE OR REPLACE FUNCTION pick_challenge_word(
    player text, list_language text, list_letters integer
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    played bit varying := (SELECT judged_secrets FROM players WHERE user_id = player);
    size integer;
    of_games text[] := ARRAY(SELECT word FROM judged_games
        WHERE user_id = player AND language = list_language
            AND (kind IN ('archive', 'challenge') OR ended_at IS NULL));
    allowed bit varying;
    games_bits bit varying;
BEGIN
    SELECT length(dealable), dealable INTO size, allowed
    FROM word_lists WHERE language = list_language AND letters = list_letters;
    IF size IS NULL THEN RETURN NULL; END IF;
    -- A place beyond the list is of a secret that is not dealt yet.
    SELECT "bit"(played, size, true) | coalesce(bit_or(set_bit(no_bits(size), place, 1)), no_bits(size)) INTO games_bits
    FROM words WHERE language = list_language AND place < size AND word = ANY (of_games);
    IF bit_count(allowed & ~ games_bits) > 0 THEN played := games_bits; END IF;
    RETURN pick_judged_word(played, list_language, list_letters);
END
$$;

-- Shows a challenge as the first answer to the operation that made it did.
--
-- Called by: first_answer.
-- Answers: a JSON object of a challenge_answer's challenge and results.
CREATE OR REPLACE FUNCTION challenge_as_answered(player text, made_code text) RETURNS jsonb
LANGUAGE plpgsql STABLE SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    made juliet.challenges;
    nothing juliet.judged_games;
    shown juliet.shown_challenge;
BEGIN
    SELECT * INTO STRICT made FROM challenges WHERE code = made_code;
    made.maker := player;
    made.players := 0;
    shown := show_challenge(made, player, nothing, made.created_at);
    RETURN jsonb_build_object('challenge', shown, 'results', CASE WHEN shown.is_open THEN '[]'::jsonb END);
END
$$;
