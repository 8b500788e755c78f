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
    /// Where the service listens once it does.
    package typealias Announcement = @Sendable (SocketAddress) -> Void

    private let settings: Settings
    private let logger: Logger
    private let announce: Announcement

    /// How long the start waits for a PostgreSQL that does not answer.
    private static let startupPatience: Duration = .seconds(30)

    /// A service that is not running yet.
    ///
    /// - Parameters:
    ///   - settings: All settings, checked.
    ///   - logger: Where the service says what it does.
    ///   - announce: Called once the service listens.
    package init(settings: Settings, logger: Logger, announce: @escaping Announcement = { _ in }) {
        self.settings = settings
        self.logger = logger
        self.announce = announce
    }

    /// Serves until the process gets SIGTERM or SIGINT, or the task is cancelled; then answers what was received and
    /// returns.
    ///
    /// - Throws: ``StartupError`` when the database or the port cannot be used; nothing is left running.
    package func run(handlingSignals: Bool = true) async throws {
        let loops = try makeLoops()
        defer { for loop in loops { loop.shutdown() } }
        let database = PostgresClient(configuration: settings.database, loops: loops)
        let rules = settings.rules
        let secrets = SecretWords(
            database: database, list: .init(language: rules.language, letters: rules.wordLength))
        let readiness = Readiness(database: database, secrets: secrets)
        let service = JulietService(
            game: Game(rules: rules, database: database, secrets: secrets),
            keys: AccessKeys(settings.list("auth.tokens")),
            basePath: settings.text("http.basePath"),
            logger: logger,
            isReady: readiness.isReady)
        let server = HTTPServer(
            configuration: settings.httpServer, loops: loops, errorRenderer: service.errorRenderer,
            handler: service.router.respond)

        let group = ServiceGroup(
            configuration: .init(
                services: [
                    // Shut down in reverse order: the database goes last, and with it those who only wait for it.
                    .init(
                        service: Part {
                            try await cancelWhenGracefulShutdown {
                                try await withThrowingTaskGroup(of: Void.self) { group in
                                    group.addTask { try await database.run() }
                                    group.addTask { try await keepRefreshing(secrets) }
                                    try await group.waitForAll()
                                }
                            }
                        }),
                    .init(
                        service: Part {
                            try await withGracefulShutdownHandler {
                                try await prepare(database, secrets, readiness)
                                let address = try await listen(server)
                                warnIfOpen(to: address)
                                announce(address)
                                StartupPages.release()
                                try await server.run()
                            } onGracefulShutdown: {
                                readiness.stop()
                                logger.notice("stopping: requests under way are answered first")
                                Task { await server.shutdown() }
                            }
                        }, successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                gracefulShutdownSignals: handlingSignals ? [.sigterm, .sigint] : [],
                logger: Logger(label: "juliet.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        // In a task of its own: cancelling the caller is to stop the parts one after the other, not all at once.
        let running = Task { try await group.run() }
        do {
            try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                Task { await group.triggerGracefulShutdown() }
            }
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
        let errorRenderer = JulietService.errorRenderer()
        let server = HTTPServer(
            configuration: settings.httpServer, loops: [loop], errorRenderer: errorRenderer
        ) { request in
            errorRenderer(
                HTTPFailure(
                    code: .overloaded, status: .serviceUnavailable, message: "The service is starting.",
                    request: request))
        }
        _ = try await listen(server)
        await server.shutdown(deadline: .zero)
    }

    private func makeLoops() throws -> [EventLoop] {
        let configured = settings.integer("http.loops")
        let count = configured == 0 ? EventLoop.coreCount : configured
        return try (0..<count).map { try EventLoop(label: "juliet.loop.\($0)") }
    }

    /// Waits for the database, checks its schema and reads the words.
    private func prepare(
        _ database: PostgresClient, _ secrets: SecretWords, _ readiness: Readiness
    ) async throws {
        let deadline = ContinuousClock.now + Self.startupPatience
        var isWaiting = false
        while true {
            do {
                let ledger = try await Ledger.entries { (read) async throws(PostgresError) in
                    try await database.execute(read, timeout: Self.startupPatience)
                }
                let fitness = SchemaFitness(ledger: ledger, required: Schema.version)
                try StartupError.check(fitness, logger)
                if case .readyOnNewer = fitness { readiness.acceptNewerSchema() }
                try await checkGuards(database, isOwn: fitness == .ready)
                try await secrets.refresh()
                break
            } catch let error as PostgresError {
                guard error.code != .configuration, error.sqlState?.description.hasPrefix("28") != true,
                    error.sqlState?.description != "3D000", ContinuousClock.now < deadline
                else { throw StartupError.database(error) }
                guard !Task.isShuttingDownGracefully else { throw CancellationError() }
                if !isWaiting { logger.notice("waiting for PostgreSQL: \(error)") }
                isWaiting = true
                try await Task.sleep(for: .milliseconds(250))
            }
        }
        if secrets.count == 0 {
            logger.warning(
                "no secret words of \(secrets.list.letters) letters in \"\(secrets.list.language)\": games are refused until juliet words import has brought some"
            )
        }
    }

    /// Refuses a schema that is not whole, and a role that can do what the service must not be able to do.
    private func checkGuards(_ database: PostgresClient, isOwn: Bool) async throws {
        let faults = try await SchemaGuards.faults(isOwn: isOwn) { (read) async throws(PostgresError) in
            try await database.execute(read, timeout: Self.startupPatience)
        }
        guard faults.isEmpty else { throw StartupError.schemaFaults(faults) }
        let rights = try await SchemaGuards.excessRights(of: .own) { (read) async throws(PostgresError) in
            try await database.execute(read, timeout: Self.startupPatience)
        }
        guard let rights else {
            logger.warning(
                "the service is connected as the owner of its tables: whoever breaks into it can rewrite the ledger. Connect it as a role that has GRANT juliet_service and nothing else"
            )
            return
        }
        guard rights.isEmpty else { throw StartupError.excessRights(rights) }
    }

    private func listen(_ server: HTTPServer) async throws -> SocketAddress {
        do {
            return try await server.start()
        } catch {
            throw StartupError.listen(host: server.configuration.host, port: server.configuration.port, error)
        }
    }

    private func warnIfOpen(to address: SocketAddress) {
        guard settings.list("auth.tokens").isEmpty, !address.host.hasPrefix("127."), address.host != "::1" else {
            return
        }
        logger.warning("no API keys (auth.tokens): everybody who reaches \(address) can play and buy")
    }

    private func keepRefreshing(_ secrets: SecretWords) async throws {
        while true {
            try await Task.sleep(for: settings.duration("game.wordsRefresh"))
            do {
                try await secrets.refresh()
            } catch {
                logger.warning("the words could not be read again: \(error)")
            }
            FreeMemory.release()
        }
    }
}

/// One of the services of the group.
private struct Part: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
