-- What a word means, for whoever may see the word.
--
-- Called by: show_game, show_challenge, read_past_day.
-- Answers: NULL when the database has no meaning of it.
CREATE OR REPLACE FUNCTION meaning_of(list_language text, spelled text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT meaning FROM words WHERE language = list_language AND word = spelled);
END
$$;

-- A word as operators see it, in JSON.
--
-- Called by: admin_word, admin_change_word.
CREATE OR REPLACE FUNCTION show_word(list_language text, spelled text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object('language', language, 'word', word, 'isSecret', is_secret,
        'isRetired', retired_at IS NOT NULL, 'isBanned', is_banned, 'retiredAt', juliet.show_time(retired_at),
        'createdAt', juliet.show_time(created_at)))
    FROM juliet.words WHERE language = list_language AND word = spelled
$$;
