-- Makes a draw that nobody has started, unless it is there.
CREATE OR REPLACE FUNCTION prepare_draw(wanted bigint) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    -- Each UUID has 122 bits from the system's source of secrets.
    new_seed bytea := sha256(
        uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
BEGIN
    INSERT INTO lottery_draws (number, seed, commitment) VALUES (wanted, new_seed, sha256(new_seed)) ON CONFLICT DO NOTHING;
END
$$;
