-- Reads challenges: one by its code, and a player's own.

-- Reads a challenge. token NULL: without a player.
--
-- Called by: the service (GET /v2/challenges/{code}).
-- Answers: the challenge; its results as well, where they may be seen and few play. Of many the service keeps a copy
-- for a moment (read_challenge_results). Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_challenge(token bytea, wanted text) RETURNS challenge_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    c challenges;
    g judged_games;
    answer challenge_answer;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT * INTO c FROM challenges WHERE code = wanted AND deleted_at IS NULL;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'not-found'); END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND challenge = wanted;
    answer.challenge := show_challenge(c, player, g, clock_timestamp());
    IF (answer.challenge).is_open AND c.players <= few_challenge_players() THEN
        answer.results := ARRAY(SELECT line FROM challenge_results(c.code, c.ends_at) AS line);
    END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_challenge(bytea, text) TO juliet_service;

-- Reads the results of a challenge, of which the service keeps a copy for a moment. They have no letters.
--
-- Called by: the service (GET /v2/challenges/{code}, when read_challenge has said that they may be seen).
-- Answers: nothing when there is no such challenge.
CREATE OR REPLACE FUNCTION read_challenge_results(wanted text) RETURNS SETOF challenge_result
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    c challenges;
BEGIN
    SELECT * INTO c FROM challenges WHERE code = wanted AND deleted_at IS NULL;
    IF FOUND THEN RETURN QUERY SELECT * FROM challenge_results(c.code, c.ends_at); END IF;
END
$$;
GRANT EXECUTE ON FUNCTION read_challenge_results(text) TO juliet_service;

-- Lists the challenges that a player made or plays, newest first, without their results. before_at and before_code: the
-- last one of the page before; NULL: from the newest on.
--
-- Called by: the service (GET /v2/challenges).
-- Answers: a first row that has the refusal or NULL, then a row a challenge. Refuses: unauthorized.
CREATE OR REPLACE FUNCTION list_challenges(
    token bytea, before_at timestamptz, before_code text, most integer
) RETURNS SETOF challenge_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    played text[];
    moment timestamptz := clock_timestamp();
    c challenges;
    g judged_games;
    answer challenge_answer;
BEGIN
    IF player IS NULL THEN answer.refusal := 'unauthorized'; END IF;
    RETURN NEXT answer;
    played := ARRAY(SELECT challenge FROM judged_games WHERE user_id = player AND challenge IS NOT NULL);
    FOR c IN SELECT * FROM challenges
        WHERE (maker = player OR code = ANY (played)) AND deleted_at IS NULL
            AND (before_at IS NULL OR (created_at, code) < (before_at, before_code))
        ORDER BY created_at DESC, code DESC LIMIT most
    LOOP
        SELECT * INTO g FROM judged_games WHERE user_id = player AND challenge = c.code;
        answer.challenge := show_challenge(c, player, g, moment);
        RETURN NEXT answer;
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION list_challenges(bytea, timestamptz, text, integer) TO juliet_service;

-- A maker's challenges for the export: with the word only if it is the maker's own.
--
-- Called by: player_records.
CREATE OR REPLACE FUNCTION challenge_records(player text) RETURNS jsonb
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('code', show_share_code(code),
        'ownWord', nullif(is_own_word, false), 'anyWord', nullif(is_any_word, false), 'hint', hint, 'hard', nullif(is_hard, false), 'language', language,
        'length', letters, 'commitment', encode(commitment, 'hex'), 'createdAt', show_time(created_at),
        'endsAt', show_time(ends_at), 'players', players, 'secret', CASE WHEN is_own_word THEN word END,
        'salt', CASE WHEN is_own_word THEN replace(salt::text, '-', '') END)) ORDER BY created_at, code), '[]')
    FROM challenges WHERE maker = player);
END
$$;
