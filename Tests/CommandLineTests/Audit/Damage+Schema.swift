extension Damage {
    static let toSchema: [Damage] = [
        Damage(
            "a column may be NULL", "ALTER TABLE energy_ledger ALTER balance_after DROP NOT NULL", "schema.promises",
            "the column energy_ledger.balance_after is altered",
            undo: "ALTER TABLE energy_ledger ALTER balance_after SET NOT NULL"),
        Damage(
            "a default is gone", "ALTER TABLE users ALTER wins DROP DEFAULT", "schema.promises",
            "the column users.wins is altered", undo: "ALTER TABLE users ALTER wins SET DEFAULT 0"),
        Damage(
            "a default is another", "ALTER TABLE users ALTER wins SET DEFAULT 1", "schema.promises",
            "the column users.wins is altered", undo: "ALTER TABLE users ALTER wins SET DEFAULT 0"),
        Damage(
            "a column is renamed", "ALTER TABLE services RENAME seen_at TO seen", "schema.promises",
            "the column services.seen_at is missing", undo: "ALTER TABLE services RENAME seen TO seen_at"),
        Damage(
            "a column is of another type", "ALTER TABLE services ALTER release TYPE varchar(100)", "schema.promises",
            "the column services.release is altered", undo: #"ALTER TABLE services ALTER release TYPE text COLLATE "C""#
        ),
        Damage(
            "a column is added", "ALTER TABLE users ADD COLUMN note text", "schema.foreign",
            "the column users.note is not part of Juliet", undo: "ALTER TABLE users DROP COLUMN note"),
        Damage(
            "a key is added", "ALTER TABLE users ADD CONSTRAINT own CHECK (energy < 0) NOT VALID", "schema.foreign",
            "the key own on users", undo: "ALTER TABLE users DROP CONSTRAINT own"),
        Damage(
            "an index is added", "CREATE INDEX own ON users (energy)", "schema.foreign", "the index own on users",
            undo: "DROP INDEX own"),
        Damage(
            "an index is gone", "DROP INDEX players_name_idx", "schema.foreign",
            "the index players_name_idx is missing",
            undo: "CREATE INDEX players_name_idx ON players (bare_name(name), user_id)"),
        Damage(
            "a table inherits", "CREATE TABLE public.more () INHERITS (users)", "schema.foreign", "inherits from users",
            undo: "DROP TABLE public.more"),
        Damage(
            "a view leaks", "CREATE VIEW public.leak AS SELECT word FROM judged_games", "schema.foreign",
            "leak of postgres shows rows of Juliet's tables", undo: "DROP VIEW public.leak"),
        Damage(
            "a view leaks within the schema", "CREATE MATERIALIZED VIEW leak AS SELECT 1 AS one", "schema.foreign",
            "the view leak in the schema", undo: "DROP MATERIALIZED VIEW leak"),
        Damage(
            "a table is added", "CREATE TABLE own (id integer)", "schema.foreign", "the table own in the schema",
            undo: "DROP TABLE own"),
        Damage(
            "a sequence is added", "CREATE SEQUENCE own", "schema.foreign", "the sequence own",
            undo: "DROP SEQUENCE own"),
        Damage(
            "an operator takes another's place",
            """
            CREATE FUNCTION public.same(energy_reason, energy_reason) RETURNS boolean
                LANGUAGE sql IMMUTABLE AS 'SELECT true';
            CREATE OPERATOR juliet.= (LEFTARG = energy_reason, RIGHTARG = energy_reason, FUNCTION = public.same)
            """, "schema.foreign", "the operator", undo: "DROP FUNCTION public.same CASCADE"),
        Damage(
            "a cast is added",
            """
            CREATE FUNCTION public.as_text(energy_reason) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1';
            CREATE CAST (energy_reason AS integer) WITH FUNCTION public.as_text(energy_reason) AS ASSIGNMENT
            """, "schema.foreign", "the cast from", undo: "DROP FUNCTION public.as_text CASCADE"),
        Damage(
            "a type is added", "CREATE TYPE own AS (id integer)", "schema.foreign", "the type own",
            undo: "DROP TYPE own"),
        Damage(
            "a domain is added", "CREATE DOMAIN own AS integer", "schema.foreign", "the type own",
            undo: "DROP DOMAIN own"),
        Damage(
            "a function is added",
            "CREATE FUNCTION own() RETURNS integer LANGUAGE sql AS 'SELECT 1'; REVOKE ALL ON FUNCTION own FROM PUBLIC",
            "schema.foreign", "the function own()", undo: "DROP FUNCTION own()"),
        Damage(
            "a function exists in another form",
            "CREATE FUNCTION add_win(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'; REVOKE ALL ON FUNCTION add_win(integer) FROM PUBLIC",
            "schema.foreign", "the function add_win also exists in another form", undo: "DROP FUNCTION add_win(integer)"
        ),
        Damage(
            "row security is on", "ALTER TABLE users ENABLE ROW LEVEL SECURITY", "schema.promises",
            "row security hides rows of users. To do: switch it off",
            undo: "ALTER TABLE users DISABLE ROW LEVEL SECURITY"),
        Damage(
            "a function elsewhere runs with a superuser's rights",
            "CREATE FUNCTION public.leak() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM juliet.users'; ALTER FUNCTION public.leak() OWNER TO audit_somebody",
            "schema.foreign", "leak() runs with the rights of", undo: "DROP FUNCTION public.leak()"),
        Damage(
            "a function is not STRICT or is", "ALTER FUNCTION add_win STRICT", "schema.promises",
            "the function add_win is altered", undo: "ALTER FUNCTION add_win CALLED ON NULL INPUT"),
        Damage(
            "a function has another owner", "ALTER FUNCTION random_seed() OWNER TO audit_somebody", "schema.foreign",
            "the function random_seed() belongs to audit_somebody",
            undo: "ALTER FUNCTION random_seed() OWNER TO postgres"),
        Damage(
            "a table has another owner", "ALTER TABLE services OWNER TO audit_somebody", "schema.foreign",
            "the table services belongs to audit_somebody", undo: "ALTER TABLE services OWNER TO postgres"),
        Damage(
            "a type has another owner", "ALTER TYPE board OWNER TO audit_somebody", "schema.foreign",
            "the type board belongs to audit_somebody", undo: "ALTER TYPE board OWNER TO postgres"),
        Damage(
            "a type has another value", "ALTER TYPE ledger_part ADD VALUE 'nothing'", "schema.promises",
            "the type ledger_part is altered",
            undo: "DELETE FROM pg_enum WHERE enumtypid = 'ledger_part'::regtype AND enumlabel = 'nothing'"),
        Damage(
            "a type has another member", "ALTER TYPE session_answer ADD ATTRIBUTE note text", "schema.promises",
            "the type session_answer is altered", undo: "ALTER TYPE session_answer DROP ATTRIBUTE note"),
        Damage(
            "a table loses its rows in a crash", "ALTER TABLE services SET UNLOGGED", "schema.foreign",
            "the table services is unlogged", undo: "ALTER TABLE services SET LOGGED"),
        Damage(
            "the guards of a foreign key are off", "ALTER TABLE lottery_entries DISABLE TRIGGER ALL", "schema.foreign",
            "the triggers that guard a key of lottery_", undo: "ALTER TABLE lottery_entries ENABLE TRIGGER ALL"),
        Damage(
            "a seal's trigger is off", "ALTER TABLE admin_actions DISABLE TRIGGER admin_actions_seal",
            "schema.promises", "the trigger admin_actions_seal is missing",
            undo: "ALTER TABLE admin_actions ENABLE TRIGGER admin_actions_seal"),
        Damage(
            "a policy hides rows", "CREATE POLICY own ON users USING (false)", "schema.foreign", "the policy own",
            undo: "DROP POLICY own ON users"),
        Damage(
            "an event trigger is added",
            """
            CREATE FUNCTION public.watch() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN END';
            CREATE EVENT TRIGGER own ON ddl_command_end EXECUTE FUNCTION public.watch()
            """, "schema.foreign", "the event trigger own", undo: "DROP FUNCTION public.watch() CASCADE"),
        Damage(
            "no trigger fires in this database",
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$",
            "schema.foreign", "no trigger fires",
            undo:
                "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET session_replication_role', current_database()); END $$"
        ),
        Damage(
            "the service may read what it should not", "GRANT SELECT ON judged_games TO juliet_service",
            "schema.rights", "juliet_service may SELECT judged_games.word",
            undo: "REVOKE SELECT ON judged_games FROM juliet_service"),
        Damage(
            "rights are given to what is made later",
            "ALTER DEFAULT PRIVILEGES IN SCHEMA juliet GRANT SELECT ON TABLES TO PUBLIC", "schema.foreign",
            "ALTER DEFAULT PRIVILEGES",
            undo: "ALTER DEFAULT PRIVILEGES IN SCHEMA juliet REVOKE SELECT ON TABLES FROM PUBLIC"),
        Damage(
            "a migration was never applied", "DELETE FROM schema_migrations WHERE version = 18", "schema.migrations",
            "0018_create_services"),
    ]

    /// `EnergyAuditTests` has what can happen to ledgers; these show that this audit passes it on.
    static let toEnergy: [Damage] = [
        Damage(
            "a balance is altered", "UPDATE users SET energy = 999 WHERE id = 'BEN'", "energy.balance", "player BEN"),
        Damage(
            "an entry is deleted", "DELETE FROM energy_ledger WHERE user_id = 'ANNA' AND entry = 2", "energy.broken",
            "entry 3 of player ANNA"),
        Damage(
            "an entry is altered", "UPDATE energy_ledger SET reference = 'x' WHERE user_id = 'ANNA' AND entry = 1",
            "energy.seal", "player ANNA"),
        Damage(
            "a transaction is deleted", "DELETE FROM purchases WHERE transaction_id = 'T1'", "energy.purchaseStrange",
            "Production/T1"),
        Damage(
            "a player is deleted by hand", "DELETE FROM users WHERE id = 'BEN'", "energy.playerMissing", "player BEN"),
        Damage(
            "the reward of a day is larger", "SELECT change_energy('BEN', 6, 'daily', 'g', NULL, NULL)",
            "energy.misfit", "player BEN"),
    ]
}
