-- The service connects as a member of juliet_service. It may call the game's functions, read the words, and read
-- players' ids and wins (to answer how often one has won). It may not write to any table, nor read the ledger, nor make
-- objects of its own: not temporary ones either, which would need a right on the database that PostgreSQL gives to
-- everybody.
--
-- What this role may not revoke is noted here, and looked at when the service starts. An owner who may not create roles
-- goes on without one; the rights are then the owner's to arrange.

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
    EXECUTE format('GRANT TEMP ON DATABASE %I TO %I', current_database(), current_user);
    EXECUTE format('REVOKE TEMP, CREATE ON DATABASE %I FROM PUBLIC', current_database());
    IF has_database_privilege('public', current_database(), 'TEMP') THEN RAISE insufficient_privilege; END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'a superuser should say: REVOKE TEMP ON DATABASE % FROM PUBLIC', quote_ident(current_database());
END
$$;
DO $$
BEGIN
    EXECUTE format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema());
    IF has_schema_privilege('public', current_schema(), 'CREATE') THEN RAISE insufficient_privilege; END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        IF has_schema_privilege('public', current_schema(), 'CREATE') THEN
            RAISE NOTICE 'a superuser should say: REVOKE CREATE ON SCHEMA % FROM PUBLIC', quote_ident(current_schema());
        END IF;
END
$$;
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO juliet_service', current_schema());
        GRANT SELECT (id, wins) ON users TO juliet_service;
        GRANT SELECT ON words TO juliet_service;
        GRANT EXECUTE ON FUNCTION register_user(text, text, bigint), pay_for_game(text, text, bigint),
            start_game(text, text, integer, text, bigint), deal_word(text, text, integer),
            buy_energy(text, integer, text, bigint), report_energy(text, integer, integer, text, bigint),
            add_win(text, text, bigint), record_played_word(text, text, text) TO juliet_service;
    END IF;
END
$$;

-- migrate:down
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NOT NULL THEN
        REVOKE ALL ON FUNCTION register_user(text, text, bigint), pay_for_game(text, text, bigint),
            start_game(text, text, integer, text, bigint), deal_word(text, text, integer),
            buy_energy(text, integer, text, bigint), report_energy(text, integer, integer, text, bigint),
            add_win(text, text, bigint), record_played_word(text, text, text) FROM juliet_service;
        REVOKE ALL ON users, words FROM juliet_service;
        REVOKE SELECT (id, wins) ON users FROM juliet_service;
        EXECUTE format('REVOKE USAGE ON SCHEMA %I FROM juliet_service', current_schema());
    END IF;
END
$$;
