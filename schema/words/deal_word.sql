-- Deals a word for free. It changes nothing.
--
-- Called by: the service (fetchNewSecretWord).
-- Answers: the word. Refuses: no-words, user-unknown.
CREATE OR REPLACE FUNCTION deal_word(
    player text, list_language text, list_letters integer, account text DEFAULT NULL
) RETURNS operation_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    is_checked boolean := check_isolation();
    answer operation_answer;
    played bit varying;
BEGIN
    IF app_reads(player, account) THEN SELECT played_secrets INTO played FROM users WHERE id = player; END IF;
    IF played IS NULL THEN RETURN unknown_user(); END IF;
    answer.word := pick_word(player, played, list_language, list_letters);
    IF answer.word IS NULL THEN answer.refusal := 'no-words'; END IF;
    RETURN answer;
END
$$;
GRANT EXECUTE ON FUNCTION deal_word(text, text, integer, text) TO juliet_service;
