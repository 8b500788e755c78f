-- Deals a word for free. It changes nothing.
--
-- Called by: the service (fetchNewSecretWord), deal_word_each.
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

-- Deals a word for free to each player of a set (operations/sets.sql). It locks nobody, so it serves everybody.
--
-- Called by: the service (fetchNewSecretWord, several together).
CREATE OR REPLACE FUNCTION deal_word_each(players text[], languages text[], letters integer[])
RETURNS TABLE (answer operation_answer, place bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
    is_checked boolean := check_isolation();
BEGIN
    PERFORM check_set(players, set_length(languages), set_length(letters));
    RETURN QUERY SELECT CASE WHEN asked.word IS NULL THEN deal_word(asked.player, asked.language, asked.letters)
            ELSE ROW(NULL, NULL, NULL, asked.word, NULL)::operation_answer END, asked.n
        FROM unnest(players, languages, letters, pick_unplayed_each(players, languages, letters, false)) WITH ORDINALITY
            AS asked (player, language, letters, word, n);
END
$$;
GRANT EXECUTE ON FUNCTION deal_word_each(text[], text[], integer[]) TO juliet_service;
