-- What operators may ask on the admin page, and who did what. Each person has a key; only its SHA-256 is stored, and it is
-- too long to be guessed. Every function here takes that digest first, as those of 0011 take a session's, so the service's
-- role can do nothing here without a key, and one that is revoked is refused by every node from then on. A call whose key
-- is nobody's answers 'unauthorized'.
--
-- admin_actions is the audit trail: who changed what, when and why, written in the transaction of the change by the function
-- that makes it. The service cannot touch it otherwise. It outlives a player who is deleted, under the pseudonym of the
-- ledger, and follows one who is claimed.
--
-- A secret can become a word that is only guessed, and a secret again: it keeps its place, which players' bits are at.

-- migrate:up
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE TABLE admin_keys (
    key_hash bytea NOT NULL,
    name text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    revoked_at timestamptz,
    CONSTRAINT admin_keys_pkey PRIMARY KEY (key_hash)
);
-- One key a person at a time. A name that was revoked may be given a new one.
CREATE UNIQUE INDEX admin_keys_name_key ON admin_keys (name) WHERE revoked_at IS NULL;

-- actor: the name of a key, or "os:" and the system's user who ran a command. user_id: the player it is about; subject: what
-- else, "en/music" for instance. operation_id names a change of a word; that of a grant is in the ledger.
CREATE TABLE admin_actions (
    id bigint GENERATED ALWAYS AS IDENTITY,
    done_at timestamptz NOT NULL DEFAULT now(),
    actor text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    user_id text COLLATE "C",
    subject text COLLATE "C",
    reason text,
    details jsonb,
    operation_id text COLLATE "C",
    operation_request bigint,
    CONSTRAINT admin_actions_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX admin_actions_operation_key ON admin_actions (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX admin_actions_user_id_idx ON admin_actions (user_id, id) WHERE user_id IS NOT NULL;

-- Names are searched by how they begin, in any letter case, whatever the cluster's locale.
CREATE INDEX players_name_idx ON players ((lower(name COLLATE "und-x-icu") COLLATE "C"), user_id);
-- The days: rows come in the order of time, so a few bytes for each range of blocks tell which of them to read.
CREATE INDEX energy_ledger_created_at_idx ON energy_ledger USING brin (created_at) WITH (autosummarize = on);
CREATE INDEX judged_games_days_idx ON judged_games USING brin (started_at, ended_at) WITH (autosummarize = on);

ALTER TABLE words DROP CONSTRAINT words_place_check, ADD CONSTRAINT words_place_check CHECK (place IS NULL OR place >= 0);

CREATE TYPE admin_answer AS (refusal text, body text);

-- Parts of the others ------------------------------------------------------------------------------------------------

-- As in 0004, but for secrets that became words to guess.
CREATE OR REPLACE FUNCTION refresh_word_lists() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    promoted integer[];
    size integer;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    SELECT array_agg(id) INTO promoted FROM words WHERE is_secret AND place IS NULL AND created_at < now();
    UPDATE words SET place = fresh.place
    FROM (SELECT id, (SELECT coalesce(max(place), -1) FROM words) + row_number() OVER (ORDER BY id) AS place
        FROM words WHERE is_secret AND place IS NULL) AS fresh
    WHERE words.id = fresh.id;
    -- In steps, so that a player's bits seldom grow.
    SELECT (max(place) / 512 + 1) * 512 INTO size FROM words;

    IF promoted IS NOT NULL THEN
        PERFORM FROM users WHERE id IN (SELECT user_id FROM played_words WHERE word_id = ANY (promoted))
        ORDER BY id FOR NO KEY UPDATE;
        UPDATE users SET played_secrets = "bit"(played_secrets, size, true) | bits
        FROM (SELECT user_id, bit_or(set_bit(no_bits(size), place, 1)) AS bits
            FROM played_words JOIN words ON words.id = word_id WHERE word_id = ANY (promoted) GROUP BY user_id) AS played
        WHERE users.id = played.user_id;
    END IF;

    INSERT INTO word_lists (language, letters, dealable)
    SELECT language, char_length(word),
        bit_or(CASE WHEN is_secret AND retired_at IS NULL THEN set_bit(no_bits(size), place, 1) ELSE no_bits(size) END)
    FROM words WHERE place IS NOT NULL GROUP BY language, char_length(word)
    ON CONFLICT (language, letters) DO UPDATE SET dealable = EXCLUDED.dealable
    WHERE word_lists.dealable <> EXCLUDED.dealable;
END
$$;

-- As in 0006, but for secrets that became words to guess.
CREATE OR REPLACE FUNCTION pick_word(player text, played bit varying, list_language text, list_letters integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    unplayed bit varying;
    size integer;
    rank bigint;
    low integer;
    high integer;
    middle integer;
    last_number integer := 0;
    oldest integer;
    picked text;
BEGIN
    SELECT dealable & ~ "bit"(played, length(dealable), true) INTO unplayed
    FROM word_lists WHERE language = list_language AND letters = list_letters;
    size := length(unplayed);
    -- A few places at random, which nearly always suffice while not many are played.
    FOR attempt IN 1..4 LOOP
        low := floor(random() * size) + 1;
        EXIT WHEN get_bit(unplayed, low - 1) = 1;
        low := NULL;
    END LOOP;
    IF low IS NULL THEN
        -- Which of them, and by halving its place: that of the bit with this rank among those that are set.
        rank := ceil((1 - random()) * bit_count(unplayed));
        IF rank > 0 THEN
            low := 1;
            high := size;
            WHILE low < high LOOP
                middle := (low + high) / 2;
                IF bit_count(substring(unplayed FROM 1 FOR middle)) < rank THEN low := middle + 1;
                ELSE high := middle;
                END IF;
            END LOOP;
        END IF;
    END IF;
    IF low IS NOT NULL THEN
        SELECT word INTO picked FROM words WHERE place = low - 1;
    ELSE
        LOOP
            SELECT number, word_id INTO last_number, oldest FROM played_words
            WHERE user_id = player AND number > last_number ORDER BY number LIMIT 1;
            EXIT WHEN NOT FOUND;
            SELECT word INTO picked FROM words
            WHERE id = oldest AND is_secret AND place IS NOT NULL AND retired_at IS NULL
                AND language = list_language AND char_length(word) = list_letters;
            EXIT WHEN FOUND;
        END LOOP;
    END IF;
    RETURN picked;
END
$$;

-- As in 0011, and what operators did for the player goes along.
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE sql AS $$
    WITH moved AS (DELETE FROM energy_ledger WHERE user_id = old_name RETURNING *),
    kept AS (
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        SELECT new_name, CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END, entry, delta,
            balance_after, reason, reference, CASE WHEN keeps_operations THEN operation_request END, refusal, wins, created_at
        FROM moved WHERE keeps_operations OR entry IS NOT NULL RETURNING entry),
    moved_archive AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *),
    kept_archive AS (
        INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
            operation_request, created_at)
        SELECT new_name, entry, delta, balance_after, reason, reference,
            CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END,
            CASE WHEN keeps_operations THEN operation_request END, created_at
        FROM moved_archive RETURNING entry),
    moved_checkpoints AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *),
    kept_checkpoints AS (
        INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, created_at)
        SELECT new_name, begins, entry, balance, seal, file_id, created_at FROM moved_checkpoints),
    moved_actions AS (UPDATE admin_actions SET user_id = new_name WHERE user_id = old_name)
    SELECT (SELECT count(entry) FROM kept) + (SELECT count(*) FROM kept_archive)
