public import Postgres

/// One object of the code as the database remembers it: a row of `schema_code`.
public struct CodeEntry: Sendable, Hashable {
    /// ``CodePiece/object``
    public let object: String
    /// The checksum of its statements.
    public let checksum: String
    /// Its catalog entry directly after it was installed; nil for objects that are not compared.
    public let digest: String?
    /// SQL that drops it.
    public let removal: String
    /// Whether a role may call it. Then a service of another release may depend on it.
    public let isEntry: Bool
    /// When a release no longer had it, ISO 8601 in UTC; nil: the current one has it.
    public let retiredAt: String?
    /// When it was installed, ISO 8601 in UTC.
    public let installedAt: String

    /// Whether an object is dropped before another: triggers before the functions they call.
    static func goesBefore(_ left: CodeEntry, _ right: CodeEntry) -> Bool {
        let isFunction = (left.object.hasPrefix("function "), right.object.hasPrefix("function "))
        return isFunction.0 != isFunction.1 ? isFunction.1 : left.object < right.object
    }
}

/// A release whose code was installed: a row of `schema_releases`.
public struct ReleaseEntry: Sendable, Hashable {
    /// ``SchemaCode/checksum``
    public let codeChecksum: String
    /// The release's own name, such as `1.4.0`.
    public let release: String
    /// The newest migration that was applied then, which says which tables its code fits.
    public let version: Int
    /// When it was installed last, ISO 8601 in UTC.
    public let installedAt: String

    /// A row.
    public init(codeChecksum: String, release: String, version: Int, installedAt: String) {
        self.codeChecksum = codeChecksum
        self.release = release
        self.version = version
        self.installedAt = installedAt
    }

    /// Whether this release is newer than another one with other code: it was installed later or, if the other was
    /// never installed, its version is higher (semver.org: numbers, compared from the left).
    ///
    /// - Parameters:
    ///   - release: The other one's name.
    ///   - isKnown: Whether its code was ever installed.
    func isNewer(than release: String, isKnown: Bool) -> Bool {
        func numbers(_ version: String) -> [Int] {
            version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? 0 }
        }
        return isKnown || numbers(release).lexicographicallyPrecedes(numbers(self.release))
    }

    /// Reads a row whose columns are those of this structure, in its order.
    public init(_ row: inout RowDecoder) throws(PostgresDecodingError) {
        codeChecksum = try row.next()
        release = try row.next()
        version = Int(try row.next(Int64.self))
        installedAt = try row.next()
    }
}

/// The tables `schema_code` and `schema_releases`: which code this database has.
enum CodeLedger {
    /// Makes the tables. Everybody may read them: a service checks them when it starts, whatever its role.
    static let create = """
        CREATE TABLE schema_code (
            object text CONSTRAINT schema_code_pkey PRIMARY KEY,
            file text NOT NULL,
            checksum text NOT NULL,
            digest text,
            removal text NOT NULL,
            is_entry boolean NOT NULL,
            retired_at timestamptz,
            installed_at timestamptz NOT NULL,
            installed_by text NOT NULL DEFAULT session_user
        );
        COMMENT ON TABLE schema_code IS 'Functions, triggers, rights and comments as juliet migrate up installed them.';
        CREATE TABLE schema_releases (
            code_checksum text CONSTRAINT schema_releases_pkey PRIMARY KEY,
            release text NOT NULL,
            version bigint NOT NULL,
            installed_at timestamptz NOT NULL,
            installed_by text NOT NULL DEFAULT session_user
        );
        COMMENT ON TABLE schema_releases IS 'Releases whose code was installed; the latest is what holds.';
        GRANT SELECT ON schema_code, schema_releases TO PUBLIC;
        """

    struct Read: Statement {
        var sql: StaticString {
            """
            SELECT object, checksum, digest, removal, is_entry,
                to_char(retired_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS retired_at,
                to_char(installed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS installed_at
            FROM schema_code ORDER BY object
            """
        }
        var access: StatementAccess { .read }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> CodeEntry {
            CodeEntry(
                object: try row.next(), checksum: try row.next(), digest: try row.next(), removal: try row.next(),
                isEntry: try row.next(), retiredAt: try row.next(), installedAt: try row.next())
        }
    }

    /// The releases, the latest first.
    struct ReadReleases: Statement {
        var sql: StaticString {
            """
            SELECT code_checksum, release, version,
                to_char(installed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS installed_at
            FROM schema_releases ORDER BY schema_releases.installed_at DESC, code_checksum
            """
        }
        var access: StatementAccess { .read }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> ReleaseEntry {
            try ReleaseEntry(&row)
        }
    }

    /// Records objects as they are in the catalog now.
    struct Record: Statement {
        var sql: StaticString {
            """
            INSERT INTO schema_code (object, file, checksum, digest, removal, is_entry, installed_at)
            SELECT object, file, checksum, nullif(digest, ''), removal, is_entry, clock_timestamp()
            FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[])
                AS pieces (object, file, checksum, digest, removal, is_entry)
            ON CONFLICT (object) DO UPDATE
            SET file = excluded.file, checksum = excluded.checksum, digest = excluded.digest,
                removal = excluded.removal, is_entry = excluded.is_entry, retired_at = NULL,
                installed_at = excluded.installed_at, installed_by = session_user
            """
        }
        typealias Row = NoRow
        let pieces: [CodePiece]
        /// By object.
        let digests: [String: String]

