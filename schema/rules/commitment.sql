-- Commits to a word before it is shown: the SHA-256 of "salt:word", the salt as 32 hex digits.
--
-- Called by: start_judged_game, start_judged_game_each, write_daily_word, create_challenge; operators (juliet audit).
CREATE OR REPLACE FUNCTION commitment(salt uuid, word text) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(convert_to(replace(salt::text, '-', '') || ':' || word, 'UTF8')) $$;
