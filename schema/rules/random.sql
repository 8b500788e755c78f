-- Unpredictable choices: PostgreSQL takes UUIDs from the system's source of secrets. random() is not such a
-- source, because somebody who sets its seed (setseed) knows its results.

-- Chooses a number from 0 to below a bound, each as likely as the others; NULL when the bound is 0 or NULL.
CREATE OR REPLACE FUNCTION random_below(bound bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
    SELECT (uuid_hash_extended(gen_random_uuid(), 0) & 9223372036854775807) % nullif(bound, 0)
$$;

-- Makes 32 secret bytes. Each UUID brings 122 bits.
CREATE OR REPLACE FUNCTION random_seed() RETURNS bytea
LANGUAGE sql VOLATILE AS $$
    SELECT sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
$$;
