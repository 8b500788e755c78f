package import Postgres

/// The services that run on a database, each with its release.
package struct RunningServices: Sendable {
    /// How often a service renews its row.
    package static let interval: Duration = .seconds(10)

    /// A service that has renewed its row recently.
    package struct Service: Sendable, Equatable {
        /// Its version.
        package let release: String
        /// The checksum of the code it was built with.
        package let codeChecksum: String
        /// When it started, ISO 8601 in UTC.
        package let startedAt: String
    }

    /// Renews a service's row.
    ///
    /// - Parameters:
    ///   - id: The id of the process, made at each start.
    ///   - release: Its version.
    package static func renew(
        _ id: PostgresUUID, release: String, on database: PostgresClient
    ) async throws(PostgresError) {
        let statement = RenewService(id: id, release: release, codeChecksum: Schema.codeChecksum)
        _ = try await database.execute(statement, timeout: .seconds(5))
    }

    /// The services that renewed their rows within the last minute, the oldest first.
    ///
    /// - Parameter connection: Of the role that owns the tables.
    package static func list(on connection: PostgresConnection) async throws(PostgresError) -> [Service] {
        try await connection.execute(ListServices())
    }
}

private struct RenewService: Statement {
    var sql: StaticString { "SELECT juliet.renew_service($1, $2, $3)" }
    typealias Row = NoRow

    let id: PostgresUUID
    let release: String
    let codeChecksum: String

    func bind(to parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(release)
        parameters.append(codeChecksum)
    }
}

private struct ListServices: Statement {
    var sql: StaticString {
        """
        SELECT release, code_checksum, to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS started_at
        FROM juliet.services WHERE seen_at > now() - interval '1 minute' ORDER BY services.started_at, id
        """
    }
    var access: StatementAccess { .read }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> RunningServices.Service {
        RunningServices.Service(release: try row.next(), codeChecksum: try row.next(), startedAt: try row.next())
    }
}
