-- Seals of the records that only grow, as the ledger has one: the audit sees what was altered in them, or cut off.

-- migrate:backward-compatible
-- migrate:up

-- For each trail how many entries it has, and a running checksum of them. The trails are admin_actions, admin_keys,
-- store_notifications and lottery_draws, where a draw is an entry when it is prepared, and another when it starts. The
-- migration that makes a trail makes its row, so table and seal begin and end together. The rows change when a
-- transaction commits, in seal_trail().
CREATE TABLE trail_seals (
    trail text COLLATE "C" NOT NULL,
    entries bigint NOT NULL,
    seal bigint NOT NULL,
    CONSTRAINT trail_seals_pkey PRIMARY KEY (trail)
);

-- migrate:down
DROP TABLE trail_seals;
