-- Players of /v2, who prove who they are. Each also has a row of users, which has the balance, the ledger and the wins.

-- migrate:backward-compatible
-- migrate:up

-- A name in the form in which it is searched and compared: in lower case, without accents and the like, as bytes of
-- UTF-8. Letters that Unicode does not take apart are named here. Bytes, because an explicit collation does not reach
-- the other servers of a distributed database.
CREATE FUNCTION bare_name(name text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN convert_to(replace(replace(replace(translate(
        regexp_replace(normalize(lower(normalize(name, NFKC) COLLATE "und-x-icu"), NFKD), E'[\u0300-\u036f]', '', 'g'),
        'łøđðħıŧ', 'loddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'UTF8');
END
$$;
REVOKE ALL ON FUNCTION bare_name(text) FROM PUBLIC;

-- The parts of three characters of such a name, each once; of a shorter one none.
CREATE FUNCTION name_parts(name text) RETURNS bytea[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    bare text := convert_from(juliet.bare_name(name), 'UTF8');
BEGIN
    RETURN ARRAY(SELECT DISTINCT convert_to(substr(bare, place, 3), 'UTF8')
        FROM generate_series(1, char_length(bare) - 2) AS place);
END
$$;
REVOKE ALL ON FUNCTION name_parts(text) FROM PUBLIC;

-- hidden_name: support has hidden the player's name, which is kept here, and name is a made one until the player chooses
-- another. NULL: nothing is hidden.
--
-- A recovery code is a secret of its owner: only its SHA-256 is stored. It is too long to be guessed, so the digest
-- needs no salt.
--
-- The statistics count the games that the service judged. end_game() changes them with the row of the game that ended.
-- last_ended_at grows with each, so the games of a player ended one after the other. judged_secrets has a bit at the
-- place of each secret of these games.
--
-- The words of the days that ended on their day are counted too, as daily_results has them: day_streak is how many days
-- in a row were won up to last_day_won, or 0 once a later day was lost.
CREATE TABLE players (
    user_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    hidden_name text,
    recovery_hash bytea NOT NULL,
    played integer NOT NULL DEFAULT 0,
    won integer NOT NULL DEFAULT 0,
    current_streak integer NOT NULL DEFAULT 0,
    longest_streak integer NOT NULL DEFAULT 0,
    distribution integer[] NOT NULL DEFAULT '{0,0,0,0,0,0}',
    last_ended_at timestamptz NOT NULL DEFAULT '-infinity',
    judged_secrets bit varying NOT NULL DEFAULT '',
    days_played integer NOT NULL DEFAULT 0,
    days_won integer NOT NULL DEFAULT 0,
    day_streak integer NOT NULL DEFAULT 0,
    longest_day_streak integer NOT NULL DEFAULT 0,
    last_day_won date,
    CONSTRAINT players_pkey PRIMARY KEY (user_id),
    -- With the player's id, because a distributed PostgreSQL demands it of a unique key.
    CONSTRAINT players_recovery_hash_key UNIQUE (recovery_hash, user_id)
) WITH (fillfactor = 80);
-- Operators search names by how they begin, and by what is in them.
CREATE INDEX players_name_idx ON players (bare_name(name), user_id);
CREATE INDEX players_name_parts_idx ON players USING gin (name_parts(name));

-- What no name may have in it, as it was written and as bare_name writes it. look: what name_looks is searched for.
-- is_carried: the release has it; is_allowed: operators have allowed it.
CREATE TABLE refused_names (
    bare bytea NOT NULL,
    part text NOT NULL,
    look bytea NOT NULL,
    is_carried boolean NOT NULL DEFAULT false,
    is_allowed boolean NOT NULL DEFAULT false,
    CONSTRAINT refused_names_pkey PRIMARY KEY (bare)
);

-- A player as they see themselves.
CREATE TYPE player_answer AS (
    refusal text, id text, name text, energy integer, created_at timestamptz, played integer, won integer,
    current_streak integer, longest_streak integer, distribution integer[], refill_due integer,
    refill_next_at timestamptz, days_played integer, days_won integer, day_streak integer, longest_day_streak integer
);

-- migrate:down
DROP TYPE player_answer;
DROP TABLE refused_names;
DROP TABLE players;
DROP FUNCTION name_parts(text);
DROP FUNCTION bare_name(text);
