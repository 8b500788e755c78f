import Postgres

/// Why a command gave up that waited for a row or a table: who has had locks for long.
struct LockedOut: Error, CustomStringConvertible {
    /// How long a command waits, in the form of PostgreSQL's `lock_timeout`. The connection string may say another.
    static let patience = "10s"

    private let holders: [FindHolders.Row]

    /// Asks who was in the way.
    ///
    /// - Parameter connection: The session that waited.
    /// - Returns: nil if the error is another one, or if nobody has had locks for so long.
    init?(_ error: any Error, on connection: PostgresConnection) async {
        // A function that tries for two seconds to have all rows of a player reports a deadlock.
        guard let error = error as? PostgresError, let state = error.sqlState,
            state == .lockNotAvailable || state == .deadlockDetected
        else { return nil }
        // A transaction that failed answers no question. The command ends, and with it whatever it had begun.
        try? await connection.executeScript("ROLLBACK")
        holders = (try? await connection.execute(FindHolders())) ?? []
        if holders.isEmpty { return nil }
    }

    /// Each holder in a sentence, with what it has and what ends it.
    var description: String {
        let sentences = holders.map { holder in
            let time = holder.seconds.map { ", for \($0) s" } ?? ""
            return
                "Process \(holder.pid) (\(holder.role), \"\(holder.application)\", \(holder.state)\(time)) has locks on \(holder.tables): `SELECT pg_terminate_backend(\(holder.pid))` ends it"
        }
        let text = "a table that this command needs is locked. " + sentences.joined(separator: ". ")
        guard let first = holders.first, first.count > holders.count else { return text }
        return
            "\(text). \(first.count - Int64(holders.count)) more sessions have locks: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = \(first.quotedRole)` ends all sessions of \(first.role)"
    }
}

/// The sessions whose transactions have had locks on tables of the game, or on their rows, for two seconds, for which a
/// function tries, or for as long as the command waits if that is less; the oldest three first, and how many there are. Of a
/// session of a role that this one may not see, how long is not known.
private struct FindHolders: Statement {
    // A lock that others may not have does not wait for who only reads.
    var sql: StaticString {
        """
        SELECT a.pid, coalesce(a.usename, '?')::text, coalesce(a.application_name, '')::text, coalesce(a.state, 'at work')::text,
            extract(epoch FROM clock_timestamp() - a.xact_start)::bigint, string_agg(DISTINCT c.relname::text, ', '),
            count(*) OVER (), quote_literal(coalesce(a.usename, '?'))
        FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid JOIN pg_class c ON c.oid = l.relation
        WHERE l.locktype = 'relation' AND l.granted AND l.mode <> 'AccessShareLock' AND l.pid <> pg_backend_pid()
            AND coalesce(a.backend_type, 'client backend') = 'client backend' AND c.relname <> 'schema_migrations'
            AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND c.relnamespace = to_regnamespace('juliet') AND c.relkind IN ('r', 'p')
            AND (a.xact_start <= clock_timestamp() - least(current_setting('lock_timeout')::interval, interval '2 s')
                OR a.xact_start IS NULL)
        GROUP BY a.pid, a.usename, a.application_name, a.state, a.xact_start
        ORDER BY a.xact_start, a.pid LIMIT 3
        """
    }
    var access: StatementAccess { .read }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (
        pid: Int32, role: String, application: String, state: String, seconds: Int64?, tables: String,
        count: Int64, quotedRole: String
    ) {
        (
            try row.next(), try row.next(), try row.next(), try row.next(), try row.next(), try row.next(),
            try row.next(), try row.next()
        )
    }
}
