package import Postgres

/// What a database must have before it can be Juliet's. Whoever opens one to migrate it, to serve with it or to tend it asks
/// this first: without it something fails later, half way, with a message about something else.
package enum DatabaseNeeds {
    /// The oldest server that has what the schema uses.
    private static let oldest = 14

    /// What a database lacks, and how to make one that lacks nothing, in one line; nil: nothing.
    ///
    /// - Parameter connection: A session of any role.
    package static func lack(
        on connection: PostgresConnection, timeout: Duration? = nil
    ) async throws(PostgresError) -> String? {
        guard let database = try await connection.first(LookAtDatabase(), timeout: timeout) else { return nil }
        if database.encoding != "UTF8" {
            return
                "the database \(database.name) has the encoding \(database.encoding) and must have UTF8: make another one with createdb --encoding UTF8 --template template0 --locale C NAME"
        }
        if database.version / 10_000 < oldest {
            return
                "the server is PostgreSQL \(database.version / 10_000), and Juliet needs \(oldest) or newer: upgrade the server, or make the database on another one"
        }
        if !database.hasICU {
            return
                "the server has no collation und-x-icu, by which Juliet compares names: make the database on a PostgreSQL that was built with ICU"
        }
        return nil
    }

    /// What is wrong with the isolation that sessions have behind a pooler, where the service cannot choose it, and how to
    /// mend it, in one line; nil: nothing.
    ///
    /// - Parameter connection: A session of the service's role.
    package static func isolationLack(
        on connection: PostgresConnection, timeout: Duration? = nil
    ) async throws(PostgresError) -> String? {
        guard let found = try await connection.first(ReadIsolation(), timeout: timeout), found != "read committed"
        else {
            return nil
        }
        return
            "the setting default_transaction_isolation of the database or the role is \(found) and must be read committed: ALTER DATABASE … RESET default_transaction_isolation, or ALTER ROLE"
    }

    /// Why the session's role can keep operators out, and what keeps it from that, in one line; nil: it cannot.
    package static func connectionRisk(
        on connection: PostgresConnection, timeout: Duration? = nil
    ) async throws(PostgresError) -> String? {
        guard let found = try await connection.first(ReadConnectionLimit(), timeout: timeout) else { return nil }
        return
            "the role \(found.role) may take all connections of PostgreSQL (\(found.most)), and then no operator gets in: ALTER ROLE \(found.role) CONNECTION LIMIT \(found.limit)"
    }
}

/// A row if the role's limit leaves nobody else a connection: its name, how many connections there are, and a better limit,
/// that which `packaging/database` sets. A superuser has no limit.
private struct ReadConnectionLimit: Statement {
    var sql: StaticString {
        """
        SELECT quote_ident(rolname), most, greatest(most - 20, most / 2)
        FROM pg_roles, (SELECT current_setting('max_connections')::integer AS most) AS server
        WHERE rolname = session_user AND NOT rolsuper AND (rolconnlimit = -1
            OR rolconnlimit >= most - current_setting('superuser_reserved_connections')::integer)
        """
    }
    var access: StatementAccess { .read }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (role: String, most: Int32, limit: Int32) {
        (try row.next(), try row.next(), try row.next())
    }
}

private struct ReadIsolation: Statement {
    var sql: StaticString { "SELECT current_setting('default_transaction_isolation')" }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
}

/// Name, encoding, the server's version, and whether there is the collation that names are put in lower case with. Ids need
/// none but "C", which every server has.
private struct LookAtDatabase: Statement {
    var sql: StaticString {
        """
        SELECT datname::text, pg_encoding_to_char(encoding)::text, current_setting('server_version_num')::integer,
            EXISTS (
                SELECT FROM pg_collation
                WHERE collname = 'und-x-icu' AND collnamespace = 'pg_catalog'::regnamespace
                    AND collencoding IN (-1, encoding))
        FROM pg_database WHERE datname = current_database()
        """
    }
    var access: StatementAccess { .read }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (name: String, encoding: String, version: Int, hasICU: Bool) {
        (try row.next(), try row.next(), Int(try row.next(Int32.self)), try row.next())
    }
}