$$;

-- Whose key it is; NULL: nobody's. Notes the hour, but waits for nobody.
CREATE FUNCTION admin_name(key bytea) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    who text;
    used_at timestamptz;
BEGIN
    SELECT name, coalesce(last_used_at, '-infinity') INTO who, used_at
    FROM admin_keys WHERE key_hash = key AND revoked_at IS NULL;
    IF used_at < now() - interval '1 hour' AND current_setting('transaction_read_only') = 'off' THEN
        UPDATE admin_keys SET last_used_at = date_trunc('hour', now(), 'UTC')
        WHERE key_hash = (SELECT key_hash FROM admin_keys WHERE key_hash = key FOR UPDATE SKIP LOCKED);
    END IF;
    RETURN who;
END
$$;

CREATE FUNCTION admin_refusal(why text) RETURNS admin_answer
LANGUAGE sql IMMUTABLE AS 'SELECT ROW(why, NULL)::admin_answer';

-- Writes down that something was done.
CREATE FUNCTION record_action(
    who text, what text, player text, about text, why text, details_of_it jsonb, operation text, request bigint
) RETURNS void
LANGUAGE sql AS $$
    INSERT INTO admin_actions (actor, action, user_id, subject, reason, details, operation_id, operation_request)
    VALUES (who, what, player, about, why, details_of_it, operation, request)
