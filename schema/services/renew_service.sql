-- Renews a service's row. A service that has none takes one that is free, or whose service was not seen for a minute. It
-- does not wait for locks of other services.
--
-- Called by: the service, at its start and every ten seconds.
-- Locks: the service's own row of services.
-- Refuses: when a hundred services were seen in the last minute.
CREATE OR REPLACE FUNCTION renew_service(service uuid, its_release text, its_code text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = juliet, pg_temp AS $$
BEGIN
    -- Operators' terminals show both.
    IF (service IS NOT NULL AND its_release ~ '^[0-9A-Za-z.+-]{1,64}$' AND its_code ~ '^[0-9a-f]{64}$') IS NOT TRUE THEN
        RAISE 'a service has an id, a release and the checksum of its code'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    UPDATE services SET release = its_release, code_checksum = its_code, seen_at = now() WHERE id = service;
    IF FOUND THEN RETURN; END IF;
    UPDATE services SET id = service, release = its_release, code_checksum = its_code, started_at = now(), seen_at = now()
    WHERE place = (
        SELECT place FROM services WHERE id IS NULL OR seen_at < now() - interval '1 minute'
        ORDER BY seen_at NULLS FIRST, place LIMIT 1 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN
        RAISE 'the table services has no row for another service' USING ERRCODE = 'configuration_limit_exceeded';
    END IF;
END
$$;
GRANT EXECUTE ON FUNCTION renew_service(uuid, text, text) TO juliet_service;
