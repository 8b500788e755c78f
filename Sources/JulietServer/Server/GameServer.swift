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
        /// The URL of the admin page; nil: there is none, or its port is another's.
        package let adminPage: String?
    }

    /// Is told where the service listens once it does.
    package typealias Announcement = @Sendable (Listening) -> Void

    private let settings: Settings
    private let logger: Logger
    private let level: LogLevel?
    private let metrics: ServiceMetrics
    private let announce: Announcement

    /// A service that is not running yet.
    ///
    /// - Parameters:
    ///   - settings: All settings, checked.
    ///   - logger: Where the service says what it does.
    ///   - level: The logger's, which SIGUSR1 and SIGUSR2 change; nil: they do not.
    ///   - metrics: Where they are counted.
    ///   - announce: Called once the service listens.
    package init(
        settings: Settings, logger: Logger, level: LogLevel? = nil, metrics: ServiceMetrics = ServiceMetrics(),
        announce: @escaping Announcement = { _ in }
    ) {
        self.settings = settings
        self.logger = logger
        self.level = level
        self.metrics = metrics
        self.announce = announce
    }

    /// Serves until the process gets SIGTERM or SIGINT, or the task is cancelled; then is not ready, goes on for
    /// `http.shutdownNotice`, answers what was received and returns.
    ///
    /// - Throws: ``StartupError`` when the database or the port cannot be used; nothing is left running.
    package func run(handlingSignals: Bool = true) async throws {
        FreeMemory.keepLargeApart()
        let loops = try makeLoops()
        defer { for loop in loops { loop.shutdown() } }
        // A pooler stands before one server; what is beside it is not its to reach.
        let shards = settings.database.route == .direct ? ShardRouter() : nil
        let database = PostgresClient(configuration: pool, router: shards, loops: loops)
        let rules = RulesInForce()
        let secrets = SecretWords(
            database: database, list: .init(language: settings.game.language, letters: settings.game.wordLength))
        let days = Days(settings: settings.game, database: database)
        let readiness = Readiness(database: database, secrets: secrets)
        let check = StartupCheck(
            database: settings.database, loop: loops[0], settings: settings.rules, rules: rules, secrets: secrets,
            days: days, shards: shards, readiness: readiness, logger: logger)
        let limits = RequestLimits(settings.limits, logger: logger)
        let health = Health(isReady: readiness.isReady)
        let requests = RequestLog(logger, settings.log)
        let store = StoreService(
            settings.purchases, database: database, limits: limits, metrics: metrics, log: requests)
        let ways = AccountService(settings.accounts, database: database, logger: logger)
        ways.readKeys()
        let lottery =
            settings.isLotteryEnabled
            ? LotteryService(
                database: database, maximumConnections: settings.http.maximumConnections, limits: limits,
                metrics: metrics,
                log: requests) : nil
        let service = JulietService(
            game: Game(settings: settings.game, rules: rules, database: database, secrets: secrets),
            keys: settings.keys,
            basePath: settings.basePath,
            play: PlayService(
                settings: settings.game, rules: rules, database: database, basePath: settings.basePath, store: store,
                ways: ways, web: settings.web, limits: limits, metrics: metrics, log: requests),
            store: store,
            ways: ways,
            lottery: lottery,
            web: settings.web,
            limits: limits,
            log: requests,
            health: health,
            metrics: metrics)
        var http = settings.http
        http.maximumBodySizes = StoreService.bodySizes(below: settings.basePath)
        let server = HTTPServer(configuration: http, loops: loops, router: service.router)
        metrics.read(server, database, isReady: readiness.isReady)
        let history = ProcessHistory(metrics.registry)
        let admin = try await startAdmin(
            health,
            AdminPage(database: database, limits: limits, metrics: metrics, history: history, log: requests))
        let counter = FigureCounter(database: pool, on: loops[0])

        let adminPage = admin == nil ? nil : settings.adminPage
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    // Shut down in reverse order: the database goes last, and with it those who only wait for it.
                    .init(
                        service: Part {
                            try await cancelWhenGracefulShutdown {
                                try await withThrowingTaskGroup(of: Void.self) { group in
                                    group.addTask { try await database.run() }
                                    group.addTask { try await keepRefreshing(secrets, days) }
                                    group.addTask { try await keepTending(Leaderboards(database: database)) }
                                    group.addTask { try await keepRenewing(on: database) }
                                    group.addTask { try await keepReading(rules, on: database) }
                                    if let shards { group.addTask { try await keepFollowing(shards, on: database) } }
                                    group.addTask { try await keepReading(ways) }
                                    group.addTask { try await keepCounting(counter) }
                                    if admin != nil { group.addTask { try await history.run() } }
                                    if let lottery { group.addTask { await lottery.hub.run() } }
                                    try await group.waitForAll()
                                }
                            }
                        }),
                    .init(
                        service: Part {
                            try await withGracefulShutdownHandler {
                                guard try await check.run() else { return }
                                await readiness.lookAgain()
                                let address = try await listen(server)
                                warnIfOpen(to: address)
                                try warnIfUnproven()
                                let isOnPort = settings.http.listeners.isEmpty
                                let place = isOnPort ? "http://\(address)" : settings.http.place
                                announce(Listening(address: address, place: place, adminPage: adminPage))
                                StartupPages.release()
                                try await server.run()
                            } onGracefulShutdown: {
                                readiness.stop()
                                // Whoever looks on is no request under way.
                                lottery?.hub.close()
                                logger.notice("stopping: requests under way are answered first")
                                Task {
                                    // A proxy that is refused a connection before it has asked /ready again takes it for
                                    // a fault, and those who have sent something meanwhile as well.
                                    try? await Task.sleep(for: settings.shutdownNotice)
                                    await server.shutdown()
                                }
                            }
                        }, successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                gracefulShutdownSignals: handlingSignals ? [.sigterm, .sigint] : [],
                logger: Logger(label: "juliet.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        let signals = Task { if handlingSignals, let level { await obeySignals(level) } }
        defer { signals.cancel() }
        // In a task of its own: cancelling the caller is to stop the parts one after the other, not all at once.
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

    /// Finds out whether the configured address can be listened on, before more is started for it.
    ///
    /// - Throws: ``StartupError``.
    package func checkAddress() async throws {
        let loop = try EventLoop(label: "juliet.check")
        defer { loop.shutdown() }
        // It listens for a moment: whoever asks just then, a health check perhaps, must not take it for the service.
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
        // Nothing takes long enough to be compiled first, and a table that is read whole all the same seems to.
        pool.sessionSettings["jit"] = "off"
        // The tasks that answer requests are never cancelled: a request that has come is answered.
        pool.followsCancellation = false
        pool.observer = DatabaseObserver(metrics.database, logger, slowStatement: settings.log.slowStatement)
        return pool
    }

    private func makeLoops() throws -> [EventLoop] {
        let count = settings.loops == 0 ? EventLoop.coreCount : settings.loops
        return try (0..<count).map { try EventLoop(label: "juliet.loop.\($0)") }
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
            logger.log(level: level.now, "the log begins at \(level.now)")
        }
    }

    /// Begins to tell metrics and health, and to serve the admin page. Games are served without, too, so a port that is taken is only said: by another
    /// instance perhaps, or by Prometheus itself, whose default is the same.
    private func startAdmin(_ health: Health, _ page: @autoclosure () -> AdminPage) async throws -> AdminServer? {
        guard let configuration = settings.admin else { return nil }
        let admin = try AdminServer(configuration, metrics: metrics.registry, health: health, page: page())
        do {
            try await admin.start()
            return admin
        } catch {
            await admin.stop()
            logger.warning(
                "no metrics: cannot listen on \(configuration.place): \(error): give each instance an admin.port of its own, or 0"
            )
            return nil
        }
    }

    private func warnIfOpen(to address: SocketAddress) {
        guard settings.keys.isEmpty, !address.host.hasPrefix("127."), address.host != "::1" else {
            return
        }
        logger.warning("no API keys (auth.tokens): everybody who reaches \(address) can play and buy")
    }

    private func warnIfUnproven() throws {
        guard try !settings.database.areServersProven else { return }
        logger.warning(
            """
            the database is on another machine and need not prove who it is: \
            set sslmode=verify-full in database.url (docs/operations.md, "TLS to PostgreSQL")
            """)
    }

    /// What has to be done now and then, by any node: the words in memory, the words of days to come. Soon again while
    /// there are no words: somebody may be about to import some.
    private func keepRefreshing(_ secrets: SecretWords, _ days: Days) async throws {
        while true {
            try await Task.sleep(
                for: secrets.count == 0 ? min(.seconds(5), settings.wordsRefresh) : settings.wordsRefresh)
            do {
                try await secrets.refresh()
            } catch {
                logger.warning("the words could not be read again: \(error)")
            }
            do {
                try await days.choose()
            } catch {
                logger.warning("the words of days to come could not be chosen: \(error)")
            }
            FreeMemory.release()
        }
    }

    /// Gathers what changes on the boards, by one node at a time: every rank that is asked for counts what is not gathered.
    private func keepTending(_ boards: Leaderboards) async throws {
        var (isBusy, wasWarned) = (false, false)
        while true {
            try await Task.sleep(for: isBusy ? .seconds(1) : .seconds(5))
            do {
                isBusy = try await boards.tend()
                wasWarned = false
            } catch {
                if !wasWarned { logger.warning("the leaderboards could not be seen to: \(error)") }
                (isBusy, wasWarned) = (false, true)
            }
        }
    }

    /// Says that this service runs, and of which release it is.
    private func keepRenewing(on database: PostgresClient) async throws {
        let id = PostgresUUID.random()
        while true {
            do {
                try await RunningServices.renew(id, release: Release.version, on: database)
                try await Task.sleep(for: RunningServices.interval)
            } catch let error as PostgresError {
                logger.debug("this service could not say that it runs: \(error)")
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
                if !changes.isEmpty { logger.notice("other rules hold now: \(changes)") }
            } catch {
                logger.debug("the rules could not be read again: \(error)")
            }
        }
    }

    /// Reads the keys of providers again: whoever fetches them replaces the files.
    private func keepReading(_ ways: AccountService) async throws {
        while true {
            try await Task.sleep(for: IdentityKeys.interval)
            ways.readKeys()
        }
    }

    /// Counts the figures of days that are over, by one node at a time. Not at once: many starts are short.
    private func keepCounting(_ counter: FigureCounter) async throws {
        try await Task.sleep(for: .seconds(10))
        while true {
            do {
                try await counter.count()
            } catch {
                try Task.checkCancellation()
                // A database that is away is said elsewhere.
                let mayPass = (error as? PostgresError)?.mayPass ?? false
                logger.log(
                    level: mayPass ? .debug : .warning, "the figures of past days could not be counted: \(error)")
            }
            try await Task.sleep(for: .seconds(600))
        }
    }

    /// Follows players who move from one server to another. Until the service knows of it the servers do.
    private func keepFollowing(_ shards: ShardRouter, on database: PostgresClient) async throws {
        for turn in 1... {
            try await Task.sleep(for: .seconds(5))
            // Seldom where there is one server: it may be spread one day.
            guard !shards.servers.isEmpty || turn.isMultiple(of: 12) else { continue }
            do {
                if try await shards.refresh(from: database) { logger.notice(.players(on: shards.servers)) }
            } catch {
                logger.warning("on which servers the players are could not be read again: \(error)")
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
