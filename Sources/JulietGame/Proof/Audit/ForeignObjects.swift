import Migrations
import Postgres

/// Objects in the database that are not Juliet's, or are not as Juliet made them. ``SchemaGuards`` does not compare
/// these, because a service can run beside them.
struct FindForeignObjects: Statement {
    // Shards of a distributed table have its name with a number behind it.
    var sql: StaticString {
        """
        WITH home AS (SELECT oid AS id, nspowner AS owner FROM pg_namespace WHERE nspname = 'juliet'),
        ours AS (SELECT unnest($2::text[] || '{schema_migrations,schema_code,schema_releases}'::text[]) AS name),
        tables AS (
            SELECT pg_class.* FROM pg_class JOIN home ON relnamespace = id JOIN ours ON name = relname
            WHERE relkind IN ('r', 'p')),
        relations AS (SELECT pg_class.* FROM pg_class JOIN home ON relnamespace = id),
        extended AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
        readers AS (
            SELECT DISTINCT ev_class FROM pg_depend JOIN pg_rewrite ON pg_rewrite.oid = objid
            WHERE classid = 'pg_rewrite'::regclass AND refclassid = 'pg_class'::regclass
                AND refobjid IN (SELECT oid FROM tables) AND ev_class NOT IN (SELECT oid FROM tables))
        SELECT format('%s %s belongs to %I and not to the owner of the schema', CASE relkind WHEN 'S' THEN 'the sequence'
            WHEN 'v' THEN 'the view' WHEN 'c' THEN 'the type' ELSE 'the table' END, relname, pg_get_userbyid(relowner))
        FROM relations, home WHERE relowner <> owner AND relkind IN ('r', 'p', 'S', 'v', 'm', 'f', 'c')
        UNION ALL
        SELECT format('the type %s belongs to %I and not to the owner of the schema', typname, pg_get_userbyid(typowner))
        FROM pg_type JOIN home ON typnamespace = id WHERE typowner <> owner AND typtype IN ('e', 'd', 'r')
        UNION ALL
        SELECT format('the function %s belongs to %I and not to the owner of the schema', pg_proc.oid::regprocedure,
            pg_get_userbyid(proowner))
        FROM pg_proc JOIN home ON pronamespace = id WHERE proowner <> owner
        UNION ALL
        SELECT format('%s %s in the schema is not part of Juliet', CASE relkind WHEN 'v' THEN 'the view' WHEN 'm' THEN 'the view'
            WHEN 'f' THEN 'the foreign table' WHEN 'S' THEN 'the sequence' ELSE 'the table' END, relname)
        FROM relations
        WHERE relname NOT IN (SELECT name FROM ours) AND NOT EXISTS (
                SELECT FROM ours WHERE relname ~ format('^%s_[0-9]+$', name))
            AND (relkind IN ('r', 'p', 'v', 'm', 'f') OR relkind = 'S' AND relname <> ALL ($4::text[])
                AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                    AND objid = relations.oid AND deptype IN ('i', 'a') AND refobjid IN (SELECT oid FROM tables)))
        UNION ALL
        SELECT format('the table %s inherits from %s: its rows count as rows of that table', inhrelid::regclass, relname)
        FROM pg_inherits JOIN tables ON oid = inhparent
        UNION ALL
        SELECT format('the table %s inherits from %s', relname, inhparent::regclass)
        FROM pg_inherits JOIN tables ON oid = inhrelid
        UNION ALL
        SELECT format('the view %s of %I shows rows of Juliet''s tables', ev_class::regclass, pg_get_userbyid(relowner))
        FROM readers JOIN pg_class ON oid = ev_class
        WHERE relnamespace::regnamespace::text !~ '^pg_temp_' AND NOT EXISTS (
            SELECT FROM extended WHERE classid = 'pg_class'::regclass AND objid = ev_class)
        UNION ALL
        SELECT format('the column %s.%s is not part of Juliet', relname, attname)
        FROM tables JOIN pg_attribute ON attrelid = tables.oid
        WHERE attnum > 0 AND NOT attisdropped AND relname !~ '^schema_'
            AND format('the column %s.%s', relname, attname) <> ALL ($1::text[])
        UNION ALL
        SELECT format('the key %s on %s is not part of Juliet', conname, relname)
        FROM tables JOIN pg_constraint ON conrelid = tables.oid
        WHERE contype NOT IN ('t', 'n') AND relname !~ '^schema_' AND 'the key ' || conname <> ALL ($1::text[])
        UNION ALL
        SELECT format('the index %s on %s is not part of Juliet', index.relname, tables.relname)
        FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class AS index ON index.oid = indexrelid
        WHERE tables.relname !~ '^schema_' AND index.relname <> ALL ($3::text[])
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
        UNION ALL
        SELECT format('the index %s is %s', name,
            CASE WHEN index.oid IS NULL THEN 'missing: queries that need it are slow' ELSE 'not valid: REINDEX it' END)
        FROM unnest($3::text[]) AS name LEFT JOIN relations AS index ON relname = name AND relkind IN ('i', 'I')
            LEFT JOIN pg_index ON indexrelid = index.oid
        WHERE index.oid IS NULL OR NOT indisvalid
        UNION ALL
        SELECT format('the table %s is %s', relname, CASE relpersistence WHEN 'u'
            THEN 'unlogged: a crash empties it' ELSE 'temporary' END)
        FROM tables WHERE relpersistence <> 'p'
        UNION ALL
        SELECT format('the triggers that guard a key of %s are off', relname)
        FROM tables JOIN pg_trigger ON tgrelid = tables.oid WHERE tgisinternal AND tgenabled <> 'O' GROUP BY relname
        UNION ALL
        SELECT format('the policy %s on %s is not part of Juliet', polname, relname)
        FROM tables JOIN pg_policy ON polrelid = tables.oid
        UNION ALL
        SELECT format('the function %s in the schema is not part of Juliet', pg_proc.oid::regprocedure)
        FROM pg_proc JOIN home ON pronamespace = id
        WHERE 'the function ' || proname <> ALL ($1::text[]) AND NOT EXISTS (
            SELECT FROM juliet.schema_code WHERE split_part(object, '(', 1) = 'function ' || proname)
        UNION ALL
        SELECT format('the operator %s is not part of Juliet', pg_operator.oid::regoperator)
        FROM pg_operator
        WHERE pg_operator.oid >= 16384 AND NOT EXISTS (
            SELECT FROM extended WHERE classid = 'pg_operator'::regclass AND objid = pg_operator.oid)
        UNION ALL
        SELECT format('the function %s in pg_catalog is not PostgreSQL''s', pg_proc.oid::regprocedure)
        FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND oid >= 16384
            AND NOT EXISTS (SELECT FROM extended WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid)
        UNION ALL
        SELECT format('the cast from %s to %s is not part of Juliet', castsource::regtype, casttarget::regtype)
        FROM pg_cast WHERE oid >= 16384
            AND NOT EXISTS (SELECT FROM extended WHERE classid = 'pg_cast'::regclass AND objid = pg_cast.oid)
        UNION ALL
        SELECT format('the %s %s in the schema is not part of Juliet', kind, name) FROM home JOIN (
            SELECT 'operator class' AS kind, opcname::text AS name, opcnamespace AS space FROM pg_opclass
            UNION ALL SELECT 'operator family', opfname, opfnamespace FROM pg_opfamily
            UNION ALL SELECT 'collation', collname, collnamespace FROM pg_collation
            UNION ALL SELECT 'conversion', conname, connamespace FROM pg_conversion
            UNION ALL SELECT 'text search configuration', cfgname, cfgnamespace FROM pg_ts_config
            UNION ALL SELECT 'type', typname, typnamespace FROM pg_type
                WHERE typtype IN ('d', 'r', 'b', 'e') AND typelem = 0 AND 'the type ' || typname <> ALL ($1::text[])
            UNION ALL SELECT 'type', typname, typnamespace FROM pg_type JOIN pg_class ON pg_class.oid = typrelid
                WHERE relkind = 'c' AND 'the type ' || typname <> ALL ($1::text[])
            ) AS others ON space = id
        UNION ALL
        SELECT format('the function %s runs with the rights of %I and may be called by juliet_service',
            pg_proc.oid::regprocedure, pg_get_userbyid(proowner))
        FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace JOIN home ON true
        WHERE prosecdef AND nspname NOT IN ('juliet', 'pg_catalog', 'information_schema') AND proowner <> owner
            AND to_regrole('juliet_service') IS NOT NULL
            AND has_function_privilege(to_regrole('juliet_service'), pg_proc.oid, 'EXECUTE')
            AND NOT EXISTS (SELECT FROM extended WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid)
        UNION ALL
        SELECT format('the event trigger %s is not part of Juliet', evtname) FROM pg_event_trigger
        WHERE NOT EXISTS (
            SELECT FROM extended WHERE classid = 'pg_event_trigger'::regclass AND objid = pg_event_trigger.oid)
        UNION ALL
        SELECT format('%s has a setting of its own, %s: no trigger fires', coalesce(
            (SELECT 'the role ' || quote_ident(rolname) FROM pg_roles WHERE oid = setrole), 'the database'), setting)
        FROM pg_db_role_setting, unnest(setconfig) AS setting
        WHERE split_part(setting, '=', 1) = 'session_replication_role' AND setdatabase IN (
            SELECT 0 UNION ALL SELECT oid FROM pg_database WHERE datname = current_database())
        UNION ALL
        SELECT format('what %I makes in the schema gets rights by ALTER DEFAULT PRIVILEGES', pg_get_userbyid(defaclrole))
        FROM pg_default_acl JOIN home ON defaclnamespace = id
        ORDER BY 1
        """
    }
    var access: StatementAccess { .read }

    func bind(to parameters: inout Parameters) {
        let promises = SchemaGuards.promises
        parameters.append(promises.names)
        parameters.append(promises.tables)
        parameters.append(Self.indexes)
        parameters.append(Self.sequences)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }

    private static let indexes = made("INDEX")
    private static let sequences = made("SEQUENCE")

    /// The names of objects that the migrations make and do not drop again: `CREATE UNIQUE INDEX CONCURRENTLY name …`.
    private static func made(_ kind: String) -> [String] {
        var names: [String] = []
        for statement in Schema.migrations.flatMap(\.up) {
            let words = statement.text.split { $0.isWhitespace || $0 == "(" || $0 == ";" }.map(String.init)
            guard let place = words.prefix(3).firstIndex(of: kind),
                let name = words[(place + 1)...].first(where: { $0 != "CONCURRENTLY" })
            else { continue }
            if words[0] == "CREATE" { names.append(name) } else { names.removeAll { $0 == name } }
        }
        return names
    }
}
