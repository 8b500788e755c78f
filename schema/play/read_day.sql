-- Reads the word of the day: today's as a commitment, a past one in full; and lists the days.

-- Reads what everybody may know of today, and the player's game of it. token NULL: nobody's.
--
-- Called by: the service (GET /v2/daily).
-- Answers: the day, its list, its commitment and tomorrow's. Refuses: unauthorized; no-words, until choose_daily_words has run.
CREATE OR REPLACE FUNCTION read_today(token bytea) RETURNS daily_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    this_day date := today();
    answer daily_answer;
    g judged_games;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT chosen.day, chosen.language, char_length(chosen.word), chosen.commitment, chosen.is_planned, next.language,
        char_length(next.word), next.commitment, next.is_planned, tomorrow.starts_at, later.starts_at
    INTO answer.day, answer.language, answer.letters, answer.commitment, answer.is_planned, answer.next_language,
        answer.next_letters, answer.next_commitment, answer.next_is_planned, answer.ends_at, answer.next_ends_at
    FROM daily_words AS chosen JOIN daily_words AS next ON next.day = this_day + 1
        JOIN days AS tomorrow ON tomorrow.day = this_day + 1 LEFT JOIN days AS later ON later.day = this_day + 2
    WHERE chosen.day = this_day;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'no-words'); END IF;
    -- The day has just begun, and its row is not written yet.
    answer.next_ends_at := coalesce(answer.next_ends_at, following_start(this_day + 2, answer.ends_at));
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = answer.day;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_today(bytea) TO juliet_service;

-- Reads a day that is over: its word, the player's game of it, and how many players needed how many guesses; the
-- seventh number is how many lost. token NULL: nobody's game.
--
-- Called by: the service (GET /v2/daily/{day}).
-- Refuses: unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_past_day(token bytea, wanted date) RETURNS daily_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    this_day date := today();
    answer daily_answer;
    g judged_games;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN RETURN with_refusal(answer, 'unauthorized'); END IF;
    SELECT chosen.day, chosen.language, char_length(chosen.word), chosen.commitment, chosen.is_planned, next.language,
        char_length(next.word), next.commitment, chosen.word, chosen.salt
    INTO answer.day, answer.language, answer.letters, answer.commitment, answer.is_planned, answer.next_language,
        answer.next_letters, answer.next_commitment, answer.word, answer.salt
    FROM daily_words AS chosen LEFT JOIN daily_words AS next ON next.day = chosen.day + 1
    WHERE chosen.day = wanted AND chosen.day < this_day;
    IF NOT FOUND THEN RETURN with_refusal(answer, 'not-found'); END IF;
    answer.ends_at := day_start(wanted + 1);
    answer.meaning := meaning_of(answer.language, answer.word);
    answer.figures := count_outcomes(wanted);
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = wanted;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_past_day(bytea, date) TO juliet_service;

-- Lists today and the days before whose word had been chosen, newest first, each with its language, its letters, its
-- commitment and the player's game of it. before_day NULL: from today on. token NULL: nobody's games.
--
-- Called by: the service (GET /v2/daily/days).
-- Refuses: unauthorized, in the only row.
CREATE OR REPLACE FUNCTION list_days(token bytea, before_day date, most integer) RETURNS SETOF daily_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    player text := session_player(token);
    this_day date := today();
    chosen record;
    answer daily_answer;
    g judged_games;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN NEXT answer;
        RETURN;
    END IF;
    FOR chosen IN SELECT day, language, char_length(word) AS letters, commitment, is_planned FROM daily_words
        WHERE day <= this_day AND day < coalesce(before_day, 'infinity') ORDER BY day DESC LIMIT most
    LOOP
        answer := NULL;
        answer.day := chosen.day;
        answer.language := chosen.language;
        answer.letters := chosen.letters;
        answer.commitment := chosen.commitment;
        answer.is_planned := chosen.is_planned;
        SELECT * INTO g FROM judged_games WHERE user_id = player AND day = chosen.day;
        IF FOUND THEN answer.game := show_game(g); END IF;
        RETURN NEXT answer;
    END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION list_days(bytea, date, integer) TO juliet_service;
