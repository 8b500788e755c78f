import EventLoop
import HTTPServer
import JulietGame
import Logging
import Postgres

/// What a service consists of, made in the order in which one needs another. Nothing runs yet.
struct GameParts: Sendable {
    /// Where players are; nil: a pooler is in front of one server, and cannot reach others.
    let shards: ShardRouter?
    let database: PostgresClient
    let rules = RulesInForce()
    let secrets: SecretWords
    let days: Days
    let readiness: Readiness
    let check: StartupCheck
    let limits: RequestLimits
    let health: Health
    let log: RequestLog
    let ways: AccountService
    let lottery: LotteryService?
    let server: HTTPServer
    let counter: FigureCounter

    /// - Parameter pool: The database as the service uses it.
    init(
        _ settings: Settings, pool: PostgresConfiguration, loops: [EventLoop], metrics: ServiceMetrics, logger: Logger
    ) {
        let game = settings.game
        shards = settings.database.route == .direct ? ShardRouter() : nil
        database = PostgresClient(configuration: pool, router: shards, loops: loops)
        secrets = SecretWords(database: database, rules: rules)
        days = Days(database: database)
        readiness = Readiness(database: database, rules: rules, secrets: secrets)
        check = StartupCheck(
            database: settings.database, workers: shards == nil ? [] : settings.workers, loop: loops[0],
            settings: settings.rules, rules: rules, secrets: secrets, days: days, shards: shards, readiness: readiness,
            logger: logger)
        limits = RequestLimits(settings.limits, logger: logger)
        health = Health(readiness)
        log = RequestLog(logger, settings.log)
        let store = StoreService(settings.purchases, database: database, limits: limits, metrics: metrics, log: log)
        ways = AccountService(settings.accounts, database: database, metrics: metrics, logger: logger)
        ways.readKeys()
        lottery =
            settings.isLotteryEnabled
            ? LotteryService(
                database: database, maximumConnections: settings.http.maximumConnections,
                ownOrigins: ways.ownOrigins, limits: limits, metrics: metrics, log: log) : nil
        let service = JulietService(
            game: Game(settings: game, rules: rules, database: database, secrets: secrets), keys: settings.keys,
            basePath: settings.basePath,
            v2: V2Service(
                settings: game, rules: rules, database: database, basePath: settings.basePath, store: store,
                ways: ways, web: settings.web, limits: limits, metrics: metrics, log: log),
            store: store, ways: ways, lottery: lottery, web: settings.web, limits: limits, log: log, health: health,
            metrics: metrics)
        var http = settings.http
        http.maximumBodySizes = StoreService.bodySizes(below: settings.basePath)
        server = HTTPServer(configuration: http, loops: loops, router: service.router)
        metrics.read(server, database, isReady: readiness.isReady)
        counter = FigureCounter(database: pool, on: loops[0])
    }
}