$$;

-- Gives a player energy and writes down who did. Refused as change_energy() is.
CREATE FUNCTION grant_energy(who text, player text, amount integer, why text, operation text, request bigint)
RETURNS operation_answer
LANGUAGE plpgsql AS $$
DECLARE
    answer operation_answer;
BEGIN
    IF amount NOT BETWEEN 1 AND 1000000 OR char_length(why) > 500 OR why !~ '[^[:space:]]' THEN
        RAISE 'a grant is 1 to 1000000, for a reason of up to 500 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    answer := change_energy(player, amount, 'support', why, operation, request);
    IF answer.refusal IS NULL AND answer.is_replay IS NULL THEN
        PERFORM record_action(who, 'energy.grant', player, NULL, why,
            jsonb_build_object('amount', amount, 'balance', answer.energy), NULL, NULL);
    END IF;
    RETURN answer;
END
$$;

-- Changes words of a language: retire, restore, secret, guessable. Returns those that were not so already, and writes down a
-- line for each.
CREATE FUNCTION change_words(
    who text, list_language text, listed text[], change text, why text, operation text, request bigint
) RETURNS text[]
LANGUAGE plpgsql AS $$
DECLARE
    changed text[];
BEGIN
    IF change = 'retire' OR change = 'restore' THEN
        WITH changes AS (
            UPDATE words SET retired_at = CASE WHEN change = 'retire' THEN coalesce(retired_at, now()) END,
                is_banned = change = 'retire'
            WHERE language = list_language AND word = ANY (listed)
                AND (is_banned <> (change = 'retire') OR (retired_at IS NOT NULL) <> (change = 'retire'))
            RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSIF change = 'secret' OR change = 'guessable' THEN
        WITH changes AS (
            UPDATE words SET is_secret = change = 'secret'
            WHERE language = list_language AND word = ANY (listed) AND is_secret <> (change = 'secret') RETURNING word)
        SELECT array_agg(word ORDER BY word) INTO changed FROM changes;
    ELSE
        RAISE 'words can be retired, restored, made secret or guessable' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM record_action(who, 'word.' || change, NULL, list_language || '/' || word, why,
        jsonb_build_object('isSecret', is_secret, 'isRetired', retired_at IS NOT NULL), operation, request)
    FROM unnest(changed) AS word JOIN words USING (word) WHERE language = list_language ORDER BY word;
    PERFORM refresh_word_lists();
    RETURN coalesce(changed, '{}');
END
$$;

CREATE FUNCTION show_word(list_language text, spelled text) RETURNS jsonb
LANGUAGE sql STABLE AS $$
    SELECT jsonb_strip_nulls(jsonb_build_object('language', language, 'word', word, 'isSecret', is_secret,
        'isRetired', retired_at IS NOT NULL, 'isBanned', is_banned, 'retiredAt', show_time(retired_at),
        'createdAt', show_time(created_at)))
    FROM words WHERE language = list_language AND word = spelled
$$;

-- Keys ---------------------------------------------------------------------------------------------------------------

-- Whether anybody has a key. This alone is told without one.
CREATE FUNCTION has_admin_keys() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT
AS 'SELECT EXISTS (SELECT FROM admin_keys WHERE revoked_at IS NULL)';

-- Whose key it is.
CREATE FUNCTION admin_sign_in(key bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    who text := admin_name(key);
BEGIN
    IF who IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    RETURN ROW(NULL, jsonb_build_object('name', who)::text)::admin_answer;
END
$$;

-- Players ------------------------------------------------------------------------------------------------------------

-- Who has this id, this account of the app, or a name that begins so: at most so many, and whether there are more.
CREATE FUNCTION admin_search(key bytea, wanted text, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    folded text := lower(normalize(wanted, NFC) COLLATE "und-x-icu");
    found jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    WITH hits AS MATERIALIZED (
        SELECT id AS user_id, 0 AS rank, 'id' AS matched, '' AS folded_name FROM users WHERE id = wanted
        UNION ALL
        SELECT claims.user_id, 1, 'account', '' FROM claims WHERE account_id = wanted
        UNION ALL
        (SELECT players.user_id, 2, 'name', lower(name COLLATE "und-x-icu") COLLATE "C" FROM players
            WHERE lower(name COLLATE "und-x-icu") COLLATE "C" >= folded
                AND lower(name COLLATE "und-x-icu") COLLATE "C" < folded || chr(1114111)
            ORDER BY lower(name COLLATE "und-x-icu") COLLATE "C", user_id LIMIT most + 1))
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', users.id, 'matched', matched, 'name', name,
        'energy', energy, 'createdAt', show_time(created_at))) ORDER BY rank, folded_name COLLATE "C", users.id)
    INTO found
    FROM hits JOIN users ON users.id = hits.user_id LEFT JOIN players ON players.user_id = users.id;
    found := coalesce(found, '[]');
    RETURN ROW(NULL, jsonb_build_object('hasMore', jsonb_array_length(found) > most, 'players',
        (SELECT coalesce(jsonb_agg(hit ORDER BY place), '[]')
            FROM jsonb_array_elements(found) WITH ORDINALITY AS hits (hit, place) WHERE place <= most))::text)::admin_answer;
