import JulietGame
import Postgres

/// The database that a command is about to work on.
enum TargetDatabase {
    /// Refuses a database of another program, before `juliet migrate up` makes a schema in it: a command without options
    /// may have found the wrong one.
    ///
    /// - Returns: The database's name.
    /// - Throws: `CommandError`; `PostgresError`.
    static func checkMayBecomeJuliets(_ database: PostgresConfiguration) async throws -> String {
        let target = try await withSession(database) { connection in
            try await checkLacksNothing(connection)
            return try await connection.first(LookAtTarget())
        }
        guard let target else { return "" }
        if target.isOurs { return target.name }
        if ["postgres", "template1"].contains(target.name) {
            throw CommandError(
                "the database \(target.name) is PostgreSQL's own and nothing was changed: make one for Juliet (packaging/database does) and name it, such as --database dbname=juliet"
            )
        }
        if let others = target.others {
            throw CommandError(
                "the database \(target.name) is another program's (\(others)) and nothing was changed: Juliet needs its own: name one with --database"
            )
        }
        return target.name
    }

    /// Refuses a database that cannot be used; one without the schema, or without its code, by its name, because the server's own
    /// message would be about a table or a function.
    ///
    /// Without its triggers, what a command writes would have no seal.
    ///
    /// - Throws: `CommandError`; `PostgresError`.
    static func checkIsJuliets(_ connection: PostgresConnection) async throws {
        try await checkLacksNothing(connection)
        guard let target = try await connection.first(FindUnusableTarget()) else { return }
        throw CommandError(
            target.hasSchema
                ? "the database \(target.name) has tables, but no functions, as juliet migrate down leaves it; nothing was changed. Run juliet migrate up of the release that fits the tables"
                : "the database \(target.name) is not Juliet's, it has no schema juliet: name another with --database, or make the schema with juliet migrate up"
        )
    }

    private static func checkLacksNothing(_ connection: PostgresConnection) async throws {
        if let lack = try await DatabaseNeeds.lack(on: connection) { throw CommandError(lack) }
    }
}

/// A database's name, whether it is Juliet's, and what else is in it.
private struct LookAtTarget: Statement {
    // For a database from before the schema juliet existed, the migrations have a message.
    var sql: StaticString {
        """
        SELECT current_database()::text,
            to_regnamespace('juliet') IS NOT NULL OR to_regclass('public.schema_migrations') IS NOT NULL, (
                SELECT string_agg(name, ', ' ORDER BY name) FROM (
                    SELECT format('%I.%I', nspname, relname) AS name
                    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname !~ '^pg_' AND nspname <> 'information_schema'
                        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass
                            AND objid = pg_class.oid AND deptype = 'e')
                    ORDER BY name LIMIT 3) AS others)
        """
    }
    var access: StatementAccess { .read }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (name: String, isOurs: Bool, others: String?) {
        (try row.next(), try row.next(), try row.next())
    }
}

/// The name of a database without Juliet's schema, or without its code, and whether it has the schema; no row: it has both.
private struct FindUnusableTarget: Statement {
    // All code comes and goes in one transaction.
    var sql: StaticString {
        """
        SELECT current_database()::text, to_regnamespace('juliet') IS NOT NULL
        WHERE NOT EXISTS (
            SELECT FROM pg_proc WHERE pronamespace = to_regnamespace('juliet') AND proname = 'record_action')
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> (name: String, hasSchema: Bool) {
        (try row.next(), try row.next())
    }
}
