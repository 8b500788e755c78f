-- What support needs: keys that may do a part of it all, names that are found by any part of them, names that are
-- hidden and names that nobody may take, and what was done to a player who is deleted since.

-- migrate:up

-- What a key may do: support, words, or owner, which is everything. Keys of before are owners'. The line of the trail
-- that says who made a key says its role, too.
ALTER TABLE admin_keys ADD COLUMN role text COLLATE "C" NOT NULL DEFAULT 'owner';
ALTER TABLE admin_keys ADD CONSTRAINT admin_keys_role_check CHECK (role IN ('support', 'words', 'owner'));

-- A name in the form in which it is searched and compared: in lower case, without accents and the like, as bytes of
-- UTF-8. Letters that Unicode does not take apart are named here.
CREATE FUNCTION bare_name(name text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN convert_to(replace(replace(replace(translate(
        regexp_replace(normalize(lower(normalize(name, NFKC) COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f]', '', 'g'),
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

-- Operators search names by how they begin, and by what is in them.
DROP INDEX players_name_idx;
CREATE INDEX players_name_idx ON players (bare_name(name), user_id);
CREATE INDEX players_name_parts_idx ON players USING gin (name_parts(name));

-- What a player was called whose name support has hidden, until they choose another one.
ALTER TABLE players ADD COLUMN hidden_name text;

-- What no name may have in it, as bare_name writes it, and as it was written.
CREATE TABLE refused_names (
    bare bytea NOT NULL,
    part text NOT NULL,
    CONSTRAINT refused_names_pkey PRIMARY KEY (bare)
);

-- What operators did to players who are deleted since: the SHA-256 of the id that the player had, and of the trail's
-- line the day, who, what and why. Nothing leads from here to the line, and so to the ledger's pseudonym.
CREATE TABLE former_actions (
    player bytea NOT NULL,
    done_on date NOT NULL,
    actor text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    reason text
);
CREATE INDEX former_actions_player_idx ON former_actions (player);

-- migrate:down
DROP TABLE former_actions;
DROP TABLE refused_names;
ALTER TABLE players DROP COLUMN hidden_name;
DROP INDEX players_name_parts_idx;
DROP INDEX players_name_idx;
CREATE INDEX players_name_idx ON players (folded_name(name), user_id);
DROP FUNCTION name_parts(text);
DROP FUNCTION bare_name(text);
-- The release before would let every key do everything.
WITH revoked AS (
    UPDATE admin_keys SET revoked_at = now() WHERE role <> 'owner' AND revoked_at IS NULL RETURNING name)
INSERT INTO admin_actions (actor, action, subject) SELECT 'juliet', 'key.revoke', name FROM revoked;
ALTER TABLE admin_keys DROP COLUMN role;