END
$$;

-- What is known of a player. Refused: not-found.
CREATE FUNCTION admin_player(key bytea, player text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    found jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    SELECT jsonb_strip_nulls(jsonb_build_object('id', id, 'createdAt', show_time(created_at), 'energy', energy,
        'wins', wins, 'wordsPlayed', words_played, 'name', name,
        'statistics', CASE WHEN name IS NOT NULL THEN jsonb_build_object('played', played, 'won', won,
            'currentStreak', current_streak, 'longestStreak', longest_streak, 'distribution', distribution) END,
        'running', (SELECT count(*) FROM judged_games WHERE judged_games.user_id = player AND ended_at IS NULL),
        'sessions', (SELECT count(*) FROM sessions WHERE sessions.user_id = player),
        'lastUsedAt', (SELECT show_time(max(last_used_at)) FROM sessions WHERE sessions.user_id = player),
        'account', (SELECT account_id FROM claims WHERE claims.user_id = player),
        'claimedAt', (SELECT show_time(claimed_at) FROM claims WHERE claims.user_id = player)))
    INTO found FROM users LEFT JOIN players ON players.user_id = id WHERE id = player;
    IF found IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, found::text)::admin_answer;
END
$$;

-- The changes of a player's balance before an entry, newest first. What a game of the app was dealt is left out: whether it
-- is over, nobody knows here. Refused: not-found.
CREATE FUNCTION admin_ledger(key bytea, player text, before_entry integer, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    entries jsonb;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('entry', entry, 'at', show_time(created_at),
        'delta', delta, 'balance', balance_after, 'reason', reason,
        'reference', CASE WHEN reason <> 'game' OR char_length(reference) = 36 THEN reference END))
        ORDER BY entry DESC), '[]')
    INTO entries
    FROM (SELECT * FROM (
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger
                WHERE user_id = player AND entry IS NOT NULL
            UNION ALL
            SELECT entry, created_at, delta, balance_after, reason, reference FROM energy_ledger_archive
                WHERE user_id = player) AS entries
        WHERE entry < coalesce(before_entry, 2147483647) ORDER BY entry DESC LIMIT most) AS page;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('entries', entries,
        'next', CASE WHEN (entries -> -1 ->> 'entry')::integer > 1 THEN entries -> -1 -> 'entry' END))::text)::admin_answer;
END
$$;

