import JulietSchema
package import Migrations
package import Postgres

/// The schema that this release's statements are written for, as the program carries it.
package enum Schema {
    /// The schema of everything: tables, functions, ledgers. Statements qualify every name with it, so they do not
    /// depend on a `search_path`.
    package static let name = "juliet"

    /// The beginning of an operator's transaction that calls functions without a `search_path` of their own: they look
    /// for names where their caller does.
    package static let goHome = "SET LOCAL search_path = juliet, pg_temp"

    /// The number of the newest migration.
    package static let version = migrations.last?.version ?? 0

    /// The migrations, by ascending version, read once.
    package static let migrations: [Migration] = {
        do { return try MigrationFolder.migrations(SchemaFiles.migrations) } catch {
            preconditionFailure("migrations/\(error)")
        }
    }()

    /// The code, read each time, because it is large and not needed for long.
    package static var code: SchemaCode {
        do { return try SchemaCode(files: SchemaFiles.code) } catch { preconditionFailure("schema/\(error)") }
    }

    /// The checksum of the code.
    package static var codeChecksum: String { SchemaGuards.promises.codeChecksum }

    /// Settings of each transaction that changes the schema of a Citus cluster: without them it may refuse a second
    /// statement, does not accept triggers, and its other servers look for names elsewhere. They have no effect on
    /// other databases.
    package static let transactionSettings = [
        "citus.multi_shard_modify_mode = 'sequential'", "citus.enable_unsafe_triggers = on",
        "citus.propagate_set_commands = 'local'",
    ]

    /// Options of a runner for this schema.
    ///
    /// - Parameter release: The name of this release.
    package static func runnerOptions(release: String) -> MigrationRunner.Options {
        var options = MigrationRunner.Options()
        options.schema = name
        options.release = release
        options.transactionSettings = transactionSettings
        options.lack = { (connection) async throws(PostgresError) in try await DatabaseNeeds.lack(on: connection) }
        return options
    }

    /// Whether a service of this release can work on a database.
    ///
    /// - Parameters:
    ///   - release: Its version.
    ///   - connection: A session of any role.
    package static func fitness(
        of release: String, on connection: PostgresConnection, timeout: Duration
    ) async throws(PostgresError) -> SchemaFitness {
        do {
            return fitness(
                of: release, try await connection.execute(ReadMigrations(), timeout: timeout),
                try await connection.execute(ReadReleases(), timeout: timeout))
        } catch  where error.sqlState == .undefinedTable {
            return .behind(newestApplied: nil)
        }
    }

    /// The same for a running service: a newer release may have installed its code meanwhile.
    package static func fitness(
        of release: String, on database: PostgresClient, timeout: Duration
    ) async throws(PostgresError) -> SchemaFitness {
        fitness(
            of: release, try await database.execute(ReadMigrations(), timeout: timeout),
            try await database.execute(ReadReleases(), timeout: timeout))
    }

    private static func fitness(
        of release: String, _ ledger: [LedgerEntry], _ releases: [ReleaseEntry]
    ) -> SchemaFitness {
        SchemaFitness(
            SchemaState(files: migrations, ledger: ledger), code: codeChecksum, release: release, releases: releases)
    }
}

extension Schema {
    /// The functions that a service calls and a server lacks, by their signatures.
    package struct FindMissingFunctions: Statement {
        /// Looks them up by name and types of arguments.
        package var sql: StaticString {
            """
            WITH fixed AS MATERIALIZED (
                SELECT count(set_config(name, value, true)) AS settings
                FROM unnest($2::text[], $3::text[]) AS given (name, value))
            SELECT signature FROM unnest($1::text[]) AS signature
            WHERE signature NOT IN (
                SELECT format('%s(%s)', proname, array_to_string(ARRAY(
                    SELECT replace(format_type(type, NULL), 'juliet.', '')
                    FROM unnest(proargtypes) WITH ORDINALITY AS types (type, place) ORDER BY place), ', '))
                FROM fixed, pg_proc WHERE settings > 0 AND pronamespace = to_regnamespace('juliet'))
            ORDER BY 1
            """
        }
        /// Reads.
        package var access: StatementAccess { .read }

        /// Looks for all that the service's role may call.
        package init() {}

        /// Binds the signatures.
        package func bind(to parameters: inout Parameters) {
            parameters.append(SchemaGuards.promises.callable)
            parameters.append(FixedSettings.names)
            parameters.append(FixedSettings.values)
        }

        /// One signature.
        package static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }
}

/// The ledger of migrations.
struct ReadMigrations: Statement {
    var sql: StaticString {
        """
        SELECT version, name, checksum, backward_compatible,
            to_char(applied_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS applied_at,
            duration_ms, applied_by
        FROM juliet.schema_migrations ORDER BY version
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> LedgerEntry {
        try LedgerEntry(&row)
    }
}

/// The releases whose code was installed, the latest first.
private struct ReadReleases: Statement {
    var sql: StaticString {
        """
        SELECT code_checksum, release, version,
            to_char(installed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS installed_at
        FROM juliet.schema_releases ORDER BY schema_releases.installed_at DESC, code_checksum
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> ReleaseEntry {
        try ReleaseEntry(&row)
    }
}
