import EventLoop
package import HTTPServer
import JulietGame
package import Logging
import Migrations
import Postgres
import ServiceLifecycle
import UnixSignals

/// The whole service: loops, database pools, word list and HTTP server, started and stopped together.
package struct GameServer: Sendable {
    /// Where a service listens.
    package struct Listening: Sendable {
        /// For clients.
        package let address: SocketAddress
        /// The port of that.
        package var port: Int { Int(address.port) }
        /// The same for people: `http://127.0.0.1:8080`, `unix:/run/juliet.sock`, `inherited`.
        package let place: String
        /// The URL of the admin page; nil: there is none, or its port is in use.
        package let adminPage: String?
    }

    /// Called when the service listens, with its addresses.
    package typealias Announcement = @Sendable (Listening) -> Void

    private let settings: Settings
    private let logger: Logger
    private let level: LogLevel?
    private let metrics: ServiceMetrics
    private let keyCommand: String
    private let announce: Announcement

    /// What makes a key for the admin page where `juliet` is installed.
    package static let keyCommand = "juliet admin keys add NAME --role owner"

    /// A service that is not running yet.
    ///
    /// - Parameters:
    ///   - settings: All settings, checked.
    ///   - logger: The service's log.
    ///   - level: The logger's, which SIGUSR1 and SIGUSR2 change; nil: they do not.
    ///   - metrics: The registry of the service's metrics.
    ///   - keyCommand: What makes a key for the admin page, as the page says it while nobody has one.
    ///   - announce: Called once the service listens.
    package init(
        settings: Settings, logger: Logger, level: LogLevel? = nil, metrics: ServiceMetrics = ServiceMetrics(),
        keyCommand: String = Self.keyCommand, announce: @escaping Announcement = { _ in }
    ) {
        self.settings = settings
        self.logger = logger
        self.level = level
        self.metrics = metrics
        self.keyCommand = keyCommand
        self.announce = announce
    }

    /// Serves until the process gets SIGTERM or SIGINT, or the task is cancelled; then is not ready, goes on for
    /// `http.shutdownNotice`, answers what was received and returns.
    ///
    /// - Throws: ``StartupError`` when the database or the port cannot be used; nothing is left running. After a start by a worker
    ///   also when the coordinator is back and cannot be used.
    package func run(handlingSignals: Bool = true) async throws {
        let loopCount = settings.loops == 0 ? EventLoop.coreCount : settings.loops
        FreeMemory.configure(loops: loopCount)
        let loops = try (0..<loopCount).map { try EventLoop(label: "juliet.loop.\($0)") }
        defer { for loop in loops { loop.shutdown() } }
        let parts = GameParts(settings, pool: pool, loops: loops, metrics: metrics, logger: logger)
        let history = ProcessHistory(metrics.registry)
        let admin = try await startAdmin(
            parts.health,
            AdminPage(
                database: parts.database, rules: parts.rules, keyCommand: keyCommand, limits: parts.limits,
                metrics: metrics, history: history, log: parts.log))
        // A start by a worker is checked once more when the coordinator is back.
        let (startsByWorker, startedByWorker) = AsyncStream<Void>.makeStream()
        let (starting, started) = AsyncStream<Never>.makeStream()
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    // Shut down in reverse order: the database goes last, and with it the parts that only wait for it.
                    .init(service: keepUp(parts, history: admin == nil ? nil : history, after: starting)),
                    .init(
                        service: serve(
                            parts, adminPage: admin == nil ? nil : settings.adminPage, started, startedByWorker),
                        successTerminationBehavior: .gracefullyShutdownGroup),
                    // The service has players by now: their requests are answered.
                    .init(
                        service: checkLater(parts, startsByWorker),
                        failureTerminationBehavior: .gracefullyShutdownGroup),
                ],
                gracefulShutdownSignals: handlingSignals ? [.sigterm, .sigint] : [],
                logger: Logger(label: "juliet.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        let signals = Task { if handlingSignals, let level { await obeySignals(level) } }
        defer { signals.cancel() }
        // In a task of its own, because cancelling the caller must stop the parts one after the other, not all at once.
        let running = Task { try await group.run() }
        let end = await withTaskCancellationHandler {
            await running.result
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
        await admin?.stop()
        do {
            try end.get()
        } catch is CancellationError {
            // The parts end by cancellation when the group shuts down.
        }
        logger.notice("stopped")
    }

    /// Runs the pool, and what keeps the database and this process's knowledge of it up to date.
    ///
    /// - Parameters:
    ///   - history: nil: nobody can look at it.
    ///   - starting: Ends when the check at the start has passed. Until then the check alone connects, and reports why it cannot.
    private func keepUp(_ parts: GameParts, history: ProcessHistory?, after starting: AsyncStream<Never>) -> Part {
        Part {
            try await cancelWhenGracefulShutdown {
                for await _ in starting {}
                try Task.checkCancellation()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let database = parts.database
                    group.addTask { try await database.run() }
                    group.addTask { try await keepRefreshing(parts.secrets, parts.days) }
                    group.addTask { try await keepTending(Leaderboards(database: database)) }
                    group.addTask { try await keepRenewing(on: database) }
                    group.addTask { try await keepReading(parts.rules, on: database) }
                    if let shards = parts.shards { group.addTask { try await keepFollowing(shards, on: database) } }
                    group.addTask { try await keepReading(parts.ways) }
                    group.addTask { try await keepCounting(parts.counter) }
                    if let history { group.addTask { try await history.run() } }
                    if let lottery = parts.lottery { group.addTask { await lottery.hub.run() } }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Checks the database, and then answers requests until the service stops.
    ///
    /// - Parameters:
    ///   - adminPage: Where the admin page is; nil: there is none.
    ///   - started: Is finished when the check has passed.
    ///   - startedByWorker: Gets an element if the coordinator could not be asked.
    private func serve(
        _ parts: GameParts, adminPage: String?, _ started: AsyncStream<Never>.Continuation,
        _ startedByWorker: AsyncStream<Void>.Continuation
    ) -> Part {
        let (server, readiness) = (parts.server, parts.readiness)
        return Part {
            try await withGracefulShutdownHandler {
                switch try await parts.check.run() {
                case .passed: readiness.checked()
                case .passedByWorker: startedByWorker.yield()
                case .stopped: return
                }
                started.finish()
                readiness.started()
                await readiness.lookAgain()
                let address = try await listen(server)
                for address in server.addresses { warnIfOpen(to: address) }
                try warnIfUnproven(parts.shards.map { settings.workers + $0.servers.keys } ?? [], isStart: true)
                let place = settings.http.listeners.isEmpty ? "http://\(address)" : settings.http.place
                announce(Listening(address: address, place: place, adminPage: adminPage))
                FreeMemory.release()
                ProgramPages.release()
                try await server.run()
            } onGracefulShutdown: {
                readiness.stop()
                // A viewer of the lottery is not a request under way.
                parts.lottery?.hub.close()
                logger.notice("stopping: requests under way are answered first")
                Task {
                    // If a proxy is refused a connection before it has read /ready again, it takes that
                    // for a fault, and so do the clients whose requests it had.
                    try? await Task.sleep(for: settings.shutdownNotice)
                    await server.shutdown()
                }
            }
        }
    }

    /// Checks the database again after each start by a worker.
    private func checkLater(_ parts: GameParts, _ starts: AsyncStream<Void>) -> Part {
        Part {
            try await cancelWhenGracefulShutdown {
                do {
                    for await _ in starts {
                        try await parts.check.runLater()
                        parts.readiness.checked()
                    }
                } catch is CancellationError {}
            }
        }
    }

    /// Finds out whether the configured address can be listened on, before more is started for it.
    ///
    /// - Throws: ``StartupError``.
    package func checkAddress() async throws {
        let loop = try EventLoop(label: "juliet.check")
        defer { loop.shutdown() }
        // It listens for a moment. A request at that moment, perhaps of a health check, must not take it for the service.
        let errorRenderer = JulietService.errorRenderer(basePath: settings.basePath, web: settings.web)
        let server = HTTPServer(
            configuration: settings.http, loops: [loop], errorRenderer: errorRenderer
        ) { request in
            errorRenderer(
                HTTPFailure(
                    code: .overloaded, status: .serviceUnavailable, message: "The service is starting.",
                    request: request))
        }
        _ = try await listen(server)
        await server.shutdown(deadline: .zero)
    }

    /// The database as the service uses it.
    private var pool: PostgresConfiguration {
        var pool = settings.database
        // A session keeps its plans, and one made while a table was new and empty would read the whole table for every
        // statement until the next ANALYZE.
        pool.sessionSettings["enable_seqscan"] = "off"
        // Functions that touch secrets run in no other isolation.
        pool.sessionSettings["default_transaction_isolation"] = "read committed"
        // No statement takes long enough to be worth compiling, but the planner may think so of one that reads a whole table.
        pool.sessionSettings["jit"] = "off"
        // A cancellation handler would cost each statement 0.3 µs. The pool polls for tasks that were cancelled: their client has
        // reset its connection, or has waited a minute.
        pool.followsCancellation = false
        pool.observer = DatabaseObserver(metrics.database, logger, slowStatement: settings.log.slowStatement)
        return pool
    }

    private func listen(_ server: HTTPServer) async throws -> SocketAddress {
        do {
            return try await server.start()
        } catch {
            throw StartupError.listen(place: server.configuration.place, error)
        }
    }

    /// SIGUSR1 has a level more logged, SIGUSR2 one less.
    private func obeySignals(_ level: LogLevel) async {
        for await signal in await UnixSignalsSequence(trapping: .sigusr1, .sigusr2) {
            signal == .sigusr1 ? level.more() : level.less()
            logger.log(level: level.now, "the log level is now \(level.now)")
        }
    }

    /// Starts to serve metrics, health and the admin page. Games are served without them, too, so a port in use is only logged. Another
    /// instance may have it, or Prometheus itself, whose default is the same.
    private func startAdmin(_ health: Health, _ page: @autoclosure () -> AdminPage) async throws -> AdminServer? {
        guard let configuration = settings.admin else { return nil }
        let admin = try AdminServer(
            configuration, names: settings.adminNames, metrics: metrics.registry, health: health, page: page())
        do {
            try await admin.start()
            return admin
        } catch {
            await admin.stop()
            logger.warning(
                "no metrics and no admin page: cannot listen on \(configuration.place): \(error). Give each instance an admin.port of its own, or 0"
            )
            return nil
        }
    }

    private func warnIfOpen(to address: SocketAddress) {
        guard settings.keys.isEmpty, !address.host.hasPrefix("127."), address.host != "::1" else {
            return
        }
        logger.warning("no API keys (auth.tokens): everybody who reaches \(address) can use the app's URLs")
    }

    /// Warns once, for the same setting helps with all of them.
    ///
    /// - Parameter servers: Those that keep players. Their connections have the database's parameters.
    private func warnIfUnproven(_ servers: [PostgresServer], isStart: Bool = false) throws {
        if try !settings.database.areServersProven {
            if isStart { warnOfUnproven("the database") }
        } else if let server = try servers.first(where: { try !settings.database.routed(to: $0).areServersProven }) {
            warnOfUnproven("a server of the players (\(server.host):\(server.port))")
        }
    }

    private func warnOfUnproven(_ server: String) {
        logger.warning(
            """
            \(server) is on another machine and its identity is not verified: \
            set sslmode=verify-full in database.url (the page advanced.md, "TLS to PostgreSQL")
            """)
    }

    /// Logs what failed. That there is no connection is logged by itself.
    private func warn(_ failure: String, _ error: any Error) {
        let isAway = (error as? PostgresError)?.isAway == true
        logger.log(level: isAway ? .debug : .warning, "\(failure): \(error)")
    }

    /// Refreshes the words in memory, and chooses the words of the coming days; any node may do it. While there are no
    /// words it tries again soon, because somebody may be about to import some. Half a minute is
    /// soon enough for a change.
    private func keepRefreshing(_ secrets: SecretWords, _ days: Days) async throws {
        while true {
            try await Task.sleep(for: secrets.count == 0 ? .seconds(5) : .seconds(30))
            do {
                try await secrets.refresh()
            } catch {
                warn("the words could not be read again", error)
            }
            do {
                try await days.choose()
            } catch {
                warn("the words of days to come could not be chosen", error)
            }
            FreeMemory.release()
            ProgramPages.release()
        }
    }

    /// Gathers the changes on the boards, by one node at a time, because every rank that is requested has to count the
    /// changes that are not gathered.
    private func keepTending(_ boards: Leaderboards) async throws {
        var (isBusy, wasWarned) = (false, false)
        while true {
            try await Task.sleep(for: isBusy ? .seconds(1) : .seconds(5))
            do {
                isBusy = try await boards.tend()
                wasWarned = false
            } catch {
                if !wasWarned { warn("the changes of the leaderboards could not be gathered", error) }
                (isBusy, wasWarned) = (false, true)
            }
        }
    }

    /// Records that this service runs, and its release.
    private func keepRenewing(on database: PostgresClient) async throws {
        let id = PostgresUUID.random()
        var wasWarned = false
        while true {
            do {
                try await RunningServices.renew(id, release: Release.version, on: database)
                wasWarned = false
                try await Task.sleep(for: RunningServices.interval)
            } catch let error as PostgresError {
                if error.sqlState == .configurationLimitExceeded, !wasWarned {
                    wasWarned = true
                    logger.warning(
                        "the table services is full (100 services in the last minute), so juliet migrate prune does not see this service"
                    )
                }
                logger.debug("this service could not renew its row in the table services: \(error)")
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Reads the rules again: an operator may have applied others.
    private func keepReading(_ rules: RulesInForce, on database: PostgresClient) async throws {
        while true {
            try await Task.sleep(for: RulesInForce.interval)
            do {
                let former = try await rules.read { (read) async throws(PostgresError) in
                    try await database.execute(read, timeout: .seconds(5))
                }
                let changes = rules.current.changes(from: former)
                if !changes.isEmpty { logger.notice("the rules have changed: \(changes)") }
            } catch {
                logger.debug("the rules could not be read again: \(error)")
            }
        }
    }

    /// Reads the providers' keys again: the files are replaced when the keys are fetched.
    private func keepReading(_ ways: AccountService) async throws {
        while true {
            try await Task.sleep(for: IdentityKeys.interval)
            ways.readKeys()
        }
    }

    /// Counts the figures of past days, by one node at a time. It begins a little after the start, because many services run only shortly.
    private func keepCounting(_ counter: FigureCounter) async throws {
        try await Task.sleep(for: .seconds(10))
        while true {
            do {
                try await counter.count()
            } catch {
                try Task.checkCancellation()
                // A database that is away is logged elsewhere.
                let mayPass = (error as? PostgresError)?.mayPass ?? false
                logger.log(
                    level: mayPass ? .debug : .warning, "the figures of past days could not be counted: \(error)")
            }
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// Follows players who move from one server to another. Until the service knows, the servers pass requests on.
    private func keepFollowing(_ shards: ShardRouter, on database: PostgresClient) async throws {
        var wasWarned = false
        for turn in 1... {
            // A server that fails has another address as soon as its standby has taken over.
            try await Task.sleep(for: .seconds(1))
            // Seldom if there is one server, whose players may be distributed one day.
            guard !shards.servers.isEmpty || turn.isMultiple(of: 60) else { continue }
            do {
                let former = shards.servers
                if try await shards.refresh(from: database) {
                    logger.notice(.players(on: shards.servers))
                    try warnIfUnproven(shards.servers.keys.filter { former[$0] == nil })
                }
                wasWarned = false
            } catch {
                if !wasWarned { warn("the servers of the players could not be read again", error) }
                wasWarned = true
            }
        }
    }
}

extension Logger.Message {
    /// How the players are spread.
    static func players(on servers: [PostgresServer: Int]) -> Logger.Message {
        let list = servers.map { "\($0.key.host):\($0.key.port) (\($0.value) shards)" }.sorted()
        return "the players are on \(list.isEmpty ? "one server" : list.joined(separator: ", "))"
    }
}

/// One of the services of the group.
private struct Part: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