-- A player's games before one, newest first; of a running one not the word. Refused: not-found.
CREATE FUNCTION admin_games(key bytea, player text, before_game uuid, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    games jsonb := '[]';
    has_more boolean := false;
    g judged_games;
    shown shown_game;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    PERFORM FROM users WHERE id = player;
    IF NOT FOUND THEN RETURN admin_refusal('not-found'); END IF;
    FOR g IN SELECT * FROM judged_games
        WHERE user_id = player AND id < coalesce(before_game, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        ORDER BY id DESC LIMIT most + 1
    LOOP
        has_more := jsonb_array_length(games) = most;
        EXIT WHEN has_more;
        shown := show_game(g);
        games := games || jsonb_strip_nulls(jsonb_build_object('id', shown.id, 'day', shown.day,
            'language', shown.language, 'length', shown.letters, 'guesses', shown.guesses, 'marks', shown.marks,
            'state', CASE WHEN shown.ended_at IS NULL THEN 'playing' WHEN shown.is_won THEN 'won' ELSE 'lost' END,
            'startedAt', show_time(shown.started_at), 'endedAt', show_time(shown.ended_at), 'secret', shown.word));
    END LOOP;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('games', games,
        'next', CASE WHEN has_more THEN games -> -1 -> 'id' END))::text)::admin_answer;
END
$$;

-- Gives a player energy, once under a name. Refused: not-found, energy-full, operation-reused.
CREATE FUNCTION admin_grant(key bytea, player text, amount integer, why text, operation text, request bigint)
RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    who text := admin_name(key);
    granted operation_answer;
BEGIN
    IF who IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    PERFORM check_operation(operation, request);
    granted := grant_energy(who, player, amount, why, operation, request);
    IF granted.refusal IS NOT NULL THEN
        RETURN admin_refusal(CASE granted.refusal WHEN 'user-unknown' THEN 'not-found' ELSE granted.refusal END);
    END IF;
    RETURN ROW(NULL, jsonb_build_object('balance', granted.energy, 'isReplay', coalesce(granted.is_replay, false))::text)
        ::admin_answer;
END
$$;

-- Words --------------------------------------------------------------------------------------------------------------

-- The words counted by language and length.
CREATE FUNCTION admin_word_lists(key bytea) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

-- A word and how it stands. Refused: not-found.
CREATE FUNCTION admin_word(key bytea, list_language text, spelled text) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    found jsonb := show_word(list_language, spelled);
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    IF found IS NULL THEN RETURN admin_refusal('not-found'); END IF;
    RETURN ROW(NULL, found::text)::admin_answer;
END
$$;

-- Changes a word, once under a name: retire, restore, secret, guessable; addSecret and addGuessable add it. The days' words
-- stay as they are. Refused: not-found, word-known, promotion-slow, words-busy (somebody else changes words just now),
-- operation-reused.
CREATE FUNCTION admin_change_word(
    key bytea, list_language text, spelled text, change text, why text, operation text, request bigint
) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
    who text := admin_name(key);
    adds boolean := change IN ('addSecret', 'addGuessable');
    is_replay boolean := false;
    is_changed boolean := false;
    w words;
    earlier admin_actions;
BEGIN
    IF who IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    PERFORM check_operation(operation, request);
    IF char_length(why) > 500 OR coalesce(why !~ '[^[:space:]]', true) THEN
        RAISE 'a reason has up to 500 characters' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    -- Whoever waits here sees afterwards what was done meanwhile.
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    SELECT * INTO earlier FROM admin_actions WHERE operation_id = operation;
    is_replay := FOUND;
    IF is_replay AND earlier.operation_request <> request THEN RETURN admin_refusal('operation-reused'); END IF;
    IF NOT is_replay THEN
        SELECT * INTO w FROM words WHERE language = list_language AND word = spelled;
        IF FOUND = adds THEN RETURN admin_refusal(CASE WHEN adds THEN 'word-known' ELSE 'not-found' END); END IF;
        IF adds THEN
            INSERT INTO words (language, word, is_secret) VALUES (list_language, spelled, change = 'addSecret');
            PERFORM record_action(who, 'word.add', NULL, list_language || '/' || spelled, why,
                jsonb_build_object('isSecret', change = 'addSecret', 'isRetired', false), operation, request);
            PERFORM refresh_word_lists();
            is_changed := true;
        ELSE
            -- Who has played a word that could only be guessed is found by reading all that was played.
            IF change = 'secret' AND w.place IS NULL
                AND (SELECT reltuples FROM pg_class WHERE oid = 'played_words'::regclass) > 1000000
            THEN RETURN admin_refusal('promotion-slow'); END IF;
            is_changed := change_words(who, list_language, ARRAY[spelled], change, why, operation, request) <> '{}';
        END IF;
    END IF;
    RETURN ROW(NULL, (show_word(list_language, spelled)
        || jsonb_build_object('isChanged', is_changed, 'isReplay', is_replay))::text)::admin_answer;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN admin_refusal('words-busy');
