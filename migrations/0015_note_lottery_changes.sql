-- A version of the lottery's documents that costs nothing to read, so that a service builds them once for each. A change
-- adds a row and waits for nobody; start_draw() puts the rows together. The sum of what a transaction sees is the version.

-- migrate:up
CREATE TABLE lottery_changes (
    number bigint GENERATED ALWAYS AS IDENTITY,
    amount bigint NOT NULL DEFAULT 1,
    CONSTRAINT lottery_changes_pkey PRIMARY KEY (number)
);

-- migrate:down
DROP TABLE lottery_changes;
