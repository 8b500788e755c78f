-- Games the service judges. The guesses stand one after the other in one text, each as long as the word, and beside them
-- their marks, a letter for a letter: c correct, p present, a absent. So a guess is one update of one row, which touches
-- no index (HOT).
--
-- commitment is the SHA-256 of "salt:word", the salt as 32 hex digits. It is shown when the game starts; salt and word
-- when it is over. Until then nothing that the service may call tells them.
--
-- Ids are UUIDs of version 7, so that their order is that of the games.

-- migrate:up
CREATE TABLE judged_games (
    user_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    day date,
    language text COLLATE "C" NOT NULL,
    letters integer NOT NULL,
    word text COLLATE "C" NOT NULL,
    salt uuid NOT NULL,
    commitment bytea NOT NULL,
    guesses text COLLATE "C" NOT NULL DEFAULT '',
    marks text COLLATE "C" NOT NULL DEFAULT '',
    guess_count integer NOT NULL DEFAULT 0,
    is_won boolean NOT NULL DEFAULT false,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT judged_games_pkey PRIMARY KEY (user_id, id)
) WITH (fillfactor = 70);
-- One ordinary game at a time; one a day of the day's.
CREATE UNIQUE INDEX judged_games_playing_key ON judged_games (user_id) WHERE day IS NULL AND ended_at IS NULL;
CREATE UNIQUE INDEX judged_games_day_key ON judged_games (user_id, day) WHERE day IS NOT NULL;

-- The word of each day (UTC), chosen the day before.
CREATE TABLE daily_words (
    day date NOT NULL,
    language text COLLATE "C" NOT NULL,
    word text COLLATE "C" NOT NULL,
    salt uuid NOT NULL,
    commitment bytea NOT NULL,
    CONSTRAINT daily_words_pkey PRIMARY KEY (day)
);

CREATE FUNCTION maximum_guesses() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 6';

-- The day it is (UTC).
CREATE FUNCTION today() RETURNS date LANGUAGE sql STABLE AS $$ SELECT (now() AT TIME ZONE 'UTC')::date $$;

CREATE FUNCTION commitment(salt uuid, word text) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$ SELECT sha256(convert_to(replace(salt::text, '-', '') || ':' || word, 'UTF8')) $$;

-- A UUID of version 7 (RFC 9562 §5.7): 48 bits of milliseconds, the rest at random.
CREATE FUNCTION ordered_uuid(at timestamptz) RETURNS uuid
LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- The marks of a guess as long as the word: correct first, then present by what is left of each letter.
CREATE FUNCTION mark_guess(guess text, word text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    letters integer := char_length(word);
    marks text := '';
    others text := '';
    letter text;
    place integer;
BEGIN
    IF guess = word THEN RETURN repeat('c', letters); END IF;
    FOR position IN 1..letters LOOP
        letter := substr(word, position, 1);
        IF letter <> substr(guess, position, 1) THEN others := others || letter; END IF;
    END LOOP;
    FOR position IN 1..letters LOOP
        letter := substr(guess, position, 1);
        IF letter = substr(word, position, 1) THEN
            marks := marks || 'c';
        ELSE
            place := strpos(others, letter);
            IF place > 0 THEN
                marks := marks || 'p';
                others := overlay(others PLACING '' FROM place FOR 1);
            ELSE
                marks := marks || 'a';
            END IF;
        END IF;
    END LOOP;
    RETURN marks;
END
$$;
REVOKE ALL ON FUNCTION maximum_guesses(), today(), commitment(uuid, text), ordered_uuid(timestamptz),
    mark_guess(text, text) FROM PUBLIC;

-- migrate:down
DROP FUNCTION mark_guess(text, text);
DROP FUNCTION ordered_uuid(timestamptz);
DROP FUNCTION commitment(uuid, text);
DROP FUNCTION today();
DROP FUNCTION maximum_guesses();
DROP TABLE daily_words;
DROP TABLE judged_games;