END
$$;

-- Figures and the trail ----------------------------------------------------------------------------------------------

-- What happened on some days (UTC), from the records. Games of the app are begun here as well; when they were won, nobody
-- noted.
CREATE FUNCTION admin_figures(key bytea, wanted date[]) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    figures jsonb := '[]';
    the_day date;
    starts timestamptz;
    ends timestamptz;
    moved record;
    judged record;
    dailies bigint;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    FOREACH the_day IN ARRAY wanted LOOP
        starts := the_day::timestamp AT TIME ZONE 'UTC';
        ends := (the_day + 1)::timestamp AT TIME ZONE 'UTC';
        SELECT count(*) FILTER (WHERE reason = 'registration') AS registered,
            count(*) FILTER (WHERE reason = 'game') AS begun,
            coalesce(sum(delta) FILTER (WHERE reason = 'support'), 0) AS granted,
            coalesce(sum(delta) FILTER (WHERE reason = 'purchase'), 0) AS bought,
            coalesce(-sum(delta) FILTER (WHERE reason = 'game'), 0) AS spent
        INTO moved FROM energy_ledger WHERE created_at >= starts AND created_at < ends;
        SELECT count(*) INTO dailies FROM judged_games
        WHERE started_at >= starts AND started_at < ends AND judged_games.day IS NOT NULL;
        SELECT count(*) FILTER (WHERE is_won) AS won, count(*) FILTER (WHERE NOT is_won) AS lost INTO judged
        FROM judged_games WHERE ended_at >= starts AND ended_at < ends;
        figures := figures || jsonb_build_object('day', the_day, 'registered', moved.registered,
            'begun', moved.begun + dailies, 'won', judged.won, 'lost', judged.lost, 'granted', moved.granted,
            'bought', moved.bought, 'spent', moved.spent);
    END LOOP;
    RETURN ROW(NULL, figures::text)::admin_answer;
END
$$;

-- What was done before an action, newest first; player NULL: to anybody and anything.
CREATE FUNCTION admin_trail(key bytea, player text, before_action bigint, most integer) RETURNS admin_answer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
    actions jsonb := '[]';
    has_more boolean := false;
    a admin_actions;
BEGIN
    IF admin_name(key) IS NULL THEN RETURN admin_refusal('unauthorized'); END IF;
    FOR a IN SELECT * FROM admin_actions
        WHERE id < coalesce(before_action, 9223372036854775807) AND player IS NULL
        UNION ALL
        SELECT * FROM admin_actions WHERE id < coalesce(before_action, 9223372036854775807) AND user_id = player
        ORDER BY id DESC LIMIT most + 1
    LOOP
        has_more := jsonb_array_length(actions) = most;
        EXIT WHEN has_more;
        actions := actions || jsonb_strip_nulls(jsonb_build_object('id', a.id, 'at', show_time(a.done_at),
            'actor', a.actor, 'action', a.action, 'player', a.user_id, 'subject', a.subject, 'reason', a.reason,
            'details', a.details));
    END LOOP;
    RETURN ROW(NULL, jsonb_strip_nulls(jsonb_build_object('actions', actions,
        'next', CASE WHEN has_more THEN actions -> -1 -> 'id' END))::text)::admin_answer;
END
$$;

