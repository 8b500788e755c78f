-- The service connects as a member of juliet_service: it plays the game and can neither change the schema nor rewrite
-- history. An owner who may not create roles goes on without it; the rights are then the owner's to arrange.

-- migrate:up
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NULL THEN
        CREATE ROLE juliet_service NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        NULL; -- Another database of this server was migrated at the same moment and was faster.
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'role juliet_service cannot be created by %: the service will connect as the owner', current_user;
END
$$;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO juliet_service', current_schema());
        GRANT SELECT ON users, energy_ledger, operations, words, played_words TO juliet_service;
        GRANT INSERT (id, energy, energy_reason, operation_id, operation_request) ON users TO juliet_service;
        GRANT UPDATE (energy, wins, energy_reason, energy_reference, operation_id, operation_request, operation_done)
            ON users TO juliet_service;
        GRANT INSERT (user_id, word_id), UPDATE (played_at) ON played_words TO juliet_service;
    END IF;
END
$$;

-- migrate:down
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        REVOKE ALL ON users, energy_ledger, operations, words, played_words FROM juliet_service;
        EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM juliet_service', current_schema());
    END IF;
END
$$;
