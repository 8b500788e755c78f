-- Seals of the records that only grow, as the ledger has one: the audit sees what was altered in them, or cut off.
--
-- Services of the release before write no seals; the functions do, which come with this migration.

-- migrate:backward-compatible
-- migrate:up

-- For each trail how many entries it has, and a running checksum of them. The trails are admin_actions, admin_keys,
-- store_notifications and lottery_draws, where a draw is an entry when it is prepared, and another when it starts. The
-- rows change when a transaction commits, in seal_trail().
CREATE TABLE trail_seals (
    trail text COLLATE "C" NOT NULL,
    entries bigint NOT NULL,
    seal bigint NOT NULL,
    CONSTRAINT trail_seals_pkey PRIMARY KEY (trail)
);

-- Checksums of single rows: of a day's word, of the words of a list (NULL until words change), and of a transaction
-- that a player has presented.
ALTER TABLE daily_words ADD COLUMN seal bigint;
ALTER TABLE word_lists ADD COLUMN seal bigint;
ALTER TABLE purchases ADD COLUMN seal bigint;

-- What is here already is sealed as it is. These are the expressions of schema/trails/seals.sql.
INSERT INTO trail_seals (trail, entries, seal)
SELECT trail, count(parts), coalesce(bit_xor(
    ('x' || left(encode(sha256(convert_to(to_jsonb(parts)::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint), 0)
FROM unnest('{admin_actions,admin_keys,store_notifications,lottery_draws}'::text[]) AS trail
LEFT JOIN (
    SELECT 'admin_actions' AS name, ARRAY[id::text, extract(epoch FROM done_at)::text, actor, action, subject, reason,
        details::text, operation_id, operation_request::text] AS parts
    FROM admin_actions
    UNION ALL
    SELECT 'admin_keys', ARRAY[encode(key_hash, 'hex'), name, extract(epoch FROM created_at)::text] FROM admin_keys
    UNION ALL
    SELECT 'store_notifications', ARRAY[id, type, subtype, environment, transaction_id,
        extract(epoch FROM signed_at)::text, extract(epoch FROM received_at)::text]
    FROM store_notifications
    UNION ALL
    SELECT 'lottery_draws', ARRAY['prepared', number::text, extract(epoch FROM created_at)::text, coalesce((
        SELECT details ->> 'formerSeed' FROM admin_actions
        WHERE action = 'lottery.announce' AND subject = 'draw/' || number ORDER BY id LIMIT 1), encode(seed, 'hex'))]
    FROM lottery_draws
    UNION ALL
    SELECT 'lottery_draws', ARRAY['started', number::text, prize::text, extract(epoch FROM started_at)::text,
        extract(epoch FROM loading)::text, extract(epoch FROM pace)::text, encode(list_digest, 'hex'), entries::text,
        array_to_string(rounds, ' '), winner::text]
    FROM lottery_draws WHERE started_at IS NOT NULL) AS sealed ON name = trail
GROUP BY trail;
UPDATE daily_words AS d
SET seal = hashint8extended((day - '2000-01-01'::date)::bigint * 2
    + (EXISTS (SELECT 1 FROM daily_words AS earlier WHERE earlier.day = d.day - 1))::integer,
    hashtextextended(encode(commitment, 'hex'), 0));
UPDATE purchases
SET seal = ('x' || left(encode(sha256(convert_to(to_jsonb(ARRAY[environment, transaction_id, product, quantity::text,
    energy::text, extract(epoch FROM purchased_at)::text, extract(epoch FROM signed_at)::text,
    extract(epoch FROM created_at)::text])::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint
WHERE user_id IS NOT NULL;

-- migrate:down
ALTER TABLE purchases DROP COLUMN seal;
ALTER TABLE word_lists DROP COLUMN seal;
ALTER TABLE daily_words DROP COLUMN seal;
DROP TABLE trail_seals;
