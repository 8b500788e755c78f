-- The parts that no name may have: those of the release, and those of operators.

-- Refuses names that contain a part, or allows them again, and writes a line of the audit trail. Names that are there
-- stay. A part of the release that is allowed stays allowed. operation NULL: without a name.
--
-- Called by: operators (juliet names refuse, allow), admin_change_part.
-- Locks: the part's row.
-- Answers: whether it changed something; NULL: the part does not have 2 to 24 characters, or is to be a whole word and
-- holds other characters than letters and digits.
CREATE OR REPLACE FUNCTION change_part(
    who text, spelled text, is_refused boolean, why text, operation text, request bigint
) RETURNS boolean
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    composed text := normalize(btrim(spelled), NFC);
    bare_part bytea := bare_name(composed);
    its_look bytea := part_look(composed);
    looks text := convert_from(its_look, 'UTF8');
    is_word boolean := composed LIKE '=%';
BEGIN
    IF (char_length(composed) - is_word::integer BETWEEN 2 AND 24 AND char_length(btrim(looks)) >= 2
        AND (NOT is_word OR looks COLLATE "und-x-icu" ~ '^ [[:alnum:]]+( [[:alnum:]]+)* $')) IS NOT TRUE
    THEN
        RETURN NULL;
    END IF;
    IF is_refused THEN
        UPDATE refused_names SET is_allowed = false WHERE bare = bare_part AND is_allowed;
        IF NOT FOUND THEN
            INSERT INTO refused_names (bare, part, look) VALUES (bare_part, composed, its_look) ON CONFLICT DO NOTHING;
        END IF;
    ELSE
        UPDATE refused_names SET is_allowed = true WHERE bare = bare_part AND is_carried AND NOT is_allowed;
        IF NOT FOUND THEN DELETE FROM refused_names WHERE bare = bare_part AND NOT is_carried; END IF;
    END IF;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM record_action(who, CASE WHEN is_refused THEN 'name.refuse' ELSE 'name.allow' END, NULL,
        'name/' || composed, why, NULL, operation, request);
    RETURN true;
END
$$;

-- Brings the parts that this release refuses into the table, and those that it no longer refuses out of it; what operators
-- have allowed stays allowed. What they refused is the release's from then on, if it refuses the same. Writes anew what the
-- parts look like.
--
-- Called by: operators (juliet migrate up).
-- Locks: the table refused_names.
CREATE OR REPLACE FUNCTION refresh_refused_names() RETURNS void
LANGUAGE plpgsql SET search_path = juliet, pg_temp AS $$
DECLARE
    carried text[] := carried_refused_parts();
    carried_bare bytea[] := ARRAY(SELECT bare_name(part) FROM unnest(carried) AS part);
    its_part text;
    old refused_names;
BEGIN
    LOCK TABLE refused_names IN SHARE ROW EXCLUSIVE MODE;
    FOR old IN SELECT * FROM refused_names LOOP
        IF old.is_carried AND old.bare <> ALL (carried_bare) THEN
            DELETE FROM refused_names WHERE bare = old.bare;
        ELSIF old.look <> part_look(old.part) THEN
            UPDATE refused_names SET look = part_look(old.part) WHERE bare = old.bare;
        END IF;
    END LOOP;
    FOREACH its_part IN ARRAY carried LOOP
        UPDATE refused_names SET is_carried = true, part = its_part, look = part_look(its_part)
        WHERE bare = bare_name(its_part);
        IF NOT FOUND THEN
            INSERT INTO refused_names (bare, part, look, is_carried)
            VALUES (bare_name(its_part), its_part, part_look(its_part), true);
        END IF;
    END LOOP;
END
$$;

-- Which of some parts a name has. looks: of each what part_look says.
--
-- Called by: operators (juliet names list).
CREATE OR REPLACE FUNCTION parts_in(name text, parts text[], looks bytea[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE SET search_path = juliet, pg_temp AS $$
DECLARE
    its_looks bytea := name_looks(name);
BEGIN
    RETURN ARRAY(SELECT part FROM unnest(parts, looks) WITH ORDINALITY AS refused (part, look, place)
        WHERE position(look IN its_looks) > 0 ORDER BY place);
END
$$;
