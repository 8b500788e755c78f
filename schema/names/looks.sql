-- What a name looks like, by the skeleton of UTS #39: names are compared with refused parts by it.

-- A text without what does not change which letters are read: marks, and characters that nobody sees.
--
-- Called by: name_looks, part_look.
CREATE OR REPLACE FUNCTION without_marks(shown text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    IF shown ~ '^[ -~]*$' THEN RETURN shown; END IF;
    RETURN regexp_replace(normalize(shown, NFKD), '[' || characters('mark') || characters('refused') || ']', '', 'g');
END
$$;

-- Writes a text without marks in the Latin letters that it looks like, in small letters. What looks alike in one letter
-- case is alike: i, l, 1 and |; o and 0; m and rn.
--
-- Called by: name_looks, part_look.
CREATE OR REPLACE FUNCTION look_alike(plain text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN replace(translate(latin_letters(convert_from(bare_name(plain), 'UTF8')), 'i1|0', 'lllo'), 'm', 'rn');
END
$$;

-- What a name looks like: read in small letters, by the shapes of its capitals, without its digits, and with a word
-- beginning at each capital; each also as words with blanks around them, digits being letters and not. In lines, as bytes
-- of UTF-8, because an explicit collation does not reach the other servers of a distributed database.
--
-- Called by: public_text, parts_in.
CREATE OR REPLACE FUNCTION name_looks(name text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    plain text := without_marks(name);
    readings text[] := ARRAY[look_alike(plain), look_alike(latin_letters(plain)),
        look_alike(translate(plain, '0123456789', '          ')),
        look_alike(regexp_replace(plain COLLATE "und-x-icu", '([[:lower:]])([[:upper:]])', E'\\1 \\2', 'g'))];
BEGIN
    RETURN convert_to((SELECT string_agg(reading
        || E'\n ' || regexp_replace(reading COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g')
        || E' \n ' || regexp_replace(reading COLLATE "und-x-icu", '[^[:alpha:]]+', ' ', 'g') || ' ', E'\n')
        FROM unnest(readings) AS reading), 'UTF8');
END
$$;

-- What a refused part looks like, as name_looks has it. A part that begins with = is a whole word, or several.
--
-- Called by: change_part, refresh_refused_names.
CREATE OR REPLACE FUNCTION part_look(part text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN convert_to(CASE WHEN part LIKE '=%' THEN ' ' || look_alike(without_marks(substr(part, 2))) || ' '
        ELSE look_alike(without_marks(part)) END, 'UTF8');
END
$$;
