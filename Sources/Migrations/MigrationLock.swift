internal import Postgres

/// A session of the database, as an operator would look for it.
public struct DatabaseSession: Sendable, Hashable, CustomStringConvertible {
    /// The server's process.
    public let processID: Int
    /// The role it logged in as.
    public let user: String
    /// Its `application_name`.
    public let application: String
    /// The address it came from; nil for the server's own machine, and if the role may not see it.
    public let client: String?
    /// How long it has been connected, in seconds; nil if the role may not see it.
    public let seconds: Int?

    /// What a superuser, or who has its role, can type to end it.
    var ending: String { "`SELECT pg_terminate_backend(\(processID))` ends it" }

    /// `session 4711 (juliet_owner, "juliet migrate", from 10.0.0.5, for 12 s)`
    public var description: String {
        var details = [user, "\"\(application)\""]
        if let client { details.append("from \(client)") }
        if let seconds { details.append("for \(seconds) s") }
        return "session \(processID) (\(details.joined(separator: ", ")))"
    }
}

/// The lock under which one process at a time changes the schema: the open transaction of a second session has the table
/// `schema_migrations` in a mode that conflicts with itself, and with nothing that reads or writes rows.
///
/// Only a role that may write to the table can take it. Any role can take an advisory lock, and so keep others from
/// migrating.
///
/// The session that has the lock says in its `application_name` for which one: whoever ends that one ends the migration, and
/// with it the lock.
///
/// The runner polls for it and never waits inside the server: a waiting statement holds a snapshot, and
/// `CREATE INDEX CONCURRENTLY` waits for every older snapshot to end, so the two would deadlock. The transaction that has
/// the lock holds none, because it is idle and reads what is committed.
struct MigrationLock {
    /// Takes the lock, or fails at once with `lock_not_available`.
    ///
    /// - Parameters:
    ///   - schema: The schema of the table; nil: as the `search_path` says.
    ///   - processID: The server's process that migrates.
    static func take(in schema: String?, for processID: Int) -> String {
        """
        BEGIN ISOLATION LEVEL READ COMMITTED;
        SELECT set_config('application_name', 'lock of migrations for process \(processID)', true);
        SELECT set_config(name, '0', true) FROM pg_settings
        WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout');
        LOCK TABLE \(schema.map { "\(SQLText(identifier: $0).text)." } ?? "")schema_migrations
            IN SHARE UPDATE EXCLUSIVE MODE NOWAIT
        """
    }

    /// The session that migrates; without one, the session that has the lock. For a moment that may be one that vacuums the
    /// table.
    struct Holder: Statement {
        var sql: StaticString {
            """
            SELECT a.pid, coalesce(a.usename, '?')::text AS usename, a.application_name, host(a.client_addr) AS client,
                extract(epoch FROM clock_timestamp() - a.backend_start)::bigint AS seconds
            FROM pg_locks l JOIN pg_stat_activity h ON h.pid = l.pid
                LEFT JOIN pg_stat_activity m
                    ON m.pid = substring(h.application_name FROM '^lock of migrations for process ([0-9]{1,9})$')::integer
                JOIN pg_stat_activity a ON a.pid = coalesce(m.pid, h.pid)
            WHERE l.locktype = 'relation' AND l.relation = to_regclass('schema_migrations') AND l.granted
                AND l.mode = 'ShareUpdateExclusiveLock'
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            LIMIT 1
            """
        }
        var access: StatementAccess { .read }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DatabaseSession {
            try DatabaseSession(&row)
        }
    }

    /// The session with the oldest transaction that holds a lock on a table here: most likely the one that a migration waits
    /// for. It is not the one that has the lock of migrations.
    struct OldestTransaction: Statement {
        var sql: StaticString {
            """
            SELECT a.pid, coalesce(a.usename, '?')::text AS usename, a.application_name, host(a.client_addr) AS client,
                extract(epoch FROM clock_timestamp() - a.xact_start)::bigint AS seconds
            FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_backend_pid()
                AND l.relation >= 16384 AND a.application_name NOT LIKE 'lock of migrations for process %'
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            ORDER BY a.xact_start NULLS LAST, a.pid
            LIMIT 1
            """
        }
        var access: StatementAccess { .read }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DatabaseSession {
            try DatabaseSession(&row)
        }
    }
}

extension DatabaseSession {
    init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
        processID = Int(try row.next(Int32.self))
        user = try row.next()
        application = try row.next()
        client = try row.next()
        seconds = try row.next(Int64?.self).map { Int($0) }
    }
}
