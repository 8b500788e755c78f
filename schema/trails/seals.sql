-- Seals of the records that only grow: trails (admin_actions, admin_keys, store_notifications, lottery_draws), whose
-- seals are rows of trail_seals, and single rows that have a column for it.
--
-- A seal is a checksum, not a signature: it shows that rows were altered or cut off, unless the seal was changed to
-- match. Columns that change later are not in it: whom an action is about (players are renamed and deleted), when a key
-- was used or revoked (the trail says that), what a notification says of a player, who was credited with a prize. When
-- a player is deleted, the lines about them keep the day of their time, and the seal follows.

-- The checksum of some texts, in their order. Times are given as seconds, so that no setting of the session matters.
--
-- Called by: trail_part, prepared_part, started_part, purchase_seal, day_seal.
CREATE OR REPLACE FUNCTION row_seal(VARIADIC parts text[]) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || left(encode(sha256(convert_to(to_jsonb(parts)::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint
$$;

-- What a line of the audit trail adds.
CREATE OR REPLACE FUNCTION trail_part(a admin_actions) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal(a.id::text, extract(epoch FROM a.done_at)::text, a.actor, a.action, a.subject, a.reason,
        a.details::text, a.operation_id, a.operation_request::text)
$$;

-- What an operator's key adds.
CREATE OR REPLACE FUNCTION trail_part(k admin_keys) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal(encode(k.key_hash, 'hex'), k.name, extract(epoch FROM k.created_at)::text)
$$;

-- What a notification of the App Store adds.
CREATE OR REPLACE FUNCTION trail_part(n store_notifications) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal(n.id, n.type, n.subtype, n.environment, n.transaction_id,
        extract(epoch FROM n.signed_at)::text, extract(epoch FROM n.received_at)::text)
$$;

-- What a draw adds when it is prepared. first_seed: with a prize the draw gets another seed (announce_prize), and the
-- trail keeps the former one.
CREATE OR REPLACE FUNCTION prepared_part(number bigint, created_at timestamptz, first_seed text) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal('prepared', number::text, extract(epoch FROM created_at)::text, first_seed)
$$;

-- What a draw adds when it starts.
CREATE OR REPLACE FUNCTION started_part(d lottery_draws) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal('started', d.number::text, d.prize::text, extract(epoch FROM d.started_at)::text,
        extract(epoch FROM d.loading)::text, extract(epoch FROM d.pace)::text, encode(d.list_digest, 'hex'),
        d.entries::text, array_to_string(d.rounds, ' '), d.winner::text)
$$;

-- The seal of a day's word. The commitment covers word and salt. follows: whether the day before had a word, so that a
-- deleted day is noticed.
--
-- Called by: write_daily_word, seal_next_day; operators (juliet audit).
CREATE OR REPLACE FUNCTION daily_word_seal(
    day date, commitment bytea, is_planned boolean, follows boolean
) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT hashint8extended((day - '2000-01-01'::date)::bigint * 4 + is_planned::integer * 2 + follows::integer,
        hashtextextended(encode(commitment, 'hex'), 0))
$$;

-- The seal of a day's begin. follows: whether the day before has a row.
--
-- Called by: write_days; operators (juliet audit).
CREATE OR REPLACE FUNCTION day_seal(day date, starts_at timestamptz, time_zone text, follows boolean) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT juliet.row_seal((day - '2000-01-01'::date)::text, extract(epoch FROM starts_at)::text, time_zone, follows::text)
$$;

-- What a word adds to the seal of its list.
--
-- Called by: refresh_word_lists; operators (juliet audit).
CREATE OR REPLACE FUNCTION word_part(
    id integer, language text, word text, is_secret boolean, place integer, is_retired boolean, is_banned boolean,
    meaning text
) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT hashtextextended(language || '/' || word || coalesce(E'\t' || meaning, ''), hashint4extended(coalesce(place, -1),
        id::bigint * 8 + is_secret::integer * 4 + is_retired::integer * 2 + is_banned::integer))
$$;

-- Adds a new entry of a trail to the trail's seal, when the transaction commits: so these locks are its last ones and
-- are held only during the commit. A service can have them earlier (SET CONSTRAINTS) and keep them, so operators have
-- rows of their own. Whose session it is, the role says that it connected as, which no SET ROLE changes: the owner of
-- this function, and whoever may become it, is an operator.
--
-- Called by: the triggers below. As they are deferred, it runs as the role of the session, which may not write here: so
-- SECURITY DEFINER. The settings of the function that made the entry no longer apply then, so it has its
-- own setting against printing plans.
-- Locks: the writer's rows of trail_seals, in order.
CREATE OR REPLACE FUNCTION seal_trail() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp SET client_min_messages = warning AS $$
DECLARE
    part bigint;
    added integer := 1;
    own_writer text := CASE WHEN pg_has_role(session_user, current_user, 'MEMBER') THEN 'operators' ELSE 'service' END;
BEGIN
    IF TG_TABLE_NAME = 'lottery_draws' AND TG_OP = 'INSERT' THEN
        part := prepared_part(NEW.number, NEW.created_at, encode(NEW.seed, 'hex'));
    ELSIF TG_TABLE_NAME = 'lottery_draws' THEN
        part := started_part(NEW);
    ELSIF TG_OP = 'UPDATE' THEN
        -- A line keeps the day of its time: out goes what it added, in comes what it adds now.
        part := trail_part(OLD) # trail_part(NEW);
        added := 0;
    ELSE
        part := trail_part(NEW);
    END IF;
    PERFORM FROM trail_seals WHERE writer = own_writer ORDER BY trail FOR UPDATE;
    UPDATE trail_seals SET entries = entries + added, seal = seal # part
    WHERE trail = TG_TABLE_NAME AND writer = own_writer;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER admin_actions_seal AFTER INSERT ON admin_actions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_trail();

CREATE CONSTRAINT TRIGGER admin_actions_blur_seal AFTER UPDATE OF done_at ON admin_actions
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.done_at <> OLD.done_at AND NEW.done_at = date_trunc('day', OLD.done_at, 'UTC'))
    EXECUTE FUNCTION seal_trail();

CREATE CONSTRAINT TRIGGER admin_keys_seal AFTER INSERT ON admin_keys
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_trail();

CREATE CONSTRAINT TRIGGER store_notifications_seal AFTER INSERT ON store_notifications
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_trail();

CREATE CONSTRAINT TRIGGER lottery_draws_seal AFTER INSERT ON lottery_draws
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION seal_trail();

CREATE CONSTRAINT TRIGGER lottery_draws_start_seal AFTER UPDATE OF started_at ON lottery_draws
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD.started_at IS NULL AND NEW.started_at IS NOT NULL) EXECUTE FUNCTION seal_trail();