REVOKE ALL ON FUNCTION admin_name(bytea), admin_refusal(text),
    record_action(text, text, text, text, text, jsonb, text, bigint),
    grant_energy(text, text, integer, text, text, bigint),
    change_words(text, text, text[], text, text, text, bigint), show_word(text, text), has_admin_keys(),
    admin_sign_in(bytea), admin_search(bytea, text, integer), admin_player(bytea, text),
    admin_ledger(bytea, text, integer, integer), admin_games(bytea, text, uuid, integer),
    admin_grant(bytea, text, integer, text, text, bigint), admin_word_lists(bytea), admin_word(bytea, text, text),
    admin_change_word(bytea, text, text, text, text, text, bigint), admin_figures(bytea, date[]),
    admin_trail(bytea, text, bigint, integer) FROM PUBLIC;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        GRANT EXECUTE ON FUNCTION has_admin_keys(), admin_sign_in(bytea), admin_search(bytea, text, integer),
            admin_player(bytea, text), admin_ledger(bytea, text, integer, integer),
            admin_games(bytea, text, uuid, integer), admin_grant(bytea, text, integer, text, text, bigint),
            admin_word_lists(bytea), admin_word(bytea, text, text),
            admin_change_word(bytea, text, text, text, text, text, bigint), admin_figures(bytea, date[]),
            admin_trail(bytea, text, bigint, integer) TO juliet_service;
    END IF;
END
$$;

-- migrate:down
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);
DROP FUNCTION admin_trail(bytea, text, bigint, integer);
DROP FUNCTION admin_figures(bytea, date[]);
DROP FUNCTION admin_change_word(bytea, text, text, text, text, text, bigint);
DROP FUNCTION admin_word(bytea, text, text);
DROP FUNCTION admin_word_lists(bytea);
DROP FUNCTION admin_grant(bytea, text, integer, text, text, bigint);
DROP FUNCTION admin_games(bytea, text, uuid, integer);
DROP FUNCTION admin_ledger(bytea, text, integer, integer);
DROP FUNCTION admin_player(bytea, text);
DROP FUNCTION admin_search(bytea, text, integer);
DROP FUNCTION admin_sign_in(bytea);
DROP FUNCTION has_admin_keys();
DROP FUNCTION show_word(text, text);
DROP FUNCTION change_words(text, text, text[], text, text, text, bigint);
DROP FUNCTION grant_energy(text, text, integer, text, text, bigint);
DROP FUNCTION record_action(text, text, text, text, text, jsonb, text, bigint);
DROP FUNCTION admin_refusal(text);
DROP FUNCTION admin_name(bytea);
DROP TYPE admin_answer;
CREATE OR REPLACE FUNCTION move_ledger(old_name text, new_name text, keeps_operations boolean) RETURNS bigint
LANGUAGE sql AS $$
    WITH moved AS (DELETE FROM energy_ledger WHERE user_id = old_name RETURNING *),
    kept AS (
        INSERT INTO energy_ledger (user_id, operation_id, entry, delta, balance_after, reason, reference,
            operation_request, refusal, wins, created_at)
        SELECT new_name, CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END, entry, delta,
            balance_after, reason, reference, CASE WHEN keeps_operations THEN operation_request END, refusal, wins, created_at
        FROM moved WHERE keeps_operations OR entry IS NOT NULL RETURNING entry),
    moved_archive AS (DELETE FROM energy_ledger_archive WHERE user_id = old_name RETURNING *),
    kept_archive AS (
        INSERT INTO energy_ledger_archive (user_id, entry, delta, balance_after, reason, reference, operation_id,
            operation_request, created_at)
        SELECT new_name, entry, delta, balance_after, reason, reference,
            CASE WHEN keeps_operations THEN operation_id ELSE 'entry ' || entry END,
            CASE WHEN keeps_operations THEN operation_request END, created_at
        FROM moved_archive RETURNING entry),
    moved_checkpoints AS (DELETE FROM energy_checkpoints WHERE user_id = old_name RETURNING *),
    kept_checkpoints AS (
        INSERT INTO energy_checkpoints (user_id, begins, entry, balance, seal, file_id, created_at)
        SELECT new_name, begins, entry, balance, seal, file_id, created_at FROM moved_checkpoints)
    SELECT (SELECT count(entry) FROM kept) + (SELECT count(*) FROM kept_archive)
$$;
CREATE OR REPLACE FUNCTION pick_word(player text, played bit varying, list_language text, list_letters integer) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    unplayed bit varying;
    size integer;
    rank bigint;
    low integer;
    high integer;
    middle integer;
    last_number integer := 0;
    oldest integer;
    picked text;
