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
