-- A draw knows the transaction that started it. Until that has ended nothing of the draw is shown, so nobody starts a
-- draw, reads its seed, and takes the start back.

-- migrate:up
ALTER TABLE lottery_draws ADD COLUMN started_by xid8;

-- The first draw is here from the beginning: whoever reads the lottery writes nothing.
WITH secret AS MATERIALIZED (
    SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) AS seed)
INSERT INTO lottery_draws (number, seed, commitment)
SELECT 1, seed, sha256(seed) FROM secret WHERE NOT EXISTS (SELECT FROM lottery_draws);

-- migrate:down
ALTER TABLE lottery_draws DROP COLUMN started_by;
