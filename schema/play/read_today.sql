-- Today, and the player's game of it; token NULL: nobody's. Refused: unauthorized, no-words.
CREATE OR REPLACE FUNCTION read_today(token bytea, list_language text, list_letters integer) RETURNS daily_answer
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
    FOR attempt IN 1..2 LOOP
        SELECT chosen.day, char_length(chosen.word), chosen.commitment, next.commitment
        INTO answer.day, answer.letters, answer.commitment, answer.next_commitment
        FROM daily_words AS chosen JOIN daily_words AS next ON next.day = chosen.day + 1 WHERE chosen.day = today();
        EXIT WHEN FOUND;
        PERFORM choose_daily_words(list_language, list_letters);
    END LOOP;
    IF answer.day IS NULL THEN
        answer.refusal := 'no-words';
        RETURN answer;
    END IF;
    SELECT * INTO g FROM judged_games WHERE user_id = player AND day = answer.day;
    IF FOUND THEN answer.game := show_game(g); END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION read_today(bytea, text, integer) TO juliet_service;
