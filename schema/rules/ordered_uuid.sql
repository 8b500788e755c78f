-- Makes a UUID of version 7 (RFC 9562 §5.7): 48 bits of milliseconds, the rest random. Such ids are in the order of
-- time.
--
-- Called by: start_judged_game, start_judged_game_each, start_daily_game, start_archive_game,
-- start_challenge_game.
CREATE OR REPLACE FUNCTION ordered_uuid(at timestamptz) RETURNS uuid
LANGUAGE sql VOLATILE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid
$$;
