-- The role of the service, and a database in which it can do nothing beyond its rights.
--
-- The service connects as a member of juliet_service. What that role may do is code: schema/ grants it the functions it
-- calls and the little it reads. It may not create objects, not even temporary ones. PostgreSQL gives those rights to
-- everybody, so they are taken from everybody.
--
-- If the role that migrates may not do one of these things, a notice says what a superuser should do. The service
-- checks the rights again when it starts. Without the role juliet_service the service connects as the owner of the
-- tables.

-- migrate:backward-compatible
-- migrate:up
DO $$
BEGIN
    IF to_regrole('juliet_service') IS NULL THEN
        CREATE ROLE juliet_service NOLOGIN;
    END IF;
EXCEPTION
    WHEN duplicate_object OR unique_violation THEN
        NULL; -- A migration of another database of this server created it at the same moment.
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'role juliet_service cannot be created by %: the service will connect as the owner', current_user;
END
$$;
DO $$
BEGIN
    EXECUTE format('GRANT TEMP ON DATABASE %I TO %I', current_database(), current_user);
    EXECUTE format('REVOKE TEMP, CREATE ON DATABASE %I FROM PUBLIC', current_database());
    -- A REVOKE that may not take back a right only warns.
    IF has_database_privilege('public', current_database(), 'TEMP') THEN RAISE insufficient_privilege; END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        RAISE NOTICE 'a superuser should say: REVOKE TEMP ON DATABASE % FROM PUBLIC', quote_ident(current_database());
END
$$;
DO $$
BEGIN
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    IF has_schema_privilege('public', 'public', 'CREATE') THEN RAISE insufficient_privilege; END IF;
EXCEPTION
    WHEN insufficient_privilege THEN
        IF has_schema_privilege('public', 'public', 'CREATE') THEN
            RAISE NOTICE 'a superuser should say: REVOKE CREATE ON SCHEMA public FROM PUBLIC';
        END IF;
    WHEN invalid_schema_name THEN
        NULL; -- Somebody dropped the schema public.
END
$$;

-- migrate:down
DO $$
BEGIN
    -- The role stays, because other databases of the server may use it. Its rights on tables and functions are code,
    -- which is gone by now.
    IF to_regrole('juliet_service') IS NOT NULL THEN
        REVOKE ALL ON SCHEMA juliet FROM juliet_service;
    END IF;
END
$$;