        func bind(to parameters: inout Parameters) {
            parameters.append(pieces.map(\.object))
            parameters.append(pieces.map(\.file))
            parameters.append(pieces.map(\.checksum))
            parameters.append(pieces.map { digests[$0.object] ?? "" })
            parameters.append(pieces.map(\.removal))
            parameters.append(pieces.map { !$0.callers.isEmpty })
        }
    }

    struct Retire: Statement {
        var sql: StaticString { "UPDATE schema_code SET retired_at = clock_timestamp() WHERE object = $1" }
        typealias Row = NoRow
        let object: String

        func bind(to parameters: inout Parameters) { parameters.append(object) }
    }

    struct Forget: Statement {
        var sql: StaticString { "DELETE FROM schema_code WHERE object = $1" }
        typealias Row = NoRow
        let object: String

        func bind(to parameters: inout Parameters) { parameters.append(object) }
    }

    /// Records that this is the current code.
    struct RecordRelease: Statement {
        var sql: StaticString {
            """
            INSERT INTO schema_releases (code_checksum, release, version, installed_at)
            SELECT $1, $2, coalesce(max(version), 0), clock_timestamp()
            FROM schema_migrations WHERE applied_at IS NOT NULL
            ON CONFLICT (code_checksum) DO UPDATE
            SET release = excluded.release, version = excluded.version, installed_at = excluded.installed_at,
                installed_by = session_user
            """
        }
        typealias Row = NoRow
        let checksum: String
        let release: String

        func bind(to parameters: inout Parameters) {
            parameters.append(checksum)
            parameters.append(release)
        }
    }

    /// Forgets the releases whose code needs a migration that is undone.
    struct ForgetReleases: Statement {
        var sql: StaticString { "DELETE FROM schema_releases WHERE version >= $1" }
        typealias Row = NoRow
        let version: Int

        func bind(to parameters: inout Parameters) { parameters.append(Int64(version)) }
    }

    /// The current catalog entries of objects.
    struct Find: Statement {
        /// The settings are made before anything is printed, because each row is joined with theirs.
        ///
        /// Types and tables are looked for in the schema that the session uses, so the digest does not depend on its name.
        var sql: StaticString {
            """
            WITH fixed AS MATERIALIZED (
                SELECT count(set_config(name, value, true)) AS settings
                FROM unnest($2::text[], $3::text[]) AS given (name, value))
            SELECT object, md5(concat_ws(' ', prosrc, lanname, prosecdef, provolatile, proisstrict,
                    array_to_string(proconfig, ' '), pg_get_function_arguments(pg_proc.oid),
                    pg_get_function_result(pg_proc.oid), proowner = pg_namespace.nspowner)) AS digest,
                ARRAY(SELECT CASE WHEN grantee = 0 THEN 'public' ELSE pg_get_userbyid(grantee) END::text
                    FROM aclexplode(coalesce(proacl, acldefault('f', proowner)))
                    WHERE privilege_type = 'EXECUTE' AND grantee <> proowner ORDER BY 1) AS callers,
                format('%I.%I(%s)', pg_namespace.nspname, proname, array_to_string(ARRAY(
                    SELECT CASE WHEN homes.nspname = 'pg_catalog' THEN format_type(types.oid, NULL)
                        ELSE format('%I.%I', homes.nspname, types.typname) END
                    FROM unnest(proargtypes) WITH ORDINALITY AS arguments (type, place)
                        JOIN pg_type AS types ON types.oid = type JOIN pg_namespace AS homes ON homes.oid = typnamespace
                    ORDER BY place), ', ')) AS qualified
            FROM fixed CROSS JOIN unnest($1::text[]) AS object
                JOIN pg_proc ON pg_proc.oid = to_regprocedure(substr(object, 10))
                JOIN pg_namespace ON pg_namespace.oid = pronamespace
                    AND pg_namespace.nspname = current_schema()
                JOIN pg_language ON pg_language.oid = prolang
            WHERE settings > 0 AND object LIKE 'function %'
            UNION ALL
            SELECT object, md5(concat_ws(' ', pg_get_triggerdef(pg_trigger.oid, true), tgenabled)), '{}', ''
            FROM fixed CROSS JOIN unnest($1::text[]) AS object
                JOIN pg_trigger ON tgname = split_part(object, ' ', 2)
                    AND tgrelid = to_regclass(split_part(object, ' ', 4))
            WHERE settings > 0 AND object LIKE 'trigger %'
            """
        }
        var access: StatementAccess { .read }
        let objects: [String]

        func bind(to parameters: inout Parameters) {
            parameters.append(objects)
            parameters.append(FixedSettings.names)
            parameters.append(FixedSettings.values)
        }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> CodeState.Found {
            CodeState.Found(
                object: try row.next(), digest: try row.next(), callers: try row.next([String].self),
                qualifiedName: try row.next())
        }
    }

    /// Which of some roles exist.
    struct FindRoles: Statement {
        var sql: StaticString { "SELECT rolname::text FROM pg_roles WHERE rolname = ANY ($1::text[])" }
        var access: StatementAccess { .read }
        let names: [String]

        func bind(to parameters: inout Parameters) { parameters.append(names) }

        static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> String { try row.next() }
    }
}
