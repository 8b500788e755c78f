-- A day that is over: its word, and how many needed how many guesses (the seventh number: who lost). Refused:
-- unauthorized, not-found.
CREATE OR REPLACE FUNCTION read_past_day(token bytea, wanted date) RETURNS daily_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
DECLARE
    player text := session_player(token);
    answer daily_answer;
    g judged_games;
BEGIN
    IF token IS NOT NULL AND player IS NULL THEN
        answer.refusal := 'unauthorized';
        RETURN answer;
    END IF;
    SELECT chosen.day, char_length(chosen.word), chosen.commitment, next.commitment, chosen.word, chosen.salt
    INTO answer.day, answer.letters, answer.commitment, answer.next_commitment, answer.word, answer.salt
    FROM daily_words AS chosen LEFT JOIN daily_words AS next ON next.day = chosen.day + 1
    WHERE chosen.day = wanted AND chosen.day < today();
    IF NOT FOUND THEN
        answer.refusal := 'not-found';
        RETURN answer;
    END IF;
    PERFORM pg_advisory_xact_lock_shared('board_changes'::regclass::oid::bigint);
    answer.figures := count_outcomes(wanted);
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = wanted;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_past_day(bytea, date) TO juliet_service;
