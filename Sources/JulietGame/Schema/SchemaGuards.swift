import Crypto
import JulietSchema
import Migrations
package import Postgres

/// Checks that the schema is complete: its functions, columns, keys and triggers exist and are unaltered, there are no
/// others, and the service has no rights beyond its own.
///
/// The expected objects are defined only in `schema/`: functions and rights in the files that make them, the output
/// that only a server can print in `schema/catalog.txt`, which `scripts/catalog` writes.
package enum SchemaGuards {
    /// What is wrong, in words: "the key energy_ledger_pkey is missing".
    ///
    /// - Parameters:
    ///   - isOwn: Whether the schema is this release's. A newer one may have altered functions: then the functions
    ///     that the service calls, tables and keys must only exist by their names.
    ///   - read: Runs the statement: `{ try await client.execute($0) }`.
    package static func faults(
        isOwn: Bool = true, read: (FindFaults) async throws(PostgresError) -> [String]
    ) async throws(PostgresError) -> [String] {
        try await read(FindFaults(comparesDefinitions: isOwn))
    }

    /// The rights that roles of the service have and should not have, in words: "player_service may INSERT into users".
    ///
    /// - Parameters:
    ///   - scope: Whose rights.
    ///   - read: Runs the statement.
    /// - Returns: nil if the role owns the tables or is a superuser, which may do anything.
    package static func excessRights(
        of scope: RightsScope, read: (FindExcessRights) async throws(PostgresError) -> [String]
    ) async throws(PostgresError) -> [String]? {
        let rights = try await read(FindExcessRights(scope: scope))
        return rights.contains(FindExcessRights.ownership) ? nil : rights
    }

    /// Whose rights are checked.
    package enum RightsScope: Sendable {
        /// Those of the current role.
        case own
        /// Those of `juliet_service` and all its members except the tables' owners.
        case service
    }

    /// The expected objects, computed once from the files.
    static let promises = SchemaPromises(
        code: Schema.code, migrations: Schema.migrations, catalog: SchemaFiles.catalog)

    /// What this server prints of the tables' columns, keys and triggers, and of types: the lines of `schema/catalog.txt`.
    ///
    /// - Parameter connection: Of the role that owns the tables.
    package static func catalog(on connection: PostgresConnection) async throws(PostgresError) -> [String] {
        // The query is cut out of the one that finds faults, so that both print the same.
        let text = FindFaults(comparesDefinitions: true).sql.description
        guard let start = text.firstRange(of: "SELECT format('the column"),
            let end = text.firstRange(of: ") AS printed")
        else { return [] }
        let sql = """
            WITH home AS (SELECT oid AS id FROM pg_namespace WHERE nspname = 'juliet'),
            tables AS (
                SELECT oid, relname FROM pg_class
                WHERE relnamespace = 'juliet'::regnamespace AND relkind IN ('r', 'p') AND relname !~ '^schema_')
            SELECT replace(name || ': ' || definition, 'juliet.', '')
            FROM (\(text[start.lowerBound..<end.lowerBound])) AS printed (name, definition) ORDER BY name COLLATE "C"
            """
        let begin = ["BEGIN READ ONLY"] + FixedSettings.setLocal
        return try await connection.inTransaction(begin.joined(separator: ";\n")) { () async throws(PostgresError) in
            try await connection.query(SQLText(trusted: sql)) { (row) throws(PostgresDecodingError) in
                try row.next(String.self)
            }
        }
    }

    /// Missing and altered objects, by name.
    ///
    /// As in all statements that compare what is printed, the settings are made before anything is printed, because all
    /// that is printed is joined with `home`.
    package struct FindFaults: Statement {
        /// Compares the catalogs with the expected names and digests.
        package var sql: StaticString {
            """
            WITH fixed AS MATERIALIZED (
                SELECT count(set_config(name, value, true)) AS settings
                FROM unnest($6::text[], $7::text[]) AS given (name, value)),
            home AS (SELECT oid AS id, nspowner FROM pg_namespace, fixed WHERE nspname = 'juliet' AND settings > 0),
            tables AS (
                SELECT pg_class.oid, relname, relrowsecurity FROM pg_class JOIN home ON relnamespace = id
                WHERE relkind IN ('r', 'p') AND relname = ANY ($4::text[])),
            functions AS (
                SELECT pg_proc.oid, proname, array_to_string(ARRAY(SELECT replace(format_type(type, NULL), 'juliet.', '')
                    FROM unnest(proargtypes) WITH ORDINALITY AS types (type, place) ORDER BY place), ', ') AS arguments,
                    concat_ws(' ', lanname, provolatile, proisstrict, prosecdef, array_to_string(proconfig, ' '),
                        proowner = nspowner, prosrc) AS attributes
                FROM home JOIN pg_proc ON pronamespace = id JOIN pg_language ON pg_language.oid = prolang),
            found AS (
                SELECT 'the function ' || proname AS name, concat_ws(' ', arguments, attributes) AS definition
                FROM functions
                WHERE NOT EXISTS (
                    SELECT FROM juliet.schema_code
                    WHERE object = format('function %s(%s)', proname, arguments) AND retired_at IS NOT NULL)
                UNION ALL
                SELECT name, regexp_replace(definition, E'[\\\\s()]', '', 'g') FROM (
                    SELECT format('the column %s.%s', relname, attname) AS name, concat_ws(' ',
                        format_type(atttypid, atttypmod), CASE WHEN attcollation <> typcollation THEN collname END,
                        CASE WHEN attnotnull THEN 'NOT NULL' END, nullif(attidentity, ''), nullif(attgenerated, ''),
                        'DEFAULT ' || pg_get_expr(adbin, adrelid)) AS definition
                    FROM tables JOIN pg_attribute ON attrelid = tables.oid JOIN pg_type ON pg_type.oid = atttypid
                        LEFT JOIN pg_collation ON pg_collation.oid = attcollation
                        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
                    WHERE attnum > 0 AND NOT attisdropped
                    UNION ALL
                    SELECT 'the key ' || conname, pg_get_constraintdef(pg_constraint.oid)
                    FROM tables JOIN pg_constraint ON conrelid = tables.oid
                        LEFT JOIN pg_index ON indexrelid = conindid
                    WHERE contype NOT IN ('t', 'n') AND convalidated
                        AND (indexrelid IS NULL OR indisvalid AND indisready)
                    UNION ALL
                    SELECT 'the key ' || relation.relname, pg_get_indexdef(indexrelid)
                    FROM tables JOIN pg_index ON indrelid = tables.oid
                        JOIN pg_class AS relation ON relation.oid = indexrelid
                    WHERE indisunique AND indpred IS NOT NULL AND indisvalid AND indisready
                    UNION ALL
                    SELECT 'the trigger ' || tgname, pg_get_triggerdef(pg_trigger.oid)
                    FROM tables JOIN pg_trigger ON tgrelid = tables.oid
                    WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')
                    UNION ALL
                    SELECT 'the type ' || typname, (
                        SELECT string_agg(enumlabel, ', ' ORDER BY enumsortorder) FROM pg_enum
                        WHERE enumtypid = pg_type.oid)
                    FROM home JOIN pg_type ON typnamespace = id WHERE typtype = 'e'
                    UNION ALL
                    SELECT 'the type ' || typname, (
                        SELECT string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod)), ', ' ORDER BY attnum)
                        FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped)
                    FROM home JOIN pg_type ON typnamespace = id JOIN pg_class ON pg_class.oid = typrelid
                    WHERE relkind = 'c') AS printed (name, definition)),
            digests AS (
                SELECT name, left(encode(sha256(convert_to(replace(definition, 'juliet.', ''), 'UTF8')), 'hex'), 16)
                    AS digest
                FROM found)
            SELECT name || CASE WHEN EXISTS (SELECT FROM digests WHERE digests.name = expected.name)
                THEN ' is altered' ELSE ' is missing' END
            FROM unnest($1::text[], $2::text[]) AS expected (name, digest)
            WHERE NOT EXISTS (
                SELECT FROM digests WHERE digests.name = expected.name AND (digests.digest = expected.digest OR NOT $3))
                AND ($3 OR name NOT LIKE 'the function %')
            UNION ALL
            SELECT format('the function %s is missing', split_part(signature, '(', 1))
            FROM unnest($5::text[]) AS signature
            WHERE NOT $3 AND NOT EXISTS (
                SELECT FROM functions WHERE signature = format('%s(%s)', proname, arguments))
            UNION ALL
            SELECT format('the trigger %s on %s is not part of Juliet', tgname, relname)
            FROM tables JOIN pg_trigger ON tgrelid = tables.oid
            WHERE $3 AND NOT tgisinternal AND 'the trigger ' || tgname <> ALL ($1::text[])
            UNION ALL
            SELECT name || ' also exists in another form'
            FROM (SELECT name, count(*) AS count FROM digests GROUP BY name) AS there
                JOIN (SELECT name, count(*) AS count FROM unnest($1::text[]) AS known (name) GROUP BY name) AS known
                USING (name)
            WHERE $3 AND there.count > known.count
            UNION ALL
            SELECT format('the rule %s on %s is not part of Juliet', rulename, relname)
            FROM tables JOIN pg_rewrite ON ev_class = tables.oid
            UNION ALL
            SELECT format('row security hides rows of %s', relname) FROM tables WHERE relrowsecurity
            UNION ALL
            SELECT format('juliet_service may not call %s', signature)
            FROM unnest($5::text[]) AS signature JOIN functions ON signature = format('%s(%s)', proname, arguments)
            WHERE to_regrole('juliet_service') IS NOT NULL
                AND NOT has_function_privilege('juliet_service', functions.oid, 'EXECUTE')
            ORDER BY 1
            """
        }
        /// Reads.
        package var access: StatementAccess { .read }

        let comparesDefinitions: Bool

        /// Binds the expected objects.
        package func bind(to parameters: inout Parameters) {
            let promises = SchemaGuards.promises
            parameters.append(promises.names)
            parameters.append(promises.digests)
            parameters.append(comparesDefinitions)
            parameters.append(promises.tables)
            parameters.append(promises.callable)
            parameters.append(FixedSettings.names)
            parameters.append(FixedSettings.values)
        }

        /// One fault.
        package static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }

    /// Rights of roles beyond those that the files of `schema/` grant.
    package struct FindExcessRights: Statement {
        /// Asks PostgreSQL for each role and right.
        package var sql: StaticString {
            """
            WITH RECURSIVE members AS (
                SELECT oid FROM pg_roles WHERE rolname = CASE WHEN $1 THEN 'juliet_service' ELSE current_user END
                UNION SELECT member FROM members JOIN pg_auth_members ON roleid = members.oid WHERE $1),
            fixed AS MATERIALIZED (
                SELECT count(set_config(name, value, true)) AS settings
                FROM unnest($6::text[], $7::text[]) AS given (name, value)),
            home AS (SELECT oid AS id, nspowner AS owner FROM pg_namespace, fixed WHERE nspname = 'juliet' AND settings > 0),
            roles AS (
                SELECT pg_roles.oid, rolname, rolsuper OR pg_has_role(pg_roles.oid, owner, 'USAGE') AS is_owner
                FROM members JOIN pg_roles USING (oid), home),
            tables AS (
                SELECT pg_class.oid, relname FROM pg_class, home
                WHERE relnamespace = id AND relname = ANY ($3::text[] || '{schema_migrations,schema_code,schema_releases}'::text[])),
            functions AS (
                SELECT pg_proc.oid, proname, format('%s(%s)', proname, array_to_string(ARRAY(
                    SELECT replace(format_type(type, NULL), 'juliet.', '')
                    FROM unnest(proargtypes) WITH ORDINALITY AS types (type, place) ORDER BY place), ', ')) AS signature
                FROM home JOIN pg_proc ON pronamespace = id),
            columns AS (
                SELECT tables.oid, relname, attname, attnum FROM tables JOIN pg_attribute ON attrelid = tables.oid
                WHERE attnum > 0 AND NOT attisdropped)
            SELECT 'owner' FROM roles WHERE is_owner AND NOT $1
            UNION ALL
            SELECT format('%I may %s %s', rolname, right_name, relname)
            FROM roles, tables, unnest('{INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS right_name
            WHERE NOT is_owner AND (has_table_privilege(roles.oid, tables.oid, right_name)
                OR right_name IN ('INSERT', 'UPDATE', 'REFERENCES')
                    AND has_any_column_privilege(roles.oid, tables.oid, right_name))
            UNION ALL
            SELECT format('%I may SELECT %s.%s', rolname, relname, attname) FROM roles, columns
            WHERE NOT is_owner AND has_column_privilege(roles.oid, columns.oid, attnum, 'SELECT')
                AND relname !~ '^schema_' AND relname <> ALL ($4::text[])
                AND relname || '.' || attname <> ALL ($4::text[])
            UNION ALL
            SELECT format('%I may EXECUTE %s', rolname, proname) FROM roles, functions
            WHERE NOT is_owner AND has_function_privilege(roles.oid, functions.oid, 'EXECUTE')
                AND 'the function ' || proname = ANY ($2::text[]) AND signature <> ALL ($5::text[])
                AND NOT EXISTS (SELECT FROM juliet.schema_code WHERE object = 'function ' || signature AND is_entry)
            UNION ALL
            SELECT format('%I may EXECUTE %s', rolname, signature) FROM roles, functions
            WHERE NOT is_owner AND has_function_privilege(roles.oid, functions.oid, 'EXECUTE')
                AND 'the function ' || proname <> ALL ($2::text[])
                AND NOT EXISTS (SELECT FROM juliet.schema_code WHERE object = 'function ' || signature AND is_entry)
            UNION ALL
            SELECT format('%I may EXECUTE %s', rolname, pg_proc.oid::regprocedure)
            FROM roles, home, pg_proc JOIN pg_language ON pg_language.oid = prolang
            WHERE NOT is_owner AND prosecdef AND proowner = owner AND pronamespace <> home.id
                AND has_function_privilege(roles.oid, pg_proc.oid, 'EXECUTE') AND NOT EXISTS (
                    SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
            UNION ALL
            SELECT format('%I may %s %s', rolname, right_name, pg_class.oid::regclass)
            FROM roles, home, pg_class, unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS right_name
            WHERE NOT is_owner AND relkind IN ('v', 'm', 'r', 'p', 'f') AND relowner = owner
                AND relnamespace <> 'pg_catalog'::regnamespace AND relnamespace <> 'information_schema'::regnamespace
                AND pg_class.oid NOT IN (SELECT tables.oid FROM tables)
                AND (has_table_privilege(roles.oid, pg_class.oid, right_name)
                    OR right_name <> 'DELETE' AND has_any_column_privilege(roles.oid, pg_class.oid, right_name))
                AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
                AND NOT relispartition AND NOT EXISTS (
                    SELECT FROM tables WHERE pg_class.relname ~ format('^%s_[0-9]+$', tables.relname))
            UNION ALL
            SELECT format('%I may %s the sequence %s', rolname, right_name, sequences.oid::regclass)
            FROM roles, (SELECT pg_class.oid FROM home, pg_class WHERE relnamespace = id AND relkind = 'S') AS sequences,
                unnest('{USAGE,SELECT,UPDATE}'::text[]) AS right_name
            WHERE NOT is_owner AND has_sequence_privilege(roles.oid, sequences.oid, right_name)
            UNION ALL
            SELECT format('%I may become %I (SET ROLE)', rolname, pg_get_userbyid(owner)) FROM roles, home
            WHERE NOT is_owner AND pg_has_role(roles.oid, owner, 'MEMBER')
            UNION ALL
            SELECT format('%I has %s', rolname, attribute)
            FROM roles JOIN pg_roles AS attributes USING (oid, rolname), LATERAL (VALUES ('CREATEROLE', rolcreaterole),
                ('REPLICATION', rolreplication), ('BYPASSRLS', rolbypassrls)) AS had (attribute, has)
            WHERE NOT is_owner AND has
            UNION ALL
            SELECT format('%I is a member of %I', roles.rolname, strong.rolname) FROM roles JOIN pg_roles AS strong
                ON strong.rolname IN ('pg_read_all_data', 'pg_write_all_data', 'pg_execute_server_program',
                    'pg_read_server_files', 'pg_write_server_files', 'pg_database_owner')
            WHERE NOT is_owner AND roles.oid <> strong.oid AND pg_has_role(roles.oid, strong.oid, 'MEMBER')
            UNION ALL
            SELECT format('%I may CREATE in schema juliet', CASE WHEN grantee = 0 THEN 'PUBLIC'
                ELSE pg_get_userbyid(grantee) END)
            FROM pg_namespace, aclexplode(nspacl)
            WHERE nspname = 'juliet' AND privilege_type = 'CREATE' AND grantee <> nspowner
                AND grantee NOT IN (SELECT oid FROM roles)
            UNION ALL
            SELECT format('%I has a setting of its own, %s: ALTER ROLE %I%s RESET %s', rolname, setting, rolname,
                (SELECT ' IN DATABASE ' || quote_ident(datname) FROM pg_database WHERE oid = setdatabase),
                split_part(setting, '=', 1))
            FROM roles JOIN pg_db_role_setting ON setrole = roles.oid, unnest(setconfig) AS setting
            WHERE $1 AND NOT is_owner AND setdatabase IN (
                SELECT 0 UNION ALL SELECT oid FROM pg_database WHERE datname = current_database())
            UNION ALL
            SELECT format('%I may CREATE in schema %I', rolname, nspname) FROM roles, pg_namespace
            WHERE NOT is_owner AND has_schema_privilege(roles.oid, pg_namespace.oid, 'CREATE')
                AND nspname !~ '^pg_(toast_)?temp_'
            UNION ALL
            SELECT format('%I may %s in database %I', rolname, right_name, current_database())
            FROM roles, unnest('{CREATE,TEMP}'::text[]) AS right_name
            WHERE NOT is_owner AND has_database_privilege(roles.oid, current_database(), right_name)
            ORDER BY 1
            """
        }
        /// Reads.
        package var access: StatementAccess { .read }
        /// The answer for a role that may do anything.
        static let ownership = "owner"

        let scope: RightsScope

        /// Binds the scope.
        package func bind(to parameters: inout Parameters) {
            parameters.append(scope == .service)
            let promises = SchemaGuards.promises
            parameters.append(promises.names)
            parameters.append(promises.tables)
            parameters.append(promises.readable)
            parameters.append(promises.callable)
            parameters.append(FixedSettings.names)
            parameters.append(FixedSettings.values)
        }

        /// One right.
        package static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }
}
