public import Postgres

extension LedgerEntry {
    /// Reads a row whose columns are those of this structure, in its order.
    public init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
        self.init(
            version: Int(try row.next(Int64.self)), name: try row.next(), checksum: try row.next(),
            isBackwardCompatible: try row.next(), appliedAt: try row.next(),
            milliseconds: try row.next(Int64?.self).map { Int($0) }, appliedBy: try row.next())
    }
}

/// The table `schema_migrations`: which migrations were applied to this database.
public enum Ledger {
    /// Reads the ledger's rows, with a connection or a client.
    ///
    /// - Parameter read: Runs the statement: `{ try await client.execute($0) }`.
    /// - Returns: The rows by ascending version; none for a database that was never migrated.
    public static func entries(
        read: (Read) async throws(PostgresError) -> [LedgerEntry]
    ) async throws(PostgresError) -> [LedgerEntry] {
        do {
            return try await read(Read())
        } catch  where error.sqlState == .undefinedTable {
            return []
        }
    }

    /// Makes the table. Everybody may read it: a service checks it when it starts, whatever its role.
    static let create = """
        CREATE TABLE schema_migrations (
            version bigint CONSTRAINT schema_migrations_pkey PRIMARY KEY,
            name text NOT NULL,
            checksum text NOT NULL,
            backward_compatible boolean NOT NULL,
            applied_at timestamptz,
            duration_ms bigint,
            applied_by text NOT NULL DEFAULT session_user
        );
        COMMENT ON COLUMN schema_migrations.applied_at IS
            'null while a statement that runs outside a transaction is under way or was interrupted';
        GRANT SELECT ON schema_migrations TO PUBLIC;
        """

    /// All rows, by ascending version. SQLSTATE 42P01 on a database that was never migrated.
    public struct Read: Statement {
        /// Every column but the time to the second, as text.
        public var sql: StaticString {
            """
            SELECT version, name, checksum, backward_compatible,
                to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS applied_at,
                duration_ms, applied_by
            FROM schema_migrations ORDER BY version
            """
        }
        /// Reads.
        public var access: StatementAccess { .read }

        /// The statement.
        public init() {}

        /// One row of the ledger.
        public static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LedgerEntry {
            try LedgerEntry(&row)
        }
    }

    /// Records a migration as done.
    struct Record: Statement {
        var sql: StaticString {
            """
            INSERT INTO schema_migrations (version, name, checksum, backward_compatible, applied_at, duration_ms)
            VALUES ($1, $2, $3, $4, clock_timestamp(), $5)
            ON CONFLICT (version) DO UPDATE
            SET name = excluded.name, checksum = excluded.checksum, applied_by = session_user,
                backward_compatible = excluded.backward_compatible,
                applied_at = excluded.applied_at, duration_ms = excluded.duration_ms
            WHERE schema_migrations.applied_at IS NULL
            RETURNING version
            """
        }
        let migration: Migration
        let milliseconds: Int

        func bind(to parameters: inout Parameters) {
            parameters.append(Int64(migration.version))
            parameters.append(migration.name)
            parameters.append(migration.checksum)
            parameters.append(migration.isBackwardCompatible == true)
            parameters.append(Int64(milliseconds))
        }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int64 { try row.next() }
    }

    /// Records that a statement outside a transaction is about to run, so that its leftovers can be distinguished
    /// from objects that somebody else made. One row: an earlier run had recorded it and did not finish.
    struct Begin: Statement {
        var sql: StaticString {
            """
            WITH earlier AS (SELECT version FROM schema_migrations WHERE version = $1),
            noted AS (
                INSERT INTO schema_migrations (version, name, checksum, backward_compatible)
                VALUES ($1, $2, $3, $4)
                ON CONFLICT (version) DO UPDATE SET name = excluded.name, checksum = excluded.checksum)
            SELECT version FROM earlier
            """
        }
        let migration: Migration

        func bind(to parameters: inout Parameters) {
            parameters.append(Int64(migration.version))
            parameters.append(migration.name)
            parameters.append(migration.checksum)
            parameters.append(migration.isBackwardCompatible == true)
        }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int64 { try row.next() }
    }

    /// Forgets a migration.
    struct Forget: Statement {
        var sql: StaticString { "DELETE FROM schema_migrations WHERE version = $1 RETURNING version" }
        let version: Int

        func bind(to parameters: inout Parameters) { parameters.append(Int64(version)) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int64 { try row.next() }
    }

    /// Records the file's text as what was applied.
    struct Accept: Statement {
        var sql: StaticString {
            """
            UPDATE schema_migrations SET name = $2, checksum = $3, backward_compatible = $4
            WHERE version = $1 RETURNING version
            """
        }
        let migration: Migration

        func bind(to parameters: inout Parameters) {
            parameters.append(Int64(migration.version))
            parameters.append(migration.name)
            parameters.append(migration.checksum)
            parameters.append(migration.isBackwardCompatible == true)
        }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Int64 { try row.next() }
    }
}
