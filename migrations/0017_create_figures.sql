-- Figures that are counted once: what happened on a day, in a week, in a month that is over.

-- migrate:backward-compatible
-- migrate:up

-- kind: day, week (from Monday on) or month, of UTC. counts are numbers, under names that admin/figures.sql gives them.
-- No row names a player. A row stays as it is when players are deleted and when entries of the ledger go to files.
CREATE TABLE figures (
    kind text COLLATE "C" NOT NULL,
    starts_on date NOT NULL,
    counted_at timestamptz NOT NULL DEFAULT now(),
    counts jsonb NOT NULL,
    CONSTRAINT figures_pkey PRIMARY KEY (kind, starts_on)
);

-- migrate:down
DROP TABLE figures;
