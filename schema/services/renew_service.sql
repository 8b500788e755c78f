-- Renews a service's row, and deletes rows that were not renewed for a day.
--
-- Called by: the service, at its start and every ten seconds.
-- Locks: the service's own row of services; old rows that nobody else holds.
CREATE OR REPLACE FUNCTION renew_service(service uuid, its_release text, its_code text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    IF service IS NULL OR char_length(its_release) NOT BETWEEN 1 AND 100 OR char_length(its_code) <> 64
        OR its_release IS NULL OR its_code IS NULL
    THEN
        RAISE 'a service has an id, a release and the checksum of its code'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    INSERT INTO services (id, release, code_checksum, started_at, seen_at)
    VALUES (service, its_release, its_code, now(), now())
    ON CONFLICT (id) DO UPDATE
    SET release = EXCLUDED.release, code_checksum = EXCLUDED.code_checksum, seen_at = EXCLUDED.seen_at;
    DELETE FROM services WHERE id IN (
        SELECT id FROM services WHERE seen_at < now() - interval '1 day' FOR UPDATE SKIP LOCKED);
END
$$;
GRANT EXECUTE ON FUNCTION renew_service(uuid, text, text) TO juliet_service;
