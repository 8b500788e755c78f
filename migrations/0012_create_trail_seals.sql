-- Seals of the records that only grow, as the ledger has one: the audit sees what was altered in them, or cut off.

-- migrate:backward-compatible
-- migrate:up

-- For each trail how many entries it has, and a running checksum of them. The trails are admin_actions, admin_keys,
-- store_notifications and lottery_draws, where a draw is an entry when it is prepared, and another when it starts. The
-- migration that makes a trail makes its rows, so table and seals begin and end together. The rows change when a
-- transaction commits, in seal_trail().
--
-- A trail has two rows: one for what services write, and one for what operators write with commands. So no command
-- waits for a transaction of a service that holds a row. Of the whole trail, entries are the sum of the two, and the
-- checksum is their exclusive or.
CREATE TABLE trail_seals (
    trail text COLLATE "C" NOT NULL,
    writer text COLLATE "C" NOT NULL,
    entries bigint NOT NULL DEFAULT 0,
    seal bigint NOT NULL DEFAULT 0,
    CONSTRAINT trail_seals_pkey PRIMARY KEY (trail, writer),
    CONSTRAINT trail_seals_writer_check CHECK (writer IN ('operators', 'service'))
);

-- migrate:down
DROP TABLE trail_seals;
