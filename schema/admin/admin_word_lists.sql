-- The words counted by language and length.
CREATE OR REPLACE FUNCTION admin_word_lists(key bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    RETURN ROW(NULL, (SELECT jsonb_build_object('lists', coalesce(jsonb_agg(jsonb_build_object('language', language,
        'length', letters, 'guessable', guessable, 'secret', secret, 'retired', retired) ORDER BY language, letters), '[]'))
        FROM (SELECT language, char_length(word) AS letters,
            count(*) FILTER (WHERE retired_at IS NULL) AS guessable,
            count(*) FILTER (WHERE retired_at IS NULL AND is_secret) AS secret,
            count(*) FILTER (WHERE retired_at IS NOT NULL) AS retired
            FROM words GROUP BY language, char_length(word)) AS counts)::text)::admin_answer;
END
$$;
GRANT EXECUTE ON FUNCTION admin_word_lists(bytea) TO juliet_service;
