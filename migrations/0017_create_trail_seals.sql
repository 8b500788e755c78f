-- Seals of the records that only grow, as the ledger has one: the audit sees what was altered in them, or cut off.

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
INSERT INTO trail_seals (trail, entries, seal)
VALUES ('admin_actions', 0, 0), ('admin_keys', 0, 0), ('store_notifications', 0, 0);
-- The first draw, by the expressions of prepared_part() and row_seal(), which are not there yet.
INSERT INTO trail_seals (trail, entries, seal)
SELECT 'lottery_draws', count(*), bit_xor(('x' || left(encode(sha256(convert_to(to_jsonb(ARRAY[
    'prepared', number::text, extract(epoch FROM created_at)::text, encode(seed, 'hex')])::text, 'UTF8')), 'hex'),
    16))::bit(64)::bigint)
FROM lottery_draws;

-- migrate:down
DROP TABLE trail_seals;
