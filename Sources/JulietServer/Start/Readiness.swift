import EventLoop
package import JulietGame
import Migrations
package import Postgres

/// Whether games can be served: there are words of the rules' list, and of the published app's, the database answers within a
/// second, takes changes, and its schema is whole.
///
/// The database is asked at most once a second; other requests get the last answer.
package final class Readiness: Sendable {
    private struct State {
        var isReady = false
        var nextLook = ContinuousClock.now
        var isOwnSchema = true
        var isStopping = false
        var hasStarted = false
        /// Whether the check at the start has passed.
        var isChecked = false
    }

    private let database: PostgresClient
    private let rules: RulesInForce
    private let secrets: SecretWords
    private let state = Locked(State())

    /// How long an answer is used.
    private static let interval: Duration = .seconds(1)
    /// How long the schema may be looked through: a database that is busy, but answers, takes its time for hundreds of lines.
    private static let schemaPatience: Duration = .seconds(5)

    /// Not ready before the first check.
    package init(database: PostgresClient, rules: RulesInForce, secrets: SecretWords) {
        self.database = database
        self.rules = rules
        self.secrets = secrets
    }

    /// The schema is newer than this release, so its guards may have other definitions.
    func acceptNewerSchema() { state.withLock { $0.isOwnSchema = false } }

    /// The start is over, though not necessarily the check of schema and rights: the service is not ready before ``checked()``.
    func started() { state.withLock { $0.hasStarted = true } }

    /// The check has been made, and passed.
    func checked() { state.withLock { $0.isChecked = true } }

    /// Whether the start is over.
    package var hasStarted: Bool { state.withLock { $0.hasStarted } }

    /// The service is stopping, so it is no longer ready.
    func stop() { state.withLock { $0.isStopping = true } }

    /// Whether games can be served.
    package func isReady() async -> Bool {
        let now = ContinuousClock.now
        let looks: Bool = state.withLock {
            guard !$0.isStopping, $0.nextLook <= now else { return false }
            $0.nextLook = now + Self.interval
            return true
        }
        if looks {
            let isReady = await look()
            state.withLock { $0.isReady = isReady }
        }
        return state.withLock { $0.isReady && !$0.isStopping && $0.isChecked }
    }

    /// Checks at once: the result from before the startup check is outdated.
    func lookAgain() async {
        let isReady = await look()
        state.withLock {
            $0.isReady = isReady
            $0.nextLook = .now + Self.interval
        }
    }

    private func look() async -> Bool {
        guard rules.hasWords, secrets.count > 0 else { return false }
        guard (try? await database.first(TakesChanges(), timeout: .seconds(1))) == true else { return false }
        let isOwn = state.withLock { $0.isOwnSchema }
        guard let faults = try? await faults(isOwn: isOwn) else { return false }
        // The differences may come from a newer release, whose migrations ran while this service was running.
        if !faults.isEmpty {
            guard isOwn, await isOnNewerSchema(), (try? await self.faults(isOwn: false))?.isEmpty == true else {
                return false
            }
            acceptNewerSchema()
        }
        return true
    }

    private func faults(isOwn: Bool) async throws(PostgresError) -> [String] {
        try await SchemaGuards.faults(isOwn: isOwn) { (read) async throws(PostgresError) in
            try await database.execute(read, timeout: Self.schemaPatience)
        }
    }

    private func isOnNewerSchema() async -> Bool {
        let fitness = try? await Schema.fitness(of: Release.version, on: database, timeout: .seconds(1))
        if case .readyOnNewer? = fitness { return true }
        return false
    }
}

/// Whether the writing sessions can write: they cannot on a standby, or if the role's transactions are set to read only.
private struct TakesChanges: Statement {
    var sql: StaticString { "SELECT current_setting('transaction_read_only') = 'off'" }
    // It uses the connections for writes.
    var access: StatementAccess { .write }

    static func decode(_ row: inout RowDecoder) throws(PostgresDecodingError) -> Bool { try row.next() }
}
