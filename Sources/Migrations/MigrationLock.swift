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

    /// `session 4711 (juliet_owner, "juliet migrate", from 10.0.0.5, for 12 s)`
    public var description: String {
        var details = [user, "\"\(application)\""]
        if let client { details.append("from \(client)") }
        if let seconds { details.append("for \(seconds) s") }
        return "session \(processID) (\(details.joined(separator: ", ")))"
    }
}

/// How the runner locks out other runners.
public enum MigrationLockStrategy: String, Sendable, Hashable, CaseIterable {
    /// An advisory lock, held by the session that migrates: both end together.
    case advisory
    /// A row lock in the table `schema_migrations_lock`, held by a second session's open transaction: for engines that
    /// have no advisory locks, or accept the calls without locking.
    case row
}

/// The lock under which one process at a time changes the schema.
///
/// The runner polls for it and never waits inside the server: a waiting statement holds a snapshot, and
/// `CREATE INDEX CONCURRENTLY` waits for every older snapshot to end, so the two would deadlock.
struct MigrationLock {
    /// The advisory key: "schema" in ASCII.
    static let key: Int64 = 0x73_6368_656D_61

    /// Tries to take the advisory lock.
    struct TryAdvisory: Statement {
        var sql: StaticString { "SELECT pg_try_advisory_lock($1) AS granted" }

        func bind(to parameters: inout Parameters) { parameters.append(MigrationLock.key) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
    }

    /// Whether this session's advisory lock can be seen: some engines accept the call above and lock nothing.
    struct HoldsAdvisory: Statement {
        var sql: StaticString {
            """
            SELECT EXISTS (
                SELECT FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = pg_backend_pid()
                    AND classid::bigint = $1 >> 32 AND objid::bigint = $1 & 4294967295) AS held
            """
        }
        var access: StatementAccess { .read }

        func bind(to parameters: inout Parameters) { parameters.append(MigrationLock.key) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
    }

    struct ReleaseAdvisory: Statement {
        var sql: StaticString { "SELECT pg_advisory_unlock($1) AS released" }

        func bind(to parameters: inout Parameters) { parameters.append(MigrationLock.key) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
    }

    /// The session that holds the advisory lock.
    struct AdvisoryHolder: Statement {
        var sql: StaticString {
            """
            SELECT a.pid, coalesce(a.usename, '?')::text AS usename, a.application_name, host(a.client_addr) AS client,
                extract(epoch FROM clock_timestamp() - a.backend_start)::bigint AS seconds
            FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted
                AND l.classid::bigint = $1 >> 32 AND l.objid::bigint = $1 & 4294967295
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            LIMIT 1
            """
        }
        var access: StatementAccess { .read }

        func bind(to parameters: inout Parameters) { parameters.append(MigrationLock.key) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DatabaseSession {
            try DatabaseSession(&row)
        }
    }

    /// The session whose open transaction holds the row.
    struct RowHolder: Statement {
        var sql: StaticString {
            """
            SELECT a.pid, coalesce(a.usename, '?')::text AS usename, a.application_name, host(a.client_addr) AS client,
                extract(epoch FROM clock_timestamp() - a.backend_start)::bigint AS seconds
            FROM pg_stat_activity a
            WHERE a.application_name = 'schema_migrations lock' AND a.datname = current_database()
                AND a.state = 'idle in transaction'
            LIMIT 1
            """
        }
        var access: StatementAccess { .read }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> DatabaseSession {
            try DatabaseSession(&row)
        }
    }

    /// The session with the oldest transaction that holds a lock on a table here: most likely the one that a migration waits for.
    struct OldestTransaction: Statement {
        var sql: StaticString {
            """
            SELECT a.pid, coalesce(a.usename, '?')::text AS usename, a.application_name, host(a.client_addr) AS client,
                extract(epoch FROM clock_timestamp() - a.xact_start)::bigint AS seconds
            FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'relation' AND l.granted AND l.pid <> pg_backend_pid()
                AND l.relation >= 16384
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

    /// The statements that make the lock row. They run one by one, because another session may be faster with each.
    static let rowTable = [
        "CREATE TABLE IF NOT EXISTS schema_migrations_lock (id int CONSTRAINT schema_migrations_lock_pkey PRIMARY KEY)",
        "INSERT INTO schema_migrations_lock (id) VALUES (1) ON CONFLICT DO NOTHING",
    ]
    static let lockRow = """
        SET application_name = 'schema_migrations lock';
        SET idle_in_transaction_session_timeout = 0;
        BEGIN;
        SELECT id FROM schema_migrations_lock WHERE id = 1 FOR UPDATE NOWAIT
        """
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
