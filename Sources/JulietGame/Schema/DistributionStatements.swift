import Postgres

/// Something to distribute.
struct DistributedPart: Sendable, CustomStringConvertible {
    /// In the order in which they can be.
    enum Kind: String, CaseIterable {
        case reference, local, first, table, function
    }

    let kind: Kind
    /// As PostgreSQL reads it: `juliet.users`, `juliet.add_win(text,text,bigint)`.
    let name: String
    /// Of a table: the player's id.
    let column: String

    var description: String {
        switch kind {
        case .reference, .local, .first, .table: "the table \(name)"
        case .function: "the function \(name)"
        }
    }
}

/// Whether the database has the extension.
struct FindCitus: Statement {
    var sql: StaticString { "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')" }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}

/// The servers that may keep players, and how many shards of `users` each keeps.
struct FindServers: Statement {
    var sql: StaticString {
        """
        SELECT nodename, nodeport, count(shardid)::int FROM pg_dist_node
            LEFT JOIN (pg_dist_placement JOIN pg_dist_shard USING (shardid)) ON pg_dist_placement.groupid = pg_dist_node.groupid
                AND logicalrelid = to_regclass('juliet.users')
        WHERE noderole = 'primary' AND isactive AND (shouldhaveshards OR shardid IS NOT NULL)
        GROUP BY nodename, nodeport ORDER BY nodename, nodeport
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Distribution.State.Server {
        .init(host: try row.next(), port: Int(try row.next(Int32.self)), shards: Int(try row.next(Int32.self)))
    }
}

/// The reasons why a cluster cannot take the game, in words.
struct FindFaults: Statement {
    var sql: StaticString {
        """
        WITH workers AS (SELECT * FROM pg_dist_node WHERE groupid <> 0 AND noderole = 'primary'),
        roles AS (
            SELECT rolname FROM pg_roles WHERE rolname = 'juliet_service'
            UNION SELECT rolname FROM pg_roles JOIN pg_auth_members ON member = pg_roles.oid
            WHERE roleid = to_regrole('juliet_service') AND rolcanlogin)
        SELECT 'no server but the coordinator is known: SELECT citus_set_coordinator_host(''…''), citus_add_node(''…'', 5432)'
        WHERE NOT EXISTS (SELECT FROM workers WHERE isactive AND shouldhaveshards)
        UNION ALL
        SELECT format('%s:%s does not know the cluster''s metadata: SELECT start_metadata_sync_to_node(''%s'', %s)',
            nodename, nodeport, nodename, nodeport)
        FROM workers WHERE isactive AND NOT (hasmetadata AND metadatasynced)
        UNION ALL
        SELECT format('the role %I does not exist on %s:%s: create it there as it is here (CREATE ROLE)', rolname, nodename, nodeport)
        FROM roles, LATERAL run_command_on_workers(
            format('SELECT count(*) FROM pg_roles WHERE rolname = %L', rolname)) AS answer
        WHERE NOT (answer.success AND answer.result = '1')
        LIMIT 1
        """
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// What is not distributed yet. Functions that take rows of the coordinator's own tables stay
/// there, with the tables.
struct FindUndistributed: Statement {
    var sql: StaticString {
        """
        WITH home AS (SELECT relnamespace AS id FROM pg_class WHERE oid = to_regclass('juliet.users')),
        tables AS (
            SELECT name, id_column, number FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t (name, id_column, number)),
        functions AS (
            SELECT pg_proc.oid FROM home JOIN pg_proc ON pronamespace = id
            WHERE NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
                AND NOT EXISTS (
                    SELECT FROM unnest(proargtypes::oid[] || coalesce(proallargtypes, '{}') || prorettype) AS used
                        JOIN pg_type AS type ON type.oid = used LEFT JOIN pg_type AS element ON element.oid = type.typelem
                        JOIN pg_class ON pg_class.oid IN (type.typrelid, element.typrelid)
                    WHERE relkind = 'r' AND NOT EXISTS (
                        SELECT FROM unnest($1::text[] || $2::text[]) AS kept WHERE to_regclass(kept) = pg_class.oid)))
        SELECT kind, name, id_column FROM (
            SELECT 'reference' AS kind, name, '' AS id_column FROM unnest($1::text[]) AS name
            UNION ALL
            SELECT 'local', name, '' FROM unnest($4::text[]) AS name
            UNION ALL
            SELECT CASE number WHEN 1 THEN 'first' ELSE 'table' END, name, id_column FROM tables
        ) AS tables WHERE NOT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass(name))
        UNION ALL
        SELECT 'function', oid::regprocedure::text, '' FROM functions
        WHERE NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = functions.oid)
        ORDER BY 1, 2
        """
    }
    var access: StatementAccess { .read }

    func bind(to parameters: inout Parameters) {
        parameters.append(Distribution.references)
        parameters.append(Distribution.tables.map(\.0))
        parameters.append(Distribution.tables.map(\.1))
        parameters.append(Distribution.locals)
    }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DistributedPart {
        let kind = try row.next(String.self)
        return DistributedPart(kind: .init(rawValue: kind) ?? .function, name: try row.next(), column: try row.next())
    }
}

/// Gives each server a copy of a table.
struct MakeReference: Statement {
    var sql: StaticString { "SELECT create_reference_table($1::text::regclass)" }
    let table: String

    func bind(to parameters: inout Parameters) { parameters.append(table) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) {}
}

/// Has Citus know of a table of the coordinator, where it stays.
struct MakeLocal: Statement {
    var sql: StaticString { "SELECT citus_add_local_table_to_metadata($1::text::regclass)" }
    let table: String

    func bind(to parameters: inout Parameters) { parameters.append(table) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) {}
}

/// Divides a table by the hash of the player's id.
struct Distribute: Statement {
    var sql: StaticString {
        """
        SELECT create_distributed_table($1::text::regclass, $2,
            colocate_with => CASE WHEN $3::int IS NULL THEN 'juliet.users' ELSE 'none' END, shard_count => $3::int)
        """
    }
    let table: String
    let column: String
    /// Into how many parts; nil: as `users` is.
    let shards: Int?

    func bind(to parameters: inout Parameters) {
        parameters.append(table)
        parameters.append(column)
        parameters.append(shards.map { Int32($0) })
    }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) {}
}

/// Makes a function on all servers. It has no distribution argument: with one, Citus would forward a call on another server to
/// the right one, in a separate transaction there, which stays when the rest of the batch is rolled back (a pipeline's
/// transaction is implicit, and Citus takes it for a single statement). A function that runs where it was called, and accesses
/// rows on other servers, has one transaction over all servers.
struct DistributeFunction: Statement {
    var sql: StaticString { "SELECT create_distributed_function($1::text::regprocedure)" }
    let function: String

    func bind(to parameters: inout Parameters) { parameters.append(function) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) {}
}

/// Distributed tables whose rows are still where they were before.
struct FindLeftovers: Statement {
    var sql: StaticString {
        """
        SELECT name FROM unnest($1::text[]) AS name JOIN pg_dist_partition ON logicalrelid = to_regclass(name)
        WHERE pg_relation_size(logicalrelid) > 0
        """
    }
    var access: StatementAccess { .read }

    func bind(to parameters: inout Parameters) {
        parameters.append(Distribution.references + Distribution.tables.map(\.0))
    }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// Deletes the rows that a table had before it was distributed.
struct DropLeftover: Statement {
    var sql: StaticString { "SELECT truncate_local_data_after_distributing_table($1::text::regclass)" }
    let table: String

    func bind(to parameters: inout Parameters) { parameters.append(table) }
    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) {}
}
