import EventLoop
import JulietGame
import Logging
import Migrations
import Postgres
import ServiceLifecycle

/// What must hold before the service listens: the database answers, its schema is complete and of this release, and the
/// role has only the rights that it needs. Then the words are read, and those of the coming days are chosen.
///
/// It has a session of its own, which can be given up at any moment; those of the pool cannot.
struct StartupCheck {
    let database: PostgresConfiguration
    /// Asked while the database does not answer: players are served by those that keep them.
    let workers: [PostgresServer]
    let loop: EventLoop
    /// The rules as this service's settings have them.
    let settings: GameRules
    /// Those of the database.
    let rules: RulesInForce
    let secrets: SecretWords
    let days: Days
    /// nil: there is only one server.
    let shards: ShardRouter?
    let readiness: Readiness
    let logger: Logger
    /// The warnings that were logged. Attempts repeat what they check.
    private let told = Locked<Set<String>>([])

    /// How long to wait for a PostgreSQL that does not answer.
    private static let patience: Duration = .seconds(30)
    /// The same for a worker's answers while the coordinator is down.
    private static let workerPatience: Duration = .seconds(5)
    /// How long to wait between two attempts.
    private static let pause: Duration = .milliseconds(250)
    /// The same after a start by a worker.
    private static let longPause: Duration = .seconds(1)

    /// How a start ends, if it does not fail.
    enum End {
        /// Everything is as it must be.
        case passed
        /// A worker answered in the coordinator's place: ``runLater()`` is still to be done.
        case passedByWorker
        /// The service was told to stop before.
        case stopped
    }

    /// Checks, and waits for a database that may still become available.
    ///
    /// - Throws: ``StartupError``.
    func run() async throws -> End {
        do {
            return try await cancelWhenGracefulShutdown { try await wait() }
        } catch  where Task.isShuttingDownGracefully {
            logger.notice("stopping before the start is done: \(error)")
            return .stopped
        }
    }

    /// Checks everything after a start by a worker: waits for the coordinator as long as it takes, or until the service stops.
    ///
    /// - Throws: ``StartupError``: a service that starts now would not start.
    func runLater() async throws {
        while true {
            do {
                try await connectAndCheck()
                return logger.info(
                    "the coordinator is back, and its schema and the service's rights are as they must be")
            } catch let error as PostgresError {
                try Task.checkCancellation()
                guard error.mayPass else { throw unfit(.database(error)) }
                if !error.isAway {
                    warn("the schema could not be checked: \(StartupError.line(error))")
                }
                try await Task.sleep(for: Self.longPause)
            } catch let error as StartupError {
                throw unfit(error)
            }
        }
    }

    private func unfit(_ error: StartupError) -> StartupError {
        logger.error("the coordinator is back, and the service must stop: \(error)")
        return error
    }