BEGIN
    SELECT dealable & ~ "bit"(played, length(dealable), true) INTO unplayed
    FROM word_lists WHERE language = list_language AND letters = list_letters;
    size := length(unplayed);
    -- A few places at random, which nearly always suffice while not many are played.
    FOR attempt IN 1..4 LOOP
        low := floor(random() * size) + 1;
        EXIT WHEN get_bit(unplayed, low - 1) = 1;
        low := NULL;
    END LOOP;
    IF low IS NULL THEN
        -- Which of them, and by halving its place: that of the bit with this rank among those that are set.
        rank := ceil((1 - random()) * bit_count(unplayed));
        IF rank > 0 THEN
            low := 1;
            high := size;
            WHILE low < high LOOP
                middle := (low + high) / 2;
                IF bit_count(substring(unplayed FROM 1 FOR middle)) < rank THEN low := middle + 1;
                ELSE high := middle;
                END IF;
            END LOOP;
        END IF;
    END IF;
    IF low IS NOT NULL THEN
        SELECT word INTO picked FROM words WHERE place = low - 1;
    ELSE
        LOOP
            SELECT number, word_id INTO last_number, oldest FROM played_words
            WHERE user_id = player AND number > last_number ORDER BY number LIMIT 1;
            EXIT WHEN NOT FOUND;
            SELECT word INTO picked FROM words
            WHERE id = oldest AND place IS NOT NULL AND retired_at IS NULL
                AND language = list_language AND char_length(word) = list_letters;
            EXIT WHEN FOUND;
        END LOOP;
    END IF;
    RETURN picked;
END
$$;
CREATE OR REPLACE FUNCTION refresh_word_lists() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    promoted integer[];
    size integer;
BEGIN
    LOCK TABLE words IN SHARE ROW EXCLUSIVE MODE;
    SELECT array_agg(id) INTO promoted FROM words WHERE is_secret AND place IS NULL AND created_at < now();
    UPDATE words SET place = fresh.place
    FROM (SELECT id, (SELECT coalesce(max(place), -1) FROM words) + row_number() OVER (ORDER BY id) AS place
        FROM words WHERE is_secret AND place IS NULL) AS fresh
    WHERE words.id = fresh.id;
    -- In steps, so that a player's bits seldom grow.
    SELECT (max(place) / 512 + 1) * 512 INTO size FROM words;

    IF promoted IS NOT NULL THEN
        PERFORM FROM users WHERE id IN (SELECT user_id FROM played_words WHERE word_id = ANY (promoted))
        ORDER BY id FOR NO KEY UPDATE;
        UPDATE users SET played_secrets = "bit"(played_secrets, size, true) | bits
        FROM (SELECT user_id, bit_or(set_bit(no_bits(size), place, 1)) AS bits
            FROM played_words JOIN words ON words.id = word_id WHERE word_id = ANY (promoted) GROUP BY user_id) AS played
        WHERE users.id = played.user_id;
    END IF;

    INSERT INTO word_lists (language, letters, dealable)
    SELECT language, char_length(word),
        bit_or(CASE WHEN retired_at IS NULL THEN set_bit(no_bits(size), place, 1) ELSE no_bits(size) END)
    FROM words WHERE place IS NOT NULL GROUP BY language, char_length(word)
    ON CONFLICT (language, letters) DO UPDATE SET dealable = EXCLUDED.dealable
    WHERE word_lists.dealable <> EXCLUDED.dealable;
END
$$;
-- A secret that became a word to guess has a place, which only secrets may have: it is retired instead.
UPDATE words SET is_secret = true, retired_at = coalesce(retired_at, now()), is_banned = true
WHERE place IS NOT NULL AND NOT is_secret;
ALTER TABLE words DROP CONSTRAINT words_place_check,
    ADD CONSTRAINT words_place_check CHECK (place IS NULL OR place >= 0 AND is_secret);
DROP INDEX judged_games_days_idx;
DROP INDEX energy_ledger_created_at_idx;
DROP INDEX players_name_idx;
DROP TABLE admin_actions;
DROP TABLE admin_keys;
