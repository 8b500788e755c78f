-- Unless a search_path says otherwise, PostgreSQL looks for a table among the session's temporary ones first. So whoever
-- had the service's role could make a temporary energy_ledger and change a balance whose entry then went there. The
-- functions that run with the owner's rights look there last (PostgreSQL, CREATE FUNCTION, "Writing SECURITY DEFINER
-- Functions Safely").

-- migrate:backward-compatible
-- migrate:up
DO $$
DECLARE
    function text;
BEGIN
    FOREACH function IN ARRAY ARRAY[
        'record_energy_change()', 'record_first_energy()', 'first_operation_answer(text, text)']
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', function, current_schema());
    END LOOP;
END
$$;

-- migrate:down
ALTER FUNCTION record_energy_change() SET search_path FROM CURRENT;
ALTER FUNCTION record_first_energy() SET search_path FROM CURRENT;
ALTER FUNCTION first_operation_answer(text, text) SET search_path FROM CURRENT;