    private func wait() async throws -> End {
        let deadline = ContinuousClock.now + Self.patience
        var isWaiting = false
        while true {
            do {
                try await connectAndCheck()
                return .passed
            } catch let error as PostgresError {
                guard error.mayPass else { throw StartupError.database(error) }
                for worker in workers where error.isAway {
                    guard try await checkIsPassed(by: worker) else { continue }
                    logger.warning(
                        "the coordinator is down: \(StartupError.line(error)). The service uses what it read from \(worker.host). It checks the schema when the coordinator is back; until then /ready says 503"
                    )
                    return .passedByWorker
                }
                guard ContinuousClock.now < deadline else { throw StartupError.database(error) }
                if !isWaiting { logger.notice("waiting for PostgreSQL: \(StartupError.line(error))") }
                isWaiting = true
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    private func connectAndCheck() async throws {
        try await withSession(database) { connection in try await check(connection) }
    }

    private func withSession<Value: Sendable>(
        _ configuration: PostgresConfiguration, _ body: (PostgresConnection) async throws -> Value
    ) async throws -> Value {
        var configuration = configuration
        // As the pool's sessions have it. Behind a pooler the database's own setting holds, and is checked.
        if configuration.route == .direct {
            configuration.sessionSettings["default_transaction_isolation"] = "read committed"
        }
        let connection = try await PostgresConnection.connect(configuration, on: loop)
        do {
            let value = try await body(connection)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Checks what a worker can tell: it has no record of migrations and of code, without which rights cannot be judged, and no
    /// tables but those of players and those that all servers have.
    ///
    /// - Returns: Whether the service can serve players with it.
    private func checkIsPassed(by worker: PostgresServer) async throws -> Bool {
        guard let shards else { return false }
        do {
            return try await withSession(database.routed(to: worker)) { connection in
                if let lack = try await DatabaseNeeds.lack(on: connection, timeout: Self.workerPatience) {
                    warn("\(worker.host):\(worker.port): \(lack)")
                    return false
                }
                let lacks = try await connection.execute(Schema.FindMissingFunctions(), timeout: Self.workerPatience)
                guard lacks.isEmpty else {
                    warn(
                        "\(worker.host):\(worker.port) lacks functions of this release: \(lacks.joined(separator: ", "))"
                    )
                    return false
                }
                let isNew = try await shards.read(on: connection, timeout: Self.workerPatience)
                if isNew { logger.notice(.players(on: shards.servers)) }
                guard !shards.servers.isEmpty else { return false }
                try await readRules(connection)
                try await secrets.read(on: connection, timeout: Self.workerPatience)
                return true
            }
        } catch let error as PostgresError {
            try Task.checkCancellation()
            warn("\(worker.host):\(worker.port) cannot be reached either: \(StartupError.line(error))")
            return false
        }
    }

    /// Logs a warning, once.
    private func warn(_ text: String) {
        if told.withLock({ $0.insert(text).inserted }) { logger.warning("\(text)") }
    }

    private func check(_ connection: PostgresConnection) async throws {
        if let lack = try await DatabaseNeeds.lack(on: connection, timeout: Self.patience) {
            throw StartupError.unsuitable(lack)
        }
        // Directly, the pool's sessions say it themselves.
        if database.route != .direct,
            let lack = try await DatabaseNeeds.isolationLack(on: connection, timeout: Self.patience)
        {
            throw StartupError.unsuitable(lack)
        }
        let fitness = try await Schema.fitness(of: Release.version, on: connection, timeout: Self.patience)
        try StartupError.check(fitness, logger)
        if case .readyOnNewer = fitness { readiness.acceptNewerSchema() }
        let faults = try await SchemaGuards.faults(isOwn: fitness == .ready) { (read) async throws(PostgresError) in
            try await connection.execute(read, timeout: Self.patience)
        }
        guard faults.isEmpty else { throw StartupError.schemaFaults(faults) }
        try await checkRights(connection)
        try await readRules(connection)
        if let shards, try await shards.read(on: connection, timeout: Self.patience) {
            logger.notice(.players(on: shards.servers))
        }
        try await secrets.read(on: connection, timeout: Self.patience)
        let list = rules.hasWords ? secrets.list : rules.current.list
        if !rules.hasWords || secrets.count == 0 {
            warn(
                "there are no secret words of \(list.letters) letters in \"\(list.language)\": games are refused until you import some with juliet words import"
            )
        }
        do {
            try await days.choose(on: connection, timeout: Self.patience)
        } catch {
            warn("the words of days to come could not be chosen: \(error)")
        }
    }

    /// Reads the rules. They apply, whatever the settings say.
    private func readRules(_ connection: PostgresConnection) async throws {
        try await rules.read { (read) async throws(PostgresError) in
            try await connection.execute(read, timeout: Self.patience)
        }
        let changes = settings.changes(from: rules.current)
        guard !changes.isEmpty else { return }
        warn(
            "the settings differ from the rules in the database, which apply: \(changes). To apply the settings: juliet rules apply"
        )
    }

    /// Refuses a role that can do what the service must not be able to do.
    private func checkRights(_ connection: PostgresConnection) async throws {
        let rights = try await SchemaGuards.excessRights(of: .own) { (read) async throws(PostgresError) in
            try await connection.execute(read, timeout: Self.patience)
        }
        guard let rights else {
            warn(
                "the service is connected as the owner of its tables: whoever breaks into it can rewrite the ledger. Connect it as a role that has GRANT juliet_service and nothing else"
            )
            return
        }
        guard rights.isEmpty else { throw StartupError.excessRights(rights) }
        if let risk = try await DatabaseNeeds.connectionRisk(on: connection, timeout: Self.patience) { warn(risk) }
    }
}

extension PostgresError {
    /// Whether waiting may help: nobody listens yet, the name is not known yet, the server is starting or full. A wrong
    /// password, a missing database or a missing right stay as they are.
    var mayPass: Bool {
        guard code != .configuration, code != .misuse, code != .decodingFailed else { return false }
        guard let sqlState else { return !isRefusedHere }
        // 08 connection, 40 rollback, 53 resources, 55 locks, 57 operator (PostgreSQL, Appendix A).
        return ["08", "40", "53", "55", "57"].contains(sqlState.classCode)
    }

    /// Whether nobody could be asked. A server that has no session left is there, and so is one that fails to answer a query.
    var isAway: Bool { code == .connectionFailed && mayPass && sqlState?.classCode != "53" }

    /// Whether libpq or the kernel refused the attempt on this side. libpq has no codes for that, only messages, which
    /// are English because the program never sets its locale.
    private var isRefusedHere: Bool {
        let message = operatorMessage ?? ""
        return [
            "Permission denied", "no password supplied", "does not support SSL", "certificate", "private key",
            "invalid ",
            "definition of service",
        ].contains { message.contains($0) }
    }
}
