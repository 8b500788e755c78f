-- What players see of one another: names of players, leagues and passkeys, hints. Which texts may be shown, and which have
-- a part that is refused.

-- Composes such a text as it is stored: without white space around it, composed (NFC). NULL when it is empty, too long,
-- holds characters that may not be shown, or has a refused part. most: the most characters as readers count them, each of
-- which has four code points at most on average; the service counts them.
--
-- Called by: player_name, create_league, rename_league, register_passkey, create_challenge.
CREATE OR REPLACE FUNCTION public_text(given text, most integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
    composed text := normalize(btrim(given, E'\t\n\u000B\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006'
        '\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), NFC);
    looks bytea;
BEGIN
    IF (char_length(composed) BETWEEN 1 AND 4 * most AND may_be_seen(composed)) IS NOT TRUE THEN RETURN NULL; END IF;
    looks := name_looks(composed);
    IF EXISTS (SELECT FROM refused_names WHERE NOT is_allowed AND position(look IN looks) > 0) THEN RETURN NULL; END IF;
    RETURN composed;
END
$$;

-- Composes a player's name as it is stored; NULL when it may not be one.
CREATE OR REPLACE FUNCTION player_name(given text) RETURNS text
LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN public_text(given, 24); END $$;

-- Whether a composed text can be seen and holds only what may be shown. Characters that nobody sees are allowed where they
-- change what is seen: in flags of tags, between the emoji of one picture, behind an emoji or in a keycap, and between
-- letters of scripts that join. Three marks are allowed on a letter. As NameRule in Sources/JulietAPI/V2.
--
-- Called by: public_text.
CREATE OR REPLACE FUNCTION may_be_seen(composed text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    emoji text;
    joining text;
    rest text := composed;
BEGIN
    IF composed ~ '^[ -~]*[!-~][ -~]*$' THEN RETURN true; END IF;
    IF rest ~ E'[\u200C\u200D\uFE0E\uFE0F\U000E007F]' THEN
        emoji := '[' || characters('emoji') || ']';
        joining := '[' || characters('joining') || ']';
        rest := regexp_replace(rest, E'\U0001F3F4[\U000E0030-\U000E0039\U000E0061-\U000E007A]{3,6}\U000E007F', 'x', 'g');
        rest := regexp_replace(rest, E'([0-9#*])\uFE0F(\u20E3)', E'\\1\\2', 'g');
        rest := regexp_replace(rest, '(' || emoji || E')[\uFE0E\uFE0F]', E'\\1', 'g');
        rest := regexp_replace(rest, '(?<=' || emoji || E')\u200D(?=' || emoji || ')', '', 'g');
        rest := regexp_replace(rest, '(?<=' || joining || E')[\u200C\u200D](?=' || joining || ')', '', 'g');
    END IF;
    RETURN rest !~ ('[' || characters('refused') || ']')
        AND rest ~ ('[^' || characters('unseen') || ']')
        AND normalize(rest, NFD) !~ ('[' || characters('mark') || ']{4}');
END
$$;
