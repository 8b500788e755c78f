import ArgumentParser
import EventLoop
import JulietGame
import Migrations
import Postgres

/// `juliet migrate distribute`
struct MigrateDistribute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "distribute",
        abstract: "Spread the players over the servers of a Citus cluster.",
        usage: "juliet migrate distribute [--shards <count>] [<options>]",
        discussion: """
            For a game that one PostgreSQL cannot hold (docs/citus.md). The database is the coordinator's: \
            it has the schema and the extension citus, and knows the other servers. Users, ledgers and \
            played words are divided by the player's id. Each server gets a copy of the words. The functions \
            of the app's requests run on the player's server. Everything else stays on the coordinator.

            There may be players already: their rows are moved in the same transaction, and the game waits \
            meanwhile. If the command is interrupted, nothing has changed. Run it again, for example after \
            `up`, to distribute what is new. Services find the servers by themselves, within a minute.

            Exit status: 0 done or nothing to do, 1 error or refused, 4 locked, 64 wrong usage.
            """)

    @Option(
        help: ArgumentHelp(
            "Into how many parts to divide the players: several for each server that you expect to have.",
            valueName: "count"))
    var shards = 32
    @OptionGroup var patience: MigratePatience
    @OptionGroup var options: MigrateOptions

    func validate() throws {
        guard (1...1000).contains(shards) else { throw ValidationError("--shards must be 1 to 1000") }
    }

    func run() async throws {
        try await options.run(patience: patience) { runner, sources in
            let compared = try await sources.compare(runner)
            if compared.hasDrift || compared.isPending {
                throw DistributionRefusal.schema(MigrateReport.summary(compared))
            }
            let (isNew, state) = try await runner.whileNobodyMigrates(sources.migrations) { connection, _ in
                let isNew = try await distribute(on: connection)
                return (isNew, try await Distribution.state(on: connection))
            }
            Terminal.print(
                options.json
                    ? try Terminal.json(MigrateReport.Distributed(state, isNew: isNew))
                    : (isNew ? "done: " : "nothing to do: ") + MigrateReport.distribution(state))
            return .done
        }
    }

    /// Tries again when a table is in use.
    private func distribute(on connection: PostgresConnection) async throws -> Bool {
        var attempt = 1
        while true {
            do {
                return try await Distribution.distribute(
                    on: connection, shards: shards, lockTimeout: .seconds(patience.lockTimeout), report: Terminal.note)
            } catch DistributionRefusal.locked {
                guard attempt < patience.lockAttempts else { throw DistributionRefusal.locked }
                Terminal.note("a table is in use, nothing has changed after attempt \(attempt)")
                attempt += 1
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

extension MigrateOptions {
    /// How the game is distributed; nil: the database has no Citus.
    func distribution() async throws -> Distribution.State? {
        let configuration = try database.configuration(applicationName: "juliet migrate")
        let loop = try EventLoop(label: "juliet migrate")
        defer { loop.shutdown() }
        let connection = try await PostgresConnection.connect(configuration, on: loop)
        do {
            let state = try await Distribution.state(on: connection)
            await connection.close()
            return state
        } catch {
            await connection.close()
            throw error
        }
    }
}

extension MigrateReport {
    /// How the game is spread, in a line, and what to do about it.
    static func distribution(_ state: Distribution.State?) -> String {
        guard let state else { return "on one server" }
        guard state.shards > 0 else {
            return "on one server of a Citus cluster: `juliet migrate distribute` spreads the players"
        }
        let servers = state.servers.map { "\($0.host):\($0.port) \($0.shards)" }.joined(separator: ", ")
        let missing =
            state.missing.isEmpty
            ? "" : "; not yet distributed: \(state.missing.joined(separator: ", ")); run `juliet migrate distribute`"
        return "distributed in \(counted(state.shards, "shard")): \(servers)\(missing)"
    }

    /// How the game is spread, for scripts.
    struct Distributed: Encodable {
        struct Server: Encodable {
            let host: String
            let port: Int
            let shards: Int
        }

        /// `distributed`, `nothing-to-do`; nil if the state is only shown.
        let status: String?
        let shards: Int
        let servers: [Server]
        /// What `juliet migrate distribute` has yet to do.
        let missing: [String]

        init(_ state: Distribution.State?, isNew: Bool? = nil) {
            status = isNew.map { $0 ? "distributed" : "nothing-to-do" }
            shards = state?.shards ?? 0
            servers = state?.servers.map { Server(host: $0.host, port: $0.port, shards: $0.shards) } ?? []
            missing = state?.missing ?? []
        }
    }
}
