import JulietAPI
import Migrations
package import Postgres

/// Distributes the game over the servers of a Citus cluster, by the player's id: all rows of a request of the app are
/// on one server, where its function is called.
///
/// Users, their ledgers, sessions and games are distributed; words, days, claims, merges, rules and refused parts of names are
/// on every server; everything else stays on the coordinator. Citus knows of one of those tables: see
/// `schema/servers/commit_together.sql`. All of it happens in one transaction.
package enum Distribution {
    /// Tables and the column that holds the player's id, `users` before those that are placed with it.
    static let tables = [
        ("users", "id"), ("energy_ledger", "user_id"), ("energy_ledger_archive", "user_id"),
        ("energy_checkpoints", "user_id"), ("closed_ledgers", "user_id"), ("played_words", "user_id"),
        ("unverified_purchases", "user_id"), ("players", "user_id"), ("sessions", "user_id"),
        ("judged_games", "user_id"), ("board_entries", "user_id"), ("board_changes", "user_id"),
        ("daily_results", "user_id"),
    ].map { name, column in ("juliet.\(name)", column) }
    /// Tables of which each server has a copy.
    static let references = [
        "words", "word_lists", "blocked_words", "days", "daily_words", "claims", "rules", "merges", "refused_names",
    ].map { "juliet.\($0)" }
    /// Tables of the coordinator that Citus knows of.
    static let locals = ["juliet.commit_marks"]
    /// Calls of functions whose first argument is the player's id and which touch nothing but the tables above: the service
    /// calls them where the player is. The others are on all servers as well, because these functions and queries of the
    /// coordinator call them.
    static let calls: [FunctionCall<AnswerRow<AppState>>] = {
        let (nobody, words) = (AppUser(User.ID("")), WordList(language: "", letters: 0))
        return [
            .registerUser(user: nobody, operation: nil), .reportEnergy(user: nobody, energy: 0, operation: nil),
            .payForGame(user: nobody, operation: nil), .startGame(user: nobody, list: words, operation: nil),
            .dealWord(user: nobody, list: words), .buyEnergy(user: nobody, amount: 0, operation: nil),
            .refusePurchase(user: nobody, reason: .unverified, operation: nil),
            .addWin(user: nobody, operation: nil),
            .recordPlayedWord(user: nobody, word: "", language: ""),
        ]
    }()
    /// The functions' names.
    static let functions = calls.map(\.function)

    /// The state of a database.
    package struct State: Sendable, Equatable {
        /// A server that may keep players.
        package struct Server: Sendable, Equatable {
            /// The address by which the coordinator reaches it.
            package let host: String
            package let port: Int
            /// How many shards of `users` it keeps.
            package let shards: Int
        }

        /// The servers that take shards, by host and port.
        package let servers: [Server]
        /// What is not distributed yet: "the table juliet.users", "the function juliet.add_win(text,text,bigint)".
        package let missing: [String]

        /// The number of shards of `users`; 0: nothing is distributed.
        package var shards: Int { servers.reduce(0) { $0 + $1.shards } }
    }

    /// Reads the state of a database.
    ///
    /// - Returns: nil when it has no Citus.
    package static func state(on connection: PostgresConnection) async throws(PostgresError) -> State? {
        guard try await connection.first(FindCitus()) == true else { return nil }
        let servers = try await connection.execute(FindServers())
        let parts = try await connection.execute(FindUndistributed())
        return State(servers: servers, missing: parts.map(\.description))
    }

    /// Distributes what is not distributed yet, with its rows. The game waits meanwhile.
    ///
    /// - Parameters:
    ///   - connection: Of the role that owns the tables. Nobody else may migrate meanwhile.
    ///   - shards: Into how many parts the players are divided, if they are not yet.
    ///   - lockTimeout: How long to wait for requests under way.
    ///   - report: Called with what is done next.
    /// - Returns: Whether there was anything to do.
    /// - Throws: ``DistributionRefusal`` or `PostgresError`; nothing has changed, unless the code is `outcomeUnknown`.
    package static func distribute(
        on connection: PostgresConnection, shards: Int, lockTimeout: Duration, report: (String) -> Void
    ) async throws -> Bool {
        guard try await connection.first(FindCitus()) == true else { throw DistributionRefusal.noCitus }
        if let fault = try await connection.first(FindFaults()) { throw DistributionRefusal.cluster(fault) }
        let parts = try await connection.execute(FindUndistributed())
        if !parts.isEmpty {
            // One by one, because Citus passes settings on with the text that they came in.
            let settings =
                Schema.transactionSettings.map { "SET LOCAL \($0)" } + FixedSettings.setLocal + [
                    Schema.goHome, "SET LOCAL check_function_bodies = off", "SET LOCAL statement_timeout = 0",
                    "SET LOCAL lock_timeout = \(lockTimeout.components.seconds * 1000)",
                ]
            let lock = "LOCK TABLE \(tables.map(\.0).joined(separator: ", ")) IN EXCLUSIVE MODE"
            do {
                try await connection.inTransaction("BEGIN") { () async throws(PostgresError) in
                    for sql in settings + [lock] { try await connection.executeScript(sql) }
                    for kind in DistributedPart.Kind.allCases {
                        for part in parts where part.kind == kind {
                            report("distributing \(part)")
                            try await distribute(part, into: shards, on: connection)
                        }
                    }
                }
            } catch {
                if error.sqlState == .lockNotAvailable { throw DistributionRefusal.locked }
                throw error.code == .outcomeUnknown ? error : DistributionRefusal.failed(error)
            }
        }
        // Distributing copies rows. The originals are still there, invisible.
        let leftovers = try await connection.execute(FindLeftovers())
        for table in leftovers { _ = try await connection.execute(DropLeftover(table: table), timeout: .seconds(600)) }
        for (table, _) in tables where parts.contains(where: { $0.name == table }) {
            try await connection.executeScript("ANALYZE \(table)", timeout: .seconds(3600))
        }
        return !parts.isEmpty || !leftovers.isEmpty
    }

    private static func distribute(
        _ part: DistributedPart, into shards: Int, on connection: PostgresConnection
    ) async throws(PostgresError) {
        let patience: Duration = .seconds(86400)
        switch part.kind {
        case .reference: _ = try await connection.execute(MakeReference(table: part.name), timeout: patience)
        case .local: _ = try await connection.execute(MakeLocal(table: part.name))
        case .first, .table:
            let statement = Distribute(
                table: part.name, column: part.column, shards: part.kind == .first ? shards : nil)
            _ = try await connection.execute(statement, timeout: patience)
        case .function: _ = try await connection.execute(DistributeFunction(function: part.name))
        }
    }
}

/// Why a database cannot be distributed. Nothing has changed.
package enum DistributionRefusal: Error, CustomStringConvertible {
    case noCitus, locked
    /// What the server said.
    case failed(PostgresError)
    case schema(String)
    case cluster(String)

    /// What is wrong and what to do.
    package var description: String {
        switch self {
        case .noCitus:
            "this database has no Citus: install Citus on all servers, CREATE EXTENSION citus in this database on each, and register the other servers with the coordinator: SELECT citus_set_coordinator_host('…'), citus_add_node('…', 5432)"
        case .locked:
            "a table stayed locked by other sessions, and nothing has changed: try again with a longer --lock-timeout, or when fewer people play"
        case .failed(let error):
            "nothing has changed: \(error.operatorMessage ?? error.description)"
        case .schema(let why): why
        case .cluster(let fault): fault
        }
    }
}
